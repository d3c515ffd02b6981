//! For which reasons a program may be refused, and with which message.

use std::collections::BTreeSet;

use super::generate::{Kind, Piece, Program};

/// A reason, a part of its messages, and whether a program may be refused for it.
pub(super) struct Reason {
    pub(super) name: &'static str,
    messages: &'static [&'static str],
    may: fn(&Facts<'_>) -> bool,
}

/// The pieces of a program, and the names that differ between its clones.
pub(super) struct Facts<'a> {
    /// With whether they stand in something annotated.
    pieces: Vec<(&'a Piece, bool)>,
    differing: BTreeSet<&'a str>,
}

pub(super) const REASONS: &[Reason] = &[
    Reason {
        name: "test of a feature in an item that all clones share",
        messages: &["all clones share this"],
        may: |facts| facts.inside(&[Kind::Macro, Kind::Shared]).any(tests),
    },
    Reason {
        name: "constant that differs, outside of clones",
        messages: &["ConstantUsableOnlyInsideClones", "error[E0133]", "cannot shadow statics", "mutable static"],
        may: |facts| facts.differing_elsewhere(),
    },
    Reason {
        name: "alias that differs, outside of clones",
        messages: &["AliasUsableOnlyInsideClones"],
        may: |facts| facts.differing_elsewhere(),
    },
    Reason {
        name: "macro that is defined again, or after the first copy",
        messages: &[
            "is defined among its copies",
            "is defined between it and the first one",
            // rustc's own, after one of these.
            "error: cannot find macro",
        ],
        may: |facts| {
            facts.inside(&[Kind::Macro]).next().is_some()
                || facts.inside(&[Kind::Constant]).any(|text| text.contains("macro_rules"))
        },
    },
    Reason {
        name: "`static` in a constant",
        messages: &["would have a `static` in it of its own"],
        may: |facts| {
            facts
                .inside(&[Kind::Constant, Kind::Alias])
                .any(|text| ["static ", "counter!"].iter().any(|word| text.contains(word)))
        },
    },
    Reason {
        name: "test that cannot be read",
        messages: &["the attribute cannot read this test"],
        may: |facts| {
            facts.pieces.iter().any(|(piece, _)| {
                ["$f", "$m", "$t", "test.inc", "has!", "{ use ::std::cfg"].iter().any(|word| piece.text.contains(word))
            })
        },
    },
    Reason {
        name: "definitions that differ in what callers see",
        messages: &["` differ in ", "callers of all clones see this attribute"],
        may: |facts| {
            let with_attributes = ["track_caller", "must_use", "cold"];
            facts.inside(&[Kind::Function]).any(|text| with_attributes.iter().any(|one| text.contains(one)))
        },
    },
    Reason {
        name: "parameter with a name that a constant uses",
        messages: &["which means a parameter", "would hide the parameter of this name"],
        may: |facts| facts.parameter_in_constant(),
    },
    Reason {
        name: "parameter of an impl in an associated function without `self`",
        messages: &["error[E0401]"],
        may: |facts| facts.pieces.iter().any(|(piece, _)| piece.text.contains("impl<T: Copy> S<T>")),
    },
    Reason {
        name: "impl in a body or a constant",
        messages: &["exists once", "this impl would be repeated"],
        may: |facts| {
            facts
                .inside(&[Kind::Constant, Kind::Alias, Kind::Function])
                .any(|text| ["derive", "impl"].iter().any(|word| text.contains(word)))
        },
    },
    Reason {
        name: "`cfg` under `cfg_attr`",
        messages: &["in a `cfg_attr` that adds `cfg`"],
        may: |facts| facts.pieces.iter().any(|(piece, _)| piece.text.contains("cfg(any()))]")),
    },
];

/// The reference lists these as having the build's value, or as being one for each function: included files, and a `static` that a macro
/// from outside makes.
const LISTED: [&str; 3] = ["test.inc", "items.inc", "counter!"];

/// `program` without what the reference lists, if it has any of that.
pub(super) fn without_listed(program: &Program) -> Option<Program> {
    fn kept(pieces: &[Piece]) -> Vec<Piece> {
        let is_listed = |piece: &&Piece| !LISTED.iter().any(|word| piece.text.contains(word));
        let inside = |piece: &Piece| Piece { inside: piece.inside.as_deref().map(kept), ..piece.clone() };
        pieces.iter().filter(is_listed).map(inside).collect()
    }
    let mut program = program.clone();
    let count = |pieces: &[Piece]| super::generate::render(pieces).len();
    let mut fewer = false;
    for (_, pieces) in &mut program.crates {
        let rest = kept(pieces);
        fewer |= count(&rest) < count(pieces);
        *pieces = rest;
    }
    fewer.then_some(program)
}

