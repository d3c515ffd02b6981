//! Steps over AArch64 instructions.
//!
//! By their encodings (Arm ARM, chapter C4), as the features that instructions need are found.

use super::state::{DERIVED, Flags, Outcome, PLAIN, State, Value};
use crate::audit::facts::{ANY, Facts};
use crate::audit::sources::{Meaning, Sources};
use crate::decode::aarch64::written;
use yaxpeax_arm::armv8::a64::{self, Operand};

/// The zero register, or the stack pointer.
const ZERO: usize = 31;

fn field(word: u32, shift: u32) -> usize {
    (word >> shift & 31) as usize
}

fn read(state: &State, register: usize, width: u32) -> Value {
    if register == ZERO { Value::Const(0) } else { state.registers[register].low(width) }
}

fn write(state: &mut State, register: usize, value: Value) {
    if register != ZERO {
        state.set(register, value);
    }
}

/// What holds where this condition does.
fn condition(flags: &Flags, code: u32) -> Facts {
    match code & 15 {
        0 => flags.equal,
        1 | 12 => flags.unequal,
        2 => flags.not_below,
        3 => flags.below,
        4 => flags.negative,
        5 => flags.not_negative,
        8 => flags.not_below | flags.unequal,
        9 => flags.below & flags.equal,
        _ => 0,
    }
}

/// What the CPU has where a branch is taken, and where it is not.
pub(crate) fn branch(state: &State, word: u32, sources: &Sources) -> (Facts, Facts) {
    let width = if word >> 31 == 1 { 64 } else { 32 };
    match word {
        w if w & 0xff00_0010 == 0x5400_0000 => (condition(&state.flags, w), condition(&state.flags, w ^ 1)),
        // cbz, cbnz; tbz, tbnz
        w if w & 0x7c00_0000 == 0x3400_0000 => {
            let value = read(state, field(w, 0), if w & 0x0200_0000 == 0 { width } else { 64 });
            let value = if w & 0x0200_0000 == 0 {
                value
            } else {
                value.and(Value::Const(1 << ((w >> 31 << 5) | (w >> 19 & 31))), sources)
            };
            let (some, zero) = value.truth(sources);
            if w & 0x0100_0000 == 0 { (zero, some) } else { (some, zero) }
        }
        _ => (0, 0),
    }
}

/// The registers between which a conditional select chooses, with what holds where each is chosen.
pub(crate) fn select(state: &State, word: u32) -> Option<[(usize, Facts); 2]> {
    (word & 0x7fe0_0c00 == 0x1a80_0000).then(|| {
        let code = word >> 12;
        [(field(word, 5), condition(&state.flags, code)), (field(word, 16), condition(&state.flags, code ^ 1))]
    })
}

/// What an instruction stores of a register, and how many bytes.
pub(crate) fn stored(state: &State, word: u32) -> Option<(Value, u64)> {
    // str, strb and strh with an offset; stlr, stlrb and stlrh
    let stores = word & 0x3fc0_0000 == 0x3900_0000 || word & 0x3fff_fc00 == 0x089f_fc00;
    stores.then(|| (read(state, field(word, 0), 64), 1 << (word >> 30)))
}

/// Whether it may read or write this register.
pub(crate) fn touches(word: u32, register: usize) -> bool {
    [0, 5, 10, 16].into_iter().any(|shift| field(word, shift) == register)
}

/// Whether it writes this register and reads none: `adr` and `adrp`.
pub(crate) fn overwrites(word: u32, register: usize) -> bool {
    word & 0x1f00_0000 == 0x1000_0000 && field(word, 0) == register
}

/// The register that a computed address or a loaded pointer goes to.
pub(crate) fn destination(word: u32) -> Option<usize> {
    let to = field(word, 0);
    // adr; add and sub with an immediate; ldr
    let moves =
        word & 0x9f00_0000 == 0x1000_0000 || word & 0xbf80_0000 == 0x9100_0000 || word & 0xffc0_0000 == 0xf940_0000;
    (moves && to != ZERO).then_some(to)
}

