use core::iter::successors;
use std::collections::HashMap;

use iced_x86::{
    ConditionCode, FlowControl, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register,
    RflagsBits,
};

use super::bits::{Flags, ZERO, not, ones};
use super::oracle::{Frame, Oracle};
use super::state::{Analysis, LONGEST, State};
use crate::architecture::Architecture;
use crate::format::Format;
use crate::image::{Image, Value};
use crate::instruction::{Instruction, Raw};

const RAX: usize = 0;
const RCX: usize = 1;
const RDX: usize = 2;
const RBX: usize = 3;
const RSP: usize = 4;
const RBP: usize = 5;
const RSI: usize = 6;
const RDI: usize = 7;

/// The number of a general-purpose register, whatever part of it is named.
fn number(register: Register) -> Option<usize> {
    let full = register.full_register();
    full.is_gpr().then(|| full.number())
}

/// The number of the lowest eight bytes of a vector register, behind which the next eight stand.
fn halves(register: Register) -> Option<usize> {
    (register.is_vector_register() && register.number() < 16).then(|| 16 + 2 * register.number())
}

/// The same of one of 16 bytes.
fn vector(register: Register) -> Option<usize> {
    halves(register).filter(|_| register.is_xmm())
}

fn is_high_byte(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

/// The general-purpose registers that a call preserves: on Windows and in 32-bit code two more.
pub(crate) fn kept(register: usize, image: &Image) -> bool {
    let more = image.format == Format::Pe || image.architecture == Architecture::X86;
    matches!(register, RBX | RBP | 12..=15) || more && matches!(register, RSI | RDI)
}

/// The registers that point into the stack, each with the offset from which on something else may point there too.
pub(crate) fn frame(instructions: &[Instruction]) -> Frame {
    // The registers to which one is copied, that one, and the offset.
    let copies = instructions.iter().filter_map(|instruction| {
        let Raw::X86(raw) = &instruction.raw else { return None };
        let is_register = |n| raw.op_count() == 2 && raw.op_kind(n) == OpKind::Register;
        let at = raw.memory_displacement64().cast_signed();
        let (from, offset) = match raw.mnemonic() {
            Mnemonic::Lea => (raw.memory_base(), if raw.memory_index() == Register::None { at } else { i64::MIN }),
            Mnemonic::Mov if is_register(1) => (raw.op1_register(), 0),
            _ if is_register(1) => (raw.op1_register(), i64::MIN),
            _ => return None,
        };
        let to = number(raw.op0_register()).filter(|&to| is_register(0) && to != RSP)?;
        Some((to, number(from)?, offset))
    });
    let (pointers, copies): (Vec<_>, Vec<_>) = copies.partition(|&(to, from, _)| (to, from) == (RBP, RSP));
    let mut frame = HashMap::from([(RSP, i64::MAX)]);
    frame.extend((!pointers.is_empty()).then_some((RBP, i64::MAX)));
    for (_, from, offset) in copies {
        if frame.contains_key(&from) {
            for (base, limit) in &mut frame {
                *limit = if *base == from { offset.min(*limit) } else { i64::MIN };
            }
        }
    }
    frame
}

pub(crate) struct Step<'a> {
    pub(crate) image: &'a Image,
    pub(crate) oracle: &'a dyn Oracle,
    pub(crate) frame: &'a Frame,
    pub(crate) at: usize,
    pub(crate) raw: &'a iced_x86::Instruction,
    pub(crate) found: &'a mut Analysis,
}

pub(crate) fn condition(flags: Flags, code: ConditionCode) -> Option<bool> {
    flags.holds((code as u32).checked_sub(ConditionCode::o as u32)?)
}

