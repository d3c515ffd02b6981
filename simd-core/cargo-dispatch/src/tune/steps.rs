//! The steps of a run: profile, search, the last measurement, tests.

use core::ops::RangeInclusive;
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use indicatif::ProgressBar;

use super::Outcome;
use super::benches::{Benches, NO_ROW, Timed, Times, broken};
use super::copy::{Copy, Lists};
use super::profile::{Heat, Profiled, Share, WARM};
use super::search::{self, Choice, Functions, Group, Levels, Speeds};
use super::state::State;
use crate::columns::step;
use crate::timing::{ERROR, Spread, median};

/// Of all rows together. There are some hundreds in a second.
const SAMPLES: u32 = 20_000;

/// Of a measurement, and of the last one.
const ROUNDS: RangeInclusive<usize> = 3..=7;
pub(super) const LAST: usize = 7;

/// The interval of a speed that decides holds the true one with three chances of four. If it is wider than this, as a ratio,
/// the row is measured again.
const CHANCE: f64 = 0.25;
const WIDE: f64 = 1.03;

/// How many rows the search measures at least, and how many nanoseconds their processes may take together otherwise: each takes some
/// for its start, and eleven runs of the row.
const ROWS: usize = 8;
const ALL_ROWS: f64 = 1e9;
const PROCESS: f64 = 5e7;
const RUNS: f64 = 11.0;

/// A run, and all that it works with.
pub(super) struct Session {
    pub(super) copy: Copy,
    pub(super) benches: Benches,
    pub(super) state: State,
    pub(super) targets: Vec<String>,
    pub(super) levels: Levels,
    pub(super) original: Vec<Timed>,
    pub(super) progress: ProgressBar,
    /// The rows that the search measures.
    pub(super) sample: BTreeSet<String>,
    /// For the search, from its first measurement to its deadline.
    pub(super) time: Duration,
    pub(super) deadline: Option<Instant>,
    /// The time was over before the search.
    pub(super) over: bool,
}

impl Session {
    pub(super) fn run(&mut self, absent: Vec<String>, directory: &Path) -> Result<Outcome> {
        step(&self.progress, "builds the original");
        self.copy.annotate(&Lists::new())?;
        let built = self.benches.build()?.map_err(|faults| {
            anyhow!(
                "before any change {}\nhelp: your own build has to work; benches may need `--features`",
                broken(&faults)
            )
        })?;
        self.copy.leave(&self.benches.harness(&built));
        self.original = Benches::keep(built, &directory.join("original"))?;
        self.profile()?;
        let starts = self.starts()?;
        self.sample = sample(&self.state.known.rows);
        loop {
            let (groups, choices) = self.find(&starts)?;
            match self.verify(&groups, &choices)? {
                Ok(outcome) => return Ok(Outcome { absent, ..outcome }),
                Err(lost) => self.sample.extend(lost),
            }
        }
    }

    /// The groups of functions, and what the search finds for each.
    fn find(&mut self, starts: &[Functions]) -> Result<(Vec<Group>, Vec<Choice>)> {
        let mut groups = Group::all(&self.warm(&starts[0]), starts);
        let mut choices = self.search(&groups, search::begin)?;
        // Without helpers that joined them, functions fall apart into groups, each with a list of its own.
        let mut searched = 0;
        loop {
            let chosen: Functions = choices.iter().flat_map(|choice| choice.functions.iter().cloned()).collect();
            let parts = Group::all(&self.warm(&chosen), &[chosen]);
            if parts.len() <= searched {
                break;
            }
            let found = self.search(&parts, search::search)?;
            searched = found.iter().filter(|choice| !choice.functions.is_empty()).count();
            if self.over && searched == 0 {
                break;
            }
            (groups, choices) = (parts, found);
        }
        Ok((groups, choices))
    }

    pub(super) fn bench_names(&self) -> BTreeSet<String> {
        self.original.iter().filter(|one| one.has_rows()).map(|one| one.name().to_owned()).collect()
    }

