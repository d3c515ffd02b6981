use std::collections::HashMap;

use iced_x86::{
    ConditionCode, FlowControl, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register,
    RflagsBits,
};

use super::bits::{Flags, ZERO, either, not, ones};
use super::oracle::{Frame, Oracle};
use super::state::{Analysis, State};
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

/// The number of a general-purpose register, whatever part of it is named.
fn number(register: Register) -> Option<usize> {
    let full = register.full_register();
    full.is_gpr().then(|| full.number())
}

fn is_high_byte(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

/// Of the general-purpose registers, those that a call preserves: rbx, rbp and r12 to r15, with rsi and rdi on Windows
/// and in 32-bit code.
pub(crate) fn kept(register: usize, image: &Image) -> bool {
    const RSI: usize = 6;
    const RDI: usize = 7;
    match register {
        RBX | RBP | 12..=15 => true,
        RSI | RDI => image.format == Format::Pe || image.architecture == Architecture::X86,
        _ => false,
    }
}

/// The registers that point into the stack, each with the offset from which on something else may point there too.
pub(crate) fn frame(instructions: &[Instruction]) -> Frame {
    let mut frame = HashMap::from([(RSP, i64::MAX)]);
    let x86 = || instructions.iter().filter_map(|i| if let Raw::X86(raw) = &i.raw { Some(raw) } else { None });
    let sets_pointer = |raw: &iced_x86::Instruction| {
        raw.op_count() == 2
            && raw.op0_kind() == OpKind::Register
            && number(raw.op0_register()) == Some(RBP)
            && (raw.op1_kind() == OpKind::Register && number(raw.op1_register()) == Some(RSP)
                || raw.mnemonic() == Mnemonic::Lea && number(raw.memory_base()) == Some(RSP))
    };
    if x86().any(sets_pointer) {
        frame.insert(RBP, i64::MAX);
    }
    for raw in x86().filter(|raw| raw.op_count() == 2 && raw.op0_kind() == OpKind::Register && !sets_pointer(raw)) {
        let (to, from) = (number(raw.op0_register()), number(raw.memory_base()));
        let copies = raw.mnemonic() == Mnemonic::Mov && raw.op1_kind() == OpKind::Register;
        let base = if copies { number(raw.op1_register()) } else { from.filter(|_| raw.mnemonic() == Mnemonic::Lea) };
        if let Some(base) = base.filter(|base| frame.contains_key(base) && to != Some(RSP)) {
            let offset = if copies { 0 } else { raw.memory_displacement64().cast_signed() };
            for (other, limit) in &mut frame {
                *limit = if *other == base { offset.min(*limit) } else { i64::MIN };
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

/// The facts where a condition holds.
pub(crate) fn condition(flags: Flags, code: ConditionCode) -> Option<bool> {
    match code {
        ConditionCode::e => flags.zero,
        ConditionCode::ne => not(flags.zero),
        ConditionCode::b => flags.below,
        ConditionCode::ae => not(flags.below),
        ConditionCode::be => either(flags.below, flags.zero),
        ConditionCode::a => not(either(flags.below, flags.zero)),
        ConditionCode::s => flags.negative,
        ConditionCode::ns => not(flags.negative),
        ConditionCode::l => flags.less,
        ConditionCode::ge => not(flags.less),
        ConditionCode::le => either(flags.less, flags.zero),
        ConditionCode::g => not(either(flags.less, flags.zero)),
        _ => None,
    }
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
            OpKind::Memory => self.raw.memory_size().size() as u32 * 8,
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

    /// The address of the memory operand, where it is known. Thread-local storage has none.
    fn address(&self, state: &State) -> Option<u64> {
        let raw = self.raw;
        if matches!(raw.memory_segment(), Register::FS | Register::GS) {
            return None;
        }
        if raw.is_ip_rel_memory_operand() {
            return Some(raw.ip_rel_memory_address());
        }
        let index = match number(raw.memory_index()) {
            Some(index) => state.registers[index].number()?,
            None if raw.memory_index() == Register::None => 0,
            None => return None,
        };
        let fixed = raw.memory_displacement64().wrapping_add(index.wrapping_mul(raw.memory_index_scale().into()));
        if raw.memory_base() == Register::None {
            return Some(fixed);
        }
        let base = state.registers[number(raw.memory_base())?].address()?;
        Some(self.image.wrap(base.wrapping_add(fixed)))
    }

    /// The few places in a table that the memory operand can name.
    fn places(&self, state: &State) -> Option<Vec<u64>> {
        const UNKNOWN: u32 = 3;
        let (zero, one) = state.registers[number(self.raw.memory_index())?].known();
        let unknown = !(zero | one);
        let base = match number(self.raw.memory_base()) {
            Some(base) => state.registers[base].address()?,
            None => 0,
        };
        let fixed = base.wrapping_add(self.raw.memory_displacement64());
        let scale = u64::from(self.raw.memory_index_scale());
        let mut places = vec![one];
        for bit in (0..64).filter(|bit| unknown.count_ones() <= UNKNOWN && unknown >> bit & 1 == 1) {
            places.extend(places.clone().into_iter().map(|index| index | 1 << bit));
        }
        let places = places.into_iter().map(|index| fixed.wrapping_add(index.wrapping_mul(scale)));
        (unknown.count_ones() <= UNKNOWN).then(|| places.collect())
    }

    fn read(&self, state: &State, operand: u32, address: Option<u64>) -> Value {
        let width = self.width(operand);
        match self.raw.op_kind(operand) {
            OpKind::Register => {
                let register = self.raw.op_register(operand);
                let Some(number) = number(register) else { return Value::Unknown };
                let value = state.registers[number];
                match value {
                    Value::Address(_) | Value::AddressNotSelected(_) | Value::Import(_) => {
                        if self.is_pointer(width) {
                            value
                        } else {
                            Value::Unknown
                        }
                    }
                    _ if is_high_byte(register) => value.shr(8).low(8),
                    _ => value.low(width),
                }
            }
            OpKind::Memory => {
                let size = u64::from(width / 8);
                let held = || self.slot(size).map_or(Value::Unknown, |slot| state.slot(slot, size));
                match address.map(|address| (self.image.slot(address), address)) {
                    Some((value @ (Value::Address(_) | Value::Import(_)), _)) if self.is_pointer(width) => value,
                    Some((_, address)) => self.oracle.load(address, size).low(width),
                    None => held().low(width),
                }
            }
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => Value::Unknown,
            _ => {
                // Not the memory that a string instruction names.
                let Ok(number) = self.raw.try_immediate(operand) else { return Value::Unknown };
                if self.image.fixed && self.image.sections.iter().any(|section| section.memory.contains(&number)) {
                    Value::Address(number)
                } else {
                    Value::constant(number).low(self.width(0))
                }
            }
        }
    }

    fn is_pointer(&self, width: u32) -> bool {
        width == if self.image.is_64() { 64 } else { 32 }
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
                if number == RSP {
                    state.stack.retain(|(base, _), _| *base != RSP);
                }
            }
            OpKind::Memory => {
                let size = u64::from(width / 8);
                let into_stack = number(self.raw.memory_base()).is_some_and(|base| self.frame.contains_key(&base));
                if let Some(address) = address {
                    self.found.accesses.push((self.at, address, size, Some(value)));
                } else if into_stack {
                    let value = if self.slot(size).is_some() { value } else { Value::Unknown };
                    let at = (RSP..=RBP).find(|n| Some(*n) == number(self.raw.memory_base()));
                    let at = at.filter(|_| self.raw.memory_index() == Register::None);
                    state.store(at.map(|n| (n, self.raw.memory_displacement64().cast_signed())), size, value);
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
        let address = if memory { self.address(state) } else { None };
        let is_lea = raw.mnemonic() == Mnemonic::Lea;
        if let Some(address) = address {
            self.found.references.push((self.at, address));
            if !is_lea {
                self.found.accesses.push((self.at, address, raw.memory_size().size() as u64, None));
            }
            // A load from a table of addresses refers to what stands there as well.
            if let Value::Address(to) = self.image.slot(address) {
                self.found.references.push((self.at, to));
            }
        } else if let Some(places) = self.places(state).filter(|_| memory && !is_lea) {
            let pointers = places.iter().filter_map(|place| self.image.pointers.get(place));
            self.found.uses.extend(pointers.map(|to| (self.at, *to)));
            self.found.accesses.extend(places.iter().map(|&at| (self.at, at, raw.memory_size().size() as u64, None)));
        } else if memory {
            for register in [raw.memory_base(), raw.memory_index()] {
                let value = number(register).map_or(Value::Unknown, |number| state.registers[number]);
                self.uses(value);
            }
        }
        for operand in 0..raw.op_count() {
            if self.image.fixed
                && matches!(raw.op_kind(operand), OpKind::Immediate32 | OpKind::Immediate64 | OpKind::Immediate32to64)
            {
                self.found.references.push((self.at, raw.immediate(operand)));
            }
        }
        match raw.flow_control() {
            FlowControl::IndirectCall | FlowControl::IndirectBranch => {
                let value = self.read(state, 0, address);
                self.found.targets.insert(self.at, value);
                self.uses(value);
            }
            _ => {}
        }
        match raw.flow_control() {
            FlowControl::Call if raw.near_branch_target() == raw.next_ip() => {
                state.pushed = Some(raw.next_ip());
                return;
            }
            FlowControl::Call | FlowControl::IndirectCall => {
                let target = self.found.targets.get(&self.at).copied();
                let target = target.unwrap_or(Value::Address(raw.near_branch_target()));
                let returned = self.oracle.call(target).unwrap_or([Value::Unknown; 2]);
                for (number, value) in state.registers.iter_mut().enumerate() {
                    if !kept(number, self.image) {
                        *value = Value::Unknown;
                    }
                }
                [state.registers[RAX], state.registers[RDX]] = returned;
                state.flags = Flags::default();
                return;
            }
            FlowControl::Next | FlowControl::Exception => {}
            _ => return,
        }
        let pushed = state.pushed.take();
        if raw.mnemonic() == Mnemonic::Pop && pushed.is_some() {
            let to = self.register(0).unwrap_or(RSP);
            state.registers[to] = pushed.map_or(Value::Unknown, Value::Address);
            return;
        }
        if !self.transfer(state, address) {
            self.clobber(state, address);
        }
    }

    /// Steps over an instruction whose result is followed; false if it is not.
    #[allow(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn transfer(&mut self, state: &mut State, address: Option<u64>) -> bool {
        let raw = self.raw;
        if raw.op_count() == 0 && raw.mnemonic() != Mnemonic::Cpuid {
            return false;
        }
        if raw.op_count() > 0 && (raw.op0_kind() == OpKind::Register && !raw.op0_register().is_gpr()) {
            return false;
        }
        let bits = if raw.op_count() > 0 { self.width(0) } else { 32 };
        let operand = |step: &Self, state: &State, n: u32| {
            if n < raw.op_count() { step.read(state, n, address) } else { Value::Unknown }
        };
        let (a, b) = (operand(self, state, 0), operand(self, state, 1));
        let same = raw.op_count() == 2 && self.register(0).is_some() && raw.op0_register() == raw.op1_register();
        let shift = |by: Value| by.number().map(|by| by as u32 & if bits == 64 { 63 } else { 31 });
        let sum = |carry: bool| a.add(b, carry).low(bits);
        let difference = |a: Value, b: Value| a.sub(b).low(bits);
        let (value, flags) = match raw.mnemonic() {
            Mnemonic::Cmp => {
                state.flags = if same { Flags::of(ZERO, bits) } else { Flags::compared(a, b, bits) };
                return true;
            }
            Mnemonic::Test => {
                state.flags = Flags::of(if same { a } else { a.and(b) }, bits);
                return true;
            }
            Mnemonic::Bt => {
                let below = b.number().and_then(|bit| a.bit(bit as u32 & (bits - 1)));
                state.flags = Flags { below, ..Flags::default() };
                return true;
            }
            Mnemonic::Mov => {
                if raw.op0_kind() == OpKind::Memory {
                    self.uses(b);
                }
                (b, None)
            }
            Mnemonic::Movzx => (b, None),
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
                (address.map_or_else(|| self.sum(state), Value::Address), None)
            }
            Mnemonic::Xor | Mnemonic::Sub if same => (ZERO, Some(Flags::of(ZERO, bits))),
            Mnemonic::And | Mnemonic::Or if same => (a, Some(Flags::of(a, bits))),
            Mnemonic::And => (a.and(b), Some(Flags::of(a.and(b), bits))),
            Mnemonic::Or => (a.or(b), Some(Flags::of(a.or(b), bits))),
            Mnemonic::Xor => (a.xor(b), Some(Flags::of(a.xor(b), bits))),
            Mnemonic::Not => (a.not().low(bits), None),
            Mnemonic::Neg => {
                let below = not(a.is_zero(bits));
                let value = difference(ZERO, a);
                (value, Some(Flags { below, ..Flags::of_sum(value, bits) }))
            }
            Mnemonic::Add | Mnemonic::Sub if a.address().is_some() && b.number().is_some() => {
                let (base, by) = (a.address().unwrap_or(0), b.number().unwrap_or(0));
                // Immediates are sign-extended, and cut to the width again.
                let by = if bits == 32 { i64::from((by as u32).cast_signed()).cast_unsigned() } else { by };
                let by = if raw.mnemonic() == Mnemonic::Add { by } else { by.wrapping_neg() };
                let to = self.image.wrap(base.wrapping_add(by));
                self.found.references.push((self.at, to));
                (Value::Address(to), Some(Flags::default()))
            }
            Mnemonic::Add if same => (a.shl(1).low(bits), Some(Flags::of_sum(a.shl(1).low(bits), bits))),
            Mnemonic::Add => (sum(false), Some(Flags::of_sum(sum(false), bits))),
            Mnemonic::Sub => (difference(a, b), Some(Flags::compared(a, b, bits))),
            Mnemonic::Sbb if same => match state.flags.below {
                Some(below) => (Value::constant(if below { ones(bits) } else { 0 }), Some(Flags::default())),
                None => return false,
            },
            Mnemonic::Adc if state.flags.below.is_some() => {
                (sum(state.flags.below == Some(true)), Some(Flags::default()))
            }
            Mnemonic::Inc => (a.add(Value::constant(1), false).low(bits), Some(Flags::default())),
            Mnemonic::Dec => (difference(a, Value::constant(1)), Some(Flags::default())),
            Mnemonic::Shl | Mnemonic::Shr => match shift(b) {
                Some(by) => {
                    let left = raw.mnemonic() == Mnemonic::Shl;
                    let value = if left { a.shl(by).low(bits) } else { a.shr(by) };
                    (value, Some(Flags::of_sum(value, bits)))
                }
                None => return false,
            },
            Mnemonic::Sar if a.bit(bits - 1) == Some(false) && shift(b).is_some() => {
                let value = a.shr(shift(b).unwrap_or(0));
                (value, Some(Flags::of_sum(value, bits)))
            }
            Mnemonic::Shld | Mnemonic::Shrd => {
                match shift(operand(self, state, 2)).filter(|by| *by > 0 && *by < bits) {
                    Some(by) if raw.mnemonic() == Mnemonic::Shld => {
                        (a.shl(by).or(b.shr(bits - by)).low(bits), Some(Flags::default()))
                    }
                    Some(by) => (a.shr(by).or(b.shl(bits - by)).low(bits), Some(Flags::default())),
                    None => return false,
                }
            }
            Mnemonic::Rol | Mnemonic::Ror if bits >= 32 => match shift(b) {
                Some(by) => {
                    let by = if raw.mnemonic() == Mnemonic::Rol { by } else { (bits - by) % bits };
                    let value = if by == 0 { a } else { a.shl(by).or(a.shr(bits - by)).low(bits) };
                    (value, Some(Flags::default()))
                }
                None => return false,
            },
            Mnemonic::Xchg => {
                if self.has_memory() {
                    self.uses(a);
                    self.uses(b);
                }
                self.write(state, 1, a, address);
                (b, None)
            }
            Mnemonic::Cpuid => {
                let registers = [RAX, RBX, RCX, RDX];
                let [leaf, part] = [RAX, RCX].map(|number| state.registers[number].low(32));
                for (number, value) in registers.into_iter().zip(self.oracle.identify(leaf, part)) {
                    state.registers[number] = value.low(32);
                }
                return true;
            }
            Mnemonic::Push => {
                self.uses(a);
                state.stack.retain(|(base, _), _| *base != RSP);
                return true;
            }
            _ if raw.condition_code() != ConditionCode::None && raw.op_count() == 1 => (
                condition(state.flags, raw.condition_code())
                    .map_or(Value::constant(1).join(ZERO), |holds| Value::constant(holds.into())),
                None,
            ),
            _ if raw.condition_code() != ConditionCode::None && raw.op_count() == 2 => {
                match condition(state.flags, raw.condition_code()) {
                    Some(true) => {
                        self.pass_over(state, 0);
                        (b, None)
                    }
                    Some(false) => {
                        self.pass_over(state, 1);
                        (a.low(bits), None)
                    }
                    None => {
                        if a.address() != b.address() {
                            self.uses(a);
                            self.uses(b);
                        }
                        (a.join(b), None)
                    }
                }
            }
            _ => return false,
        };
        let copies = matches!(raw.mnemonic(), Mnemonic::Mov | Mnemonic::Movzx | Mnemonic::Lea | Mnemonic::Xchg)
            || raw.condition_code() != ConditionCode::None;
        if !copies && value.address().is_none() {
            self.uses(a);
            self.uses(b);
        }
        self.write(state, 0, value, address);
        if let Some(flags) = flags {
            state.flags = flags;
        }
        true
    }

    /// `cmov` with a condition that is known takes the other operand: an address in this one is loaded and not used.
    fn pass_over(&self, state: &mut State, operand: u32) {
        if let Some(number) = self.register(operand)
            && let Value::Address(to) = state.registers[number]
        {
            state.registers[number] = Value::AddressNotSelected(to);
        }
    }

    /// The sum of registers that `lea` computes.
    fn sum(&self, state: &State) -> Value {
        let raw = self.raw;
        let part = |register: Register, shift: u32| match number(register) {
            Some(number) => state.registers[number].shl(shift),
            None => ZERO,
        };
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
        let writes = |access: OpAccess| {
            matches!(access, OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite)
        };
        let into_memory = (0..raw.op_count()).find(|&n| raw.op_kind(n) == OpKind::Memory && writes(info.op_access(n)));
        let dereferenced = number(raw.memory_base()).filter(|_| address.is_some());
        for &(number, access) in &accesses {
            if access != OpAccess::Write && Some(number) != dereferenced {
                self.uses(state.registers[number]);
            }
        }
        for &(number, _) in accesses.iter().filter(|(_, access)| writes(*access)) {
            state.registers[number] = Value::Unknown;
            if number == RSP {
                state.stack.retain(|(base, _), _| *base != RSP);
            }
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