impl Step<'_> {
    fn has_memory(&self) -> bool {
        (0..self.raw.op_count()).any(|i| self.raw.op_kind(i) == OpKind::Memory)
    }

    fn register(&self, operand: u32) -> Option<usize> {
        let is_register = operand < self.raw.op_count() && self.raw.op_kind(operand) == OpKind::Register;
        is_register.then(|| number(self.raw.op_register(operand))).flatten()
    }

    /// In bits.
    fn width(&self, operand: u32) -> u32 {
        match self.raw.op_kind(operand) {
            OpKind::Register => self.raw.op_register(operand).size() as u32 * 8,
            // `xsave` has no size.
            OpKind::Memory => match self.raw.memory_size().size() as u32 * 8 {
                0 => LONGEST as u32 * 8,
                bits => bits,
            },
            _ => 64,
        }
    }

    /// The slot of the stack that the instruction names, if nothing else points there.
    fn slot(&self, size: u64) -> Option<(usize, i64)> {
        let base = number(self.raw.memory_base())?;
        let at = self.raw.memory_displacement64().cast_signed();
        let followed = self.raw.memory_index() == Register::None
            && self.frame.get(&base).is_some_and(|limit| at.saturating_add(size.cast_signed()) <= *limit);
        followed.then_some((base, at))
    }

    /// The few addresses that the memory operand can have. Thread-local storage has none.
    fn places(&self, state: &State) -> Option<Vec<u64>> {
        const UNKNOWN: u32 = 3;
        let raw = self.raw;
        if raw.is_ip_rel_memory_operand() {
            return Some(vec![raw.ip_rel_memory_address()]);
        }
        let value = |register| match register {
            Register::None => Some(ZERO),
            register => number(register).map(|number| state.registers[number]),
        };
        let (base, (zero, one)) = (value(raw.memory_base())?, value(raw.memory_index())?.known());
        let base = if raw.memory_base() == Register::None { 0 } else { base.address()? };
        let (fixed, unknown) = (base.wrapping_add(raw.memory_displacement64()), !(zero | one));
        // All subsets of the unknown bits.
        let next = |&bits: &u64| Some(bits.wrapping_sub(unknown) & unknown).filter(|&next| next != 0);
        let indexes = successors(Some(0), next).map(|bits| (one | bits).wrapping_mul(raw.memory_index_scale().into()));
        let is_thread_local = matches!(raw.memory_segment(), Register::FS | Register::GS);
        (!is_thread_local && unknown.count_ones() <= UNKNOWN)
            .then(|| indexes.map(|index| self.image.wrap(fixed.wrapping_add(index))).collect())
    }

    fn read(&self, state: &State, operand: u32, address: Option<u64>) -> Value {
        let width = self.width(operand);
        match self.raw.op_kind(operand) {
            OpKind::Register => {
                let register = self.raw.op_register(operand);
                let Some(number) = number(register) else {
                    return vector(register).map_or(Value::Unknown, |low| state.registers[low].low(self.width(0)));
                };
                match state.registers[number] {
                    value if is_high_byte(register) => value.shr(8).low(8),
                    value @ Value::Bits(..) => value.low(width),
                    value if self.is_pointer(width) => value,
                    value => value.low(width),
                }
            }
            OpKind::Memory => {
                let size = u64::from(width / 8);
                let held = || self.slot(size).map_or(Value::Unknown, |slot| state.slot(slot, size));
                match address.map(|address| (self.image.slot(address), address)) {
                    Some((value @ (Value::Address(_) | Value::Import(_)), _)) if self.is_pointer(width) => value,
                    Some((_, address)) => self.oracle.load(Value::Address(address), size).low(width),
                    None => match number(self.raw.memory_base()).map(|base| state.registers[base]) {
                        Some(base @ Value::Import(_)) => self.oracle.load(base, size).low(width),
                        _ => held().low(width),
                    },
                }
            }
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => Value::Unknown,
            _ => match self.raw.try_immediate(operand) {
                Ok(number) if self.image.fixed && self.image.holds(number) => Value::Address(number),
                Ok(number) => Value::constant(number).low(self.width(0)),
                // The memory that a string instruction names.
                Err(_) => Value::Unknown,
            },
        }
    }

    fn is_pointer(&self, width: u32) -> bool {
        u64::from(width) == 8 * self.image.width()
    }

    fn write(&mut self, state: &mut State, operand: u32, value: Value, address: Option<u64>) {
        let width = self.width(operand);
        match self.raw.op_kind(operand) {
            OpKind::Register => {
                let register = self.raw.op_register(operand);
                let Some(number) = number(register) else { return };
                state.registers[number] = match width {
                    _ if is_high_byte(register) => Value::Unknown,
                    8 | 16 => {
                        let rest = Value::constant(!ones(width));
                        state.registers[number].and(rest).or(value.low(width).and(rest.not()))
                    }
                    _ => value,
                };
                state.stack.retain(|(base, _), _| *base != number);
            }
            OpKind::Memory => {
                let size = u64::from(width / 8);
                let base = number(self.raw.memory_base()).filter(|base| self.frame.contains_key(base));
                if let Some(address) = address {
                    self.found.accesses.push((self.at, address, size, Some(value)));
                } else if let Some(base) = base {
                    let value = if self.slot(size).is_some() { value } else { Value::Unknown };
                    let place = (base, self.raw.memory_displacement64().cast_signed());
                    state.store((self.raw.memory_index() == Register::None).then_some(place), size, value);
                }
            }
            _ => {}
        }
    }

    /// An address goes where it is not followed.
    fn uses(&mut self, value: Value) {
        self.found.uses.extend(value.address().map(|to| (self.at, to)));
    }

    pub(crate) fn run(mut self, state: &mut State) {
        let raw = self.raw;
        let memory = self.has_memory();
        let places = if memory { self.places(state) } else { None };
        let address = places.as_deref().and_then(|places| if let [place] = places { Some(*place) } else { None });
        let is_lea = raw.mnemonic() == Mnemonic::Lea;
        let is_distance = raw.memory_size().size() == 4 && self.image.is_64();
        if let Some(address) = address {
            self.found.references.push((self.at, address));
            if matches!(raw.mnemonic(), Mnemonic::Bts | Mnemonic::Btr | Mnemonic::Btc) && self.register(1).is_some() {
                self.uses(Value::Address(address)); // as for `bt`
            }
            if !is_lea {
                self.found.accesses.push((self.at, address, raw.memory_size().size() as u64, None));
            }
            // A load from a table of addresses refers to what stands there as well.
            if let Value::Address(to) = self.image.slot(address) {
                self.found.references.push((self.at, to));
            }
        } else if let Some(places) = places.filter(|_| !is_lea && !is_distance) {
            let pointers = places.iter().filter_map(|place| self.image.pointers.get(place));
            self.found.uses.extend(pointers.map(|to| (self.at, *to)));
            self.found.accesses.extend(places.iter().map(|&at| (self.at, at, raw.memory_size().size() as u64, None)));
        } else if memory {
            for register in [raw.memory_base(), raw.memory_index()] {
                let value = number(register).map_or(Value::Unknown, |number| state.registers[number]);
                self.uses(value);
            }
            let displaced = raw.memory_displacement64();
            if self.image.fixed && self.image.holds(displaced) {
                self.found.references.push((self.at, displaced));
                self.uses(Value::Address(displaced));
            }
        }
        let immediates = (0..raw.op_count()).filter_map(|operand| raw.try_immediate(operand).ok());
        self.found.references.extend(immediates.filter(|_| self.image.fixed).map(|to| (self.at, to)));
        if matches!(raw.flow_control(), FlowControl::IndirectCall | FlowControl::IndirectBranch) {
            let value = self.read(state, 0, address);
            self.found.targets.insert(self.at, value);
            self.uses(value);
        }
        match raw.flow_control() {
            FlowControl::Call if raw.near_branch_target() == raw.next_ip() => {
                state.pushed = Some(raw.next_ip());
                return;
            }
            FlowControl::Next | FlowControl::Exception => {}
            FlowControl::Call | FlowControl::IndirectCall | FlowControl::Interrupt | FlowControl::XbeginXabortXend => {
                let target = self.found.targets.get(&self.at).copied();
                let target = target.unwrap_or(Value::Address(raw.near_branch_target()));
                let argument = if self.image.is_64() { state.registers[RDI] } else { Value::Unknown };
                state.call(self.oracle.call(target, argument), RDX, |number| kept(number, self.image));
                if !self.image.is_64() {
                    state.stack.clear(); // some functions pop their arguments
                }
                return;
            }
            _ => return,
        }
        if let Some(pushed) = state.pushed.take()
            && raw.mnemonic() == Mnemonic::Pop
        {
            state.registers[self.register(0).unwrap_or(RSP)] = Value::Address(pushed);
            return;
        }
        if self.transfer(state, address).is_none() {
            self.clobber(state, address);
        }
    }

    /// Steps over an instruction whose result is followed; nothing if it is not.
    #[allow(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn transfer(&mut self, state: &mut State, address: Option<u64>) -> Option<()> {
        let (raw, count) = (self.raw, self.raw.op_count());
        let is_vector = count > 0 && raw.op0_kind() == OpKind::Register && !raw.op0_register().is_gpr();
        if is_vector {
            return self.vectors(state, address);
        }
        let bits = if count > 0 { self.width(0) } else { 32 };
        let operand = |step: &Self, n: u32| if n < count { step.read(state, n, address) } else { Value::Unknown };
        let (a, b, c) = (operand(self, 0), operand(self, 1), operand(self, 2));
        let same = count == 2 && self.register(0).is_some() && raw.op0_register() == raw.op1_register();
        let shift = |by: Value| by.number().map(|by| by as u32 & if bits == 64 { 63 } else { 31 });
        let holds = condition(state.flags, raw.condition_code());
        let is_conditional = raw.condition_code() != ConditionCode::None;
        let (value, flags) = match raw.mnemonic() {
            Mnemonic::Cmp | Mnemonic::Test => {
                state.flags = match raw.mnemonic() {
                    Mnemonic::Cmp if same => Flags::of(ZERO, bits),
                    Mnemonic::Cmp => Flags::compared(a, b, bits),
                    _ => Flags::of(if same { a } else { a.and(b) }, bits),
                };
                return Some(());
            }
            // A register counts bits from an address on, beyond the operand.
            Mnemonic::Bt if !self.has_memory() || self.register(1).is_none() => {
                let below = b.number().and_then(|bit| a.bit(bit as u32 & (bits - 1)));
                state.flags = Flags { below, ..Flags::default() };
                return Some(());
            }
            Mnemonic::Mov | Mnemonic::Movzx | Mnemonic::Movd | Mnemonic::Movq => {
                if raw.op0_kind() == OpKind::Memory {
                    self.uses(b);
                }
                self.write(state, 0, b, address);
                return Some(());
            }
            Mnemonic::Movsx | Mnemonic::Movsxd => {
                let from = self.width(1);
                let high = Value::constant(!ones(from));
                let sign = match b.bit(from - 1) {
                    Some(true) => b.or(high),
                    Some(false) => b,
                    None => b.and(high.not()).join(b.or(high)),
                };
                (sign.low(bits), None)
            }
            Mnemonic::Lea => {
                let is_sum = raw.memory_index() != Register::None
                    && number(raw.memory_base()).is_none_or(|base| state.registers[base].address().is_none());
                let address = address.filter(|_| !is_sum || raw.is_ip_rel_memory_operand());
                self.write(state, 0, address.map_or_else(|| self.sum(state), Value::Address), None);
                return Some(());
            }
            Mnemonic::And | Mnemonic::Or | Mnemonic::Xor => {
                let value = match raw.mnemonic() {
                    Mnemonic::Xor if same => ZERO,
                    _ if same => a,
                    Mnemonic::And => a.and(b),
                    Mnemonic::Or => a.or(b),
                    _ => a.xor(b),
                };
                (value, Some(Flags::of(value, bits)))
            }
            Mnemonic::Not => (a.not().low(bits), None),
            Mnemonic::Neg => {
                let value = ZERO.sub(a).low(bits);
                (value, Some(Flags { below: not(a.is_zero(bits)), ..Flags::of_sum(value, bits) }))
            }
            Mnemonic::Sub if same => (ZERO, Some(Flags::of(ZERO, bits))),
            Mnemonic::Add | Mnemonic::Sub if a.address().is_some() && b.number().is_some() => {
                let (base, by) = (a.address()?, b.number()?);
                // Immediates are sign-extended, and cut to the width again.
                let by = if bits == 32 { i64::from((by as u32).cast_signed()).cast_unsigned() } else { by };
                let by = if raw.mnemonic() == Mnemonic::Add { by } else { by.wrapping_neg() };
                let to = self.image.wrap(base.wrapping_add(by));
                self.found.references.push((self.at, to));
                (Value::Address(to), Some(Flags::default()))
            }
            Mnemonic::Add => {
                let value = if same { a.shl(1) } else { a.add(b, false) }.low(bits);
                (value, Some(Flags::of_sum(value, bits)))
            }
            Mnemonic::Sub => (a.sub(b).low(bits), Some(Flags::compared(a, b, bits))),
            Mnemonic::Adc => (a.add(b, state.flags.below?).low(bits), Some(Flags::default())),
            Mnemonic::Sbb if same => {
                (Value::constant(if state.flags.below? { ones(bits) } else { 0 }), Some(Flags::default()))
            }
            Mnemonic::Inc => (a.add(ZERO, true).low(bits), Some(Flags::default())),
            Mnemonic::Dec => (a.sub(Value::constant(1)).low(bits), Some(Flags::default())),
            Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar => {
                let by = shift(b)?;
                let value = match raw.mnemonic() {
                    Mnemonic::Shl => a.shl(by).low(bits),
                    Mnemonic::Sar if a.bit(bits - 1) != Some(false) => return None,
                    _ => a.shr(by),
                };
                (value, (by > 0).then(|| Flags::of_sum(value, bits)))
            }
            Mnemonic::Shld | Mnemonic::Shrd | Mnemonic::Rol | Mnemonic::Ror if bits >= 32 => {
                let (other, by) = if count == 3 { (b, shift(c)?) } else { (a, shift(b)?) };
                let (high, low, by) = match raw.mnemonic() {
                    Mnemonic::Shld | Mnemonic::Rol => (a, other, by),
                    _ => (other, a, bits - by),
                };
                (high.shl(by).or(low.shr(bits - by)).low(bits), Some(Flags::default()))
            }
            Mnemonic::Xchg => {
                if self.has_memory() {
                    self.uses(a);
                    self.uses(b);
                }
                self.write(state, 1, a, address);
                self.write(state, 0, b, address);
                return Some(());
            }
            Mnemonic::Cpuid => {
                let [leaf, part] = [RAX, RCX].map(|number| state.registers[number].low(32));
                for (number, value) in [RAX, RBX, RCX, RDX].into_iter().zip(self.oracle.identify(leaf, part)) {
                    state.registers[number] = value.low(32);
                }
                return Some(());
            }
            Mnemonic::Push => {
                self.uses(a);
                state.stack.retain(|(base, _), _| *base != RSP);
                return Some(());
            }
            // setcc and cmov
            _ if is_conditional && count == 1 => {
                (holds.map_or(Value::constant(1).join(ZERO), |holds| Value::constant(holds.into())), None)
            }
            _ if is_conditional && count == 2 => {
                if holds == Some(false) {
                    state.pass_over(self.register(1));
                } else if holds.is_none() && a.address() != b.address() {
                    self.uses(a);
                    self.uses(b);
                }
                (holds.map_or(a.join(b), |holds| if holds { b } else { a.low(bits) }), None)
            }
            _ => return None,
        };
        if !is_conditional && value.address().is_none() {
            self.uses(a);
            self.uses(b);
        }
        self.write(state, 0, value, address);
        state.flags = flags.unwrap_or(state.flags);
        Some(())
    }

    /// The same for vectors: moves, bitwise operations and selections of constants and of numbers, as the standard library's detection
    /// of LLVM 23 has them.
    fn vectors(&mut self, state: &mut State, address: Option<u64>) -> Option<()> {
        let (raw, to) = (self.raw, vector(self.raw.op0_register())?);
        let from = |operand: u32, half: usize| match raw.op_kind(operand) {
            OpKind::Register => {
                let register = raw.op_register(operand);
                let at = vector(register).map(|low| low + half).or_else(|| number(register))?;
                Some(state.registers[at]).filter(|value| value.address().is_none())
            }
            OpKind::Memory => {
                let at = address? + 8 * half as u64;
                let is_pointer = self.image.pointers.range(at..at + 8).next().is_some();
                self.image.number(at, 8).filter(|_| !is_pointer).map(Value::constant)
            }
            _ => None,
        };
        let (mine, other) = ([from(0, 0)?, from(0, 1)?], [from(1, 0)?, from(1, 1)?]);
        let both = |of: fn(Value, Value) -> Value| [of(mine[0], other[0]), of(mine[1], other[1])];
        let [low, high] = match raw.mnemonic() {
            Mnemonic::Movd => [other[0].low(32), ZERO],
            Mnemonic::Movq => [other[0].low(64), ZERO],
            Mnemonic::Movdqa | Mnemonic::Movdqu | Mnemonic::Movaps | Mnemonic::Movups => other,
            Mnemonic::Pand | Mnemonic::Andps => both(Value::and),
            Mnemonic::Por | Mnemonic::Orps => both(Value::or),
            Mnemonic::Pxor | Mnemonic::Xorps if raw.op0_register() == raw.op1_register() => [ZERO; 2],
            Mnemonic::Pandn | Mnemonic::Andnps => both(|mine, other| mine.not().and(other)),
            Mnemonic::Punpcklqdq => [mine[0], other[0]],
            Mnemonic::Pshufd => {
                let lane = |n: u8| other[usize::from(n >> 1 & 1)].shr(32 * u32::from(n & 1)).low(32);
                let pair = |n: u8| lane(n & 3).or(lane(n >> 2 & 3).shl(32));
                [pair(raw.immediate8()), pair(raw.immediate8() >> 4)]
            }
            _ => return None,
        };
        [state.registers[to], state.registers[to + 1]] = [low, high];
        Some(())
    }

    /// The sum of registers that `lea` computes.
    fn sum(&self, state: &State) -> Value {
        let raw = self.raw;
        let part = |register, by| number(register).map_or(ZERO, |number| state.registers[number].shl(by));
        let index = part(raw.memory_index(), raw.memory_index_scale().trailing_zeros());
        let sum = part(raw.memory_base(), 0).add(index, false);
        sum.add(Value::constant(raw.memory_displacement64()), false).low(self.width(0))
    }

    fn clobber(&mut self, state: &mut State, address: Option<u64>) {
        let raw = self.raw;
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info_options(raw, InstructionInfoOptions::NO_MEMORY_USAGE);
        let accesses: Vec<(usize, OpAccess)> =
            info.used_registers().iter().filter_map(|used| Some((number(used.register())?, used.access()))).collect();
        for low in info.used_registers().iter().filter_map(|used| halves(used.register())) {
            [state.registers[low], state.registers[low + 1]] = [Value::Unknown; 2];
        }
        let writes = |a| !matches!(a, OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        let into_memory = (0..raw.op_count()).find(|&n| raw.op_kind(n) == OpKind::Memory && writes(info.op_access(n)));
        let dereferenced = number(raw.memory_base()).filter(|_| address.is_some());
        for &(number, access) in &accesses {
            if access != OpAccess::Write && Some(number) != dereferenced {
                self.uses(state.registers[number]);
            }
        }
        for &(number, _) in accesses.iter().filter(|(_, access)| writes(*access)) {
            state.registers[number] = Value::Unknown;
            state.stack.retain(|(base, _), _| *base != number);
        }
        if let Some(operand) = into_memory {
            self.write(state, operand, Value::Unknown, address);
        } else if let Some(address) = address {
            let read = address..address.saturating_add(raw.memory_size().size() as u64);
            self.found.uses.extend(self.image.pointers.range(read).map(|(_, to)| (self.at, *to)));
        }
        if raw.rflags_modified() != RflagsBits::NONE {
            state.flags = Flags::default();
        }
    }
}