fn immediate(raw: &a64::Instruction) -> Option<u64> {
    raw.operands.iter().find_map(|operand| match *operand {
        Operand::Immediate(n) => Some(u64::from(n)),
        Operand::Imm16(n) => Some(u64::from(n)),
        Operand::Imm64(n) => Some(n),
        Operand::ImmShift(n, by) => Some(u64::from(n) << by),
        _ => None,
    })
}

/// The slot of the stack that a load or store names.
fn slot(raw: &a64::Instruction) -> Option<(usize, i64)> {
    raw.operands.iter().find_map(|operand| match *operand {
        Operand::RegPreIndex(31, offset, false) => Some((ZERO, i64::from(offset))),
        _ => None,
    })
}

pub(crate) fn step(
    state: &mut State,
    word: u32,
    raw: Option<&a64::Instruction>,
    accessed: Option<u64>,
    sources: &Sources,
) {
    if known(state, word, raw, sources) {
        return;
    }
    let Some(raw) = raw else { return };
    let name = raw.opcode.to_string();
    let value = if name.starts_with("ld") && !name.starts_with("ldp") {
        let bits = match name.as_str() {
            n if n.ends_with('b') => 8,
            n if n.ends_with('h') => 16,
            _ if word >> 30 == 3 => 64,
            _ => 32,
        };
        let variable = accessed.and_then(|address| sources.variable(address));
        let kept = || slot(raw).and_then(|slot| state.stack.get(&slot)).copied().unwrap_or(PLAIN);
        variable.map_or_else(kept, |(meaning, first)| Value::of(meaning, first, bits))
    } else {
        let from_source = raw.operands.iter().skip(1).any(|operand| match *operand {
            Operand::Register(_, n) | Operand::RegisterOrSP(_, n) | Operand::RegShift(_, _, _, n) => {
                n < 31 && state.registers[usize::from(n)].is_derived()
            }
            _ => false,
        });
        if from_source && !name.starts_with("st") { DERIVED } else { PLAIN }
    };
    if name.starts_with("st")
        && let Some(slot) = slot(raw)
    {
        // A pair's second register follows the first.
        state.stack.remove(&(slot.0, slot.1 + 8));
        let stored =
            if name.starts_with("stp") || word >> 26 & 1 == 1 { PLAIN } else { read(state, field(word, 0), 64) };
        if stored.is_plain() { _ = state.stack.remove(&slot) } else { _ = state.stack.insert(slot, stored) }
    }
    let general = written(raw).general;
    for number in (0..ZERO).filter(|number| general >> number & 1 == 1) {
        state.set(number, value);
    }
    let moves_stack = raw.operands.iter().take(1).any(|o| matches!(o, Operand::RegisterOrSP(_, 31)))
        || raw.operands.iter().any(|o| matches!(o, Operand::RegPreIndex(31, _, true) | Operand::RegPostIndex(31, _)));
    if moves_stack {
        state.move_stack();
    }
    // adds, subs, and what compares floating-point numbers
    if word & 0x3f00_0000 == 0x3100_0000
        || word & 0x3f00_0000 == 0x2b00_0000
        || name.starts_with("fc")
        || name.starts_with("cc")
    {
        state.flags = Flags::default();
    }
}

