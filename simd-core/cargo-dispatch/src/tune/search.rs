//! Which functions get the attribute, and with which targets: decided only from speeds.

#![expect(clippy::cast_precision_loss, reason = "numbers of targets and functions are small")]

use std::collections::{BTreeMap, BTreeSet};

/// The speed that no row may fall below where a target runs, against the original.
pub(super) const FLOOR: f64 = 0.97;

/// And where the baseline runs. A call of an annotated function costs a test there, and a CPU without any target is rare.
pub(super) const FLOOR_OF_BASELINE: f64 = 0.75;

/// Differences of speeds that are noise, as logarithms.
pub(super) const NOISE: f64 = 0.02;

/// How much all rows together have to gain, as a logarithm and on average of the levels, for a further target or function.
const TARGET: f64 = 0.01;
const FUNCTION: f64 = 0.002;

/// The gain that the rows of a group need together, as a logarithm: less comes and goes with where the linker puts code.
const WORTH: f64 = 0.095;

/// The gain of a row by one test less before a clone, at most, as a part of the original's speed.
const TEST: f64 = 0.05;

/// How many further functions of a row that loses come out one by one.
const SINGLE: usize = 4;

/// The original's time divided by the annotated crate's, for each level. Below 1 is slower.
pub(super) type Speeds = BTreeMap<String, Vec<f64>>;

/// Functions, by file and line.
pub(super) type Functions = BTreeSet<String>;

/// The kinds of CPUs that are compared: one for each candidate target, in the order of the list, and one with none of them.
pub(super) struct Levels {
    /// Whether a CPU of the level has the target.
    has: Vec<Vec<bool>>,
}

/// Functions and rows that have to do with each other, and with no others.
pub(super) struct Group {
    /// The part of each row's time in each function.
    pub(super) rows: BTreeMap<String, BTreeMap<String, f64>>,
    /// The functions to begin with.
    pub(super) starts: Vec<Functions>,
}

/// The functions and targets that were found for a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Choice {
    pub(super) functions: Functions,
    /// Indices of targets, the first one that a CPU has runs.
    pub(super) targets: Vec<usize>,
    /// As measured with all targets in the list.
    pub(super) speeds: Speeds,
}

impl Levels {
    /// `has` says whether a CPU that has one target, and not more, has another one.
    pub(super) fn new(targets: usize, has: impl Fn(usize, usize) -> bool) -> Self {
        let row = |level| (0..targets).map(|target| level < targets && has(level, target)).collect();
        Self { has: (0..=targets).map(row).collect() }
    }

    pub(super) fn baseline(&self) -> usize {
        self.has.len() - 1
    }

    /// Which of the targets in a list runs on a CPU of the level: its own level, or the baseline.
    pub(super) fn runs(&self, level: usize, list: &[usize]) -> usize {
        list.iter().copied().find(|target| self.has[level][*target]).unwrap_or(self.baseline())
    }

    /// The speed that no row may fall below at a level.
    pub(super) fn floor(&self, level: usize, list: &[usize]) -> f64 {
        if self.runs(level, list) == self.baseline() { FLOOR_OF_BASELINE } else { FLOOR }
    }

