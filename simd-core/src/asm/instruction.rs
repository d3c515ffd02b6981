use crate::asm::prelude::*;
use core::fmt;

/// One decoded machine instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub(super) address: u64,
    pub(super) length: u8,
    pub(super) mnemonic: String,
    pub(super) operands: String,
    pub(super) flow: Flow,
    pub(super) raw: Raw,
}

/// Where execution goes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To this address or to the next instruction.
    Branch(u64),
    /// To this address.
    Jump(u64),
    /// To an address in a register or in memory.
    JumpIndirect,
    /// To the function at this address, and back.
    Call(u64),
    /// To a function whose address is in a register or in memory, and back.
    CallIndirect,
    /// To the caller.
    Return,
    /// Nowhere: the instruction traps.
    Trap,
}

/// What the decoder made of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Raw {
    X86(iced_x86::Instruction),
    Aarch64(u32, Option<yaxpeax_arm::armv8::a64::Instruction>),
}

impl Instruction {
    /// The address in the file; the running program is moved by a constant.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The address after this instruction.
    pub(super) fn end(&self) -> u64 {
        self.address + u64::from(self.length)
    }

    /// The name of the operation in lower case, without prefixes such as `lock` and `rep`: `vpclmulqdq`, `aese`.
    ///
    /// Immediate operands are not folded into it: `vpclmulqdq …, 0x11`, not `vpclmulhqhqdq`. `(bad)` is what could not
    /// be decoded, `(sve)` what is known only to be of the scalable vector extension.
    #[must_use]
    pub fn mnemonic(&self) -> &str {
        &self.mnemonic
    }

    /// The operands: Intel syntax on x86, the Arm manual's on aarch64. Addresses are absolute.
    #[must_use]
    pub fn operands(&self) -> &str {
        &self.operands
    }

    /// Where execution goes from here.
    #[must_use]
    pub fn flow(&self) -> Flow {
        self.flow
    }

    /// Does the decoder know this instruction?
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.mnemonic.starts_with('(')
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operands.is_empty() {
            return f.write_str(&self.mnemonic);
        }
        write!(f, "{:<9} {}", self.mnemonic, self.operands)
    }
}
