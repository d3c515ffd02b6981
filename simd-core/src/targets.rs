//! Lists of targets as values: the targets of a function, and which of them runs here.

use core::fmt;

use crate::features::Features;
use crate::known;
use crate::mask::{FeatureSet, Mask};
use crate::static_target::possible;

/// The targets of a list that this architecture has, in order of preference, and the baseline.
///
/// Made by [`targets!`](crate::targets), or by the option `list` of [`dispatch`](macro@crate::dispatch), which declares
/// a constant with the targets of a function, module or impl. Prints as a table for bug reports.
///
/// ```
/// use simd_core::dispatch;
///
/// #[dispatch(targets = "avx512f | avx2 | sve2", list = TARGETS)]
/// fn add(a: &mut [u32], b: &[u32]) {
///     for (a, b) in a.iter_mut().zip(b) {
///         *a = a.wrapping_add(*b);
///     }
/// }
///
/// println!("`add` runs for {}; its clones:\n{TARGETS}", TARGETS.chosen());
/// # let mut sums = [1];
/// # add(&mut sums, &[2]);
/// # assert!(TARGETS.to_string().ends_with("baseline: runs") == (TARGETS.chosen() == "baseline"));
/// ```
///
/// On a CPU with AVX2 and without AVX-512 this prints
///
/// ```text
/// `add` runs for avx2; its clones:
/// avx512f: not here, lacks avx512f
/// avx2: runs
/// baseline: not needed
/// ```
#[derive(Clone, Copy)]
pub struct Targets(&'static [Listed]);

/// A target in a list.
#[derive(Clone, Copy)]
pub struct Listed {
    name: &'static str,
    set: FeatureSet,
}

impl Listed {
    /// The target called `name`, which requires `set`.
    #[must_use]
    pub const fn new(name: &'static str, set: FeatureSet) -> Self {
        Self { name, set }
    }
}

/// The entry of the baseline.
const BASELINE: Listed = Listed::new("baseline", FeatureSet::EMPTY);

/// The status of a target in this process. Prints in words.
///
/// ```
/// use simd_core::{Status, targets};
///
/// let baseline = targets!("avx2").iter().last().unwrap();
/// assert!(matches!(baseline.status(), Status::Runs | Status::Outranked | Status::LeftOut));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// This target runs.
    Runs,
    /// The CPU has this target, and one that comes before it.
    Outranked,
    /// The CPU lacks these of its features, or the environment disables them.
    Lacks(Features),
    /// Detection has not run: see [`Features::are_detected`].
    NotDetected,
    /// This build cannot detect these of its features, so the target is left out.
    Undetectable(Features),
    /// The build enables an earlier target everywhere, so this one is left out.
    LeftOut,
    /// The program is built without these features (`--cfg simd_core_without="…"`), so the target is left out.
    Excluded(Features),
}

/// One of [`Targets`], or the baseline. Prints as a line of the table.
///
/// ```
/// for target in simd_core::targets!("avx2 | sve2").iter() {
///     println!("{target}"); // avx2: not here, lacks avx2
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Target {
    listed: Listed,
    status: Status,
}

impl Target {
    /// The features, or the level: `avx2,fma`, `x86-64-v3`; `baseline` for the baseline.
    ///
    /// The features have rustc's names and a fixed order, and those that others imply are left out. So a list may spell the
    /// target otherwise: `"fma,avx2"` and `"avx,avx2,fma"` have this name too.
    ///
    /// ```
    /// let names: Vec<&str> = simd_core::targets!("x86_64: pclmul | x86_64: sse4_2").iter().map(|t| t.name()).collect();
    /// # #[cfg(target_arch = "x86_64")]
    /// assert_eq!(names, ["pclmulqdq", "sse4.2", "baseline"]);
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.listed.name
    }

    /// Whether it runs, and why not.
    ///
    /// ```
    /// use simd_core::{Status, targets};
    ///
    /// for target in targets!("avx512f | sse4.1").iter() {
    ///     if let Status::Lacks(features) = target.status() {
    ///         println!("no {}, since the CPU lacks {features}", target.name());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// The features that it requires.
    #[cfg(feature = "testing")]
    pub(crate) fn set(&self) -> FeatureSet {
        self.listed.set
    }
}

/// `avx2,fma: runs`
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.status)
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Runs => f.write_str("runs"),
            Status::Outranked => f.write_str("not needed"),
            Status::NotDetected => f.write_str("not here, detection has not run"),
            Status::Lacks(features) => {
                write!(f, "not here, lacks {features}")?;
                // The instructions are all there, as `/proc/cpuinfo` shows. So the reason is printed too.
                for (at, reason) in features.reasons().enumerate() {
                    write!(f, "{}{reason}", if at == 0 { ": " } else { ", " })?;
                }
                Ok(())
            }
            Status::Undetectable(features) => write!(f, "left out, this build cannot detect {features}"),
            Status::Excluded(features) => write!(f, "left out, the program is built without {features}"),
            Status::LeftOut => f.write_str("left out, the build enables a better one"),
        }
    }
}

