//! The outcome, for people and as data.

use core::fmt::Write as _;
use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;
use serde_json::json;

use super::profile::Heat;
use super::search::{Choice, Functions, Group, NOISE};
use super::steps::{LAST, Session};
use super::{Outcome, copy};
use crate::columns::{broken, wrapped};
use crate::timing::Spread;

/// The part of a row's time from which on it is worth a word that something cannot be annotated.
const HOT: f64 = 0.15;

/// A finding about a function: it is not in the diff, or it is and something is to be known.
#[derive(Serialize)]
pub(super) struct Finding {
    function: String,
    /// File and line.
    place: Option<String>,
    symptom: String,
    advice: &'static str,
}

fn words(speed: &Spread) -> String {
    let Spread { median, low, high } = speed;
    let words = if is_alike(speed) {
        "no difference seen".to_owned()
    } else if *median > 1.0 {
        format!("{median:.2}× faster")
    } else {
        format!("{median:.2}×, slower")
    };
    format!("{words} ({low:.2} to {high:.2})")
}

/// The interval holds 1, or the difference is too small to matter.
fn is_alike(speed: &Spread) -> bool {
    (speed.low..=speed.high).contains(&1.0) || speed.median.ln().abs() < NOISE
}

fn target(name: &str) -> &str {
    if name.is_empty() { "baseline" } else { name }
}

impl Outcome {
    pub(super) fn text(&self, session: &Session) -> String {
        let mut text = String::new();
        let names: Vec<&str> = self.targets.iter().map(String::as_str).chain(["baseline"]).collect();
        let width = names.iter().map(|name| name.len()).max().unwrap_or_default();
        if !self.rows.is_empty() {
            _ = writeln!(text, "speed as a ratio to the original's, in {LAST} rounds or more; above 1 is faster");
        }
        let (alike, differ): (Vec<_>, Vec<_>) =
            self.rows.iter().partition(|(_, (_, speeds))| speeds.iter().all(is_alike));
        for (row, (original, speeds)) in differ {
            _ = writeln!(text, "\n{row}, original {}", crate::bench::time(*original));
            for (name, speed) in names.iter().zip(speeds) {
                _ = writeln!(text, "  {name:width$}  {}", words(speed));
            }
        }
        if !alike.is_empty() {
            text += "\n";
            text += &wrapped("no difference seen on:", alike.into_iter().map(|(row, _)| row.as_str()));
        }
        if !self.absent.is_empty() {
            text += "\n";
            text += &wrapped("this CPU lacks:", self.absent.iter().map(String::as_str));
        }
        if !self.lists.is_empty() {
            text.push_str("\nannotated\n");
        }
        for (key, list) in &self.lists {
            _ = writeln!(text, "  {key}: {}: {list}", session.path(key));
        }
        if !self.findings.is_empty() {
            text.push_str("\nfound\n");
        }
        for Finding { function, place, symptom, advice } in &self.findings {
            let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
            _ = writeln!(text, "{}", broken(&format!("  {place}{function}: {symptom}\n  help: {advice}")));
        }
        if !self.tests.is_empty() {
            text.push_str("\ntests, in an optimised build\n");
        }
        for (name, failed) in &self.tests {
            let failed =
                if failed.is_empty() { "as before".to_owned() } else { format!("fail: {}", failed.join(", ")) };
            _ = writeln!(text, "  {:width$}  {failed}", target(name));
        }
        let verdict = match (self.lists.is_empty(), self.over) {
            (false, _) => "the diff",
            (true, false) => "nothing pays: leave it as it is",
            (true, true) => "nothing is found yet",
        };
        for (bench, outcome) in &self.loops {
            _ = write!(
                text,
                "\nhot loops of {bench}, as `cargo dispatch why --bench {bench}` shows them: {}",
                outcome.text()
            );
        }
        _ = writeln!(text, "\nverdict: {verdict}");
        if self.over {
            text.push_str("  help: the time was over before the search; with more --minutes the command goes on\n");
        }
        text + "\n" + &copy::diff(&self.changes)
    }

    pub(super) fn json(&self, session: &Session) -> Result<String> {
        let names: Vec<&str> = self.targets.iter().map(String::as_str).chain(["baseline"]).collect();
        let rows = self.rows.iter().map(|(row, (original, speeds))| {
            let speeds = names.iter().zip(speeds).map(|(target, Spread { median, low, high })| {
                json!({ "target": target, "median": median, "low": low, "high": high })
            });
            json!({ "row": row, "original_ns": original, "speeds": speeds.collect::<Vec<_>>() })
        });
        let functions = self
            .lists
            .iter()
            .map(|(place, targets)| json!({ "function": session.path(place), "place": place, "targets": targets }));
        let tests = self.tests.iter().map(|(name, failed)| json!({ "target": target(name), "failed": failed }));
        let mut json = json!({
            "complete": !self.over,
            "absent": self.absent,
            "rows": rows.collect::<Vec<_>>(),
            "functions": functions.collect::<Vec<_>>(),
            "findings": self.findings,
            "tests": tests.collect::<Vec<_>>(),
        });
        if !self.loops.is_empty() {
            json["loops"] = json!(self.loops);
        }
        json["diff"] = copy::diff(&self.changes).into();
        Ok(serde_json::to_string_pretty(&json)? + "\n")
    }
}

impl Session {
    fn path(&self, key: &str) -> String {
        self.copy.function(key).map_or_else(String::new, |(_, function)| function.path.clone())
    }

