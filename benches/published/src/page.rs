//! The tables of `README.md` here, and of the repository's.

use core::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::here;
use crate::results::{Advice, Results, Row, Times, read};
use crate::subject::{Settings, Subject, WHOLE, WRITTEN};

/// The program writes all that is behind it.
const MARK: &str = "<!-- Written by `cargo run -p published -- page`. -->\n";

/// The program writes all that is between them in the repository's README.
const MARKS: [&str; 2] = ["<!-- published: scores -->\n", "<!-- end -->"];

pub(crate) fn write(subjects: &[Subject]) -> Result<()> {
    for (path, page) in pages(subjects)? {
        fs::write(&path, page).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn with_results(subjects: &[Subject]) -> Result<Vec<(&Subject, Results)>> {
    subjects.iter().map(|subject| Ok((subject, read(subject)?))).collect()
}

/// Both files, and what they should contain.
fn pages(subjects: &[Subject]) -> Result<[(PathBuf, String); 2]> {
    let all = with_results(subjects)?;
    let [own, first] = ["README.md", "../../README.md"].map(|name| here().join(name));
    let text = fs::read_to_string(&own)?;
    let (before, _) = text.split_once(MARK).context("README.md has no mark")?;
    let mut page = format!("{before}{MARK}\n");
    let (mut scores, mut left) = (String::new(), String::new());
    for (subject, results) in &all {
        if results.gains_nothing() { &mut left } else { &mut scores }.push_str(&score(subject, results));
    }
    let head = "| crate | tests | CPU | slowest row | fastest row |\n|---|---|---|---|---|\n";
    write!(page, "## Scores\n\n{head}{scores}")?;
    if !left.is_empty() {
        write!(
            page,
            "\nBy `cargo dispatch bench`, each target slows down at least as many rows of these as it speeds up. Leave them as they are published:\n\n{head}{left}"
        )?;
    }
    write!(
        page,
        "\n## Verdicts of `cargo dispatch bench`\n\n| crate | target | pays on rows | is slower on | CPU |\n|---|---|---|---|---|\n"
    )?;
    for (subject, results) in &all {
        results.advice.iter().for_each(|advised| page.push_str(&advice(&subject.name, advised)));
    }
    let usual = usual(all.iter().map(|(_, results)| results));
    write!(page, "\n## All rows\n\n{usual}, unless a crate has another line.\n")?;
    for (subject, results) in &all {
        write!(page, "\n{}", section(subject, results, &usual))?;
    }
    let text = fs::read_to_string(&first)?;
    let marked = text.split_once(MARKS[0]).and_then(|(before, after)| Some((before, after.split_once(MARKS[1])?.1)));
    let (before, after) = marked.context("the repository's README.md has no marks")?;
    let text = format!("{before}{}{}{}{after}", MARKS[0], short_scores(&all), MARKS[1]);
    Ok([(own, page), (first, text)])
}

/// The rows of each crate on the first CPU that most crates have, once for both of its forms, those crates that gain nothing last.
fn short_scores(all: &[(&Subject, Results)]) -> String {
    let cpus = all.iter().filter_map(|(_, results)| results.times.first()).map(|times| &times.cpu);
    let Some(cpu) = cpus.clone().max_by_key(|cpu| cpus.clone().filter(|other| other == cpu).count()) else {
        return String::new();
    };
    let mut once: Vec<_> = all.iter().filter(|(subject, _)| !subject.name.starts_with(WRITTEN)).collect();
    once.sort_by_key(|(_, results)| results.gains_nothing());
    let mut text =
        format!("| on {} | changed | typical row | slowest row | fastest row |\n|---|---|---|---|---|\n", short(cpu));
    for (subject, results) in once {
        let Some(times) = results.times.iter().find(|times| times.cpu == *cpu) else { continue };
        let mut ratios: Vec<f64> = times.rows.iter().map(|row| selected(times, row)).collect();
        ratios.sort_by(f64::total_cmp);
        let [least, .., most] = ratios[..] else { continue };
        let (typical, Settings { version, also, .. }) = (ratios[ratios.len() / 2], &subject.settings);
        let changed = match (results.gains_nothing(), &**also) {
            (true, _) => "attributes; no gain",
            (false, "") => "attributes",
            (false, also) => &format!("attributes; {also}"),
        };
        let _ =
            writeln!(text, "| `{}` {version} | {changed} | {typical:.2}× | {least:.2}× | {most:.2}× |", subject.name);
    }
    text
}

pub(crate) fn write_whole(subjects: &[Subject]) -> Result<()> {
    let results = with_results(subjects)?;
    let (further, first): (Vec<_>, Vec<_>) = results.iter().partition(|(subject, _)| subject.settings.further);
    let usual = usual(results.iter().map(|(_, results)| results));
    let tables =
        results.iter().fold(String::new(), |text, (subject, results)| text + "\n" + &section(subject, results, &usual));
    let page = format!(
        "# Crates annotated as a whole\n\nThe attribute on every function, impl and trait of a crate, by program, for one target. {usual}. A row that \
         does not build would count as 0. [Newer compilers](../../README.md#newer-compilers) inline more. `cargo run -p published -- page` \
         writes this page.\n\n{}\n## Further crates\n\n\
         Chosen before they were measured, from those that [have a patch](../README.md).\n\n{}{tables}",
        slow(&first)?,
        slow(&further)?
    );
    let path = here().join(WHOLE).join("README.md");
    fs::write(&path, page).with_context(|| path.display().to_string())
}

/// How the rows of some crates lie, and those that lose.
fn slow(subjects: &[&(&Subject, Results)]) -> Result<String> {
    let (mut slow, mut ratios) = (String::new(), Vec::new());
    for (subject, results) in subjects {
        let Some(times) = results.times.first() else { continue };
        for row in &times.rows {
            let ratio = selected(times, row);
            ratios.push(ratio);
            if ratio < 0.97 {
                let cause = subject.settings.causes.get(&row.name).map_or("", String::as_str);
                writeln!(slow, "| {} | {} | {ratio:.2} | {cause} |", subject.package(), row.name)?;
            }
        }
    }
    let below = |limit: f64| ratios.iter().filter(|ratio| **ratio < limit).count();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / f64::from(u32::try_from(ratios.len())?)).exp();
    Ok(format!(
        "{} rows, at a geometric mean of {mean:.3} of the original's speed. Below 0.97: {}; below 0.90: {}; below 0.70: {}.\n\n\
         | crate | row below 0.97 | ratio | cause |\n|---|---|---|---|\n{slow}",
        ratios.len(),
        below(0.97),
        below(0.9),
        below(0.7),
    ))
}

/// Lines of the first table, one for each CPU.
fn score(subject: &Subject, Results { tests, times, .. }: &Results) -> String {
    let tests = tests.as_ref().map_or("not run".to_owned(), |tests| match tests.failed.len() {
        0 => tests.passed.to_string(),
        failed => format!("{}, {failed} fail in both", tests.passed),
    });
    let mut first = format!("`{}` {} | {tests}", subject.name, subject.settings.version);
    if times.is_empty() {
        return format!("| {first} | | not timed | not timed |\n");
    }
    let mut lines = String::new();
    for times in times {
        let mut rows: Vec<(&Row, f64)> = times.rows.iter().map(|row| (row, selected(times, row))).collect();
        rows.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let shown =
            |row: Option<&(&Row, f64)>| row.map_or(String::new(), |(row, ratio)| format!("{ratio:.2}×, {}", row.name));
        let _ =
            writeln!(lines, "| {first} | {} | {} | {} |", short(&times.cpu), shown(rows.first()), shown(rows.last()));
        " |".clone_into(&mut first);
    }
    lines
}

/// The name that people know.
fn short(cpu: &str) -> String {
    crate::machine::name(cpu, |_| false)
}

/// The ratio with the target that the CPU selects.
fn selected(times: &Times, row: &Row) -> f64 {
    times.targets.first().and_then(|target| row.on.get(target)).map_or(f64::NAN, |pair| pair.ratio)
}

/// The page's section of a crate, where most rows are `usual`'s: of its CPU and compiler.
fn section(subject: &Subject, Results { times, .. }: &Results, usual: &str) -> String {
    let settings = &subject.settings;
    let mut text = format!("### {} {}\n\n", subject.name.trim_start_matches(WHOLE), settings.version);
    let notes = [&settings.annotated, &settings.remarks].map(|note| note.trim());
    let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    if !notes.is_empty() {
        let _ = write!(text, "{}\n\n", notes.join(" "));
    }
    if let Some(first) = times.first() {
        if machine(first) != usual {
            let _ = write!(text, "{}.\n\n", machine(first));
        }
        text.push_str(&self::times(first, settings.compared));
    }
    text
}

/// The CPU and the compiler of times.
fn machine(Times { cpu, rustc, .. }: &Times) -> String {
    format!("{}, {rustc}", short(cpu))
}

/// The CPU and the compiler of most of `results`.
fn usual<'a>(results: impl Iterator<Item = &'a Results> + Clone) -> String {
    let machines = results.filter_map(|results| results.times.first()).map(machine);
    let machines: Vec<String> = machines.collect();
    let count = |machine: &&String| machines.iter().filter(|other| other == machine).count();
    machines.iter().max_by_key(count).cloned().unwrap_or_default()
}

