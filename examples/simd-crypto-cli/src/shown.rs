//! Names of files in messages and lists.
use core::fmt;
use os_display::Quotable;
use std::path::Path;

/// A path as it is, if all of it can be printed. Others are quoted for a shell: `$'…'` on Unix. So they can be used again, and
/// cannot drive a terminal.
pub(crate) struct Shown<'a>(pub(crate) &'a Path);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.to_str() {
            Some(text) if !text.is_empty() && !text.starts_with("$'") && text.chars().all(is_printable) => {
                f.write_str(text)
            }
            _ => self.0.quote().fmt(f),
        }
    }
}

/// Neither a control character nor invisible, nor one that changes the direction of the text.
fn is_printable(c: char) -> bool {
    // Behind another character, so that accents can be printed too.
    matches!(c, '\'' | '"' | '\\') || format!("a{c}").escape_debug().count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shown(path: &str, expected: &str) {
        assert_eq!(Shown(Path::new(path)).to_string(), expected);
    }

    #[test]
    fn names_that_can_be_printed_stay() {
        for name in ["share-001.sss", "my shares/it's \"here\"", "C:\\shares", "Käse/e\u{301}/鍵", "-", "$HOME"] {
            shown(name, name);
        }
    }

    #[cfg(unix)]
    #[test]
    fn others_are_quoted() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        shown("a\nb", "$'a\\nb'");
        shown("\u{1b}[31mred's", "$'\\x1B[31mred\\'s'");
        shown("$'a'", "'$'\\''a'\\'");
        shown("", "''");
        let bytes = Path::new(OsStr::from_bytes(b"caf\xe9"));
        assert_eq!(Shown(bytes).to_string(), "$'caf\\xE9'");
        // The order of letters turned round, a control character of 8 bits, the end of a line.
        for c in ['\u{202e}', '\u{9b}', '\u{2028}'] {
            let shown = Shown(Path::new(&format!("a{c}b"))).to_string();
            assert!(shown.starts_with("$'a") && !shown.contains(c), "{shown}");
        }
    }
}
