//! Instructions that can run on a CPU that lacks them.

mod facts;
mod functions;
mod reach;
pub(crate) mod sources;
mod summary;
mod world;

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::resume_unwind;

use crate::binary::Binary;
use crate::error::Error;
use crate::features::Features;
use crate::format::Format;
use crate::image::Image;
use crate::program::{Program, Symbol};
use crate::{needs, path};
use facts::{Facts, Names};
use functions::{Function, Functions};
use reach::{Graph, Reached};
use sources::Sources;
pub use summary::Above;
use summary::{Effects, Pointers, Summary};
use world::Context;

/// The assumptions of an audit: see [`Audit`].
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Functions that run only on CPUs with some features.
    pub allow: Vec<Allow>,
    /// Further variables with results of detection: ends of paths, patterns with `*`, or symbols. A branch on one is a test.
    pub tests: Vec<String>,
}

/// Functions that run only on CPUs with these features, for a reason that the machine code does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    /// The end of a path, a pattern with `*` for a whole path, or a symbol.
    pub function: String,
    /// Features by rustc's names, or other names that an audit has printed.
    pub needs: Vec<String>,
}

/// The result of [`Binary::audit`].
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core_asm::{Allow, Architecture, Binary, Features, Trust};
///
/// let baseline = Features::parse(Architecture::X86_64, "fxsr,x86-64-v2")?;
/// let vendor = Allow { function: "vendor::avx2::*".to_owned(), needs: vec!["avx2".to_owned()] };
/// let trust = Trust { allow: vec![vendor], tests: vec!["vendor::CPU".to_owned()] };
/// let audit = Binary::current()?.audit(&baseline, &trust)?;
/// for finding in &audit.findings {
///     println!("{} can lack {:?}, reached by {:?}", finding.path, finding.needs, finding.reached);
///     finding.instructions.iter().for_each(|above| println!("{:x} {}", above.address, above.text));
/// }
/// assert_eq!((&audit.used[..], &audit.tests[..]), (&[false][..], &[false][..])); // nothing of the vendor's is here
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Audit {
    /// The features that every CPU has.
    pub baseline: Features,
    /// The number of functions that were read.
    pub functions: usize,
    /// The number of clones among them with instructions above the baseline.
    pub clones: usize,
    /// The number of other functions with such instructions, all behind a test of the features.
    pub tested: usize,
    /// The number of other functions that are named in [`Trust::allow`].
    pub allowed: usize,
    /// Functions that can run an instruction on a CPU that lacks it.
    pub findings: Vec<Finding>,
    /// For each entry of [`Trust::allow`], whether there would be more findings without it.
    pub used: Vec<bool>,
    /// For each entry of [`Trust::tests`], whether there is such a variable.
    pub tests: Vec<bool>,
}

/// A function that can run an instruction on a CPU that lacks it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The demangled path, without hashes.
    pub path: String,
    /// The symbol, as the linker spells it.
    pub symbol: String,
    /// The address in the file.
    pub address: u64,
    /// The features that the CPU can lack.
    pub needs: Vec<String>,
    /// The instructions that need it.
    pub instructions: Vec<Above>,
    /// A way to the function without a test: paths of functions, and addresses of tables that contain pointers. At the
    /// first one nothing is known: other files can call it, or nothing in this file leads to it.
    pub reached: Vec<String>,
    /// The reason why it cannot run there all the same, where the function is known, or the instructions are privileged.
    pub family: Option<&'static str>,
}

/// All pointers in the file's data: those that the loader writes, and in a file that is not moved those that stand there.
fn pointers(image: &Image, functions: &Functions<'_>) -> Pointers {
    let mut pointers = image.pointers.clone();
    if !pointers.is_empty() && !image.fixed && image.format != Format::Pe {
        return pointers;
    }
    let width = image.width();
    for section in image.sections.iter().filter(|section| !section.code) {
        let is_start = |to: u64| functions.0.binary_search_by_key(&to, |function| function.symbol.address).is_ok();
        for (at, to) in section.memory.clone().filter_map(|at| Some((at, image.number(at, width)?))) {
            if image.holds(to) && (!image.is_code(to) || is_start(to)) {
                pointers.entry(at).or_insert(to);
            }
        }
    }
    pointers
}

/// One result for each number, on all cores.
fn on_all_cores<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let some = |first| (first..count).step_by(cores).map(|at| (at, work(at))).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|first| scope.spawn(move || some(first))).collect();
        let results = threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect::<BTreeMap<usize, T>>().into_values().collect()
    })
}

/// Instructions that can run on a CPU that lacks them: function, instruction, what is lacking; and the ways there.
#[derive(Default, PartialEq)]
struct Wrong {
    instructions: BTreeMap<(usize, usize), Facts>,
    ways: BTreeMap<usize, Vec<usize>>,
}

