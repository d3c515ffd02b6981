use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::{self, InstDecoder, Operand, SIMDSizeCode, SizeCode};

use crate::features::Features;
use crate::instruction::{Flow, Instruction, Raw, StackEffect};
use crate::needs::aarch64::{mnemonic as supplement, need};

pub(crate) fn decode(code: &[u8], address: u64) -> impl Iterator<Item = Instruction> {
    let decoder = InstDecoder::default();
    code.chunks_exact(4).zip((address..).step_by(4)).map(move |(bytes, address)| {
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let raw = decoder.decode(&mut U8Reader::new(bytes)).ok();
        let (mnemonic, operands) = text(word, raw.as_ref(), address);
        Instruction { address, length: 4, mnemonic, operands, flow: flow(word, address), raw: Raw::Aarch64(word, raw) }
    })
}

fn text(word: u32, raw: Option<&a64::Instruction>, address: u64) -> (String, String) {
    let Some(raw) = raw else {
        let known = supplement(word).or_else(|| need(word).filter(|name| name.starts_with("sve")).map(|_| "(sve)"));
        return (known.unwrap_or("(bad)").to_owned(), format!("{word:#010x}"));
    };
    let text = raw.to_string();
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((&text, ""));
    let mut operands = operands.trim().to_owned();
    for operand in raw.operands {
        if let (Operand::PCOffset(offset), Some(at)) = (operand, operands.find('$')) {
            let base = if mnemonic == "adrp" { address & !0xfff } else { address };
            let end = operands[at..].find(',').map_or(operands.len(), |length| at + length);
            operands.replace_range(at..end, &format!("{:#x}", base.wrapping_add_signed(offset)));
        }
    }
    (mnemonic.to_owned(), operands)
}

/// Sign-extends the low `bits` of `value`, and scales words to bytes.
fn offset(value: u32, bits: u32) -> i64 {
    (i64::from(value) << (64 - bits)) >> (64 - bits) << 2
}

/// By the encodings of branches, system and exception instructions (Arm ARM, C4.1.65), which the listing's decoder
/// need not know.
fn flow(word: u32, address: u64) -> Flow {
    let to = |field: u32, bits: u32| address.wrapping_add_signed(offset(field & ((1 << bits) - 1), bits));
    match word {
        w if w & 0xfc00_0000 == 0x1400_0000 => Flow::Jump(to(w, 26)),
        w if w & 0xfc00_0000 == 0x9400_0000 => Flow::Call(to(w, 26)),
        w if w & 0xff00_001f == 0x5400_000e => Flow::Jump(to(w >> 5, 19)),
        w if w & 0xff00_0000 == 0x5400_0000 => Flow::Branch(to(w >> 5, 19)),
        w if w & 0x7e00_0000 == 0x3400_0000 => Flow::Branch(to(w >> 5, 19)),
        w if w & 0x7e00_0000 == 0x3600_0000 => Flow::Branch(to(w >> 5, 14)),
        // br, blr, ret and their authenticated forms, by the operation in bits 22 and 21
        w if w & 0xfe9f_0000 == 0xd61f_0000 => match w >> 21 & 3 {
            0 => Flow::JumpIndirect,
            1 => Flow::CallIndirect,
            _ => Flow::Return,
        },
        // udf, brk, hlt
        w if w & 0xffff_0000 == 0 || w & 0xffe0_001f == 0xd420_0000 || w & 0xffe0_001f == 0xd440_0000 => Flow::Trap,
        _ => Flow::Next,
    }
}

pub(crate) fn lacking(word: u32, have: &Features) -> Vec<String> {
    need(word).filter(|name| !have.contains(name)).map(str::to_owned).into_iter().collect()
}

