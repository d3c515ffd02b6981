//! The file of clones that may never run.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use glob::Pattern;

/// A line of the file: clones by patterns, and why no machine runs them.
struct Line {
    number: usize,
    /// The function's path, without the line.
    function: Pattern,
    /// The target as it stands in the clone's name.
    target: Pattern,
    /// The line counts where no machine has this feature.
    feature: Option<String>,
}

pub(super) struct Allowed(Vec<Line>);

impl Allowed {
    /// Reads lines of `FUNCTION TARGET FEATURE REASON`, where the feature may be `-`.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let parse = |(number, line): (usize, &str)| {
            let mut words = line.split_whitespace();
            let (Some(function), Some(target), Some(feature), Some(_)) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                bail!("line {number}: expected `FUNCTION TARGET FEATURE REASON`");
            };
            let pattern = |text: &str| Pattern::new(text).with_context(|| format!("line {number}: `{text}`"));
            Ok(Line {
                number,
                function: pattern(function)?,
                target: pattern(target)?,
                feature: (feature != "-").then(|| feature.to_owned()),
            })
        };
        lines.map(parse).collect::<Result<_>>().map(Self)
    }

    /// Whether a line names the clone, on machines that have `features` between them.
    pub(super) fn names(&self, (function, target): (&str, &str), features: &BTreeSet<String>) -> bool {
        self.counting(features).any(|line| line.names(function, target))
    }

    /// The numbers of the lines that count and name none of these clones.
    pub(super) fn stale<'a>(
        &self,
        clones: impl Iterator<Item = (&'a str, &'a str)>,
        features: &BTreeSet<String>,
    ) -> Vec<usize> {
        let clones: Vec<_> = clones.collect();
        let names_one = |line: &&Line| clones.iter().any(|(function, target)| line.names(function, target));
        self.counting(features).filter(|line| !names_one(line)).map(|line| line.number).collect()
    }

    fn counting(&self, features: &BTreeSet<String>) -> impl Iterator<Item = &Line> {
        self.0.iter().filter(|line| line.feature.as_ref().is_none_or(|feature| !features.contains(feature)))
    }
}

impl Line {
    fn names(&self, function: &str, target: &str) -> bool {
        let path = function.rsplit_once(':').map_or(function, |(path, _)| path);
        self.function.matches(path) && self.target.matches(target)
    }
}
