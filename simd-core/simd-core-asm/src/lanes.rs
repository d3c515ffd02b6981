//! The work of a loop's instructions on vectors.

use iced_x86::{Mnemonic, OpKind, Register};
use yaxpeax_arm::armv8::a64::Operand;

use crate::instruction::{Instruction, Raw};

/// The part that vectors have in a loop's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lanes {
    /// It computes on single values.
    Scalar,
    /// It moves vectors, and computes on none: a copy, or a rearrangement.
    Moved,
    /// It computes on vectors.
    Vectors,
    /// It computes on vectors, and as much or more on single floating-point values.
    Mixed,
    /// It loads the lanes of its vectors with gathers: one instruction, and a load for each lane.
    Gathered,
    /// It puts single values into lanes, or takes them out, at least as often as it computes on vectors.
    Assembled,
}

/// The instructions of a loop, counted by what they do with vectors. Inner loops do not count.
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// #[inline(never)]
/// pub fn negated(bytes: &mut [u8]) {
///     bytes.iter_mut().for_each(|byte| *byte = !*byte);
/// }
///
/// # negated(core::hint::black_box(&mut [1, 2]));
/// for found in simd_core_asm::function("negated")?.loops() {
///     println!("{:?}, {} bits wide, {} inserts", found.work.lanes(), found.work.width, found.work.inserts);
/// }
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// The width in bits of the widest vectors that it computes on or, if it computes on none, moves.
    pub width: u32,
    /// Arithmetic on vectors.
    pub computes: usize,
    /// Loads, stores and rearrangements of vectors.
    pub moves: usize,
    /// Single values that are put into a lane.
    pub inserts: usize,
    /// Single values that are taken from a lane.
    pub extracts: usize,
    /// Gathers and scatters.
    pub gathers: usize,
    /// Arithmetic on one floating-point value.
    pub singles: usize,
}

/// The work of one instruction on vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Nothing,
    Compute(u32),
    /// Of bits that have no lanes: the sign of a single floating-point value is changed so too.
    Logic(u32),
    Move(u32),
    Insert,
    Extract,
    Gather(u32),
    Single,
}

impl Work {
    pub(crate) fn of<'a>(instructions: impl Iterator<Item = &'a Instruction>) -> Self {
        let mut work = Self::default();
        let (mut computed, mut moved, mut logic) = (0, 0, (0, 0));
        for instruction in instructions {
            match lane(instruction) {
                Lane::Nothing => {}
                Lane::Compute(width) => (work.computes, computed) = (work.computes + 1, computed.max(width)),
                Lane::Logic(width) => logic = (logic.0 + 1, logic.1.max(width)),
                Lane::Move(width) => (work.moves, moved) = (work.moves + 1, moved.max(width)),
                Lane::Insert => work.inserts += 1,
                Lane::Extract => work.extracts += 1,
                Lane::Gather(width) => (work.gathers, computed) = (work.gathers + 1, computed.max(width)),
                Lane::Single => work.singles += 1,
            }
        }
        if work.singles == 0 || work.computes > 0 || logic.1 > 128 {
            work.computes += logic.0;
            computed = computed.max(logic.1);
        }
        work.width = if work.computes + work.gathers > 0 { computed } else { moved };
        work
    }

    /// The outcome of these counts.
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        match () {
            () if self.gathers > 0 => Lanes::Gathered,
            () if self.inserts >= 4 && self.inserts + self.extracts >= self.computes => Lanes::Assembled,
            () if self.computes == 0 && (self.moves == 0 || self.singles > 0) => Lanes::Scalar,
            () if self.computes == 0 => Lanes::Moved,
            () if self.singles >= self.computes => Lanes::Mixed,
            () => Lanes::Vectors,
        }
    }
}

fn lane(instruction: &Instruction) -> Lane {
    match &instruction.raw {
        Raw::X86(raw) => x86(raw, instruction),
        Raw::Aarch64(_, raw) => {
            let is_lane = |operand: &Operand| matches!(operand, Operand::SIMDRegisterElementsLane(..));
            let name = instruction.mnemonic();
            let width = instruction.arithmetic_width();
            let has_vector = raw.as_ref().is_some_and(|raw| {
                raw.operands
                    .iter()
                    .any(|one| matches!(one, Operand::SIMDRegisterElements(..) | Operand::SIMDRegisterGroup(..)))
            });
            match name {
                "ins" => Lane::Insert,
                "umov" | "smov" => Lane::Extract,
                "and" | "orr" | "eor" | "bic" if width > 0 => Lane::Logic(width),
                _ if width > 0 => Lane::Compute(width),
                "ld1" if raw.as_ref().is_some_and(|raw| raw.operands.iter().any(is_lane)) => Lane::Insert,
                _ if has_vector => Lane::Move(128),
                _ if name.starts_with('f') && !name.starts_with("fmov") => Lane::Single,
                _ if name.starts_with("ld") || name.starts_with("st") => match instruction.operands().chars().next() {
                    Some('q') => Lane::Move(128),
                    _ => Lane::Nothing,
                },
                _ => Lane::Nothing,
            }
        }
    }
}

