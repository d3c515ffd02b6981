//! The pages: their length, their links, the words of the glossary, and figures that stand twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The files of the repository with one of these extensions, by their paths in it. Programs that tests make are not among them.
fn files(extensions: &[&str]) -> Vec<String> {
    let (mut open, mut found) = (vec![PathBuf::new()], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(root().join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let (path, name) = (directory.join(entry.file_name()), entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                if !["target", ".git"].iter().any(|other| name == *other) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|other| extensions.iter().any(|one| other == *one)) {
                found.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The lines of a page that are not code, with their places.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let is_prose = |line: &(usize, &str)| {
        let fence = line.1.trim_start().starts_with("```");
        is_code ^= fence;
        !is_code && !fence
    };
    page.lines().enumerate().filter(is_prose).collect()
}

/// `line` without what stands in backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// The comment in a line of code, and its strings with spaces.
fn comment_and_messages(line: &str) -> String {
    let (mut text, mut string, mut characters) = (String::new(), None::<String>, line.chars().peekable());
    while let Some(character) = characters.next() {
        match (character, &mut string) {
            ('/', None) if characters.peek() == Some(&'/') => return text + &characters.collect::<String>(),
            ('"', None) => string = Some(String::new()),
            ('"', Some(_)) => {
                text.extend(string.take().filter(|string| string.contains(' ')).map(|string| string + "\n"));
            }
            ('\\', Some(string)) => string.extend(characters.next()),
            (other, Some(string)) => string.push(other),
            _ => {}
        }
    }
    text + &string.unwrap_or_default()
}

/// Whether `text` has `phrase`, as words.
fn has(text: &str, phrase: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        let is_word = |character: Option<char>| character.is_some_and(|one| one.is_alphanumeric() || one == '_');
        !is_word(after) && (phrase.starts_with(',') || !is_word(before))
    })
}

#[test]
fn words_are_those_of_the_glossary() {
    let glossary = read("docs/glossary.md");
    let (_, table) = glossary.split_once("| do not write | write |\n|---|---|\n").expect("its table");
    let words: Vec<&str> = table.lines().map(|line| line.split('|').nth(1).unwrap().trim()).collect();
    assert!(words.len() > 10);
    let mut faults = Vec::new();
    let mut look = |file: &str, at: usize, text: &str| {
        let found = words.iter().filter(|word| has(text, word));
        faults.extend(found.map(|word| format!("{file}:{}: {word}", at + 1)));
    };
    for file in files(&["md"]).iter().filter(|file| *file != "docs/glossary.md") {
        let page = read(file);
        for (at, line) in prose(&page) {
            look(file, at, &without_code(line));
        }
    }
    for file in files(&["rs"]).iter().filter(|file| !file.ends_with("diagnostics/pages.rs")) {
        read(file)
            .lines()
            .enumerate()
            .for_each(|(at, line)| look(file, at, &without_code(&comment_and_messages(line))));
    }
    assert!(faults.is_empty(), "docs/glossary.md says what to write:\n{}", faults.join("\n"));
}

#[test]
fn pages_are_short() {
    let words = |text: &str| text.split_whitespace().count();
    let pages = files(&["md"]);
    let docs = pages.iter().filter(|file| *file == "README.md" || file.starts_with("docs/"));
    let without_tables =
        |file: &String| read(file).lines().filter(|line| !line.starts_with('|')).map(words).sum::<usize>();
    let all: usize = docs.map(without_tables).sum();
    let (design, lines) = (words(&read("docs/design.md")), |name| read(name).lines().count());
    let (readme, performance) = (lines("README.md"), lines("docs/performance.md"));
    assert!(all <= 15_000, "README and docs have {all} words without tables");
    assert!(design <= 3_500, "the design page has {design} words");
    assert!(readme <= 225 && performance <= 120, "README has {readme} lines, the page of performance {performance}");
}

/// The tables between the report's marks in the README are on the page that the report writes.
#[test]
fn figures_of_the_readme_are_the_reports() {
    let (readme, page) = (read("README.md"), read("docs/performance.md"));
    let tables = readme.split("<!-- report: ").skip(1).filter(|table| !table.starts_with("tree"));
    let tables: Vec<&str> = tables.collect();
    assert_eq!(tables.len(), 2);
    for table in tables {
        let (name, table) = table.split_once(" -->\n").expect("a mark");
        let (table, _) = table.split_once("\n<!-- end -->").expect("its end");
        assert!(page.contains(table), "the table {name} of README.md is not in docs/performance.md");
    }
}

/// The anchors of a page's headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).into_iter().filter_map(|(_, line)| line.strip_prefix('#'));
    let anchor = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|one| one.is_alphanumeric() || [' ', '-', '_'].contains(one));
        kept.map(|one| if one == ' ' { '-' } else { one }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Vec::new();
    for file in files(&["md"]) {
        let page = read(&file);
        let directory = root().join(&file).parent().unwrap().to_owned();
        let text = prose(&page).into_iter().map(|(_, line)| without_code(line)).collect::<Vec<_>>().join("\n");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { root().join(&file) } else { directory.join(path) };
            let is_known = target.exists()
                && (anchor.is_empty() || fs::read_to_string(&target).is_ok_and(|page| anchors(&page).contains(anchor)));
            if !is_known {
                faults.push(format!("{file}: {link}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The page of platforms has a row for each run of the matrix.
#[test]
#[cfg(unix)]
fn the_page_of_platforms_has_each_run() {
    let script = root().join("tests/platforms/matrix.sh");
    let list = Command::new(script).arg("list").output().expect("every Unix has a shell");
    let runs: BTreeSet<String> = String::from_utf8_lossy(&list.stdout).lines().map(str::to_owned).collect();
    let page = read("docs/targets.md");
    let table = page.split("\n| run |").nth(1).expect("the table").split("\n\n").next().expect("its rows");
    let rows = table.lines().skip(2).map(|row| row.split('|').nth(1).expect("a cell"));
    let named: BTreeSet<String> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    assert_eq!(named, runs);
}
