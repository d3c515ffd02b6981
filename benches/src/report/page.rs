//! The printer: pages of the stored runs.

use super::data::{Figure, Run};
use super::facts::{FACTS, Goal, Section, Summary};
use super::format::{above, faster, fill, mean, rate, table};
use super::picture;
use anyhow::{Context as _, Result, ensure};
use benches::OURS;
use core::fmt::Write as _;
use std::collections::BTreeSet;

/// How long the first page may be.
const LINES: usize = 120;
/// The group of which the first page has one machine only, and the README the table.
const COSTS: &str = "costs";

/// The pages of the runs on one or more machines, and `readme` with its tables: their files and texts. The first page has two machines
/// side by side, without what few users look for.
pub(crate) fn write(runs: &[Run], readme: &str) -> Result<[(&'static str, String); 4]> {
    for figure in runs.iter().flat_map(|run| &run.figures) {
        let section = FACTS.section.iter().find(|section| section.group == figure.group);
        let section = section.with_context(|| format!("report.toml has no section for {}", figure.group))?;
        let is_known = !section.explained || FACTS.columns.iter().any(|[column, _]| *column == figure.by);
        ensure!(is_known, "report.toml does not explain the column {}", figure.by);
    }
    // Not those of a few groups.
    let most = runs.iter().map(|run| run.figures.len()).max().unwrap_or_default();
    let all: Vec<&Run> = runs.iter().filter(|run| run.figures.len() * 2 > most).collect();
    let two = &all[..all.len().min(2)];
    let head = |text: &str| FACTS.text[text].clone();
    let summary = summary(two, FACTS.summary.iter().filter(|facts| facts.first_page));
    let has = |section: &&Section| runs.iter().any(|run| run.group(&section.group).next().is_some());
    let first = FACTS.section.iter().filter(|section| !section.first_page.is_empty()).filter(has);
    let current = |section: &Section| runs.iter().find(|run| run.is_current(section)).unwrap_or(&runs[0]);
    let machines_of = |section: &Section| if section.group == COSTS { vec![current(section)] } else { two.to_vec() };
    let first = first.map(|section| {
        let first = FACTS.text.get(&format!("{}, first page", section.group)).unwrap_or(&section.text);
        format!(
            "## {}\n\n{first}\n\n{}",
            capitalized(&section.group),
            figures(&machines_of(section), section, &section.first_page)
        )
    });
    let first = [
        head("head"),
        machines(runs),
        format!("## Summary\n\n{}\n\n{summary}", FACTS.text["summary"]),
        format!("## Where it loses\n\n{}\n\n{}", FACTS.text["losses"], losses(two)),
        first.collect(),
        head("foot"),
    ];
    let first = first.concat();
    let lines = first.lines().count();
    ensure!(lines <= LINES, "the first page has {lines} lines, and may have {LINES}");
    let columns = FACTS.columns.iter().map(|[column, text]| vec![format!("`{column}`"), text.clone()]);
    let details = [
        head("details-head"),
        format!("## Summary\n\n{}", self::summary(&all, FACTS.summary.iter())),
        FACTS.section.iter().map(|facts| section(runs, facts)).collect(),
        goals(&all),
        format!("## Columns\n\n{}", table(&["column", "what it is"], columns)),
    ];
    let costs = FACTS.section.iter().find(|section| section.group == COSTS).context("no section for costs")?;
    let costs = figures(&machines_of(costs), costs, &costs.first_page);
    let (picture, line) = picture::tree(&runs[0]).unwrap_or_default();
    let readme = insert(readme, &[("summary", summary), ("costs", costs), ("tree", line)]).context("README.md")?;
    Ok([
        ("docs/performance.md", first),
        ("benches/details.md", details.concat()),
        ("docs/tree.svg", picture),
        ("README.md", readme),
    ])
}

/// `text` with the tables between its marks.
fn insert(text: &str, tables: &[(&str, String)]) -> Result<String> {
    tables.iter().try_fold(text.to_owned(), |text, (name, table)| {
        let mark = format!("<!-- report: {name} -->\n");
        let (before, after) = text.split_once(&mark).with_context(|| format!("no mark for the table {name}"))?;
        let (_, after) = after.split_once("<!-- end -->").with_context(|| format!("no end of the table {name}"))?;
        Ok(format!("{before}{mark}{}\n<!-- end -->{after}", table.trim_end()))
    })
}

/// All tables of figures of one run, for who measures a few groups.
pub(crate) fn tables(run: Run) -> String {
    let runs = [run];
    FACTS.section.iter().map(|facts| section(&runs, facts)).collect()
}

/// The machines, and the kinds of CPUs of which there is no run.
fn machines(runs: &[Run]) -> String {
    let mut text = String::new();
    for Run { machine, .. } in runs {
        let values: [(&str, &dyn core::fmt::Display); 8] = [
            ("name", &machine.name),
            ("cpu", &machine.cpu),
            ("features", &machine.features.join(", ")),
            ("gigahertz", &format!("{:.2}", machine.gigahertz)),
            ("rustc", &machine.rustc),
            ("flags", &machine.flags),
            ("system", &machine.system),
            ("commit", &machine.commit),
        ];
        let _ = writeln!(text, "{}", fill(&FACTS.text["machine"], &values));
    }
    let known = |by: &str| runs.iter().any(|Run { machine, .. }| (machine.cpu.clone() + &machine.system).contains(by));
    let missing: Vec<&str> = FACTS.wanted.iter().filter(|kind| !known(kind)).map(String::as_str).collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "{}", fill(&FACTS.text["missing-machines"], &[("missing", &missing.join(", "))]));
    }
    text + "\n"
}