    /// The row that is furthest below the floor, at any level.
    fn loser<'a>(&self, speeds: &'a Speeds, list: &[usize]) -> Option<&'a str> {
        let rows = speeds.iter().filter(|(_, of)| self.loses(of, list));
        rows.min_by(|(_, one), (_, other)| self.slowest(one, list).total_cmp(&self.slowest(other, list)))
            .map(|(row, _)| row.as_str())
    }

    /// Whether a row is below the floor at any level. Without a list none is.
    pub(super) fn loses(&self, speeds: &[f64], list: &[usize]) -> bool {
        !list.is_empty() && self.slowest(speeds, list) < 1.0
    }

    /// A row's speed where it is furthest below the floor, as a part of the floor.
    fn slowest(&self, speeds: &[f64], list: &[usize]) -> f64 {
        let speeds = (0..self.has.len()).map(|level| speeds[self.runs(level, list)] / self.floor(level, list));
        speeds.fold(f64::MAX, f64::min)
    }

    /// The gain of a row by a list at a level, as a logarithm. A speed below the floor counts four times.
    fn gain(&self, speeds: &[f64], level: usize, list: &[usize]) -> f64 {
        let speed = speeds[self.runs(level, list)];
        if speed < self.floor(level, list) { 4.0 * speed.ln() } else { speed.ln() }
    }

    /// How much better one choice is than another, in all rows together and on average of the levels. Differences in the
    /// noise do not count, so that of two choices with the same speeds the smaller one is better.
    fn advantage(&self, one: &Choice, other: &Choice) -> f64 {
        let levels = 0..self.has.len();
        let gain = |choice: &Choice, row: &str, level| {
            let speeds = choice.speeds.get(row).filter(|_| !choice.targets.is_empty());
            speeds.map_or(0.0, |speeds| self.gain(speeds, level, &choice.targets))
        };
        let rows: BTreeSet<&String> = one.speeds.keys().chain(other.speeds.keys()).collect();
        let differences = rows
            .into_iter()
            .flat_map(|row| levels.clone().map(move |level| gain(one, row, level) - gain(other, row, level)));
        let sum: f64 = differences.filter(|difference| difference.abs() > NOISE).sum();
        let size = |choice: &Choice| TARGET * choice.targets.len() as f64 + FUNCTION * choice.functions.len() as f64;
        sum / levels.len() as f64 - size(one) + size(other)
    }

    /// The first, unless the second has an advantage.
    fn better(&self, best: Choice, next: Choice) -> Choice {
        if self.advantage(&next, &best) > 0.0 { next } else { best }
    }

    /// The choice with the best list for its speeds, of those that `fits`.
    fn with_list(&self, choice: &Choice, fits: impl Fn(&[usize]) -> bool) -> Choice {
        // Without a list the functions are as they were.
        let mut best = Choice { functions: choice.functions.clone(), ..Choice::default() };
        let targets = self.baseline();
        for bits in 1..1_u32 << targets {
            let list: Vec<usize> = (0..targets).filter(|at| bits >> at & 1 == 1).collect();
            if fits(&list) {
                let next = Choice { targets: list, ..choice.clone() };
                if self.advantage(&next, &best) > 0.0 {
                    best = next;
                }
            }
        }
        Choice { speeds: choice.speeds.clone(), ..best }
    }

    /// With the best part of its list with which no row loses.
    fn without_loss(&self, choice: &Choice) -> Choice {
        self.with_part(choice, |list| self.loser(&choice.speeds, list).is_none())
    }

    /// With the best part of its list that `fits`.
    fn with_part(&self, choice: &Choice, fits: impl Fn(&[usize]) -> bool) -> Choice {
        self.with_list(choice, |list| list.iter().all(|target| choice.targets.contains(target)) && fits(list))
    }

    /// With the best list of one target with which no row need lose: speeds were measured with the tests of all targets.
    fn hoped(&self, choice: &Choice) -> Choice {
        let alone = |target: usize| {
            let mut next = choice.clone();
            next.speeds.values_mut().for_each(|speeds| speeds[target] += TEST * target as f64);
            self.with_list(&next, |list| list == [target] && self.loser(&next.speeds, list).is_none())
        };
        let choices = (0..self.baseline()).map(alone).filter(|choice| !choice.targets.is_empty());
        choices.reduce(|best, next| self.better(best, next)).unwrap_or_default()
    }
}

/// Measures some functions with all targets, and returns `None` when the time is over.
pub(super) type Ask<'a> = dyn FnMut(&Functions) -> Option<Speeds> + 'a;

/// The best of the functions to begin with.
pub(super) fn begin(group: &Group, levels: &Levels, ask: &mut Ask<'_>) -> Choice {
    let choices = group.starts.iter().map_while(|start| tried(start, levels, ask));
    choices.reduce(|best, next| levels.better(best, next)).unwrap_or_default()
}

/// Searches a group.
pub(super) fn search(group: &Group, levels: &Levels, ask: &mut Ask<'_>) -> Choice {
    let mut seen: BTreeMap<Functions, Choice> = BTreeMap::new();
    let first = begin(group, levels, ask);
    let mut best = first.clone();
    let mut try_ = |functions: &Functions| -> Option<Choice> {
        if let Some(choice) = seen.get(functions) {
            return Some(choice.clone());
        }
        let choice = tried(functions, levels, ask)?;
        seen.insert(functions.clone(), choice.clone());
        Some(choice)
    };
    // The functions of a row that loses come out: the hottest one, the two hottest, four, and so on.
    while let Some(row) = levels.loser(&best.speeds, &best.targets).map(str::to_owned) {
        let mut hot: Vec<(&String, &f64)> =
            group.rows[&row].iter().filter(|(key, _)| best.functions.contains(*key)).collect();
        hot.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let hot: Vec<String> = hot.into_iter().map(|(key, _)| key.clone()).collect();
        let first = (!hot.is_empty()).then_some(1);
        let sizes = core::iter::successors(first, |size| (*size < hot.len()).then(|| hot.len().min(2 * size)));
        let tries: Option<Vec<Choice>> = sizes.map(|size| try_(&without(&best.functions, &hot[..size]))).collect();
        let Some(tries) = tries.filter(|tries| !tries.is_empty()) else { break };
        let better = tries.iter().cloned().fold(best.clone(), |best, next| levels.better(best, next));
        // Where others gain so much that nothing is better, the row's loss is avoided as well as it can be.
        best = if better.functions.len() < best.functions.len() {
            better
        } else {
            let keeps = |choice: &Choice, list: &[usize]| {
                choice.speeds.get(&row).is_none_or(|speeds| !levels.loses(speeds, list))
            };
            let others = hot.chunks(1).skip(1).take(SINGLE).map_while(|one| try_(&without(&best.functions, one)));
            let tries: Vec<Choice> = tries.into_iter().chain(others).collect();
            let kept = tries.into_iter().map(|one| levels.with_part(&one, |list| keeps(&one, list)));
            let shorter = levels.with_part(&best, |list| keeps(&best, list));
            kept.fold(shorter, |best, next| levels.better(best, next))
        };
    }
    if best.functions.is_empty() {
        return levels.hoped(&first);
    }
    // Halves, quarters and so on that bring nothing come out.
    let mut size = best.functions.len().div_ceil(2);
    while size > 0 && best.functions.len() > 1 {
        let order: Vec<String> = group.by_heat(&best.functions);
        for part in order.chunks(size) {
            let Some(choice) = try_(&without(&best.functions, part)) else { return best };
            best = levels.better(best, levels.without_loss(&choice));
        }
        size /= 2;
    }
    best
}