impl Binary {
    /// Finds instructions above a baseline that can run on a CPU that lacks them: those outside of clones for a target
    /// with the features, and reached without a test of the CPU. `docs/audit.md` in the repository lists the recognised
    /// tests and the limits. The features of [`with_enabled`](Self::with_enabled) are not part of the baseline.
    ///
    /// # Errors
    /// [`Error::UnknownFeature`] for a name in [`Allow::needs`].
    pub fn audit(&self, baseline: &Features, trust: &Trust) -> Result<Audit, Error> {
        self.audit_with(baseline, trust, &|_, _| {})
    }

    /// [`audit`](Self::audit), which reports to `progress` the number of functions that are read, and of all functions.
    ///
    /// # Errors
    /// As for [`audit`](Self::audit).
    pub fn audit_with(
        &self,
        baseline: &Features,
        trust: &Trust,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Audit, Error> {
        let program = &*self.program;
        let architecture = self.architecture();
        let mut names = Names::new(architecture);
        let allowed = allowed(&trust.allow, &mut names)?;
        let unnamed = functions::unnamed(program);
        let mut symbols: Vec<(&Symbol, String)> =
            program.symbols.iter().chain(&unnamed).map(|symbol| (symbol, symbol.path())).collect();
        symbols.sort_by_key(|(symbol, _)| symbol.address);
        let mut functions = Functions::new(program, &symbols);
        let mut sources = Sources::new(program, &trust.tests);
        let pointers = pointers(&program.image, &functions);
        let (count, done) = (functions.0.len(), AtomicUsize::new(0));
        let summary = |functions: &Functions<'_>, at: usize| {
            let code = functions.code(&program.image, at);
            Summary::new(program, baseline, &pointers, functions.0[at].symbol.is_typed, code)
        };
        let mut summaries = on_all_cores(count, &|at| {
            progress(done.fetch_add(1, Relaxed), count);
            summary(&functions, at)
        });
        let mut news = functions.join(&mut summaries);
        news.extend(functions.enter(program, &summaries, &pointers));
        // Until all ways into each are known.
        while !news.is_empty() {
            for at in news {
                summaries[at] = summary(&functions, at);
            }
            news = functions.enter(program, &summaries, &pointers);
        }
        let asks = |to: &u64| {
            let at = functions.around(*to);
            at.is_some_and(|at| summaries[at].asks || Sources::answers(&functions.0[at].path))
        };
        let uninformed = summaries.iter().filter(|summary| !summary.asks && !summary.effects.to.iter().any(asks));
        let written = uninformed
            .flat_map(|summary| &summary.effects.stores)
            .flat_map(|&(at, size, _)| at..at.saturating_add(size));
        sources.verify(&written.collect());
        let graph = Graph::new(program, &functions, &summaries, &pointers);
        let mut bits = |above: &Above| above.needs.iter().fold(0, |all, name| all | names.bit(name));
        let of_one = |summary: &Summary| summary.above.iter().map(|(.., above)| bits(above)).collect();
        let needs: Vec<Vec<Facts>> = summaries.iter().map(of_one).collect();
        let context = Context::new(program, &sources, &pointers, &functions, &symbols, &summaries);
        let is_needed = |bit: &Facts| needs.iter().flatten().any(|needs| needs & bit != 0);
        let features: Vec<Facts> = (0..128).map(|bit| 1 << bit).filter(is_needed).collect();
        let lacks = on_all_cores(features.len(), &|at| (features[at], context.without(features[at])));
        let functions = &functions.0[..];
        let is_of = |name: &str, one: &Function<'_>| path::allowed(name, &one.path) || name == one.symbol.name;
        let matched = |entry: &Allow| functions.iter().map(|one| is_of(&entry.function, one)).collect();
        let matched = trust.allow.iter().map(matched).collect();
        let reads = |at: &u64| program.words.as_ref().is_some_and(|words| words.contains(at));
        let readers = summaries.iter().map(|summary| summary.accesses.iter().any(reads)).collect();
        let known = Known { functions, summaries: &summaries, graph: &graph, needs, lacks, readers, matched, allowed };
        let mut used = vec![true; trust.allow.len()];
        let wrong = known.wrong(&used);
        for entry in 0..used.len() {
            used[entry] = false;
            used[entry] = known.wrong(&used).instructions != wrong.instructions;
        }
        let faulty: BTreeSet<usize> = wrong.instructions.keys().map(|&(at, _)| at).collect();
        let [clones, tested, allowed] = known.counts(&faulty);
        Ok(Audit {
            baseline: *baseline,
            functions: functions.iter().enumerate().filter(|(at, function)| *at == function.owner).count(),
            clones,
            tested,
            allowed,
            findings: faulty.iter().map(|&at| known.finding(at, &wrong, program, &names)).collect(),
            used,
            tests: sources.found.clone(),
        })
    }
}

/// All that is known of a file before anything is trusted. Functions are numbered.
struct Known<'a> {
    functions: &'a [Function<'a>],
    summaries: &'a [Summary],
    graph: &'a Graph<'a>,
    /// The needs of each function's instructions above the baseline.
    needs: Vec<Vec<Facts>>,
    /// The features that some instruction needs, each with the functions that do something else on a CPU that lacks it.
    lacks: Vec<(Facts, HashMap<usize, Effects>)>,
    /// Whether each function reads the feature words.
    readers: Vec<bool>,
    /// For each entry of [`Trust::allow`], the functions that it names, and the features that it gives them.
    matched: Vec<Vec<bool>>,
    allowed: Vec<Facts>,
}