/// A table with a column for each machine.
fn by_machine(runs: &[&Run], corner: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let names = runs.iter().map(|run| run.machine.name.as_str());
    table(&[corner].into_iter().chain(names).collect::<Vec<_>>(), rows)
}

/// Geometric means, with the least and the most.
fn summary<'a>(runs: &[&Run], lines: impl Iterator<Item = &'a Summary>) -> String {
    let rows = lines.map(|facts| {
        if let Some(work) = &facts.more_in {
            let cells = runs.iter().map(|run| {
                let ns = |by: &str| Some(run.figure(&facts.groups[0], work, by)?.number());
                let more = ns(&facts.of).zip(ns(&facts.than)).map(|(ns, least)| (ns - least).max(0.0));
                more.map_or_else(|| "–".to_owned(), |more| format!("{more:.1} ns"))
            });
            return [facts.text.clone()].into_iter().chain(cells).collect();
        }
        let all: Vec<_> = runs.iter().map(|run| ratios(run, facts)).collect();
        let count = all.iter().flatten().map(Vec::len).max().unwrap_or_default();
        let cells = all.iter().map(|ratios| {
            let Some(ratios) = ratios else { return "–".to_owned() };
            let (best, worst) = (ratios[0].0, ratios[ratios.len() - 1].0);
            let fewer = if ratios.len() < count { format!(", {} measured", ratios.len()) } else { String::new() };
            let mean = mean(ratios.iter().map(|(ratio, _)| *ratio));
            format!("**{}** ({} to {}){fewer}", faster(mean), faster(worst), faster(best))
        });
        [facts.text.replace("{rows}", &count.to_string())].into_iter().chain(cells).collect()
    });
    by_machine(runs, "", rows)
}

/// The rows in which ours loses.
fn losses(runs: &[&Run]) -> String {
    let rows = FACTS.summary.iter().filter_map(|facts| Some((facts, facts.loss?))).map(|(facts, loss)| {
        let cells = runs.iter().map(|run| {
            let Some(ratios) = ratios(run, facts) else { return "–".to_owned() };
            let lost = ratios.iter().rev().take_while(|(ratio, _)| above(*ratio, loss));
            let lost: Vec<String> = lost.map(|(ratio, row)| format!("{row} ({})", faster(*ratio))).collect();
            if lost.is_empty() { "none".to_owned() } else { lost.join("; ") }
        });
        [facts.text.replace("{rows} ", "")].into_iter().chain(cells).collect()
    });
    by_machine(runs, "", rows)
}