    /// Fails if a profile and a last measurement of all rows take longer than the time that there is.
    fn expect_time(&self, times: &BTreeMap<String, f64>) -> Result<()> {
        const PROFILE: f64 = 1.3e9;
        let processes = f64::from((LAST * (self.targets.len() + 2)) as u32);
        let needed: f64 = times.values().map(|row| PROFILE + processes * (PROCESS + RUNS * row)).sum();
        if needed > 1e9 * self.time.as_secs_f64() {
            bail!(
                "{} rows take about {} minutes to profile and to measure once\nhelp: choose benches (`--bench`), or give more \
                 time (`--minutes`)",
                times.len(),
                (needed / 6e10).ceil()
            );
        }
        Ok(())
    }

    /// Fills in the rows, and where each spends its time.
    fn profile(&mut self) -> Result<()> {
        if !self.state.known.rows.is_empty() {
            return Ok(());
        }
        step(&self.progress, "lists the rows");
        let times = self.benches.rows(&self.original)?;
        self.expect_time(&times)?;
        self.deadline = Some(Instant::now() + self.time);
        let sources: Vec<_> = self.copy.sources().collect();
        let mut rows = BTreeMap::new();
        for one in &self.original {
            let profiled = Profiled::new(one.path(), &self.copy.root, &sources)?;
            let profile = |row, most| profiled.heat(self.benches.profiled(one, row, 1.0), most);
            // The start of a process, before its row, is in each profile. A short one may end before its memory is read.
            let before = one.has_rows().then(|| profile(NO_ROW, u32::MAX).ok()).flatten().unwrap_or_default();
            let most = 2 * before.samples + (SAMPLES / times.len().max(1) as u32).max(100);
            let most = if one.has_rows() { most } else { u32::MAX };
            for (row, own) in times.keys().filter_map(|row| Some((row, one.own(row)?))) {
                step(&self.progress, format!("profiles {row}"));
                let mut heat = profile(own, most)?.without(&before);
                heat.nanoseconds = times[row];
                rows.insert(row.clone(), heat);
            }
        }
        self.state.known.rows = rows;
        self.state.save()
    }

    /// The functions to begin with: all that are warm, those that nothing of the workspace is inlined into, those that
    /// the work is in. What does not compile is left out.
    fn starts(&mut self) -> Result<[Functions; 3]> {
        loop {
            let warm = |of: fn(&Share) -> f64| -> Functions {
                let rows = self.state.known.rows.values();
                let keys = rows.flat_map(|heat| heat.functions.keys().filter(move |key| of(&heat.share(key)) >= WARM));
                keys.filter(|key| self.can_be_annotated(key)).cloned().collect()
            };
            let starts = [warm(|share| share.all), warm(|share| share.outermost), warm(|share| share.own)];
            if starts[0].is_empty() {
                return Ok(starts);
            }
            step(&self.progress, format!("builds with {} functions", starts[0].len()));
            self.copy.annotate(&self.lists(&starts[0]))?;
            let Err(faults) = self.benches.build()? else { return Ok(starts) };
            let before = self.state.known.refused.len();
            for (message, places) in &faults {
                for (file, line) in places {
                    let Some((source, function)) = self.copy.function_at(file, *line) else { continue };
                    let key = source.key(function);
                    if starts[0].contains(&key) {
                        self.state.known.refused.entry(key).or_insert_with(|| message.clone());
                    }
                }
            }
            if self.state.known.refused.len() == before {
                // A macro may take other tokens, or make other items of them.
                for key in &starts[0] {
                    if self.copy.function(key).is_some_and(|(_, function)| function.is_in_macro) {
                        self.state
                            .known
                            .refused
                            .insert(key.clone(), "its macro does not take the attribute".to_owned());
                    }
                }
            }
            if self.state.known.refused.len() == before {
                return Err(broken(&faults));
            }
            self.state.save()?;
        }
    }

    fn can_be_annotated(&self, key: &str) -> bool {
        let refused = self.copy.function(key).is_none_or(|(_, function)| function.refused.is_some());
        !refused && !self.state.known.refused.contains_key(key)
    }

    /// All targets for each function.
    fn lists(&self, functions: &Functions) -> Lists {
        let list = self.targets.join(" | ");
        functions.iter().map(|key| (key.clone(), list.clone())).collect()
    }

