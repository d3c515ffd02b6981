//! By encodings (Arm ARM, chapter C4), as the features that instructions need are found.

use std::collections::HashMap;

use yaxpeax_arm::armv8::a64::{self, Operand};

use super::bits::{Flags, ZERO, either, not};
use super::oracle::{Frame, Oracle};
use super::state::{Analysis, State};
use crate::decode::aarch64::written;
use crate::image::{Image, Value};
use crate::instruction::{Flow, Instruction, Raw};

/// The number of the stack pointer or, by the instruction, the zero register.
const NONE: usize = 31;

/// The procedure call standard leaves x19 to x29 to the caller.
pub(crate) fn kept(register: usize) -> bool {
    (19..=29).contains(&register)
}

/// The stack pointer, with the offset from which on something else may point there too.
pub(crate) fn frame(instructions: &[Instruction]) -> Frame {
    let taken = instructions.iter().filter_map(|instruction| match instruction.raw {
        // add x, sp, #n and mov x, sp
        Raw::Aarch64(w, _) if w & 0xff80_03e0 == 0x9100_03e0 && w & 31 != 31 => Some(i64::from(w >> 10 & 0xfff)),
        _ => None,
    });
    HashMap::from([(NONE, taken.min().unwrap_or(i64::MAX))])
}

fn register(state: &State, number: usize) -> Value {
    if number == NONE { ZERO } else { state.registers[number] }
}

/// The facts where a condition holds.
fn condition(flags: Flags, code: u32) -> Option<bool> {
    let holds = match code >> 1 & 7 {
        0 => flags.zero,
        1 => not(flags.below),
        2 => flags.negative,
        4 => not(either(flags.below, flags.zero)),
        5 => not(flags.less),
        6 => not(either(flags.less, flags.zero)),
        _ => None,
    };
    if code & 1 == 1 { not(holds) } else { holds }
}

/// Whether a branch is taken.
pub(crate) fn branch(state: &State, word: u32) -> Option<bool> {
    let value = register(state, (word & 31) as usize);
    match word {
        w if w & 0xff00_0010 == 0x5400_0000 => condition(state.flags, w),
        // tbz and tbnz; cbz and cbnz
        w if w & 0x7e00_0000 == 0x3600_0000 => {
            let set = value.bit((w >> 31 << 5) | (w >> 19 & 31));
            if w >> 24 & 1 == 1 { set } else { not(set) }
        }
        w if w & 0x7e00_0000 == 0x3400_0000 => {
            let zero = value.is_zero(32 << (w >> 31));
            if w >> 24 & 1 == 1 { not(zero) } else { zero }
        }
        _ => None,
    }
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

pub(crate) struct Step<'a> {
    pub(crate) image: &'a Image,
    pub(crate) oracle: &'a dyn Oracle,
    pub(crate) frame: &'a Frame,
    pub(crate) at: usize,
    pub(crate) instruction: &'a Instruction,
    pub(crate) word: u32,
    pub(crate) raw: Option<&'a a64::Instruction>,
    pub(crate) found: &'a mut Analysis,
}