/// The time of ours divided by the other's in each row, with the row's name, the lowest first; nothing if there are few.
fn ratios(run: &Run, facts: &Summary) -> Option<Vec<(f64, String)>> {
    let in_group = |group: &String| {
        if facts.groups.is_empty() { !facts.not_groups.contains(group) } else { facts.groups.contains(group) }
    };
    let rows = run.figures.iter().filter(|figure| figure.by == facts.of && in_group(&figure.group));
    let ratio = |figure: &Figure| {
        let than = run.figure(&figure.group, &figure.work, &facts.than)?.number();
        let one_group = facts.groups.len() == 1;
        let name = if one_group { figure.work.clone() } else { format!("{}, {}", figure.group, figure.work) };
        Some((figure.number() / than, name))
    };
    let all = rows.clone().count();
    let mut ratios: Vec<_> = rows.filter_map(ratio).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Figures that were taken from a page have the worst rows of some columns only.
    (ratios.len() * 3 > all).then_some(ratios)
}

/// All figures of a group, a table for each run that has some, with the run's notes.
fn section(runs: &[Run], facts: &Section) -> String {
    let of = |run: &Run| run.group(&facts.group).next().is_some();
    let tables: Vec<String> = runs
        .iter()
        .filter(|run| of(run))
        .map(|run| {
            let notes = run.notes.iter().filter(|(group, _)| *group == facts.group).map(|(_, text)| text.as_str());
            let notes = notes.collect::<Vec<_>>().join(" ");
            let notes = if notes.is_empty() { notes } else { format!("{}: {notes}\n\n", run.machine.name) };
            notes + &figures(&[run], facts, &[])
        })
        .collect();
    if tables.is_empty() {
        return String::new();
    }
    format!("## {}\n\n{}\n\n{}", capitalized(&facts.group), facts.text, tables.concat())
}

/// The figures of a group on machines side by side, in some columns or all.
fn figures(runs: &[&Run], facts: &Section, shown: &[String]) -> String {
    let is_shown = |figure: &&Figure| shown.is_empty() || shown.contains(&figure.by);
    let all: Vec<&Figure> = runs.iter().flat_map(|run| run.group(&facts.group)).filter(is_shown).collect();
    let distinct = |of: fn(&Figure) -> &str| -> Vec<&str> {
        let mut seen = BTreeSet::new();
        all.iter().map(|figure| of(figure)).filter(|name| seen.insert(*name)).collect()
    };
    let (mut contenders, work) = (distinct(|figure| &figure.by), distinct(|figure| &figure.work));
    if !shown.is_empty() {
        contenders.sort_by_key(|name| shown.iter().position(|column| column == name));
    } else if facts.explained {
        contenders.sort_by_key(|name| FACTS.columns.iter().position(|[column, _]| column == name));
    }
    // Many contenders of few kinds of work read better below each other.
    let down = facts.down.unwrap_or(contenders.len() > work.len());
    let (across, lines) = if down { (&work, &contenders) } else { (&contenders, &work) };
    let outdated: Vec<bool> = runs.iter().map(|run| run.is_outdated(facts)).collect();
    let base = facts.base.as_deref().unwrap_or(OURS);
    let cell = |run: &Run, line: &str, column: &str| {
        let (work, by) = if down { (column, line) } else { (line, column) };
        let of = |by| run.figure(&facts.group, work, by);
        let base = of(base).or_else(|| of(contenders[0]).filter(|_| facts.base.is_none()));
        of(by).map_or_else(String::new, |figure| self::cell(figure, base))
    };
    let rows = lines.iter().map(|line| {
        let cells = runs.iter().flat_map(|run| across.iter().map(|column| cell(run, line, column)));
        let has = |run: &Run| run.group(&facts.group).any(|one| one.work == *line || one.by == *line);
        let mark = if runs.iter().zip(&outdated).any(|(run, outdated)| *outdated && has(run)) { " †" } else { "" };
        [format!("{line}{mark}")].into_iter().chain(cells).collect()
    });
    let corner = if let [run] = runs { run.machine.name.as_str() } else { "" };
    let name = |run: &Run| if runs.len() > 1 { format!("{}: ", run.machine.name) } else { String::new() };
    let names = runs.iter().flat_map(|run| across.iter().map(move |column| name(run) + column));
    let names: Vec<String> = [corner.to_owned()].into_iter().chain(names).collect();
    table(&names.iter().map(String::as_str).collect::<Vec<_>>(), rows)
}