impl Targets {
    /// A list.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(list: &'static [Listed]) -> Self {
        Self(list)
    }

    /// The name of the target that runs in this process: the first one that the CPU has, or `baseline`.
    ///
    /// ```
    /// use simd_core::{detected, targets};
    ///
    /// let chosen = targets!("avx2 | aes").chosen();
    /// assert_eq!(chosen == "avx2", detected!("avx2"));
    /// assert_eq!(chosen == "baseline", !detected!("avx2") && !detected!("aes"));
    /// ```
    #[must_use]
    pub fn chosen(self) -> &'static str {
        self.first_in(known::found()).name
    }

    /// Each target, and the baseline last.
    ///
    /// ```
    /// use simd_core::{Status, targets};
    ///
    /// let list = targets!("avx512f | avx2 | sve2");
    /// let runs = list.iter().find(|target| target.status() == Status::Runs);
    /// assert_eq!(runs.map(|target| target.name()), Some(list.chosen()));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Target> {
        let found = known::found();
        let mut chosen = false;
        let mut settled = false;
        self.listed().map(move |listed| {
            let left_out = settled;
            settled |= Mask::STATIC.contains(listed.set.leaf);
            let status = if left_out {
                Status::LeftOut
            } else if !found.contains(listed.set.leaf) {
                let missing = Features::missing(listed.set, found);
                match possible(listed.set) {
                    _ if listed.set.full.intersects(Mask::WITHOUT) => Status::Excluded(Features::excluded(listed.set)),
                    true if found.contains(Mask::INIT) => Status::Lacks(missing),
                    true => Status::NotDetected,
                    false => Status::Undetectable(missing),
                }
            } else if core::mem::replace(&mut chosen, true) {
                Status::Outranked
            } else {
                Status::Runs
            };
            Target { listed, status }
        })
    }

    fn listed(self) -> impl Iterator<Item = Listed> {
        self.0.iter().copied().chain([BASELINE])
    }

    /// The target that runs on a CPU with `found`.
    fn first_in(self, found: Mask) -> Listed {
        self.listed().find(|listed| found.contains(listed.set.leaf)).unwrap_or(BASELINE)
    }

    /// Whether `target` is the one that runs on a CPU with `found`.
    #[cfg(feature = "testing")]
    pub(crate) fn runs_in(self, target: &Target, found: Mask) -> bool {
        self.first_in(found).name == target.name()
    }
}

/// A line for each target, the baseline last.
impl fmt::Display for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, target) in self.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{target}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Gives a list of targets a name: `target_list!(pub(crate) simd = "avx512bw | avx2,fma | sve2");`.
///
/// The name, or a path to it, can be used wherever a list is written:
///
/// ```
/// mod lists {
///     simd_core::target_list! {
///         /// The targets of the kernels.
///         pub(crate) simd = "avx2,fma | sse4.1 | sve2"
///     }
///     simd_core::target_list!(pub(super) wide = ["avx512bw,avx512vl", simd]);
/// }
///
/// #[simd_core::dispatch(targets = lists::wide)]
/// fn sum(xs: &[u32]) -> u32 {
///     xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
/// }
///
/// #[simd_core::dispatch(targets = lists::simd)]
/// mod kernels {
///     // …
///     # pub(super) fn nothing() {}
/// }
///
/// println!("{} runs; all targets:\n{}", lists::wide.chosen(), lists::wide);
/// # assert_eq!((sum(&[1, 2]), kernels::nothing()), (3, ()));
/// ```
///
/// In brackets a list may contain other lists, as `wide` does. As a value the name is a constant of type [`Targets`],
/// so `#[each_target(lists::simd)]` and [`targets!`](crate::targets) accept it. The list has the visibility that is
/// written, and can be imported and re-exported. With `pub` other crates can use it, whatever name they give
/// `simd-core`.
///
/// Mistakes in a list are reported once, at the list. A list cannot have the name of a feature. The compiler resolves
/// the name where the outermost attribute stands. So on an item inside an annotated module, write a path that means the
/// same everywhere, such as `crate::lists::simd`.
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! target_list {
    ($($list:tt)*) => {
        $crate::__private::__target_list! { $crate; $($list)* }
    };
}

/// The targets of a list as a value: `targets!("avx2,fma | sse4.1 | sve2")`, for reports and for tests.
///
/// The list is written as for [`dispatch`](macro@crate::dispatch), and the same mistakes are compile errors. The value is
/// a constant of type [`Targets`].
///
/// ```
/// use simd_core::{Targets, targets};
///
/// const TARGETS: Targets = targets!("avx2,fma | sse4.1 | sve2");
/// println!("{TARGETS}");
/// # assert_eq!(TARGETS.iter().last().unwrap().name(), "baseline");
/// ```
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! targets {
    ($($list:tt)*) => {
        $crate::__private::__targets! { $crate; $($list)* }
    };
}
