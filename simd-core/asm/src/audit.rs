//! Instructions that can run on a CPU that lacks them.

mod facts;
mod reach;
mod sources;
mod summary;
mod world;

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use crate::architecture::Architecture;
use crate::binary::Binary;
use crate::code::{Code, fills};
use crate::error::Error;
use crate::features::Features;
use crate::format::{Format, NameSource};
use crate::image::Image;
use crate::needs;
use crate::path;
use crate::program::{Program, Symbol};
use crate::target::{self, Target};
use facts::{Facts, Names};
use reach::Graph;
use sources::Sources;
use summary::{Summary, UNNAMED};
use world::{Context, Seen};

/// The assumptions of an audit: see [`Audit`].
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Functions that run only on CPUs with some features.
    pub allow: Vec<Allow>,
    /// Variables with results of detection, beyond those that are known: the ends of their paths, patterns with `*`, or
    /// symbols. A branch on such a variable is a test.
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
}

/// An instruction above the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Above {
    /// The address in the file.
    pub address: u64,
    /// The instruction.
    pub text: String,
    /// The features of the instruction that the CPU can lack.
    pub needs: Vec<String>,
}

/// The functions of a file, each address once.
struct Functions<'a> {
    starts: Vec<u64>,
    symbols: Vec<&'a Symbol>,
    paths: Vec<String>,
    /// The facts from their names.
    own: Vec<Facts>,
}

impl<'a> Functions<'a> {
    fn new(architecture: Architecture, all: &[(&'a Symbol, String)]) -> Self {
        let mut functions = Self { starts: Vec::new(), symbols: Vec::new(), paths: Vec::new(), own: Vec::new() };
        for (symbol, path) in all {
            if symbol.size == 0 {
                continue;
            }
            let own = match target::of(&path::parse(path), architecture) {
                Some(Target::Features(features)) => features.bits(),
                Some(Target::Baseline) | None => 0,
            };
            if functions.starts.last() == Some(&symbol.address) {
                let last = functions.own.len() - 1;
                // One code with several names: what any of them promises by itself is no promise.
                if own != 0 {
                    let before = functions.own[last];
                    functions.own[last] = if before == 0 { own } else { before & own };
                }
                continue;
            }
            functions.starts.push(symbol.address);
            functions.symbols.push(symbol);
            functions.paths.push(path.clone());
            functions.own.push(own);
        }
        functions
    }
}

/// All pointers in the file's data: those that the loader writes, and in a file that is not moved those that stand there.
fn pointers(image: &Image, starts: &[u64]) -> BTreeMap<u64, u64> {
    let mut pointers = image.pointers.clone();
    if !pointers.is_empty() && !image.fixed && image.format != Format::Pe {
        return pointers;
    }
    let width = if image.is_64() { 8 } else { 4 };
    for section in image.sections.iter().filter(|section| !section.code) {
        let first = section.memory.start.next_multiple_of(width);
        let skipped = (first - section.memory.start) as usize;
        let words = image.bytes[section.file.clone()].get(skipped..).unwrap_or_default().chunks_exact(width as usize);
        for (word, at) in words.zip((first..).step_by(width as usize)) {
            let mut bytes = [0; 8];
            bytes[..width as usize].copy_from_slice(word);
            let to = u64::from_le_bytes(bytes);
            let leads = starts.binary_search(&to).is_ok()
                || !image.is_code(to) && image.sections.iter().any(|s| s.memory.start != 0 && s.memory.contains(&to));
            if leads {
                pointers.entry(at).or_insert(to);
            }
        }
    }
    pointers
}

/// One result for each number, on all cores.
fn on_all_cores<T: Send + Sync>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    let work = || {
        while let at = next.fetch_add(1, Relaxed)
            && at < count
        {
            _ = results[at].set(work(at));
        }
    };
    std::thread::scope(|scope| {
        (0..std::thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(work));
    });
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// A feature that some instruction needs, and the functions that do something else on a CPU that lacks it.
type Lack = (Facts, HashMap<usize, Seen>);

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
        let unnamed = unnamed(program);
        let mut symbols: Vec<(&Symbol, String)> =
            program.symbols.iter().chain(&unnamed).map(|symbol| (symbol, symbol.path())).collect();
        symbols.sort_by_key(|(symbol, _)| symbol.address);
        let functions = Functions::new(architecture, &symbols);
        let sources = Sources::new(program, &trust.tests);
        let pointers = pointers(&program.image, &functions.starts);
        let count = functions.starts.len();
        let done = AtomicUsize::new(0);
        let summaries = on_all_cores(count, &|at| {
            progress(done.fetch_add(1, Relaxed), count);
            Summary::new(program, &sources, baseline, &pointers, functions.symbols[at])
        });
        let graph = Graph::new(program, &functions.starts, &functions.symbols, &summaries, &pointers);
        let mut bits = |needs: &[String]| needs.iter().fold(0, |all, name| all | names.bit(name));
        let needs: Vec<Vec<Facts>> =
            summaries.iter().map(|summary| summary.above.iter().map(|above| bits(&above.needs)).collect()).collect();
        let context = Context::new(program, &sources, &pointers, &functions.symbols, &symbols, &summaries);
        let all_needs = needs.iter().flatten().fold(0, |all, needs| all | needs);
        let features: Vec<Facts> = (0..128).map(|bit| 1 << bit).filter(|bit| all_needs & bit != 0).collect();
        let lacks: Vec<Lack> =
            on_all_cores(features.len(), &|at| (features[at], context.without(features[at]))).into_iter().collect();
        let is_of = |entry: &Allow, at: usize| {
            path::allowed(&entry.function, &functions.paths[at]) || entry.function == functions.symbols[at].name
        };
        let matched = trust.allow.iter().map(|entry| (0..count).map(|at| is_of(entry, at)).collect()).collect();
        let known =
            Known { functions: &functions, summaries: &summaries, graph: &graph, needs, lacks, matched, allowed };
        let mut used = vec![true; trust.allow.len()];
        let wrong = known.wrong(&used);
        for entry in 0..used.len() {
            used[entry] = false;
            used[entry] = known.wrong(&used).instructions != wrong.instructions;
        }
        let faulty: BTreeSet<usize> = wrong.instructions.keys().map(|&(at, _)| at).collect();
        let mut audit = Audit {
            baseline: *baseline,
            functions: count,
            clones: 0,
            tested: 0,
            allowed: 0,
            findings: faulty.iter().map(|&at| known.finding(at, &wrong, program, &names)).collect(),
            used,
            tests: sources.found.clone(),
        };
        for at in (0..count).filter(|at| !known.needs[*at].is_empty() && !faulty.contains(at)) {
            let all = known.needs[at].iter().fold(0, |all, needs| all | needs);
            *if all & !functions.own[at] == 0 {
                &mut audit.clones
            } else if known.matched.iter().any(|entry: &Vec<bool>| entry[at]) {
                &mut audit.allowed
            } else {
                &mut audit.tested
            } += 1;
        }
        Ok(audit)
    }
}

