//! Assertions on instructions and the features that they need.

use super::{Assert, Fault, quoted};
use crate::code::Code;
use crate::features::Features;
use crate::listing::Mark;
use crate::path;

const BAD_INSTRUCTION: &str = "the function, or something inlined into it, was compiled with more features than the \
                               name of the clone says";

impl Assert<'_> {
    /// The function has an instruction with this mnemonic. `*` stands for any text: `"vaes*"`.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn contains(self, mnemonic: &str) -> Self {
        let check = format!("contains(\"{mnemonic}\")");
        self.check(&check, |copy, _| {
            let missing = count(copy, mnemonic) == 0;
            missing.then(|| Fault {
                what: format!("there is no `{mnemonic}`"),
                marks: Vec::new(),
                hint: "an intrinsic that is not inlined is a call in the listing: its features are not enabled there; \
                       a `cfg(target_feature)` that is false leaves the portable code",
            })
        })
    }

    /// The function has no instruction with this mnemonic. `*` stands for any text.
    ///
    /// # Panics
    /// If there is one.
    #[track_caller]
    pub fn not_contains(self, mnemonic: &str) -> Self {
        let check = format!("not_contains(\"{mnemonic}\")");
        self.check(&check, |copy, number| {
            let marks = matching(copy, number, mnemonic, "not wanted");
            (!marks.is_empty()).then(|| Fault {
                what: format!("`{mnemonic}` is there {} times", marks.len()),
                marks,
                hint: "the marked lines say where",
            })
        })
    }

    /// Exactly this number of instructions have this mnemonic. `*` stands for any text.
    ///
    /// # Panics
    /// If there are more or fewer.
    #[track_caller]
    pub fn count(self, mnemonic: &str, times: usize) -> Self {
        let check = format!("count(\"{mnemonic}\", {times})");
        self.check(&check, |copy, number| {
            let found = count(copy, mnemonic);
            (found != times).then(|| Fault {
                what: format!("`{mnemonic}` is there {found} times, not {times}"),
                marks: matching(copy, number, mnemonic, "counted"),
                hint: "more than expected: a loop was unrolled, or code doubled; fewer: part of the work is in another \
                       function (see `report()`) or in a loop",
            })
        })
    }

    /// At least this number of instructions have this mnemonic. `*` stands for any text.
    ///
    /// # Panics
    /// If there are fewer.
    #[track_caller]
    pub fn at_least(self, mnemonic: &str, times: usize) -> Self {
        let check = format!("at_least(\"{mnemonic}\", {times})");
        self.check(&check, |copy, number| {
            let found = count(copy, mnemonic);
            (found < times).then(|| Fault {
                what: format!("`{mnemonic}` is there {found} times, not {times} or more"),
                marks: matching(copy, number, mnemonic, "counted"),
                hint: "part of the work is in another function (see `report()`) or in a loop",
            })
        })
    }

    /// The function has at most this number of instructions.
    ///
    /// # Panics
    /// If there are more.
    #[track_caller]
    pub fn at_most(self, instructions: usize) -> Self {
        self.check(&format!("at_most({instructions})"), |copy, _| {
            let found = copy.instructions.len();
            (found > instructions).then(|| Fault {
                what: format!("there are {found} instructions, more than {instructions}"),
                marks: Vec::new(),
                hint: "unrolled loops, panics with their messages, and dispatchers of callees are what usually adds up",
            })
        })
    }

    /// A CPU with this clone's target has every instruction. For a baseline, and for a function that is not a clone,
    /// the build's own features allow every instruction. This is checked in debug builds as well.
    ///
    /// On x86 the decoder lists the features of an instruction (`tzcnt` is always allowed, since older CPUs run it as
    /// `bsf`). On aarch64 a table of encodings does; parts of SVE2 count as SVE.
    ///
    /// # Panics
    /// If an instruction needs another feature.
    #[track_caller]
    pub fn within_target(self) -> Self {
        let features = self.function.features();
        self.within("within_target()", features)
    }

    /// As [`within_target`](Self::within_target), for a list of features: `"avx2,pclmulqdq"`. Features that they imply,
    /// and those that the build enables, are allowed too.
    ///
    /// # Panics
    /// If an instruction needs another feature, or a name is unknown.
    #[track_caller]
    pub fn within_features(self, names: &str) -> Self {
        let binary = &self.function.binary;
        match Features::parse(binary.architecture(), names) {
            Ok(features) => self.within(&format!("within_features(\"{names}\")"), features.union(&binary.enabled)),
            Err(error) => panic!("{error}"),
        }
    }

    #[track_caller]
    fn within(self, check: &str, features: Features) -> Self {
        self.run(check, |copy, number| {
            let mut missing: Vec<String> = Vec::new();
            let mut marks = Vec::new();
            for (index, instruction) in copy.instructions.iter().enumerate() {
                let lacking = instruction.lacking(&features);
                if !lacking.is_empty() {
                    marks.push(Mark { copy: number, index, note: format!("needs {}", lacking.join(", ")) });
                    missing.extend(lacking.into_iter().filter(|name| !missing.contains(name)).collect::<Vec<_>>());
                }
            }
            (!marks.is_empty()).then(|| Fault {
                what: format!("{} instructions need {}, beyond `{features}`", marks.len(), quoted(&missing)),
                marks,
                hint: BAD_INSTRUCTION,
            })
        })
    }
}

fn count(copy: &Code, mnemonic: &str) -> usize {
    copy.instructions.iter().filter(|i| path::glob(mnemonic, i.mnemonic())).count()
}

fn matching(copy: &Code, number: usize, mnemonic: &str, note: &str) -> Vec<Mark> {
    let found = copy.instructions.iter().enumerate().filter(|(_, i)| path::glob(mnemonic, i.mnemonic()));
    found.map(|(index, _)| Mark { copy: number, index, note: note.to_owned() }).collect()
}
