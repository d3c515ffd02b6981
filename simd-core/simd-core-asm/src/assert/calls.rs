//! Assertions on calls, in the function and in its callees.

use std::collections::{HashSet, VecDeque};

use super::{Assert, Fault, quoted};
use crate::calls::Callee;
use crate::code::Code;
use crate::listing::Mark;
use crate::program::Program;
use crate::{left, path, standard};

const NOT_INLINED: &str = "a function that should have been inlined needs the attribute as well, or `#[inline]` if it is \
                           unannotated code; `report()` lists the target of each callee";
const DISPATCHES: &str = "a callee's dispatcher is here: its list has a target that this clone does not settle, or this \
                          function has no attribute of its own";

impl Assert<'_> {
    /// The function calls nothing: neither by a call nor by a jump to another function, directly or through a pointer.
    ///
    /// # Panics
    /// If there is a call.
    #[track_caller]
    pub fn no_calls(self) -> Self {
        self.calls("no_calls()", &[])
    }

    /// The function calls nothing outside of the list. An entry is the end of a path (`"memcpy"`, `"helper::mix"`), or
    /// a pattern with `*` for a whole path (`"core::panicking::*"`). No entry allows indirect calls.
    ///
    /// # Panics
    /// If there is another call.
    #[track_caller]
    pub fn no_calls_except(self, allowed: &[&str]) -> Self {
        self.calls(&format!("no_calls_except({allowed:?})"), allowed)
    }

    /// The function calls only clones whose target it has, and functions on the list (as for
    /// [`no_calls_except`](Self::no_calls_except)): every callee that is not inlined has the features too. Calls that
    /// only panic are allowed; see [`no_panics`](Self::no_panics).
    ///
    /// # Panics
    /// If there is another call.
    #[track_caller]
    pub fn calls_only_clones_and(self, allowed: &[&str]) -> Self {
        let function = self.function;
        let features = function.features();
        self.calls_but(&format!("calls_only_clones_and({allowed:?})"), |callee| {
            let fits = |target| left::fits(&features, function.target(), target);
            matches!(callee, Callee::Function { target: Some(target), .. } if fits(*target))
                || callee.name().is_some_and(standard::only_panics)
                || on_list(callee, allowed)
        })
    }

    #[track_caller]
    fn calls(self, check: &str, allowed: &[&str]) -> Self {
        self.calls_but(check, |callee| on_list(callee, allowed))
    }

    #[track_caller]
    fn calls_but(self, check: &str, allowed: impl Fn(&Callee) -> bool) -> Self {
        let function = self.function;
        self.check(check, |copy, number| {
            let program = &function.binary.program;
            let note = |callee: &Callee| {
                left::describe(function.target(), callee, left::kind(program, &function.binary.enabled, callee))
            };
            let mut names = Vec::new();
            let mut marks = Vec::new();
            for call in copy.calls(program).into_iter().filter(|call| !allowed(&call.callee)) {
                let name = call.callee.to_string();
                marks.push(Mark { copy: number, index: call.index, note: note(&call.callee) });
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            (!marks.is_empty()).then(|| Fault {
                what: format!("it calls {}", quoted(&names)),
                marks,
                hint: NOT_INLINED,
            })
        })
    }

    /// No panic can be reached: neither this function nor any that it calls, at any depth, calls into
    /// `core::panicking`, or a function with which a panic of std begins (`std::panicking::begin_panic`, `panic_any`
    /// and the like).
    ///
    /// All blocks of the code count, the cold ones too. Calls through pointers and into other libraries are not
    /// followed.
    ///
    /// # Panics
    /// If a panic can be reached.
    #[track_caller]
    pub fn no_panics(self) -> Self {
        let function = self.function;
        self.check("no_panics()", |copy, number| {
            let hits = search(
                &function.binary.program,
                copy,
                |callee, _| callee.name().is_some_and(standard::is_panic),
                |path| !standard::is_panic(path),
            );
            let hint = "indexing, slicing, division, `unwrap` and overflow checks are the usual sources; the innermost \
                        function before the panic says which it is";
            ways(number, &hits, "it can panic", hint)
        })
    }

    /// The function does not test CPU features: no instruction reads the feature words or takes their address, and no
    /// function of `simd_core::known` is called.
    ///
    /// For callees that test features, see [`no_dispatch_in_callees`](Self::no_dispatch_in_callees).
    ///
    /// # Panics
    /// If it tests features, or if the binary has no feature words, so that the assertion would be meaningless.
    #[track_caller]
    pub fn no_dispatch(self) -> Self {
        let function = self.function;
        self.check("no_dispatch()", |copy, number| {
            if function.binary.program.words.is_none() {
                return Some(no_words());
            }
            let mark = |index| Mark { copy: number, index, note: "decides".to_owned() };
            let marks: Vec<Mark> = copy.dispatches(&function.binary.program).into_iter().map(mark).collect();
            (!marks.is_empty()).then(|| Fault {
                what: format!("it tests CPU features at run time, in {} instructions", marks.len()),
                marks,
                hint: DISPATCHES,
            })
        })
    }

    /// [`no_dispatch`](Self::no_dispatch) for this function and all its callees, at any depth. Calls through pointers
    /// and into other libraries are not followed, nor is the code of a panic.
    ///
    /// # Panics
    /// If one of them tests features, or if the binary has no feature words.
    #[track_caller]
    pub fn no_dispatch_in_callees(self) -> Self {
        let function = self.function;
        self.no_dispatch().check("no_dispatch_in_callees()", |copy, number| {
            if function.binary.program.words.is_none() {
                return Some(no_words());
            }
            let program = &function.binary.program;
            let hits = search(
                program,
                copy,
                |callee, code| callee.decides() || code.is_some_and(|code| !code.dispatches(program).is_empty()),
                |path| !standard::is_panic(path),
            );
            ways(number, &hits, "a callee decides at run time", DISPATCHES)
        })
    }
}