    /// Findings about functions, from the profile and the choices before those that lose were taken out.
    pub(super) fn findings(&self, groups: &[Group], tried: &[Choice], chosen: &[Choice]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for ((group, tried), chosen) in groups.iter().zip(tried).zip(chosen) {
            findings.extend(self.loss(group, tried, chosen));
        }
        let hottest = |shares: &dyn Fn(&Heat) -> f64| {
            let rows = self.state.known.rows.iter().map(|(row, heat)| (row, shares(heat)));
            rows.max_by(|(_, one), (_, other)| one.total_cmp(other)).filter(|(_, share)| *share > HOT)
        };
        let part = |row: &str, share: f64| format!("{:.0} % of the time of {row}", 100.0 * share);
        let keys: Functions = self.state.known.rows.values().flat_map(|heat| heat.functions.keys().cloned()).collect();
        for key in keys {
            let Some((_, function)) = self.copy.function(&key) else { continue };
            let refused = function.refused.map(str::to_owned);
            let is_seen = refused.is_some();
            let message = refused.or_else(|| self.state.known.refused.get(&key).cloned());
            let (Some(message), Some((row, share))) = (message, hottest(&|heat| heat.share(&key).own)) else {
                continue;
            };
            findings.push(Finding {
                function: function.path.clone(),
                place: Some(key.clone()),
                symptom: format!("takes {}, and cannot have the attribute: {message}", part(row, share)),
                advice: if function.is_in_macro {
                    "write the attribute before the `fn` or the `impl` that the macro makes"
                } else if is_seen {
                    "move its loop into a function that can, and call that"
                } else {
                    "put the attribute on its impl, with `#[dispatch(skip)]` on other methods, or leave it to be inlined"
                },
            });
        }
        for source in self.copy.sources() {
            let of_file = |heat: &Heat| {
                source.functions.iter().map(|function| heat.share(&source.key(function)).own).sum::<f64>()
            };
            let (Some(line), Some((row, share))) = (source.selected, hottest(&of_file)) else { continue };
            findings.push(Finding {
                function: "an item under `cfg(target_feature)`".to_owned(),
                place: Some(format!("{}:{line}", source.file.display())),
                symptom: format!("is chosen for the build, and not for a clone; the file takes {}", part(row, share)),
                advice: "move such items and the functions that use them into one inline module with the attribute",
            });
        }
        let outside: Functions = self.state.known.rows.values().flat_map(Heat::outside).collect();
        // The hottest function of each crate, in rows that are not of other crates only.
        let mut crates: BTreeMap<&str, (&str, &str, f64)> = BTreeMap::new();
        for name in &outside {
            let share = |heat: &Heat| if heat.is_outside() { 0.0 } else { heat.outside_share(name) };
            let Some((row, share)) = hottest(&share) else { continue };
            let is_macro = name.ends_with('!');
            if !is_macro && share < 2.0 * HOT {
                continue;
            }
            let path = name.trim_start_matches(['<', '&']);
            let own = if is_macro { name } else { path.split("::").next().unwrap_or(path) };
            let hottest = crates.entry(own).or_insert((name, row, share));
            if share > hottest.2 {
                *hottest = (name, row, share);
            }
        }
        for (name, row, share) in crates.into_values() {
            let is_macro = name.ends_with('!');
            let symptom = if is_macro { "functions that it makes take" } else { "outside of the workspace, take" };
            findings.push(Finding {
                function: name.to_owned(),
                place: None,
                symptom: format!("{symptom} {}", part(row, share)),
                advice: if is_macro {
                    "write the attribute before the `fn` or the `impl` in the macro"
                } else {
                    "no attribute reaches it, unless it is inlined: a `for` loop in place of an adaptor often is"
                },
            });
        }
        findings
    }

    /// A group that gains somewhere, and is left out or in part because it loses elsewhere.
    fn loss(&self, group: &Group, tried: &Choice, chosen: &Choice) -> Option<Finding> {
        let levels = 0..=self.levels.baseline();
        let all: Vec<usize> = (0..self.levels.baseline()).collect();
        let of = |level: usize| tried.speeds.iter().map(move |(row, speeds)| (row, level, speeds[level]));
        let gains = all.iter().filter(|at| !chosen.targets.contains(at)).flat_map(|at| of(*at));
        let (best, level, gain) = gains.max_by(|one, other| one.2.total_cmp(&other.2))?;
        let losses = levels.flat_map(of).filter(|(_, level, speed)| *speed < self.levels.floor(*level, &all));
        let (worst, at, loss) = losses.min_by(|one, other| one.2.total_cmp(&other.2))?;
        let now = match &*chosen.targets {
            [] => 1.0,
            targets => chosen.speeds.get(best).map_or(1.0, |speeds| speeds[self.levels.runs(level, targets)]),
        };
        if gain < 1.1 * now {
            return None;
        }
        let (hottest, _) = group.rows[worst].iter().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        Some(Finding {
            function: self.path(hottest),
            place: Some(hottest.clone()),
            symptom: format!(
                "with {}, {best} is {gain:.2}× faster; with {}, {worst} has {loss:.2} of its speed: left out",
                self.targets[level],
                self.targets.get(at).map_or("the baseline", String::as_str)
            ),
            advice: "short inputs pay for the call: test the length first, and put the loop for long ones into a function of its \
                     own; for others, `cargo dispatch report` lists the calls in the clone that were not inlined",
        })
    }
}
