//! From bytes to instructions, and what one instruction does that the checks ask for.

pub(crate) mod aarch64;
mod x86;

use crate::architecture::Architecture;
use crate::features::Features;
use crate::instruction::{Instruction, Raw, StackEffect};

/// Decodes the code of one function.
pub(crate) fn decode(architecture: Architecture, code: &[u8], address: u64) -> Vec<Instruction> {
    each(architecture, code, address).collect()
}

/// Decodes one instruction after the other.
pub(crate) fn each(
    architecture: Architecture,
    code: &[u8],
    address: u64,
) -> Box<dyn Iterator<Item = Instruction> + '_> {
    match architecture {
        Architecture::X86 => Box::new(x86::decode(code, address, 32)),
        Architecture::X86_64 => Box::new(x86::decode(code, address, 64)),
        Architecture::Aarch64 => Box::new(aarch64::decode(code, address)),
    }
}

impl Instruction {
    /// The features that this instruction needs and `have` lacks, by rustc's names or else the manual's.
    pub(crate) fn lacking(&self, have: &Features) -> Vec<String> {
        match &self.raw {
            Raw::X86(raw) => x86::lacking(raw, have),
            Raw::Aarch64(word, _) => aarch64::lacking(*word, have),
        }
    }

    /// Whether only a system can run it.
    pub(crate) fn is_privileged(&self) -> bool {
        matches!(&self.raw, Raw::X86(raw) if raw.is_privileged())
    }

    /// The width in bits of the widest vector register that this instruction computes on: not one that it only moves,
    /// loads, stores, clears or shuffles, and not one of which it uses a single lane.
    pub(crate) fn arithmetic_width(&self) -> u32 {
        match &self.raw {
            Raw::X86(raw) => x86::arithmetic_width(raw, &self.mnemonic),
            Raw::Aarch64(word, raw) => aarch64::arithmetic_width(*word, raw.as_ref(), &self.mnemonic),
        }
    }
}

/// Does the indirect jump at `at` read its target from a table of this function's own blocks? So it does if the address
/// comes from an indexed load or, in code that can be moved, from an addition.
pub(crate) fn is_jump_table(instructions: &[Instruction], at: usize) -> bool {
    match &instructions[at].raw {
        Raw::X86(raw) => x86::is_jump_table(instructions, at, raw),
        Raw::Aarch64(word, _) => aarch64::is_jump_table(instructions, at, *word),
    }
}

/// The effect of each of a function's instructions on the stack.
pub(crate) fn stack_effects(instructions: &[Instruction]) -> Vec<StackEffect> {
    let (mut frame_pointer, mut dirty) = (false, aarch64::Registers::default());
    instructions
        .iter()
        .map(|instruction| match &instruction.raw {
            Raw::X86(raw) => {
                frame_pointer |= x86::sets_frame_pointer(raw);
                x86::stack_effect(raw, frame_pointer)
            }
            Raw::Aarch64(_, raw) => {
                raw.as_ref().map_or_else(StackEffect::default, |raw| aarch64::stack_effect(raw, &mut dirty))
            }
        })
        .collect()
}