    /// The part of each row in the functions.
    fn warm(&self, functions: &Functions) -> BTreeMap<String, BTreeMap<String, f64>> {
        let rows = self.state.known.rows.iter().map(|(row, heat)| {
            let shares = functions.iter().map(|key| (key.clone(), heat.share(key).all));
            (row.clone(), shares.filter(|(_, share)| *share >= WARM).collect())
        });
        rows.collect()
    }

    /// Searches all groups at the same time: each build has what every one of them asks for.
    fn search(
        &mut self,
        groups: &[Group],
        how: fn(&Group, &Levels, &mut search::Ask<'_>) -> Choice,
    ) -> Result<Vec<Choice>> {
        let groups: Vec<Group> = groups.iter().map(|group| group.of(&self.sample)).collect();
        let levels = core::mem::replace(&mut self.levels, Levels::new(0, |_, _| false));
        let found = std::thread::scope(|scope| {
            let (sender, requests) = mpsc::channel();
            let mut answers = Vec::new();
            let mut threads = Vec::new();
            for (at, group) in groups.iter().enumerate() {
                let (answer, answered) = mpsc::channel::<Option<Speeds>>();
                let (sender, levels) = (sender.clone(), &levels);
                answers.push(answer);
                threads.push(scope.spawn(move || {
                    let choice = how(group, levels, &mut |functions: &Functions| {
                        sender.send((at, Some(functions.clone()))).ok()?;
                        answered.recv().ok()?
                    });
                    _ = sender.send((at, None));
                    choice
                }));
            }
            let mut live: BTreeSet<usize> = (0..groups.len()).collect();
            let mut failed = None;
            loop {
                let mut asked: BTreeMap<usize, Functions> = BTreeMap::new();
                for _ in 0..live.len() {
                    match requests.recv()? {
                        (at, Some(functions)) => _ = asked.insert(at, functions),
                        (at, None) => _ = live.remove(&at),
                    }
                }
                if asked.is_empty() {
                    break;
                }
                let functions: Functions = asked.values().flatten().cloned().collect();
                let rows: Vec<String> = asked.keys().flat_map(|at| groups[*at].rows.keys().cloned()).collect();
                let speeds = match failed {
                    None => self.measure(&functions, &rows),
                    Some(_) => Ok(None),
                };
                let speeds = speeds.unwrap_or_else(|error| {
                    failed = Some(error);
                    None
                });
                for at in asked.keys() {
                    let own = |(row, _): &(&String, &Vec<f64>)| groups[*at].rows.contains_key(*row);
                    let speeds = speeds
                        .as_ref()
                        .map(|speeds| speeds.iter().filter(own).map(|(row, of)| (row.clone(), of.clone())).collect());
                    _ = answers[*at].send(speeds);
                }
            }
            let choices: Vec<Choice> = threads.into_iter().filter_map(|thread| thread.join().ok()).collect();
            match failed {
                Some(error) => Err(error),
                None => Ok(choices),
            }
        });
        self.levels = levels;
        found
    }

    /// The speeds of rows with some functions and all targets, or nothing when the time is over.
    fn measure(&mut self, functions: &Functions, rows: &[String]) -> Result<Option<Speeds>> {
        let name = functions.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let known = self.state.known.measured.get(&name).cloned().unwrap_or_default();
        let rows: Vec<String> = rows.iter().filter(|row| !known.contains_key(*row)).cloned().collect();
        if rows.is_empty() {
            return Ok(Some(known));
        }
        let deadline = *self.deadline.get_or_insert_with(|| Instant::now() + self.time);
        if Instant::now() >= deadline {
            self.over = true;
            return Ok(None);
        }
        let times = self.time(&self.lists(functions), ROUNDS, &rows)?;
        let speeds = self.state.known.measured.entry(name).or_default();
        // By chance some of many rows seem to lose: the last measurement decides.
        speeds.extend(seen(&times, |speed| speed.high));
        let speeds = speeds.clone();
        self.state.save()?;
        Ok(Some(speeds))
    }

    /// Builds with the lists, and times the original and then each level.
    fn time(&self, lists: &Lists, rounds: RangeInclusive<usize>, rows: &[String]) -> Result<Times> {
        let count = self.state.known.measured.len() + 1;
        step(&self.progress, format!("builds attempt {count}, with {} functions", lists.len()));
        self.copy.annotate(lists)?;
        let built = self.benches.build()?.map_err(|faults| broken(&faults))?;
        let mut contenders: Vec<(&[Timed], &str)> = vec![(&self.original, "")];
        contenders.extend(self.targets.iter().map(|target| (&*built, target.as_str())));
        contenders.push((&built, ""));
        let step = |what: &str, done: usize, all: usize| {
            self.progress
                .set_message(format!("{what} attempt {count}, with {} functions: {done} of {all} rows", lists.len()));
        };
        let mut times =
            self.benches.times(&contenders, rounds.clone(), rows, |done| step("times", done, rows.len()))?;
        let again = disturbed(&times);
        let step = |done| step("times disturbed rows of", done, again.len());
        add(&mut times, self.benches.times(&contenders, rounds, &again, step)?);
        Ok(times)
    }

    /// Measures what was chosen as it will be, and takes out what loses all the same. Rows that lose and that the search has not
    /// measured are returned, if there is time for it.
    fn verify(&mut self, groups: &[Group], tried: &[Choice]) -> Result<Result<Outcome, BTreeSet<String>>> {
        let mended = |(group, choice): (&Group, &Choice)| group.mended(&self.levels, choice);
        let mut choices: Vec<Choice> = groups.iter().zip(tried).map(mended).collect();
        loop {
            let mut lists = Lists::new();
            for choice in &choices {
                let list: Vec<&str> = choice.targets.iter().map(|target| self.targets[*target].as_str()).collect();
                lists.extend(choice.functions.iter().map(|key| (key.clone(), list.join(" | "))));
            }
            let mut outcome = Outcome {
                targets: self.targets.clone(),
                findings: self.findings(groups, tried, &choices),
                over: self.over,
                lists,
                ..Outcome::default()
            };
            if outcome.lists.is_empty() {
                return Ok(Ok(outcome));
            }
            let name = format!("{:?}", outcome.lists);
            if !self.state.known.times.contains_key(&name) {
                let changed = groups.iter().zip(&choices).filter(|(_, choice)| !choice.functions.is_empty());
                let rows: Vec<String> = changed.flat_map(|(group, _)| group.rows.keys().cloned()).collect();
                let mut times = self.time(&outcome.lists, LAST..=LAST, &rows)?;
                // Other programs may have disturbed what seems to lose.
                let losers = self.losers(groups, &choices, &seen(&times, |speed| speed.median));
                if !losers.is_empty() {
                    add(&mut times, self.time(&outcome.lists, LAST..=LAST, &losers)?);
                }
                self.state.known.times.insert(name.clone(), times);
                self.state.save()?;
            }
            let measured = self.state.known.times[&name].clone();
            let seen = seen(&measured, |speed| speed.median);
            let mut lost = self.losers(groups, &choices, &seen);
            lost.retain(|row| !self.sample.contains(row));
            let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if !lost.is_empty() && !is_over {
                return Ok(Err(lost.into_iter().collect()));
            }
            for (row, times) in measured {
                outcome.rows.insert(row, (median(times[0].iter().copied()), spreads(&times, ERROR).collect()));
            }
            let mut changed = false;
            for (group, choice) in groups.iter().zip(&mut choices).filter(|(_, choice)| !choice.functions.is_empty()) {
                let is_own = |(row, _): &(&String, &Vec<f64>)| group.rows.contains_key(*row);
                choice.speeds = seen.iter().filter(is_own).map(|(row, speeds)| (row.clone(), speeds.clone())).collect();
                let next = group.mended(&self.levels, choice);
                changed |= (&next.functions, &next.targets) != (&choice.functions, &choice.targets);
                *choice = next;
            }
            if !changed {
                self.test(&mut outcome)?;
                outcome.changes = self.copy.changes(&outcome.lists)?;
                return Ok(Ok(outcome));
            }
        }
    }

    /// The rows that are below the floor with the choice of their group.
    fn losers(&self, groups: &[Group], choices: &[Choice], speeds: &Speeds) -> Vec<String> {
        let losers = groups.iter().zip(choices).flat_map(|(group, choice)| {
            let own = speeds.iter().filter(|(row, _)| group.rows.contains_key(*row));
            own.filter(|(_, speeds)| self.levels.loses(speeds, &choice.targets)).map(|(row, _)| row.clone())
        });
        losers.collect()
    }

    /// Runs the tests of the packages for each target that a list has.
    fn test(&mut self, outcome: &mut Outcome) -> Result<()> {
        let packages = self.copy.packages(&outcome.lists);
        let before = self.tested(&Lists::new(), &packages, "")?;
        let is_listed =
            |target: &&String| outcome.lists.values().any(|list| list.split(" | ").any(|one| one == *target));
        let targets: Vec<String> = self.targets.iter().filter(is_listed).cloned().chain([String::new()]).collect();
        for target in targets {
            let failed = self.tested(&outcome.lists, &packages, &target)?;
            outcome.tests.insert(target, failed.difference(&before).cloned().collect());
        }
        Ok(())
    }

    /// The tests that fail with the lists and the features that `only` names.
    fn tested(&mut self, lists: &Lists, packages: &[String], only: &str) -> Result<BTreeSet<String>> {
        let name = format!("{lists:?} {packages:?} {only}");
        if let Some(failed) = self.state.known.tests.get(&name) {
            return Ok(failed.clone());
        }
        let target = if only.is_empty() { "the baseline" } else { only };
        step(&self.progress, format!("runs the tests of {}", if lists.is_empty() { "the original" } else { target }));
        self.copy.annotate(lists)?;
        let failed = self.benches.tests(packages, only)?;
        self.state.known.tests.insert(name, failed.clone());
        self.state.save()?;
        Ok(failed)
    }
}

/// Rows that stand for all: the shortest, and then always the one that is the least like those before.
fn sample(rows: &BTreeMap<String, Heat>) -> BTreeSet<String> {
    let mut left: BTreeMap<&String, f64> = rows.iter().map(|(row, heat)| (row, 1e9 / heat.nanoseconds)).collect();
    let (mut sample, mut time) = (BTreeSet::new(), 0.0);
    while (sample.len() < ROWS || time < ALL_ROWS)
        && let Some((&row, _)) = left.iter().max_by(|(_, one), (_, other)| one.total_cmp(other))
    {
        sample.insert(row.clone());
        time += PROCESS + RUNS * rows[row].nanoseconds;
        left.remove(row);
        for (other, distance) in &mut left {
            let new = rows[row].distance(&rows[*other]);
            *distance = if sample.len() == 1 { new } else { distance.min(new) };
        }
    }
    sample
}

/// The rows whose rounds disagree, so that they need more.
fn disturbed(times: &Times) -> Vec<String> {
    let is_wide = |times: &[Vec<f64>]| spreads(times, CHANCE).any(|speed| speed.high > WIDE * speed.low);
    times.iter().filter(|(_, times)| is_wide(times)).map(|(row, _)| row.clone()).collect()
}

fn add(times: &mut Times, again: Times) {
    for (row, again) in again {
        let all = times.get_mut(&row).into_iter().flatten();
        all.zip(again).for_each(|(times, again)| times.extend(again));
    }
}

fn spreads(times: &[Vec<f64>], error: f64) -> impl Iterator<Item = Spread> {
    times[1..].iter().map(move |own| Spread::of_ratios(&times[0], own, error))
}

/// The median speed of each gain, `loss` of each loss, and 1 where the interval has it: there the rounds do not agree.
fn seen(times: &Times, loss: fn(&Spread) -> f64) -> Speeds {
    let seen = |speed: Spread| {
        if speed.low > 1.0 {
            speed.median
        } else if speed.high < 1.0 {
            loss(&speed)
        } else {
            1.0
        }
    };
    times.iter().map(|(row, times)| (row.clone(), spreads(times, CHANCE).map(seen).collect())).collect()
}

#[cfg(test)]
mod tests;