/// Some functions with the best list.
fn tried(functions: &Functions, levels: &Levels, ask: &mut Ask<'_>) -> Option<Choice> {
    if functions.is_empty() {
        return Some(Choice::default());
    }
    let choice = Choice { functions: functions.clone(), targets: Vec::new(), speeds: ask(functions)? };
    Some(levels.with_list(&choice, |_| true))
}

fn without(functions: &Functions, part: &[String]) -> Functions {
    functions.iter().filter(|key| !part.contains(key)).cloned().collect()
}

impl Group {
    /// With no other rows than these, unless it has none of them.
    pub(super) fn of(&self, rows: &BTreeSet<String>) -> Self {
        let mut own = self.rows.clone();
        own.retain(|row, _| rows.contains(row));
        Self { rows: if own.is_empty() { self.rows.clone() } else { own }, starts: self.starts.clone() }
    }

    /// The functions, the coldest first.
    fn by_heat(&self, functions: &Functions) -> Vec<String> {
        let heat = |key: &String| self.rows.values().filter_map(|row| row.get(key)).fold(0.0, |sum, share| sum + share);
        let mut order: Vec<String> = functions.iter().cloned().collect();
        order.sort_by(|one, other| heat(one).total_cmp(&heat(other)).then(one.cmp(other)));
        order
    }

    /// A choice without what loses, as its speeds show: with a shorter list or, where each of them loses, without the functions of the
    /// row that does. Then the speeds are not known. What stands is returned as it is, and nothing if its rows gain too little.
    pub(super) fn mended(&self, levels: &Levels, choice: &Choice) -> Choice {
        // A gain of the baseline comes from other inlining, and not from a target.
        let gain = |speeds: &Vec<f64>| {
            let baseline = speeds[levels.baseline()].max(1.0);
            choice.targets.iter().map(|target| (speeds[*target] / baseline).ln()).fold(0.0, f64::max)
        };
        let gains = choice.speeds.values().map(gain).filter(|gain| *gain > NOISE);
        if gains.sum::<f64>() < WORTH {
            return Choice::default();
        }
        let shorter = levels.without_loss(choice);
        let loser = levels.loser(&choice.speeds, &choice.targets).filter(|_| shorter.targets.is_empty());
        let hot: Vec<String> = loser.into_iter().flat_map(|row| self.rows[row].keys().cloned()).collect();
        let functions = without(&choice.functions, &hot);
        if !shorter.targets.is_empty() {
            shorter
        } else if hot.is_empty() || functions.is_empty() || functions == choice.functions {
            Choice::default()
        } else {
            Choice { functions, targets: choice.targets.clone(), speeds: Speeds::new() }
        }
    }

    /// Splits rows and functions into groups: two functions that take a part of one row are of one group.
    pub(super) fn all(rows: &BTreeMap<String, BTreeMap<String, f64>>, starts: &[Functions]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (row, shares) in rows.iter().filter(|(_, shares)| !shares.is_empty()) {
            let mut own = Self { rows: BTreeMap::from([(row.clone(), shares.clone())]), starts: Vec::new() };
            let keys: Functions = shares.keys().cloned().collect();
            let (joined, others) = groups.into_iter().partition(|group: &Self| !group.functions().is_disjoint(&keys));
            groups = others;
            for group in joined {
                let group: Self = group;
                own.rows.extend(group.rows);
            }
            groups.push(own);
        }
        for group in &mut groups {
            let functions = group.functions();
            for start in starts {
                let start: Functions = start.intersection(&functions).cloned().collect();
                if !start.is_empty() && !group.starts.contains(&start) {
                    group.starts.push(start);
                }
            }
        }
        groups
    }

    pub(super) fn functions(&self) -> Functions {
        self.rows.values().flat_map(BTreeMap::keys).cloned().collect()
    }
}

#[cfg(test)]
mod tests;