/// A figure, and how many times faster, or smaller, it is than `base`.
fn cell(figure: &Figure, base: Option<&Figure>) -> String {
    let mut cell = figure.value.shown();
    let number = figure.number();
    if let Some(bytes) = figure.bytes.filter(|bytes| *bytes >= 1024) {
        let _ = write!(cell, ", {}", rate(bytes as f64 / number));
    }
    if let Some(base) = base.filter(|base| base.by != figure.by) {
        let _ = write!(cell, " ({})", faster(number / base.number()));
    }
    cell
}

/// The goals, on each machine, and what holds those that are missed.
fn goals(runs: &[&Run]) -> String {
    let mut limits = BTreeSet::new();
    let mut counts = [0; 3];
    let rows: Vec<Vec<String>> = FACTS
        .goals
        .iter()
        .map(|goal| {
            let all: Vec<_> = runs.iter().map(|run| measured(goal, run)).collect();
            let worst = all.iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
            let row = worst.map_or("none", |(_, row)| row);
            let work = goal.work.as_ref().map_or_else(
                || format!("{}, {}", goal.groups.join(", "), goal.of),
                |work| fill(work, &[("row", &row)]),
            );
            for (run, _) in
                runs.iter().zip(&all).filter(|(_, one)| one.as_ref().is_some_and(|one| above(one.0, goal.at_most)))
            {
                let of = |limit: &&crate::report::facts::Limit| {
                    work.starts_with(&limit.work) && run.machine.cpu.contains(&limit.on)
                };
                limits.extend(
                    FACTS.limit.iter().filter(of).map(|limit| (limit.work.trim_end_matches(", "), &limit.text)),
                );
            }
            let (result, count) = match worst {
                Some((worst, _)) if above(*worst, goal.at_most) => ("**missed**", 0),
                Some(_) => ("met", 1),
                None => ("not measured", 2),
            };
            counts[count] += 1;
            let against = goal.against.as_ref().or_else(|| goal.than.as_ref()?.first()).cloned().unwrap_or_default();
            let cells = all.iter().map(|one| one.as_ref().map_or_else(|| "–".to_owned(), |(ratio, _)| faster(*ratio)));
            [work, against, faster(goal.at_most)].into_iter().chain(cells).chain([result.to_owned()]).collect()
        })
        .collect();
    let [_, met, missing] = counts;
    let text = fill(&FACTS.text["goals"], &[("met", &met), ("all", &rows.len()), ("missing", &missing)]);
    let names = runs.iter().map(|run| run.machine.name.as_str());
    let head: Vec<&str> = ["work", "against", "at least"].into_iter().chain(names).chain([""]).collect();
    let limits = limits.into_iter().map(|(work, text)| vec![work.to_owned(), text.clone()]);
    format!("## Goals\n\n{text}\n\n{}{}", table(&head, rows), table(&["missed", "what limits it"], limits))
}

/// The worst ratio that a goal is about, and its row.
fn measured(goal: &Goal, run: &Run) -> Option<(f64, String)> {
    let by: Vec<&str> = if goal.by.is_empty() { vec![OURS] } else { goal.by.iter().map(String::as_str).collect() };
    let in_group = |figure: &&Figure| {
        if goal.groups.is_empty() { figure.group != "limits" } else { goal.groups.contains(&figure.group) }
    };
    let rows = run.figures.iter().filter(in_group);
    let ours: Vec<&Figure> = if goal.of == "{row}" {
        rows.filter(|figure| by.contains(&figure.by.as_str())).collect()
    } else {
        let row: Vec<&Figure> = rows.filter(|figure| figure.work == goal.of).collect();
        by.iter().find_map(|by| row.iter().copied().find(|figure| figure.by == *by)).into_iter().collect()
    };
    let than = |by: &str| match &goal.than {
        Some(than) => than.iter().any(|than| than == by),
        None => !by.starts_with(OURS) && !goal.no_peers.iter().any(|no| no == by),
    };
    let ratio = |ours: &Figure| {
        let of_group = if goal.groups.len() == 1 { String::new() } else { format!("{}, ", ours.group) };
        let of_one = if ours.by == by[0] { String::new() } else { format!(", {}", ours.by) };
        let row = format!("{of_group}{}{of_one}", ours.work);
        Some((ours.number() / run.best(&ours.group, &ours.work, than)?, row))
    };
    ours.into_iter().filter_map(ratio).max_by(|(a, _), (b, _)| a.total_cmp(b))
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
