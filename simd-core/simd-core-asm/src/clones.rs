use core::ops::Deref;

use crate::binary::Binary;
use crate::error::Error;
use crate::features::Features;
use crate::function::Function;
use crate::path::{self, Segment};
use crate::target::{self, Target};

/// The clones of one dispatched function, instances of a generic one included.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core::dispatch;
/// use simd_core_asm::Target;
///
/// #[dispatch(targets = "avx2 | sse4.1 | aes")]
/// pub fn squares(values: &mut [u32]) {
///     values.iter_mut().for_each(|value| *value = value.wrapping_mul(*value));
/// }
///
/// # squares(core::hint::black_box(&mut [1, 2]));
/// let clones = simd_core_asm::clones("squares")?;
/// for clone in clones.iter().filter(|clone| clone.target() != Some(Target::Baseline)) {
///     clone.assert().within_target().no_dispatch().calls_only_clones_and(&[]);
/// }
/// # if cfg!(not(any(target_feature = "sse4.1", target_feature = "aes"))) {
/// clones.target("avx2")?.assert().vectorized(256);
/// clones.baseline()?.assert().within_features("sse2");
/// # }
/// println!("{}", clones.report());
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Debug)]
pub struct Clones {
    path: String,
    functions: Vec<Function>,
}

impl Clones {
    fn new(path: &str, functions: Vec<Function>) -> Self {
        Self { path: path.to_owned(), functions }
    }

    /// The clone for the target with these features, as `"avx2,pclmulqdq"`; the order and implied names do not matter.
    ///
    /// # Errors
    /// [`Error::UnknownFeature`]; [`Error::NoSuchTarget`] with the targets that there are; [`Error::Ambiguous`] for a
    /// generic function with several instances.
    pub fn target(&self, features: &str) -> Result<&Function, Error> {
        let architecture = self.functions[0].binary.architecture();
        self.one(features, Target::Features(Features::parse(architecture, features)?))
    }

    /// The clone for CPUs that have none of the targets.
    ///
    /// # Errors
    /// As [`Clones::target`].
    pub fn baseline(&self) -> Result<&Function, Error> {
        self.one("baseline", Target::Baseline)
    }

    fn one(&self, name: &str, target: Target) -> Result<&Function, Error> {
        let mut found = self.functions.iter().filter(|function| function.target() == Some(target));
        match (found.next(), found.next()) {
            (Some(function), None) => Ok(function),
            (Some(one), Some(_)) => Err(Error::Ambiguous {
                path: format!("{} for {name}", self.path),
                candidates: self.iter().filter(|f| f.target() == one.target()).map(|f| f.symbol().to_owned()).collect(),
            }),
            _ => Err(Error::NoSuchTarget {
                path: self.path.clone(),
                target: name.to_owned(),
                targets: self.iter().filter_map(Function::target).map(|target| format!("{target}")).collect(),
            }),
        }
    }

    /// The clones by themselves.
    #[must_use]
    pub fn into_vec(self) -> Vec<Function> {
        self.functions
    }
}

impl Deref for Clones {
    type Target = [Function];

    fn deref(&self) -> &[Function] {
        &self.functions
    }
}

impl<'a> IntoIterator for &'a Clones {
    type Item = &'a Function;
    type IntoIter = core::slice::Iter<'a, Function>;

    fn into_iter(self) -> Self::IntoIter {
        self.functions.iter()
    }
}

impl Binary {
    /// The clones of a dispatched function, in the order of their addresses. Write the path as for any function:
    /// `kernels::root`, `Gf::square`, `<Gf as Mul>::mul`.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn clones(&self, path: &str) -> Result<Clones, Error> {
        let query = path::parse(path);
        let architecture = self.architecture();
        let found = self.select(path::identifier(&query), |have| target::is_clone_of(have, &query, architecture));
        if !found.is_empty() {
            return Ok(Clones::new(path, found));
        }
        let written = self.clone_paths().filter_map(|path| {
            let (function, _) = target::dispatched(&path, architecture)?;
            let is_right = target::is_clone_of(&path::parse(&path), &path::parse(&function), architecture);
            is_right.then(|| path::without_arguments(&function))
        });
        Err(Self::not_found(path, &written.collect()))
    }

    /// The paths of all clones.
    fn clone_paths(&self) -> impl Iterator<Item = String> {
        let architecture = self.architecture();
        self.program
            .select("__", move |have| have.len() > 1 && target::of(have, architecture).is_some())
            .map(|(_, path)| path)
    }

    /// Every clone whose path contains `part`, with the closures and coroutines in it. `part` is the name of a crate, a
    /// module, a type or a function, or several of them with `::` between them; an empty one selects all clones.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub fn clones_in(&self, part: &str) -> Result<Vec<Function>, Error> {
        let architecture = self.architecture();
        let is_clone = |have: &[Segment]| have.len() > 1 && target::of(have, architecture).is_some();
        let is_wanted = |path: &str| {
            path::mentions(path, part)
                || target::dispatched(path, architecture).is_some_and(|(of, _)| path::mentions(&of, part))
        };
        let found = self.join(self.program.select("__", is_clone).filter(|(_, path)| is_wanted(path)));
        if !found.is_empty() {
            return Ok(found);
        }
        let parts = self.clone_paths().flat_map(|path| {
            let function = target::dispatched(&path, architecture).map(|(of, _)| of);
            let parts = path::parts(&path).into_iter().filter(|part| path::mentions(&path, part));
            parts.chain(function).collect::<Vec<_>>()
        });
        Err(Self::not_found(part, &parts.collect()))
    }
}
