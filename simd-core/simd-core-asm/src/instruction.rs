use core::fmt;

/// One decoded machine instruction.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// #[inline(never)]
/// pub fn rotated(a: u64, b: u64) -> u64 {
///     a.rotate_left(7) ^ b
/// }
///
/// # rotated(core::hint::black_box(1), core::hint::black_box(2));
/// for instruction in simd_core_asm::function("rotated")?.instructions() {
///     assert!(instruction.is_known());
///     println!("{:x}: {} of {}", instruction.address(), instruction.mnemonic(), instruction.operands());
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instruction {
    pub(crate) address: u64,
    pub(crate) length: u8,
    pub(crate) mnemonic: String,
    pub(crate) operands: String,
    pub(crate) flow: Flow,
    pub(crate) raw: Raw,
}

/// The flow of control after an instruction.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core_asm::Flow;
///
/// #[inline(never)]
/// pub fn tripled(x: u64) -> u64 {
///     x.wrapping_mul(3)
/// }
///
/// # tripled(core::hint::black_box(1));
/// let tripled = simd_core_asm::function("tripled")?;
/// assert_eq!(tripled.instructions().last().map(|last| last.flow()), Some(Flow::Return));
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
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

impl Flow {
    /// Whether the next instruction can follow.
    pub(crate) fn goes_on(self) -> bool {
        matches!(self, Self::Next | Self::Branch(_) | Self::Call(_) | Self::CallIndirect)
    }
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Raw {
    X86(iced_x86::Instruction),
    Aarch64(u32, Option<yaxpeax_arm::armv8::a64::Instruction>),
}

/// The effect of an instruction on the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StackEffect {
    /// Bytes by which the frame grows.
    pub(crate) grows: u64,
    /// Bytes that are written into the frame, other than saved registers.
    pub(crate) stores: u64,
}

impl Instruction {
    /// The address in the file; the running program is moved by a constant.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The address after this instruction.
    pub(crate) fn end(&self) -> u64 {
        self.address + u64::from(self.length)
    }

    /// The name of the operation in lower case, without prefixes such as `lock` and `rep`: `vpclmulqdq`, `aese`.
    ///
    /// Immediate operands are not folded into it: `vpclmulqdq …, 0x11`, not `vpclmulhqhqdq`. An instruction that cannot
    /// be decoded is `(bad)`; one that is only recognised as part of the scalable vector extension is `(sve)`.
    #[must_use]
    pub fn mnemonic(&self) -> &str {
        &self.mnemonic
    }

    /// The operands: Intel syntax on x86, the Arm manual's on aarch64. Addresses are absolute.
    #[must_use]
    pub fn operands(&self) -> &str {
        &self.operands
    }

    /// The flow of control after this instruction.
    #[must_use]
    pub fn flow(&self) -> Flow {
        self.flow
    }

    /// Whether the decoder knows this instruction.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.mnemonic.starts_with('(')
    }

    pub(crate) fn is_call(&self) -> bool {
        matches!(self.flow, Flow::Call(_) | Flow::CallIndirect)
    }

    /// Whether this call only pushes its own address, as 32-bit code does to find out where it is.
    pub(crate) fn is_self_call(&self) -> bool {
        self.flow == Flow::Call(self.end())
    }

    /// Whether it reads what the CPU has from the CPU: `cpuid`, or `mrs` of the identification registers.
    pub(crate) fn identifies(&self) -> bool {
        matches!(&self.raw, Raw::Aarch64(word, _) if word & 0xffff_0000 == 0xd538_0000) || self.mnemonic() == "cpuid"
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
