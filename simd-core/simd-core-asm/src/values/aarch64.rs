//! By encodings (Arm ARM, chapter C4), as the features that instructions need are found.

use std::collections::HashMap;

use yaxpeax_arm::armv8::a64::{self, Operand};

use super::bits::{Flags, ZERO, not};
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
        // add and sub of a register
        Raw::Aarch64(w, _) if w & 0xbfe0_03e0 == 0x8b20_03e0 && w & 31 != 31 => Some(i64::MIN),
        _ => None,
    });
    HashMap::from([(NONE, taken.min().unwrap_or(i64::MAX))])
}

fn register(state: &State, number: usize) -> Value {
    if number == NONE { ZERO } else { state.registers[number] }
}

fn condition(flags: Flags, code: u32) -> Option<bool> {
    /// The numbers of x86 for eq, cs, mi, vs, hi, ge, gt and al, of which the last is no condition there.
    const X86: [u32; 8] = [4, 3, 8, 0, 7, 13, 15, 0];
    flags.holds(X86[code as usize >> 1 & 7] ^ code & 1)
}

/// Whether a branch is taken.
pub(crate) fn branch(state: &State, word: u32) -> Option<bool> {
    let value = register(state, (word & 31) as usize);
    let holds = match word {
        w if w & 0xff00_0010 == 0x5400_0000 => return condition(state.flags, w),
        // tbz and tbnz; cbz and cbnz
        w if w & 0x7e00_0000 == 0x3600_0000 => value.bit((w >> 31 << 5) | (w >> 19 & 31)),
        w if w & 0x7e00_0000 == 0x3400_0000 => not(value.is_zero(32 << (w >> 31))),
        _ => None,
    };
    if word >> 24 & 1 == 1 { holds } else { not(holds) }
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
        let target = if let Flow::Call(to) = flow { Value::Address(to) } else { register(state, self.field(5)) };
        if matches!(flow, Flow::CallIndirect | Flow::JumpIndirect) {
            self.found.targets.insert(self.at, target);
            self.uses(target);
        }
        if matches!(flow, Flow::Call(_) | Flow::CallIndirect) {
            state.call(self.oracle.call(target, state.registers[0]), 1, kept);
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

    /// The base register of a load or store, the offset if it is a number, and whether the base is moved.
    fn memory(&self) -> Option<(usize, Option<i64>, bool)> {
        self.raw?.operands.iter().find_map(|operand| match *operand {
            Operand::RegPreIndex(base, offset, moves) => Some((base.into(), Some(offset.into()), moves)),
            Operand::RegPostIndex(base, _) | Operand::RegPostIndexReg(base, _) => Some((base.into(), Some(0), true)),
            Operand::RegRegOffset(base, ..) => Some((base.into(), None, false)),
            _ => None,
        })
    }

    /// The offset from this instruction that it names.
    fn offset(&self) -> Option<i64> {
        self.raw?.operands.iter().find_map(|o| if let Operand::PCOffset(n) = o { Some(*n) } else { None })
    }

    /// Addresses that are computed.
    fn addressed(&mut self, state: &State) -> Option<Value> {
        let word = self.word;
        let to = match (word & 0x9f00_0000, self.offset()) {
            (0x9000_0000, Some(offset)) => {
                return Some(Value::AddressUnused((self.instruction.address & !0xfff).wrapping_add_signed(offset)));
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
        let is_immediate = word >> 26 & 7 == 4;
        let first = low(register(state, self.field(5)));
        let second = if is_immediate { ZERO } else { low(register(state, self.field(16))) };
        let amount = word >> 10 & 63;
        let shifted = match word >> 22 & 3 {
            _ if amount == 0 => second,
            0 => second.shl(amount).low(width),
            1 => second.shr(amount),
            _ => Value::Unknown,
        };
        let flags = word >> 29 & 1 == 1;
        let value = match word {
            // mov of registers
            w if w & 0x7fe0_ffe0 == 0x2a00_03e0 => return Some(second),
            // and, orr, eor, ands of registers, of inverted ones, and of an immediate; without flags, this writes the stack pointer
            w if w & 0x1f00_0000 == 0x0a00_0000
                || w & 0x1f80_0000 == 0x1200_0000 && (self.field(0) != NONE || w >> 29 & 3 == 3) =>
            {
                let other = match w >> 21 & 1 {
                    _ if is_immediate => match self.raw?.operands[2] {
                        Operand::Immediate(n) => Value::constant(n.into()),
                        Operand::Imm64(n) => Value::constant(n),
                        _ => return None,
                    },
                    1 => shifted.not(),
                    _ => shifted,
                };
                let value = match w >> 29 & 3 {
                    1 => first.or(other),
                    2 => first.xor(other),
                    _ => first.and(other),
                }
                .low(width);
                if w >> 29 & 3 == 3 {
                    state.flags = Flags::of(value, width);
                }
                value
            }
            // movn, movz, movk
            w if w & 0x1f80_0000 == 0x1280_0000 => {
                let by = 16 * (w >> 21 & 3);
                let part = Value::constant(u64::from(w >> 5 & 0xffff) << by);
                return Some(match w >> 29 & 3 {
                    0 => part.not().low(width),
                    2 => part,
                    _ => register(state, self.field(0)).and(Value::constant(!(0xffff << by))).or(part),
                });
            }
            // add, sub, cmp, cmn of an immediate and of a register
            w if w & 0x1f80_0000 == 0x1100_0000 || w & 0x1f20_0000 == 0x0b00_0000 => {
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
                if let Some(holds) = holds {
                    let passed = self.field(if holds { 16 } else { 5 });
                    state.pass_over(Some(passed).filter(|&passed| passed != NONE));
                } else {
                    self.uses(first);
                    self.uses(second);
                }
                return Some(holds.map_or(first.join(changed), |holds| if holds { first } else { changed }));
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
        if self.field(0) != NONE {
            self.uses(first);
            self.uses(second);
        }
        Some(value)
    }

    fn clobber(&mut self, state: &mut State) {
        let Some(raw) = self.raw else {
            // It can write what it likes.
            state.registers.into_iter().for_each(|value| self.uses(value));
            return *state = State::unknown();
        };
        let (word, name, memory) = (self.word, raw.opcode.to_string(), self.memory());
        let address = match (self.offset(), memory) {
            (Some(offset), _) => Some(self.instruction.address.wrapping_add_signed(offset)),
            (_, Some((base, Some(by), _))) => register(state, base).address().map(|base| base.wrapping_add_signed(by)),
            _ => None,
        };
        let is_wide = word >> 26 & 1 == 1
            || ["ldp", "stp", "ldnp", "stnp", "ldxp", "ldaxp", "stxp", "stlxp"]
                .iter()
                .any(|pair| name.starts_with(pair));
        // ldadd, stset, swp and their like
        let is_atomic = word & 0x3f20_0c00 == 0x3820_0000;
        let reads = name.starts_with("ld") && !is_atomic;
        // Those that extend a sign are not followed.
        let is_load = reads && !is_wide && !name.contains("rs");
        let is_store = name.starts_with("st") && !is_wide && !is_atomic;
        let size = size(word, is_wide);
        let limit = self.frame.get(&NONE).copied().unwrap_or(i64::MIN);
        let slot = match memory {
            Some((NONE, Some(by), false)) if by.saturating_add(size.cast_signed()) <= limit => Some((NONE, by)),
            _ => None,
        };
        let (held, mut result) = (register(state, self.field(0)), Value::Unknown);
        if let Some(address) = address {
            self.found.references.push((self.at, address));
            let to = self.image.slot(address);
            // A load from a table of addresses refers to what stands there as well.
            self.found.references.extend(to.address().map(|to| (self.at, to)));
            self.found.accesses.push((self.at, address, size, None));
            if !reads {
                let written = if is_store { held.low(8 * size as u32) } else { Value::Unknown };
                self.found.accesses.push((self.at, address, size, Some(written)));
            }
            if !is_load || size != 8 {
                let read = self.image.pointers.range(address..address.saturating_add(size));
                self.found.uses.extend(read.map(|(_, to)| (self.at, *to)));
            }
            if is_load {
                result = if size == 8 && to != Value::Unknown {
                    to
                } else {
                    self.oracle.load(Value::Address(address), size)
                };
            }
        } else if is_load && let Some(slot) = slot {
            result = state.slot(slot, size);
        }
        if !reads && matches!(memory, Some((NONE, ..))) {
            let place = memory.and_then(|(_, by, _)| Some((NONE, by?)));
            state.store(place, size, if is_store && slot.is_some() { held } else { Value::Unknown });
        }
        self.overwrite(state, raw, reads, address.is_some());
        if is_load && self.field(0) != NONE && written(raw).general >> self.field(0) & 1 == 1 {
            state.registers[self.field(0)] = result.low(8 * size as u32);
        }
    }

    /// Uses the registers that an instruction reads, and forgets what it writes. One that `loads` has its own registers for that;
    /// the base of an address that `is_known` is not used.
    fn overwrite(&mut self, state: &mut State, raw: &a64::Instruction, loads: bool, is_known: bool) {
        let (word, name, memory, general) = (self.word, raw.opcode.to_string(), self.memory(), written(raw).general);
        let base = memory.map(|(base, ..)| base);
        // Pointers are signed, and bits inserted, where they are.
        let in_place = ["bf", "pac", "aut", "xpac"].iter().any(|start| name.starts_with(start));
        for number in 0..NONE {
            let is_read = match general >> number & 1 == 1 {
                _ if base == Some(number) => !is_known,
                true if loads => false,
                true if !in_place => names(&raw.operands[1..], number),
                _ => names(&raw.operands, number),
            };
            if is_read {
                self.uses(state.registers[number]);
            }
        }
        for number in (0..NONE).filter(|number| general >> number & 1 == 1) {
            state.registers[number] = Value::Unknown;
        }
        if matches!(raw.operands[0], Operand::RegisterOrSP(_, 31)) || matches!(memory, Some((NONE, _, true))) {
            state.stack.clear();
        }
        // adds, subs, ands, and what compares floating-point numbers
        if word & 0x3f00_0000 == 0x3100_0000 || matches!(name.get(..2), Some("fc" | "cc" | "ms")) || name.ends_with('s')
        {
            state.flags = Flags::default();
        }
    }
}

/// The bytes that a load or store reads or writes, of several vectors at most.
fn size(word: u32, is_wide: bool) -> u64 {
    match word {
        w if w & 0x3a00_0000 == 0x2800_0000 => 8 << (w >> if w >> 26 & 1 == 1 { 30 } else { 31 }), // of a pair
        w if w & 0x3e00_0000 == 0x3c00_0000 => 1 << (w >> 30 | w >> 21 & 4),                       // of a vector
        _ if is_wide => 64,                                        // at most: of four vectors
        w if w & 0x3b00_0000 == 0x1800_0000 => 4 << (w >> 30 & 1), // by its own place
        w => 1 << (w >> 30),
    }
}

/// Whether one of the operands is or holds this register.
fn names(operands: &[Operand], number: usize) -> bool {
    operands.iter().any(|operand| match *operand {
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