/// Steps over an instruction that is known by its encoding; false if it is not.
fn known(state: &mut State, word: u32, raw: Option<&a64::Instruction>, sources: &Sources) -> bool {
    let width = if word >> 31 == 1 { 64 } else { 32 };
    let (to, one, other) = (field(word, 0), field(word, 5), field(word, 16));
    let (first, second) = (read(state, one, width), read(state, other, width));
    let result = match word {
        // mov, orr and mvn, eor of registers
        w if w & 0x7fe0_ffe0 == 0x2a00_03e0 => second,
        w if w & 0x7fe0_ffe0 == 0x2a20_03e0 => second.not(width),
        w if w & 0x7fe0_fc00 == 0x2a00_0000 => first.or(second, sources),
        w if w & 0x7fe0_fc00 == 0x4a00_0000 => first.xor(second, sources),
        // and, ands, bic, bics of registers
        w if w & 0x1f00_fc00 == 0x0a00_0000 && matches!(w >> 29 & 3, 0 | 3) => {
            let value = first.and(if w >> 21 & 1 == 1 { second.not(width) } else { second }, sources);
            if w >> 29 & 3 == 3 {
                state.flags = Flags::of(value, width, sources);
            }
            value
        }
        // and, ands, eor with an immediate; without flags, register 31 is the stack pointer
        w if w & 0x1f80_0000 == 0x1200_0000 && w >> 29 & 3 != 1 && (to != ZERO || w >> 29 & 3 == 3) => {
            let Some(mask) = raw.and_then(immediate) else { return false };
            let mask = Value::Const(mask).low(width);
            let value = if w >> 29 & 3 == 2 { first.xor(mask, sources) } else { first.and(mask, sources) };
            if w >> 29 & 3 == 3 {
                state.flags = Flags::of(value, width, sources);
            }
            value
        }
        // movz
        w if w & 0x7f80_0000 == 0x5280_0000 => Value::Const(u64::from(w >> 5 & 0xffff) << (16 * (w >> 21 & 3))),
        // cmp with an immediate or a register, ccmp with an immediate
        w if w & 0x7f80_001f == 0x7100_001f || w & 0x7fe0_fc1f == 0x6b00_001f || w & 0x7fe0_0c10 == 0x7a40_0800 => {
            state.flags = compared(state, w, sources);
            return true;
        }
        // csel; cset as csinc of zeros
        w if w & 0x7fe0_0800 == 0x1a80_0000 => {
            let no = match second {
                _ if w >> 10 & 1 == 0 => second,
                Value::Const(0) => Value::Const(1),
                _ => PLAIN,
            };
            let facts = (condition(&state.flags, w >> 12), condition(&state.flags, w >> 12 ^ 1));
            Value::chosen((first, no), facts, sources)
        }
        // ubfx and lsr
        w if w & 0x7f80_0000 == 0x5300_0000 && w >> 16 & 63 <= w >> 10 & 63 => {
            let (from, last) = (w >> 16 & 63, w >> 10 & 63);
            first.shifted(from.cast_signed()).low(last - from + 1)
        }
        // The registers that say what the CPU has, in fields of which zero is nothing
        w if w & 0xffff_0000 == 0xd538_0000 => Value::of(Meaning::Flag, 0, 64),
        _ => return false,
    };
    write(state, to, result);
    true
}

/// The flags of a comparison.
fn compared(state: &State, word: u32, sources: &Sources) -> Flags {
    let width = if word >> 31 == 1 { 64 } else { 32 };
    let value = read(state, field(word, 5), width);
    if word & 0x7fe0_fc1f == 0x6b00_001f {
        return match read(state, field(word, 16), width) {
            Value::Const(number) => Flags::compared(value, number, width, sources),
            _ => Flags::default(),
        };
    }
    if word & 0x7f80_001f == 0x7100_001f {
        let number = u64::from(word >> 10 & 0xfff) << if word >> 22 & 1 == 1 { 12 } else { 0 };
        return Flags::compared(value, number, width, sources);
    }
    // Where the condition of ccmp does not hold, the flags are given.
    let (holds, not) = (condition(&state.flags, word >> 12), condition(&state.flags, word >> 12 ^ 1));
    let compared = Flags::compared(value, u64::from(word >> 16 & 31), width, sources);
    let either = |facts: Facts, given: bool| (facts | holds) & if given { not } else { ANY };
    let (zero, carry, negative) = (word >> 2 & 1 == 1, word >> 1 & 1 == 1, word >> 3 & 1 == 1);
    Flags {
        equal: either(compared.equal, zero),
        unequal: either(compared.unequal, !zero),
        below: either(compared.below, !carry),
        not_below: either(compared.not_below, carry),
        negative: either(compared.negative, negative),
        not_negative: either(compared.not_negative, !negative),
        zero: None,
    }
}

/// A call that returns this.
pub(crate) fn call(state: &mut State, Outcome { values: returned, .. }: Outcome) {
    for number in (0..=18).chain([30]) {
        state.set(number, PLAIN);
    }
    state.set(0, returned[0]);
    state.set(1, returned[1]);
    state.flags = Flags::default();
}