impl Known<'_> {
    /// Instructions that can run without their features, if these entries of [`Trust::allow`] are trusted.
    fn wrong(&self, used: &[bool]) -> Wrong {
        let Self { functions, summaries, needs, .. } = self;
        let count = summaries.len();
        let mut wrong = Wrong::default();
        let entries = || self.matched.iter().zip(&self.allowed).zip(used).filter(|(_, used)| **used);
        for (lacking, seen) in &self.lacks {
            let allows = |at: usize| entries().any(|((matched, facts), _)| matched[at] && facts & lacking != 0);
            // A clone is called by a clone, or where the feature words are read. Nothing leads to one that is not called.
            let calls = |from: usize| from < count && (functions[from].own != 0 || self.readers[from]);
            let shut = |from: Option<usize>, node: usize| {
                let Some(function) = functions.get(node) else { return false };
                let is_clone = function.own & lacking != 0 && (function.is_inner || from.is_none_or(calls));
                let from = from.and_then(|from| functions.get(from)).map(|from| &*from.path);
                is_clone || allows(node) || !needs[node].is_empty() && sources::keeps(from, &function.path)
            };
            // Whether the CPU has what its target is, a clone is trusted to be called; what else it needs, it has to test.
            let clones: Vec<usize> = (0..count).filter(|&at| functions[at].own != 0 && !shut(None, at)).collect();
            let effects = |at: usize| seen.get(&at).unwrap_or(&summaries[at].effects);
            let mut reached = Reached::new();
            self.graph.reach(&[&self.graph.roots[..], &clones].concat(), &mut reached, &shut, &effects);
            for at in (0..count).filter(|at| reached.contains_key(at)) {
                for (place, (instruction, ..)) in summaries[at].above.iter().enumerate() {
                    if needs[at][place] & lacking != 0 && effects(at).reached[*instruction] {
                        *wrong.instructions.entry((at, place)).or_default() |= lacking;
                        wrong.ways.entry(at).or_insert_with(|| reach::path(&reached, at));
                    }
                }
            }
        }
        wrong
    }

    /// The numbers of functions with needs that are clones, behind tests, and allowed, without the `faulty` ones.
    fn counts(&self, faulty: &BTreeSet<usize>) -> [usize; 3] {
        let mut counts = [0; 3];
        for at in (0..self.needs.len()).filter(|at| !self.needs[*at].is_empty() && !faulty.contains(at)) {
            let lacking = self.needs[at].iter().fold(0, |all, needs| all | needs) & !self.functions[at].own;
            let is_allowed = self.matched.iter().any(|entry| entry[at]);
            counts[if lacking == 0 { 0 } else { 1 + usize::from(is_allowed) }] += 1;
        }
        counts
    }

    fn finding(&self, at: usize, wrong: &Wrong, program: &Program, names: &Names) -> Finding {
        let Function { symbol, path, .. } = &self.functions[at];
        let of_this = || {
            let all = wrong.instructions.range((at, 0)..(at + 1, 0));
            all.map(|(&(_, place), &facts)| (&self.summaries[at].above[place], facts))
        };
        let instructions = of_this().map(|((.., above), facts)| Above { needs: names.names(facts), ..above.clone() });
        let needs = names.names(of_this().fold(0, |all, (_, facts)| all | facts));
        let is_privileged = of_this().all(|((_, is_privileged, _), _)| *is_privileged);
        let of_c = || sources::family(program, path, &needs).filter(|_| path == symbol.plain());
        let data = |address| program.data.iter().find(|symbol| symbol.address == address).map(Symbol::path);
        let name = |node: &usize| match self.graph.table(*node) {
            Some(address) => data(address).unwrap_or_else(|| format!("a table at {address:#x}")),
            None => self.functions[*node].path.clone(),
        };
        Finding {
            path: path.clone(),
            symbol: symbol.plain().to_owned(),
            address: symbol.address,
            family: is_privileged.then_some(sources::PRIVILEGED).or_else(of_c),
            needs,
            instructions: instructions.collect(),
            reached: wrong.ways[&at].iter().map(name).collect(),
        }
    }
}

/// The features that each entry gives its functions.
fn allowed(entries: &[Allow], names: &mut Names) -> Result<Vec<Facts>, Error> {
    let architecture = names.architecture;
    let mut bits = |name: &String| match Features::parse(architecture, name) {
        Ok(features) => Ok(features.bits()),
        Err(_) if needs::is_unnamed(architecture, name) => Ok(names.bit(name)),
        Err(error) => Err(error),
    };
    entries.iter().map(|entry| entry.needs.iter().try_fold(0, |all, name| Ok(all | bits(name)?))).collect()
}
