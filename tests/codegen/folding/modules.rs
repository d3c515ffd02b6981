//! Annotated modules: constants, paths and macros, as far as each has one value in a clone.

use super::generate::{Generator, Place};

impl Generator {
    pub(crate) fn module(&mut self, number: usize, place: Place) -> String {
        let list = place.list.unwrap_or_default();
        let first: Vec<String> = self.lists[list][0].iter().map(|name| format!("target_feature = {name:?}")).collect();
        let first = first.join(", ");
        let body = self.body(place);
        let calls: Vec<String> = (0..3).map(|_| self.call(place.level, "r", "b")).collect();
        format!(
            "@{list}@ pub mod §k{number} {{ use super::*; pub const FIXED: u64 = 77; ⟪const W: u64 = «{list}» * 3;¦fn W() -> u64 {{ \
             tag({list}) * 3 }}⟫ ⟪const V: u64 = W ^ FIXED;¦fn V() -> u64 {{ W() ^ FIXED }}⟫ ⟪#[cfg(all({first}))] const U: u64 = 5; \
             #[cfg(not(all({first})))] const U: u64 = 6;¦fn U() -> u64 {{ if tag({list}) == 1 {{ 5 }} else {{ 6 }} }}⟫ \
             macro_rules! fixed {{ () => {{ FIXED }} }} ⟪const TAG: u64 = «{list}»;¦fn TAG() -> u64 {{ tag({list}) }}⟫ \
             macro_rules! tagged {{ ($x:expr) => {{ mix($x, TAG⟪¦()⟫) }} }} \
             macro_rules! twice {{ ($f:path, $x:expr) => {{ mix($f($x, 1), $f($x, 2)) }} }} \
             fn leaf(r: u64, b: u64) -> u64 {{ mix({}, V⟪¦()⟫) }} \
             pub fn f(a: u64, b: u64) -> u64 {{ let c = a >> 3; let mut r = {{ {body} }}; r = mix(r, W⟪¦()⟫ + U⟪¦()⟫); r = \
             tagged!(r ^ self::FIXED); r = mix(twice!(leaf, r), twice!(self::leaf, r)); r = mix(r, fixed!()); let add = |r: u64| mix({}, \
             U⟪¦()⟫); r = add(r); inner::g(r, b) }} \
             pub mod inner {{ use super::*; pub fn g(r: u64, b: u64) -> u64 {{ mix(super::leaf({}, b), super::FIXED ^ «{list}») }} }} }}",
            calls[0], calls[1], calls[2],
        )
    }
}