/// All that is known of a file before anything is trusted. Functions are numbered.
struct Known<'a> {
    functions: &'a Functions<'a>,
    summaries: &'a [Summary],
    graph: &'a Graph<'a>,
    /// The needs of each function's instructions above the baseline.
    needs: Vec<Vec<Facts>>,
    lacks: Vec<Lack>,
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
        for (lacking, seen) in &self.lacks {
            let allows = |at: usize| {
                let entries = self.matched.iter().zip(&self.allowed).zip(used);
                entries.into_iter().any(|((matched, facts), used)| *used && matched[at] && facts & lacking != 0)
            };
            let shut = |from: Option<usize>, node: usize| {
                let from = from.and_then(|from| functions.paths.get(from)).map(String::as_str);
                let kept = || !needs[node].is_empty() && sources::keeps(from, &functions.paths[node]);
                node < count && (functions.own[node] & lacking != 0 || allows(node) || kept())
            };
            // Whether the CPU has what its target is, a clone is trusted to be called; what else it needs, it has to test.
            let clones: Vec<usize> = (0..count).filter(|&at| functions.own[at] != 0 && !shut(None, at)).collect();
            let ways = |at: usize| seen.get(&at).map_or(&summaries[at].ways, |seen| &seen.ways);
            let reached = self.graph.reached(&clones, &shut, &ways);
            for at in (0..count).filter(|at| reached.contains_key(at)) {
                for (place, above) in summaries[at].above.iter().enumerate() {
                    let runs = seen.get(&at).is_none_or(|seen| seen.reached[above.at]);
                    if needs[at][place] & lacking != 0 && runs {
                        *wrong.instructions.entry((at, place)).or_default() |= lacking;
                        wrong.ways.entry(at).or_insert_with(|| reach::path(&reached, at));
                    }
                }
            }
        }
        wrong
    }

    fn finding(&self, at: usize, wrong: &Wrong, program: &Program, names: &Names) -> Finding {
        let Functions { starts, symbols, paths, .. } = self.functions;
        let of_this = || wrong.instructions.range((at, 0)..(at + 1, 0)).map(|(&(_, place), &facts)| (place, facts));
        let lacking = of_this().fold(0, |all, (_, facts)| all | facts);
        let instructions = of_this().map(|(place, facts)| {
            let above = &self.summaries[at].above[place];
            Above { address: above.address, text: above.text.clone(), needs: names.names(facts) }
        });
        let name = |node: &usize| match self.graph.table(*node) {
            Some(address) => table_name(program, address),
            None => paths[*node].clone(),
        };
        Finding {
            path: paths[at].clone(),
            symbol: symbols[at].plain().to_owned(),
            address: starts[at],
            needs: names.names(lacking),
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

fn table_name(program: &Program, address: u64) -> String {
    let at = program.data.partition_point(|symbol| symbol.address < address);
    match program.data.get(at).filter(|symbol| symbol.address == address) {
        Some(symbol) => symbol.path(),
        None => format!("a table at {address:#x}"),
    }
}

/// Code that no symbol names: each gap between functions that is not padding.
fn unnamed(program: &Program) -> Vec<Symbol> {
    let mut unnamed = Vec::new();
    for section in program.image.sections.iter().filter(|section| section.code) {
        let within = |symbol: &&Symbol| section.memory.contains(&symbol.address);
        let mut end = section.memory.start;
        let limit = (section.memory.end, 0);
        for (start, size) in program.symbols.iter().filter(within).map(|s| (s.address, s.size)).chain([limit]) {
            let code = Code::new(&program.image, end, start.saturating_sub(end));
            if !code.instructions.iter().all(|instruction| fills(&program.image, instruction)) {
                let (name, source) = (format!("{UNNAMED}{end:#x}"), NameSource::SymbolTable);
                unnamed.push(Symbol { address: end, size: start - end, name, source, is_typed: false });
            }
            end = end.max(start + size);
        }
    }
    unnamed
}
