//! What the project holds itself to, and how far it is.

use crate::report::data::{Figure, Goal, Report, Value};
use crate::report::facts::{self, FACTS};
use crate::report::format::fill;
use benchmarks::OURS;

/// All goals.
pub(crate) fn all(report: &Report) -> Vec<Goal> {
    FACTS.goals.iter().map(|goal| measure(goal, report)).collect()
}

/// A sentence for each goal that this run misses and of which something is known.
pub(crate) fn limits(report: &Report) -> Vec<(String, String)> {
    let missed = |limit: &facts::Limit| {
        report.goals.iter().any(|goal| goal.met() == Some(false) && goal.work.starts_with(&limit.work))
    };
    let limits = FACTS.limit.iter().filter(|limit| report.machine.cpu.contains(&limit.on) && missed(limit));
    limits.filter_map(|limit| Some((limit.work.trim_end_matches(", ").to_owned(), explain(limit, report)?))).collect()
}

fn explain(limit: &facts::Limit, report: &Report) -> Option<String> {
    let cpu = limit.cpu.as_ref().unwrap_or(&report.machine.cpu);
    let text = limit.figures.iter().enumerate().try_fold(limit.text.clone(), |text, (i, [group, work, by])| {
        Some(fill(&text, &[(&i.to_string(), &report.figure(group, work, by)?.value.shown())]))
    });
    let text = text?;
    Some(if cpu.is_empty() { text } else { format!("{text} ({cpu})") })
}

fn measure(goal: &facts::Goal, report: &Report) -> Goal {
    let by: Vec<&str> = if goal.by.is_empty() { vec![OURS] } else { goal.by.iter().map(String::as_str).collect() };
    let groups = [&goal.group].into_iter().chain(&goal.more_groups);
    let ours: Vec<&Figure> = if goal.of == "{row}" {
        groups.flat_map(|group| report.group(group)).filter(|figure| by.contains(&figure.by.as_str())).collect()
    } else {
        by.iter().find_map(|by| report.figure(&goal.group, &goal.of, by)).into_iter().collect()
    };
    let wanted = |by: &str| match &goal.than {
        Some(than) => than.iter().any(|than| than == by),
        None => !by.starts_with(OURS) && !goal.no_peers.iter().any(|no| no == by),
    };
    let ratio = |ours: &Figure| match ours.value {
        Value::Ratio(ratio) => Some(ratio),
        value => Some(value.number() / report.best(&ours.group, &ours.work, wanted)?.value.number()),
    };
    let measured = ours.into_iter().filter_map(|figure| Some((figure, ratio(figure)?)));
    let worst = measured.max_by(|(_, a), (_, b)| a.total_cmp(b));
    let row = worst.map_or("none".to_owned(), |(figure, _)| {
        let of_group = if goal.more_groups.is_empty() { String::new() } else { format!("{}, ", figure.group) };
        let of_one = if figure.by == by[0] { String::new() } else { format!(", {}", figure.by) };
        format!("{of_group}{}{of_one}", figure.work)
    });
    let work = goal.work.as_ref().map(|work| fill(work, &[("row", &row)]));
    let against = goal.against.as_ref().or_else(|| goal.than.as_ref()?.first());
    Goal {
        work: work.unwrap_or_else(|| format!("{}, {}", goal.group, goal.of)),
        against: against.cloned().unwrap_or_default(),
        at_most: goal.at_most,
        measured: worst.map(|(_, ratio)| ratio),
    }
}
