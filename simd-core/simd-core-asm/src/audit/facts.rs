//! Facts about the CPU at a place in the code, as a set of bits.

use crate::architecture::Architecture;
use crate::features::{self, Features};

/// Features by the bits of their table, and from the highest bit down what only the decoder has names for.
pub(crate) type Facts = u128;

/// The meaning of the bits.
#[derive(Clone)]
pub(crate) struct Names {
    pub(crate) architecture: Architecture,
    unnamed: Vec<String>,
}

impl Names {
    pub(crate) fn new(architecture: Architecture) -> Self {
        Self { architecture, unnamed: Vec::new() }
    }

    /// The bit of a feature by rustc's name, or else by the decoder's.
    pub(crate) fn bit(&mut self, name: &str) -> Facts {
        if let Some(bit) = features::bit(self.architecture, name) {
            return 1 << bit;
        }
        let known = self.unnamed.iter().position(|other| other == name);
        let at = known.unwrap_or_else(|| {
            self.unnamed.push(name.to_owned());
            self.unnamed.len() - 1
        });
        // The last bit stands for all names after the first few.
        bit(at)
    }

    pub(crate) fn names(&self, facts: Facts) -> Vec<String> {
        let unnamed = self.unnamed.iter().enumerate().filter(|(at, _)| facts & bit(*at) != 0);
        let named = Features::from_bits(self.architecture, facts).leaves().into_iter().map(str::to_owned);
        named.chain(unnamed.map(|(_, name)| name.clone())).collect()
    }
}

/// The bit of the name at this place: those that are too many share the last one.
fn bit(at: usize) -> Facts {
    1 << (127 - at.min((127 - features::UNNAMED) as usize))
}
