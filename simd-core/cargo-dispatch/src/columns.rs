//! Output: messages in lines of 80 columns, and results.

use core::fmt::Display;
use std::io::{self, ErrorKind, Write as _};

use indicatif::ProgressBar;
use textwrap::core::Word;
use textwrap::{Options, WordSeparator::Custom, WordSplitter::NoHyphenation};

/// Prints a result. That its reader has seen enough, as `head` has, is no error.
pub(crate) fn show(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes a message, if anybody reads it.
pub(crate) fn say(message: impl Display) {
    _ = writeln!(io::stderr(), "{message}");
}

/// The step at which a command is. Without a terminal each step is a line.
pub(crate) fn step(progress: &ProgressBar, what: impl Into<String>) {
    let what = what.into();
    if progress.is_hidden() {
        say(&what);
    }
    progress.set_message(what);
}

/// The message, with its long lines broken between words. Lines that are indented by four columns are names or code, and
/// stay as they are; so does code in backticks.
pub(crate) fn broken(message: &str) -> String {
    let lines: Vec<String> = message.lines().map(broken_line).collect();
    lines.join("\n")
}

fn broken_line(line: &str) -> String {
    if line.starts_with("    ") {
        return line.to_owned();
    }
    // Below the text behind its title.
    let indent = ["error: ", "help: "].into_iter().find(|title| line.starts_with(title)).map_or(2, str::len);
    fill(line, indent)
}

/// Words behind a title, in lines of 80 columns.
pub(crate) fn wrapped<'a>(title: &str, words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    // Names of benches can have commas.
    let separator = if words.iter().any(|word| word.contains(", ")) { "; " } else { ", " };
    let indent = title.len() - title.trim_start().len() + 3;
    fill(&format!("{title} {}", words.join(separator)), indent) + "\n"
}

/// The text in lines of 80 columns, all but the first with an indent.
fn fill(text: &str, indent: usize) -> String {
    /// The parts between spaces that are not within backticks.
    fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
        let mut is_code = false;
        let end = move |c| {
            is_code ^= c == '`';
            c == ' ' && !is_code
        };
        Box::new(line.split_inclusive(end).map(Word::from))
    }
    let indent = " ".repeat(indent);
    let options = Options::new(80).subsequent_indent(&indent).break_words(false);
    textwrap::fill(text, options.word_separator(Custom(words)).word_splitter(NoHyphenation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        let message = "error: one\nhelp: clones are compiled in the crates that call them; take a program, such as the \
                       unit tests (`cargo dispatch report --lib`)\n    a/name/that/is/as/long/as/it/is and more of the \
                       same for more than eighty columns\nshort";
        let expected = "error: one\nhelp: clones are compiled in the crates that call them; take a program, such as\n      \
                        the unit tests (`cargo dispatch report --lib`)\n    a/name/that/is/as/long/as/it/is and more \
                        of the same for more than eighty columns\nshort";
        assert_eq!(broken(message), expected);
        let code = "a command that stays in one piece because somebody will copy it: `cargo dispatch report`, here";
        let expected =
            "a command that stays in one piece because somebody will copy it:\n  `cargo dispatch report`, here";
        assert_eq!(broken(code), expected);
        assert_eq!(broken(&"x".repeat(90)), "x".repeat(90));
    }
}