impl Step<'_> {
    fn field(&self, shift: u32) -> usize {
        (self.word >> shift & 31) as usize
    }

    fn uses(&mut self, value: Value) {
        self.found.uses.extend(value.address().map(|to| (self.at, to)));
    }

    pub(crate) fn run(mut self, state: &mut State) {
        let flow = self.instruction.flow;
        if matches!(flow, Flow::CallIndirect | Flow::JumpIndirect) {
            let target = register(state, self.field(5));
            self.found.targets.insert(self.at, target);
            self.uses(target);
        }
        if matches!(flow, Flow::Call(_) | Flow::CallIndirect) {
            let target = match flow {
                Flow::Call(to) => Value::Address(to),
                _ => register(state, self.field(5)),
            };
            let returned = self.oracle.call(target).unwrap_or([Value::Unknown; 2]);
            for (number, value) in state.registers.iter_mut().enumerate() {
                if !kept(number) {
                    *value = Value::Unknown;
                }
            }
            [state.registers[0], state.registers[1]] = returned;
            state.flags = Flags::default();
            return;
        }
        if flow != Flow::Next {
            return;
        }
        // mrs of the registers that say what the CPU has
        let value = match self.word {
            w if w & 0xffff_0000 == 0xd538_0000 => Some(self.oracle.identify(Value::Unknown, Value::Unknown)[0]),
            _ => self.addressed(state).or_else(|| self.computed(state)),
        };
        if let Some(value) = value {
            let to = self.field(0);
            if to != NONE {
                state.registers[to] = value;
            }
            return;
        }
        self.clobber(state);
    }

    /// The address that a load or store names, where it is known.
    fn address(&self, state: &State) -> Option<u64> {
        self.raw?.operands.iter().find_map(|operand| {
            let (base, offset) = match *operand {
                Operand::PCOffset(offset) => return Some(self.instruction.address.wrapping_add_signed(offset)),
                Operand::RegPreIndex(base, offset, _) => (base, i64::from(offset)),
                Operand::RegPostIndex(base, _) | Operand::RegPostIndexReg(base, _) => (base, 0),
                _ => return None,
            };
            Some(register(state, usize::from(base)).address()?.wrapping_add_signed(offset))
        })
    }

    /// Addresses that are computed, and those that are loaded.
    fn addressed(&mut self, state: &State) -> Option<Value> {
        let word = self.word;
        let page = self.raw?.operands.iter().find_map(|o| if let Operand::PCOffset(n) = o { Some(*n) } else { None });
        let to = match (word & 0x9f00_0000, page) {
            (0x9000_0000, Some(offset)) => {
                return Some(Value::Address((self.instruction.address & !0xfff).wrapping_add_signed(offset)));
            }
            (0x1000_0000, Some(offset)) => self.instruction.address.wrapping_add_signed(offset),
            // add and sub of an immediate: bit 22 shifts
            _ if matches!(word & 0xff80_0000, 0x9100_0000 | 0xd100_0000) => {
                let by = u64::from(word >> 10 & 0xfff) << if word >> 22 & 1 == 1 { 12 } else { 0 };
                let base = register(state, self.field(5)).address()?;
                if word >> 30 & 1 == 0 { base.wrapping_add(by) } else { base.wrapping_sub(by) }
            }
            _ => return None,
        };
        self.found.references.push((self.at, to));
        Some(Value::Address(to))
    }

    /// Numbers that are computed; nothing if the instruction is not followed.
    #[allow(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn computed(&mut self, state: &mut State) -> Option<Value> {
        let word = self.word;
        let width = 32 << (word >> 31);
        let low = |value: Value| if value.address().is_some() && width == 64 { value } else { value.low(width) };
        let (first, second) = (low(register(state, self.field(5))), low(register(state, self.field(16))));
        let amount = word >> 10 & 63;
        let shifted = match word >> 22 & 3 {
            _ if amount == 0 => second,
            0 => second.shl(amount).low(width),
            1 => second.shr(amount),
            _ => Value::Unknown,
        };
        let flags = word >> 29 & 1 == 1;
        let logic = |value: Value, state: &mut State| {
            if word >> 29 & 3 == 3 {
                state.flags = Flags::of(value, width);
            }
            value.low(width)
        };
        let value = match word {
            // mov of registers
            w if w & 0x7fe0_ffe0 == 0x2a00_03e0 => return Some(second),
            // and, orr, eor, ands of registers, and of inverted ones
            w if w & 0x1f00_0000 == 0x0a00_0000 => {
                let other = if w >> 21 & 1 == 1 { shifted.not().low(width) } else { shifted };
                let value = match w >> 29 & 3 {
                    1 => first.or(other),
                    2 => first.xor(other),
                    _ => first.and(other),
                };
                logic(value, state)
            }
            // the same with an immediate; without flags, register 31 is the stack pointer
            w if w & 0x1f80_0000 == 0x1200_0000 && (self.field(0) != NONE || w >> 29 & 3 == 3) => {
                let other = Value::constant(self.raw.and_then(immediate)?).low(width);
                let value = match w >> 29 & 3 {
                    1 => first.or(other),
                    2 => first.xor(other),
                    _ => first.and(other),
                };
                logic(value, state)
            }
            // movn, movz, movk
            w if w & 0x1f80_0000 == 0x1280_0000 => {
                let by = 16 * (w >> 21 & 3);
                let part = Value::constant(u64::from(w >> 5 & 0xffff) << by);
                match w >> 29 & 3 {
                    0 => part.not().low(width),
                    2 => part,
                    _ => register(state, self.field(0)).and(Value::constant(!(0xffff << by))).or(part),
                }
            }
            // add, sub, cmp, cmn of an immediate and of a register
            w if w & 0x1f80_0000 == 0x1100_0000 || w & 0x1f20_0000 == 0x0b00_0000 => {
                let is_immediate = w >> 28 & 1 == 1;
                if is_immediate && (self.field(5) == NONE || self.field(0) == NONE && !flags) {
                    return None; // the stack pointer
                }
                let by = if w >> 22 & 1 == 1 { 12 } else { 0 };
                let other = if is_immediate { Value::constant(u64::from(w >> 10 & 0xfff) << by) } else { shifted };
                let is_sub = w >> 30 & 1 == 1;
                let value = if is_sub { first.sub(other) } else { first.add(other, false) }.low(width);
                if flags {
                    let compared = Flags::compared(first, other, width);
                    state.flags = if is_sub { compared } else { Flags::of_sum(value, width) };
                }
                if self.field(0) != NONE {
                    self.uses(first);
                    self.uses(second);
                }
                value
            }
            // ccmp
            w if w & 0x7fe0_0410 == 0x7a40_0000 => {
                let is_immediate = w >> 11 & 1 == 1;
                let other = if is_immediate { Value::constant(u64::from(w >> 16 & 31)) } else { second };
                let bit = |n: u32| Some(w >> n & 1 == 1);
                let less = Some(bit(3) != bit(0));
                let given = Flags { zero: bit(2), below: not(bit(1)), negative: bit(3), less };
                let compared = Flags::compared(first, other, width);
                state.flags = match condition(state.flags, w >> 12) {
                    Some(true) => compared,
                    Some(false) => given,
                    None => compared.join(given),
                };
                return Some(register(state, self.field(0))); // bits 0 to 3 are the given flags
            }
            // csel, csinc, csinv, csneg
            w if w & 0x3fe0_0800 == 0x1a80_0000 => {
                let changed = match (w >> 30 & 1, w >> 10 & 1) {
                    (0, 0) => second,
                    (0, _) => second.add(Value::constant(1), false).low(width),
                    (_, 0) => second.not().low(width),
                    _ => ZERO.sub(second).low(width),
                };
                let holds = condition(state.flags, w >> 12);
                let passed = [(Some(true), 16), (Some(false), 5)].into_iter().find(|(taken, _)| *taken == holds);
                if let Some((_, shift)) = passed {
                    let number = self.field(shift);
                    if let Value::Address(to) = register(state, number) {
                        state.registers[number] = Value::AddressNotSelected(to);
                    }
                } else {
                    self.uses(first);
                    self.uses(second);
                }
                match holds {
                    Some(true) => return Some(first),
                    Some(false) => return Some(changed),
                    None => return Some(first.join(changed)),
                }
            }
            // ubfm: lsr, lsl, ubfx
            w if w & 0x7f80_0000 == 0x5300_0000 => {
                let (from, last) = (w >> 16 & 63, w >> 10 & 63);
                if last >= from {
                    first.shr(from).low(last - from + 1)
                } else {
                    first.low(last + 1).shl(width - from).low(width)
                }
            }
            _ => return None,
        };
        Some(value)
    }

    fn clobber(&mut self, state: &mut State) {
        let Some(raw) = self.raw else { return };
        let word = self.word;
        let address = self.address(state);
        let name = raw.opcode.to_string();
        let is_vector = word >> 26 & 1 == 1;
        let is_pair = ["ldp", "stp", "ldnp", "stnp"].iter().any(|pair| name.starts_with(pair));
        // ldadd, stset, swp and their like
        let is_atomic = word & 0x3f20_0c00 == 0x3820_0000;
        let is_load = name.starts_with("ld") && !is_pair && !is_vector && !is_atomic;
        let is_store = name.starts_with("st") && !is_pair && !is_vector && !is_atomic;
        // At most: a pair of vectors.
        let size: u64 = if is_pair || is_vector { 32 } else { size(word, &name) };
        let slot = raw.operands.iter().find_map(|operand| match *operand {
            Operand::RegPreIndex(31, offset, false) => Some((NONE, i64::from(offset))),
            _ => None,
        });
        let limit = self.frame.get(&NONE).copied().unwrap_or(i64::MIN);
        let followed = slot.filter(|(_, at)| at.saturating_add(size.cast_signed()) <= limit);
        let mut result = Value::Unknown;
        if let Some(address) = address {
            self.found.references.push((self.at, address));
            let to = self.image.slot(address);
            // A load from a table of addresses refers to what stands there as well.
            self.found.references.extend(to.address().map(|to| (self.at, to)));
            let written = match (is_store, name.starts_with("ld") && !is_atomic) {
                (true, _) => Some(register(state, self.field(0)).low(8 * size as u32)),
                (false, true) => None,
                (false, false) => Some(Value::Unknown),
            };
            self.found.accesses.push((self.at, address, size, None));
            if written.is_some() {
                self.found.accesses.push((self.at, address, size, written));
            }
            if !is_load || size != 8 {
                let read = address..address.saturating_add(32);
                self.found.uses.extend(self.image.pointers.range(read).map(|(_, to)| (self.at, *to)));
            }
            if is_load {
                result = if size == 8 && to != Value::Unknown { to } else { self.oracle.load(address, size) };
            }
        } else if is_load && let Some(slot) = followed {
            result = state.slot(slot, size);
        }
        if name.starts_with("st") && slot.is_some() {
            let value = if is_store && followed.is_some() { register(state, self.field(0)) } else { Value::Unknown };
            state.store(slot, size, value);
        }
        let general = written(raw).general;
        let base = raw.operands.iter().find_map(|operand| match *operand {
            Operand::RegPreIndex(base, ..) | Operand::RegPostIndex(base, _) | Operand::RegPostIndexReg(base, _) => {
                Some(usize::from(base))
            }
            _ => None,
        });
        for number in (0..NONE).filter(|&number| names(raw, number)) {
            let is_result = general >> number & 1 == 1 && number == self.field(0) && Some(number) != base;
            if !is_result && (address.is_none() || Some(number) != base) {
                self.uses(state.registers[number]);
            }
        }
        for number in (0..NONE).filter(|number| general >> number & 1 == 1) {
            state.registers[number] = Value::Unknown;
        }
        if is_load && self.field(0) != NONE && general >> self.field(0) & 1 == 1 {
            state.registers[self.field(0)] = result.low(if size == 8 { 64 } else { 8 * size as u32 });
        }
        let moves_stack = raw.operands.iter().take(1).any(|o| matches!(o, Operand::RegisterOrSP(_, 31)))
            || raw
                .operands
                .iter()
                .any(|o| matches!(o, Operand::RegPreIndex(31, _, true) | Operand::RegPostIndex(31, _)));
        if moves_stack {
            state.stack.clear();
        }
        // adds, subs, ands, and what compares floating-point numbers
        if word & 0x3f00_0000 == 0x3100_0000 || name.starts_with("fc") || name.starts_with("cc") || name.ends_with('s')
        {
            state.flags = Flags::default();
        }
    }
}

/// Whether the instruction names this register.
fn names(raw: &a64::Instruction, number: usize) -> bool {
    raw.operands.iter().any(|operand| match *operand {
        Operand::Register(_, n)
        | Operand::RegisterOrSP(_, n)
        | Operand::RegisterPair(_, n)
        | Operand::RegShift(_, _, _, n)
        | Operand::RegPreIndex(n, ..)
        | Operand::RegPostIndex(n, _) => usize::from(n) == number,
        Operand::RegPostIndexReg(n, m) | Operand::RegRegOffset(n, m, ..) => [n, m].contains(&(number as u16)),
        _ => false,
    })
}

/// The bytes that a load or a store of one register reads or writes.
fn size(word: u32, name: &str) -> u64 {
    if name.contains("rb") {
        1
    } else if name.contains("rh") {
        2
    } else {
        4 << (word >> 30 & 1)
    }
}
