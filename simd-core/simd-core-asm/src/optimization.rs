//! Whether the calling code was compiled with optimisation.
//!
//! `cfg!(debug_assertions)` would be a guess: a profile can have both or neither. [`probe`] is an `#[inline]` function,
//! so that its code belongs to the crate which takes its address, and is compiled as that crate is: its calls of
//! [`step`] are there without optimisation and gone with it.

use crate::path;
use crate::program::{Program, Symbol};

/// Whether code was compiled with optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optimization {
    On,
    Off,
}

#[inline]
pub(crate) fn probe(x: u32) -> u32 {
    step(step(step(x)))
}

#[inline]
fn step(x: u32) -> u32 {
    (x ^ 0x9e37).rotate_left(5)
}

/// Looks at the code of the caller's [`probe`] in the running program. If it cannot be found there, the code is taken to
/// be as this crate's own, by `debug_assertions`.
pub(crate) fn measure(program: &Program, probe: fn(u32) -> u32) -> Optimization {
    let plain = find(program, probe).map(|symbol| program.code(symbol).calls(program).is_empty());
    if plain.unwrap_or(!cfg!(debug_assertions)) { Optimization::On } else { Optimization::Off }
}

/// The symbol of the caller's probe. The loader has moved the program by a constant, which the place of [`measure`]
/// tells. A program can hold two versions of this crate, and so two functions of this name; the right one leads to a probe.
fn find(program: &Program, probe: fn(u32) -> u32) -> Option<&Symbol> {
    let named = |name: &'static str| {
        let wanted = path::parse(&format!("optimization::{name}"));
        program.select(name, move |path| path::ends_with(path, &wanted)).map(|(symbol, _)| symbol)
    };
    let here = measure as fn(&Program, fn(u32) -> u32) -> Optimization;
    let probes: Vec<&Symbol> = named("probe").collect();
    named("measure").find_map(|anchor| {
        let moved = (here as usize as u64).wrapping_sub(anchor.address);
        let address = (probe as usize as u64).wrapping_sub(moved);
        probes.iter().find(|symbol| symbol.address == address).copied()
    })
}

#[cfg(all(test, target_os = "linux", not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use crate::load::load;

    #[test]
    fn the_probe_is_found_in_the_running_program() {
        let program = load(&std::env::current_exe().unwrap()).unwrap();
        let found = find(&program, probe).map(Symbol::path).unwrap();
        assert!(found.ends_with("optimization::probe"), "{found}");
    }
}