fn x86(raw: &iced_x86::Instruction, instruction: &Instruction) -> Lane {
    let registers = (0..raw.op_count()).filter(|&at| raw.op_kind(at) == OpKind::Register).map(|at| raw.op_register(at));
    let width = registers.map(bits).max().unwrap_or(0);
    if width == 0 {
        return Lane::Nothing;
    }
    let name = instruction.mnemonic();
    let base = name.strip_prefix('v').unwrap_or(name);
    let is_general = |at: u32| raw.op_kind(at) == OpKind::Register && bits(raw.op_register(at)) == 0;
    if base.contains("gather") || base.contains("scatter") {
        return Lane::Gather(width);
    }
    if base.starts_with("pinsr") || base.starts_with("insertps") || ["movhps", "movhpd", "movlpd"].contains(&base) {
        return Lane::Insert;
    }
    if base.starts_with("pextr") || base.starts_with("extractps") {
        return Lane::Extract;
    }
    if matches!(raw.mnemonic(), Mnemonic::Movd | Mnemonic::Movq | Mnemonic::Vmovd | Mnemonic::Vmovq) {
        return match () {
            () if is_general(0) => Lane::Extract,
            () if is_general(1) => Lane::Insert,
            () => Lane::Nothing,
        };
    }
    let is_single = !base.starts_with('p') && (base.ends_with("ss") || base.ends_with("sd"))
        || ["ss2", "sd2", "2ss", "2sd"].iter().any(|part| base.contains(part));
    if is_single {
        let is_moved = ["mov", "broadcast"].iter().any(|start| base.starts_with(start));
        return if is_moved { Lane::Nothing } else { Lane::Single };
    }
    let arithmetic = instruction.arithmetic_width();
    if arithmetic > 0 {
        let starts = ["pand", "por", "pxor", "and", "or", "xor", "ptern"];
        let is_logic = starts.iter().any(|start| base.starts_with(start)) && !base.starts_with("order");
        return if is_logic { Lane::Logic(arithmetic) } else { Lane::Compute(arithmetic) };
    }
    let last = raw.op_count() - 1;
    let is_memory = (0..raw.op_count()).any(|at| raw.op_kind(at) == OpKind::Memory);
    let is_constant = !is_memory
        && raw.op_count() >= 2
        && raw.op_kind(last) == OpKind::Register
        && raw.op_kind(last - 1) == OpKind::Register
        && raw.op_register(last) == raw.op_register(last - 1);
    let is_narrow = is_memory && raw.memory_size().size() < 16;
    if is_constant || is_narrow || base.starts_with("zero") || base.starts_with("kmov") {
        return Lane::Nothing;
    }
    Lane::Move(width)
}

fn bits(register: Register) -> u32 {
    match register {
        _ if register.is_zmm() => 512,
        _ if register.is_ymm() => 256,
        _ if register.is_xmm() => 128,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Architecture;
    use crate::decode;

    fn work(code: &[u8]) -> Work {
        Work::of(decode::decode(Architecture::X86_64, code, 0).iter())
    }

    #[test]
    fn scalar_loads_with_inserts_are_no_vector_code() {
        // movzx eax, [rdi]; vpinsrb xmm0, xmm0, [rsi + rax], 1
        let one = [0x0f, 0xb6, 0x07, 0xc4, 0xe3, 0x79, 0x20, 0x04, 0x06, 0x01];
        let work = work(&one.repeat(4));
        assert_eq!((work.inserts, work.computes, work.lanes()), (4, 0, Lanes::Assembled));
    }

    #[test]
    fn widths_of_moves_and_of_arithmetic() {
        // vmovdqu ymm0, [rdi]; vmovdqu [rsi], ymm0
        let copy = [0xc5, 0xfe, 0x6f, 0x07, 0xc5, 0xfe, 0x7f, 0x06];
        assert_eq!((work(&copy).width, work(&copy).lanes()), (256, Lanes::Moved));
        // vpaddd xmm0, xmm0, [rdi]
        let sum = [&copy[..], &[0xc5, 0xf9, 0xfe, 0x07]].concat();
        assert_eq!((work(&sum).width, work(&sum).lanes()), (128, Lanes::Vectors));
        // vpgatherdd ymm0, [rdi + 4*ymm1], ymm2
        let gather = [&sum[..], &[0xc4, 0xe2, 0x6d, 0x90, 0x04, 0x8f]].concat();
        assert_eq!((work(&gather).width, work(&gather).lanes()), (256, Lanes::Gathered));
    }

    #[test]
    fn a_sign_that_is_changed_is_no_vector_code() {
        // vmulss xmm0, xmm0, xmm1; vxorps xmm0, xmm0, xmm2
        let negated = [0xc5, 0xfa, 0x59, 0xc1, 0xc5, 0xf8, 0x57, 0xc2];
        assert_eq!((work(&negated).singles, work(&negated).lanes()), (1, Lanes::Scalar));
        // vxorps ymm0, ymm0, ymm2
        assert_eq!(work(&[0xc5, 0xfc, 0x57, 0xc2]).lanes(), Lanes::Vectors);
    }
}