/// Whether code tests a feature, as far as one can see.
fn tests(text: &str) -> bool {
    ["target_feature", "match_target!", "test.inc"].iter().any(|word| text.contains(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The name that a constant, an alias or a macro declares.
fn declared<'a>(piece: &'a Piece) -> Option<&'a str> {
    let keyword = match piece.kind {
        Kind::Constant => "const ",
        Kind::Alias => "type ",
        Kind::Macro => "macro_rules! ",
        _ => return None,
    };
    words(&piece.text[piece.text.find(keyword)? + keyword.len()..]).next()
}

impl Facts<'_> {
    pub(super) fn of(program: &Program) -> Facts<'_> {
        fn walk<'a>(pieces: &'a [Piece], annotated: bool, out: &mut Vec<(&'a Piece, bool)>) {
            for piece in pieces {
                let annotated = annotated || piece.kind == Kind::Annotated;
                out.push((piece, annotated));
                walk(piece.inside.as_deref().unwrap_or_default(), annotated, out);
            }
        }
        let mut pieces = Vec::new();
        for (_, part) in &program.crates {
            walk(part, false, &mut pieces);
        }
        let mut facts = Facts { pieces, differing: BTreeSet::new() };
        loop {
            let more: Vec<&str> = facts
                .pieces
                .iter()
                .filter(|(piece, annotated)| *annotated && (tests(&piece.text) || facts.names_differing(&piece.text)))
                .filter_map(|(piece, _)| declared(piece))
                .filter(|name| !facts.differing.contains(name))
                .collect();
            if more.is_empty() {
                return facts;
            }
            facts.differing.extend(more);
        }
    }

    fn names_differing(&self, text: &str) -> bool {
        words(text).any(|word| self.differing.contains(word))
    }

    fn inside(&self, kinds: &'static [Kind]) -> impl Iterator<Item = &str> {
        let pieces = self.pieces.iter().filter(move |(piece, annotated)| *annotated && kinds.contains(&piece.kind));
        pieces.map(|(piece, _)| &*piece.text)
    }

    fn differing_elsewhere(&self) -> bool {
        let elsewhere = |piece: &Piece| matches!(piece.kind, Kind::Outside | Kind::Shared);
        self.pieces.iter().any(|(piece, _)| elsewhere(piece) && self.names_differing(&piece.text))
    }

    /// Whether `unsafe` code, in which any type fits, names what differs.
    pub(super) fn differing_in_unsafe_code(&self) -> bool {
        let outside = |piece: &Piece| piece.kind == Kind::Outside && piece.text.contains("unsafe");
        self.pieces.iter().any(|(piece, _)| outside(piece) && self.names_differing(&piece.text))
    }

    fn parameter_in_constant(&self) -> bool {
        let constants = self.inside(&[Kind::Constant, Kind::Alias]);
        let used: BTreeSet<&str> =
            constants.filter(|text| tests(text) || self.names_differing(text)).flat_map(words).collect();
        self.inside(&[Kind::Function]).any(|text| {
            let signature = text.split("->").next().unwrap_or_default();
            signature.split_once("fn ").is_some_and(|(_, rest)| words(rest).skip(1).any(|word| used.contains(word)))
        })
    }
}

/// The errors in what the compiler says, each with its reason, or with none if the program may not be refused for it.
pub(super) fn classify<'a>(stderr: &'a str, program: &Program) -> Vec<(&'a str, Option<&'static str>)> {
    let facts = Facts::of(program);
    let starts = |line: &str| line.starts_with("error") || line.starts_with("warning");
    let mut blocks: Vec<(&str, String)> = Vec::new();
    for line in stderr.lines() {
        if starts(line) {
            blocks.push((line, String::new()));
        }
        if let Some((_, block)) = blocks.last_mut() {
            *block += line;
        }
    }
    blocks.retain(|(line, _)| line.starts_with("error") && !line.contains("aborting due to"));
    let reason = |block: &str| {
        let fits = |reason: &&Reason| reason.messages.iter().any(|part| block.contains(part)) && (reason.may)(&facts);
        REASONS.iter().find(fits).map(|reason| reason.name)
    };
    // rustc's errors about code of the expansion have no reason.
    let ours =
        |line: &str, block: &str| line.starts_with("error[") && block.contains("in the attribute macro `simd_core");
    blocks.into_iter().map(|(line, block)| (line, reason(&block).filter(|_| !ours(line, &block)))).collect()
}