pub(crate) fn arithmetic_width(word: u32, raw: Option<&a64::Instruction>, mnemonic: &str) -> u32 {
    const MOVES: &[&str] = &[
        "mov", "mvni", "dup", "ins", "umov", "smov", "ld", "st", "ext", "tbl", "tbx", "zip", "uzp", "trn", "rev",
        "fmov", "xtn", "prf",
    ];
    let width = |size: SIMDSizeCode| match size {
        SIMDSizeCode::Q => 128,
        SIMDSizeCode::D => 64,
        _ => 0,
    };
    if MOVES.iter().any(|prefix| mnemonic.starts_with(prefix)) {
        return 0;
    }
    let Some(raw) = raw else {
        // The supplement's instructions are on vectors by bit 30; a scalable vector has 128 bits at least.
        return match need(word) {
            Some(name) if name.starts_with("sve") => 128,
            Some("i8mm" | "bf16" | "fhm") => 64 << (word >> 30 & 1),
            _ => 0,
        };
    };
    raw.operands
        .iter()
        .map(|operand| match *operand {
            Operand::SIMDRegisterElements(size, ..) => width(size),
            Operand::SIMDRegister(SIMDSizeCode::Q, _) => 128,
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

pub(crate) fn is_jump_table(instructions: &[Instruction], at: usize, word: u32) -> bool {
    let register = 1 << (word >> 5 & 31);
    let writer = instructions[..at].iter().rev().take(12).find(|before| match &before.raw {
        Raw::Aarch64(_, Some(raw)) => written(raw).general & register != 0,
        _ => false,
    });
    writer.is_some_and(|before| before.mnemonic() == "add")
}

/// Registers, one bit each: the general-purpose ones, and the vector ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers {
    pub(crate) general: u32,
    pub(crate) vector: u32,
}

/// The registers that an instruction writes, other than by a call.
pub(crate) fn written(raw: &a64::Instruction) -> Registers {
    const FLAGS_ONLY: &[&str] = &[
        "cmp", "cmn", "tst", "ccmp", "ccmn", "fcmp", "fcmpe", "fccmp", "fccmpe", "cbz", "cbnz", "tbz", "tbnz", "br",
        "blr",
    ];
    let name = raw.opcode.to_string();
    let mut out = Registers::default();
    let mut mark = |operand: &Operand| match *operand {
        Operand::Register(_, n) | Operand::RegisterOrSP(_, n) | Operand::RegisterPair(_, n) => out.general |= 1 << n,
        Operand::SIMDRegister(_, n)
        | Operand::SIMDRegisterElements(_, n, _)
        | Operand::SIMDRegisterElementsLane(_, n, ..) => out.vector |= 1 << n,
        Operand::SIMDRegisterGroup(_, n, _, count) => {
            (0..u16::from(count)).for_each(|i| out.vector |= 1 << ((n + i) % 32));
        }
        Operand::SIMDRegisterGroupLane(n, _, count, _) => {
            (0..u16::from(count)).for_each(|i| out.vector |= 1 << ((n + i) % 32));
        }
        _ => {}
    };
    let [first, second, ..] = &raw.operands;
    // An exclusive store writes its status; an atomic has its result second, and `cas` first.
    let exclusive = name.starts_with("stx") || name.starts_with("stlx");
    if !FLAGS_ONLY.contains(&name.as_str()) && (!name.starts_with("st") || exclusive) && !name.starts_with("msr") {
        mark(first);
        if ["ld", "swp", "cas"].iter().any(|prefix| name.starts_with(prefix)) {
            mark(second);
        }
    }
    for operand in &raw.operands {
        if let Operand::RegPreIndex(base, _, true)
        | Operand::RegPostIndex(base, _)
        | Operand::RegPostIndexReg(base, _) = operand
        {
            out.general |= 1 << base;
        }
    }
    // Register 31 is the zero register or the stack pointer here.
    out.general &= !(1 << 31);
    out
}

/// The effect of one instruction on the stack. `dirty` are the registers written so far: before that, storing one of those
/// that belong to the caller (x19 to x30, d8 to d15) saves it.
pub(crate) fn stack_effect(raw: &a64::Instruction, dirty: &mut Registers) -> StackEffect {
    const SP: u16 = 31;
    let mut effect = StackEffect::default();
    let name = raw.opcode.to_string();
    if name == "sub"
        && let [Operand::RegisterOrSP(_, SP), Operand::RegisterOrSP(_, SP), amount, _] = raw.operands
    {
        effect.grows = match amount {
            Operand::Immediate(n) => u64::from(n),
            Operand::Imm16(n) => u64::from(n),
            Operand::Imm64(n) => n,
            Operand::ImmShift(n, shift) => u64::from(n) << shift,
            _ => 0,
        };
    }
    if name.starts_with("st") {
        for operand in raw.operands {
            let (base, below) = match operand {
                Operand::RegPreIndex(base, offset, true) => (base, offset),
                Operand::RegPreIndex(base, ..) | Operand::RegPostIndex(base, _) | Operand::RegRegOffset(base, ..) => {
                    (base, 0)
                }
                _ => continue,
            };
            if base == SP {
                effect.grows = u64::from(below.min(0).unsigned_abs());
                effect.stores = raw.operands.iter().map(|operand| stored(operand, *dirty)).sum();
            }
        }
    }
    let written = written(raw);
    dirty.general |= written.general;
    dirty.vector |= written.vector;
    effect
}

/// The bytes of a register that a store writes.
fn stored(operand: &Operand, dirty: Registers) -> u64 {
    let bytes = |size: SIMDSizeCode| match size {
        SIMDSizeCode::B => 1,
        SIMDSizeCode::H => 2,
        SIMDSizeCode::S => 4,
        SIMDSizeCode::D => 8,
        SIMDSizeCode::Q => 16,
    };
    match *operand {
        Operand::Register(_, n @ 19..=30) if dirty.general >> n & 1 == 0 => 0,
        Operand::SIMDRegister(SIMDSizeCode::D, n @ 8..=15) if dirty.vector >> n & 1 == 0 => 0,
        Operand::Register(SizeCode::X, _) => 8,
        Operand::Register(SizeCode::W, _) => 4,
        Operand::SIMDRegister(size, _) => bytes(size),
        Operand::SIMDRegisterGroup(size, _, _, count) => u64::from(count) * bytes(size),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(word: u32) -> Instruction {
        decode(&word.to_le_bytes(), 0x1000).next().unwrap()
    }

    #[test]
    fn branches_and_their_targets() {
        for (word, flow) in [
            (0x1400_0002, Flow::Jump(0x1008)),
            (0x97ff_fffe, Flow::Call(0xff8)),
            (0x54ff_ffc1, Flow::Branch(0xff8)),
            (0x5400_004e, Flow::Jump(0x1008)),
            (0xb400_0040, Flow::Branch(0x1008)),
            (0x3718_0040, Flow::Branch(0x1008)),
            (0xd61f_0100, Flow::JumpIndirect),
            (0xd63f_0100, Flow::CallIndirect),
            (0xd65f_03c0, Flow::Return),
            (0xd65f_0bff, Flow::Return),
            (0xd71f_0901, Flow::JumpIndirect),
            (0xd73f_0901, Flow::CallIndirect),
            (0xd420_0020, Flow::Trap),
            (0x0000_c11f, Flow::Trap),
            (0xd503_201f, Flow::Next),
        ] {
            assert_eq!(one(word).flow, flow, "{word:#010x}");
        }
    }

    #[test]
    fn text_has_absolute_addresses() {
        assert_eq!(one(0x9400_0002).to_string(), "bl        0x1008");
        assert_eq!(one(0xb000_0008).to_string(), "adrp      x8, 0x2000");
        assert_eq!(one(0x4e28_4820).to_string(), "aese      v0.16b, v1.16b");
        assert_eq!(one(0x4e82_9c20).mnemonic(), "usdot");
        assert_eq!(one(0x04e2_0020).mnemonic(), "(sve)");
    }

    #[test]
    fn widths() {
        assert_eq!(one(0x4ea2_8420).arithmetic_width(), 128); // add v0.4s, v1.4s, v2.4s
        assert_eq!(one(0x0ea2_8420).arithmetic_width(), 64); // add v0.2s, v1.2s, v2.2s
        assert_eq!(one(0x1e22_2820).arithmetic_width(), 0); // fadd s0, s1, s2
        assert_eq!(one(0x3dc0_0000).arithmetic_width(), 0); // ldr q0, [x0]
        assert_eq!(one(0x4e82_9c20).arithmetic_width(), 128); // usdot v0.4s, v1.16b, v2.16b
    }

    #[test]
    fn registers_written() {
        let general = |word| match one(word).raw {
            Raw::Aarch64(_, Some(raw)) => written(&raw).general,
            _ => panic!("{word:#x} is not decoded"),
        };
        assert_eq!(general(0x8b02_0020), 1 << 0); // add x0, x1, x2
        assert_eq!(general(0xf100_083f), 0); // cmp x1, #2
        assert_eq!(general(0xa940_0440), 0b11); // ldp x0, x1, [x2]
        assert_eq!(general(0xf840_8420), 0b11); // ldr x0, [x1], #8
        assert_eq!(general(0xf900_0020), 0); // str x0, [x1]
        assert_eq!(general(0xc800_7c41), 1 << 0); // stxr w0, x1, [x2]
        assert_eq!(general(0x9e66_0000), 1 << 0); // fmov x0, d0
    }

    #[test]
    fn stack() {
        let mut dirty = Registers::default();
        let mut effect = |word| {
            let Raw::Aarch64(_, Some(raw)) = one(word).raw else { panic!("{word:#x} is not decoded") };
            stack_effect(&raw, &mut dirty)
        };
        assert_eq!(effect(0xd100_83ff), StackEffect { grows: 32, stores: 0 }); // sub sp, sp, #32
        assert_eq!(effect(0xa9bf_7bfd), StackEffect { grows: 16, stores: 0 }); // stp x29, x30, [sp, #-16]!
        assert_eq!(effect(0x3d80_07e0), StackEffect { grows: 0, stores: 16 }); // str q0, [sp, #16]
        assert_eq!(effect(0xad00_07e0), StackEffect { grows: 0, stores: 32 }); // stp q0, q1, [sp]
        assert_eq!(effect(0x3d80_0400), StackEffect::default()); // str q0, [x0, #16]
        assert_eq!(effect(0xf900_03f3), StackEffect::default()); // str x19, [sp]: saves it
        assert_eq!(effect(0xaa00_03f3), StackEffect::default()); // mov x19, x0
        assert_eq!(effect(0xf900_03f3), StackEffect { grows: 0, stores: 8 }); // str x19, [sp]: spills it
    }
}
