//! A suggestion for a misspelt name, without allocation.
//!
//! The rules are those of the macro crate's suggestions, so that a typing mistake has the same help in both places.

/// No name has more letters and digits.
const LONGEST: usize = 40;

/// The closest of `known` to `name`, if any is close enough.
pub(super) fn name(name: &[u8], known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let name = Plain::new(name)?;
    let near = known.filter_map(|known| Some((distance(&name, &Plain::new(known.as_bytes())?), known)));
    let (distance, known) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.length.max(3) / 3).then_some(known)
}

/// A name in lower case and without separators: `sse42` for `SSE4.2`.
struct Plain {
    letters: [u8; LONGEST],
    length: usize,
}

impl Plain {
    /// `None` for a longer text than any name.
    fn new(name: &[u8]) -> Option<Self> {
        let mut plain = Self { letters: [0; LONGEST], length: 0 };
        for letter in name.iter().filter(|letter| !matches!(letter, b'.' | b'_' | b'-')) {
            *plain.letters.get_mut(plain.length)? = letter.to_ascii_lowercase();
            plain.length += 1;
        }
        Some(plain)
    }

    fn letters(&self) -> impl Iterator<Item = (usize, u8)> {
        self.letters.iter().take(self.length).copied().enumerate()
    }
}

/// The number of letters to insert, remove, replace, or swap with the next one.
fn distance(a: &Plain, b: &Plain) -> usize {
    let mut rows = [[0; LONGEST + 1]; 3];
    for (j, count) in rows[2].iter_mut().enumerate() {
        *count = j;
    }
    for (i, x) in a.letters() {
        rows.rotate_left(1);
        let [before, last, row] = &mut rows;
        row[0] = i + 1;
        for (j, y) in b.letters() {
            let replaced = last[j] + usize::from(x != y);
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && x == b.letters[j - 1] && a.letters[i - 1] == y;
            if swapped {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
    }
    rows[2][b.length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "avx", 3),
            ("avx", "", 3),
            ("SSE4.2", "sse42", 0),
            ("avx", "avx2", 1),
            ("axv2", "avx2", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            let plain = |text: &str| Plain::new(text.as_bytes()).unwrap();
            assert_eq!(distance(&plain(a), &plain(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_close_names() {
        let known = || ["avx2", "avx512f", "pclmulqdq"].into_iter();
        assert_eq!(name(b"avx512", known()), Some("avx512f"));
        assert_eq!(name(b"neon", known()), None);
        assert_eq!(name(b"", known()), None);
        assert_eq!(name(&[b'a'; LONGEST + 1], known()), None);
        assert_eq!(name(b"avx2", core::iter::empty()), None);
    }
}