/// A table of all rows. In `compared` columns the original runs the same kind of code.
pub(crate) fn times(times: &Times, compared: Option<usize>) -> String {
    let Times { targets, rows, .. } = times;
    let mut text = format!("| row | original | {} |\n|---|---|{}\n", targets.join(" | "), "---|".repeat(targets.len()));
    for row in rows {
        let first = targets.first().and_then(|target| row.on.get(target));
        let _ = write!(text, "| {} | {} |", row.name, first.map_or_else(String::new, |pair| time(pair.original)));
        for (at, target) in targets.iter().enumerate() {
            let _ = match row.on.get(target) {
                // The original runs code for features that this column is without.
                Some(pair) if compared.is_some_and(|compared| at >= compared) => {
                    write!(text, " {} |", time(pair.annotated))
                }
                Some(pair) => write!(text, " {:.2}× |", pair.ratio),
                None => write!(text, " |"),
            };
        }
        text.push('\n');
    }
    text
}

/// The verdicts of `cargo dispatch bench` on a CPU, a line each, behind the crate's name.
pub(crate) fn advice(name: &str, Advice { cpu, verdicts }: &Advice) -> String {
    let mut text = String::new();
    for verdict in verdicts {
        let (faster, slower) = (verdict.faster_on.len(), verdict.slower_on().len());
        let judged = match faster {
            0 if !verdict.unclear_on.is_empty() => "may pay".to_owned(),
            _ => format!("{faster} of {}", verdict.benches),
        };
        let _ = writeln!(text, "| `{name}` | `{}` | {judged} | {slower} | {} |", verdict.target, short(cpu));
    }
    text
}

/// Nanoseconds with a unit, to three digits.
fn time(nanoseconds: f64) -> String {
    let units = [(1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| nanoseconds >= *scale).unwrap_or((1.0, "ns"));
    let value = nanoseconds / scale;
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::pages;

    #[test]
    fn the_pages_have_the_results() {
        for (path, page) in pages(&crate::subjects(&[]).unwrap()).unwrap() {
            assert_eq!(std::fs::read_to_string(&path).unwrap(), page, "{}: run `page`", path.display());
        }
    }
}
