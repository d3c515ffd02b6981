use crate::asm::prelude::*;
use core::fmt;

/// One decoded machine instruction.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod an_instruction { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # an_instruction::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("an_instruction::sum")?;
/// for instruction in sum.instructions() {
///     println!("{instruction}");
/// }
/// # Ok::<(), simd_core::asm::Error>(())
/// ```
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
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// # mod flow_kinds { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
/// # flow_kinds::sum(core::hint::black_box(&[1, 2]));
/// let sum = simd_core::asm::function("flow_kinds::sum")?;
/// let ends = sum.instructions().iter().filter(|instruction| instruction.flow() == simd_core::asm::Flow::Return);
/// assert!(ends.count() >= 1);
/// # Ok::<(), simd_core::asm::Error>(())
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

/// What the decoder made of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Raw {
    X86(iced_x86::Instruction),
    Aarch64(u32, Option<yaxpeax_arm::armv8::a64::Instruction>),
}

impl Instruction {
    /// The address in the file; the running program is moved by a constant.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod address { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # address::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("address::sum")?;
    /// let addresses: Vec<u64> = sum.instructions().iter().map(|instruction| instruction.address()).collect();
    /// assert!(addresses.is_sorted());
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
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
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod mnemonic { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # mnemonic::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("mnemonic::sum")?;
    /// assert!(sum.instructions().iter().any(|instruction| instruction.mnemonic() == "ret"));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn mnemonic(&self) -> &str {
        &self.mnemonic
    }

    /// The operands: Intel syntax on x86, the Arm manual's on aarch64. Addresses are absolute.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod operands { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # operands::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("operands::sum")?;
    /// for instruction in sum.instructions() {
    ///     println!("{} of {}", instruction.operands(), instruction.mnemonic());
    /// }
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn operands(&self) -> &str {
        &self.operands
    }

    /// Where execution goes from here.
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod flow { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # flow::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("flow::sum")?;
    /// let returns = |flow| matches!(flow, simd_core::asm::Flow::Return);
    /// assert!(sum.instructions().iter().any(|instruction| returns(instruction.flow())));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
    #[must_use]
    pub fn flow(&self) -> Flow {
        self.flow
    }

    /// Does the decoder know this instruction?
    ///
    /// ```
    /// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
    /// # mod is_known { #[inline(never)] pub fn sum(xs: &[u32]) -> u32 { xs.iter().sum() } }
    /// # is_known::sum(core::hint::black_box(&[1, 2]));
    /// let sum = simd_core::asm::function("is_known::sum")?;
    /// assert!(sum.instructions().iter().all(|instruction| instruction.is_known()));
    /// # Ok::<(), simd_core::asm::Error>(())
    /// ```
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