fn no_words() -> Fault {
    Fault {
        what: "this binary has no `simd_core::known::WORDS`, so dispatch cannot be checked".to_owned(),
        marks: Vec::new(),
        hint: "it holds no dispatcher at all, or its symbols are not those of simd-core",
    }
}

fn on_list(callee: &Callee, allowed: &[&str]) -> bool {
    callee.name().is_some_and(|name| allowed.iter().any(|entry| path::allowed(entry, name)))
}

/// Follows all calls whose callee is known, breadth first. `goal` tests each callee, before `descend` decides whether
/// to follow its calls. Returns, for the first goal met, the index of the call in this function and the names on the
/// way.
fn search(
    program: &Program,
    copy: &Code,
    goal: impl Fn(&Callee, Option<&Code>) -> bool,
    descend: impl Fn(&str) -> bool,
) -> Vec<(usize, Vec<String>)> {
    let mut hits = Vec::new();
    for call in copy.calls(program) {
        let mut seen = HashSet::from([copy.range.start]);
        let mut open = VecDeque::from([(call.callee, Vec::<String>::new())]);
        while let Some((callee, mut way)) = open.pop_front() {
            way.push(callee.to_string());
            let code = match &callee {
                Callee::Function { path, address, .. } if descend(path) => {
                    if !seen.insert(*address) {
                        continue;
                    }
                    program.code_of(&callee)
                }
                _ => None,
            };
            if goal(&callee, code.as_ref()) {
                hits.push((call.index, way));
                break;
            }
            for next in code.iter().flat_map(|code| code.calls(program)) {
                open.push_back((next.callee, way.clone()));
            }
        }
    }
    hits
}

/// A fault for chains of calls, each with the call that starts it.
fn ways(number: usize, hits: &[(usize, Vec<String>)], what: &str, hint: &'static str) -> Option<Fault> {
    let (_, first) = hits.first()?;
    Some(Fault {
        what: format!("{what}: `{}`", first.join("` calls `")),
        marks: hits
            .iter()
            .map(|(index, way)| Mark {
                copy: number,
                index: *index,
                note: format!("leads to `{}`", way[way.len() - 1]),
            })
            .collect(),
        hint,
    })
}
