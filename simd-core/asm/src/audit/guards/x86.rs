//! Steps over x86 instructions.

use iced_x86::{
    ConditionCode, FlowControl, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register,
    RflagsBits,
};

use super::state::{DERIVED, Flags, Outcome, PLAIN, Place, State, Value};
use crate::audit::facts::Facts;
use crate::audit::sources::{Meaning, Sources};

const RAX: usize = 0;
const RCX: usize = 1;
const RDX: usize = 2;
const RBX: usize = 3;

/// Of registers that a call leaves alone on every system, the numbers.
const KEPT: [usize; 6] = [3, 5, 12, 13, 14, 15];

fn number(register: Register) -> Option<usize> {
    let full = register.full_register();
    full.is_gpr().then(|| full.number())
}

fn is_high_byte(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

fn bits(register: Register) -> u32 {
    register.size() as u32 * 8
}

/// The slot of the stack that the instruction names.
fn slot(raw: &iced_x86::Instruction) -> Option<Place> {
    let base = raw.memory_base().full_register();
    let on_stack = matches!(base, Register::RSP | Register::RBP) && raw.memory_index() == Register::None;
    on_stack.then(|| (base.number(), raw.memory_displacement64().cast_signed()))
}

fn shift(by: u64, width: u32) -> i32 {
    (by & if width == 64 { 63 } else { 31 }) as i32
}

struct Step<'a> {
    raw: &'a iced_x86::Instruction,
    /// The address of the memory operand, where it is known.
    accessed: Option<u64>,
    sources: &'a Sources,
}

impl Step<'_> {
    fn width(&self, operand: u32) -> u32 {
        match self.raw.op_kind(operand) {
            OpKind::Register => bits(self.raw.op_register(operand)),
            OpKind::Memory => self.raw.memory_size().size() as u32 * 8,
            _ => 64,
        }
    }

    fn read(&self, state: &State, operand: u32) -> Value {
        match self.raw.op_kind(operand) {
            OpKind::Register => {
                let register = self.raw.op_register(operand);
                let Some(number) = number(register) else { return PLAIN };
                if matches!(register, Register::RSP | Register::ESP) {
                    return Value::Place((number, 0));
                }
                let value = state.registers[number];
                if is_high_byte(register) { value.shifted(8).low(8) } else { value.low(bits(register)) }
            }
            OpKind::Memory => {
                if let Some((meaning, first)) = self.accessed.and_then(|address| self.sources.variable(address)) {
                    return Value::of(meaning, first, self.width(operand));
                }
                slot(self.raw)
                    .and_then(|slot| state.stack.get(&slot))
                    .copied()
                    .unwrap_or(PLAIN)
                    .low(self.width(operand))
            }
            OpKind::Immediate8
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => Value::Const(self.raw.immediate(operand)).low(self.width(0)),
            _ => PLAIN,
        }
    }

    fn write(&self, state: &mut State, value: Value) {
        match self.raw.op0_kind() {
            OpKind::Register => {
                let register = self.raw.op0_register();
                if let Some(number) = number(register) {
                    state.set(number, if is_high_byte(register) { PLAIN } else { value });
                }
            }
            OpKind::Memory => {
                if let Some(slot) = slot(self.raw) {
                    if value.is_plain() { _ = state.stack.remove(&slot) } else { _ = state.stack.insert(slot, value) }
                }
            }
            _ => {}
        }
    }
}

/// What holds where the condition of a jump, `set` or `cmov` does.
fn condition(flags: &Flags, code: ConditionCode) -> Facts {
    match code {
        ConditionCode::e => flags.equal,
        ConditionCode::ne => flags.unequal,
        ConditionCode::b => flags.below,
        ConditionCode::ae => flags.not_below,
        ConditionCode::be => flags.below & flags.equal,
        ConditionCode::a => flags.not_below | flags.unequal,
        ConditionCode::s => flags.negative,
        ConditionCode::ns => flags.not_negative,
        ConditionCode::g => flags.unequal,
        _ => 0,
    }
}

fn inverse(code: ConditionCode) -> ConditionCode {
    match code {
        ConditionCode::e => ConditionCode::ne,
        ConditionCode::ne => ConditionCode::e,
        ConditionCode::b => ConditionCode::ae,
        ConditionCode::ae => ConditionCode::b,
        ConditionCode::be => ConditionCode::a,
        ConditionCode::a => ConditionCode::be,
        ConditionCode::s => ConditionCode::ns,
        ConditionCode::ns => ConditionCode::s,
        ConditionCode::le => ConditionCode::g,
        ConditionCode::g => ConditionCode::le,
        _ => ConditionCode::None,
    }
}

/// Whether it is a `set` or a `cmov`.
fn is_conditional(raw: &iced_x86::Instruction) -> bool {
    raw.condition_code() != ConditionCode::None && raw.flow_control() == FlowControl::Next && raw.op_count() <= 2
}

/// What the CPU has where a branch is taken, and where it is not.
pub(crate) fn branch(state: &State, raw: &iced_x86::Instruction) -> (Facts, Facts) {
    let code = raw.condition_code();
    (condition(&state.flags, code), condition(&state.flags, inverse(code)))
}

/// The registers between which a `cmov` chooses, with what holds where each is chosen.
pub(crate) fn select(state: &State, raw: &iced_x86::Instruction) -> Option<[(usize, Facts); 2]> {
    if !is_conditional(raw) || raw.op_count() != 2 || raw.op1_kind() != OpKind::Register {
        return None;
    }
    let (holds, not) = branch(state, raw);
    Some([(number(raw.op1_register())?, holds), (number(raw.op0_register())?, not)])
}

/// The register that a `cmov` writes.
pub(crate) fn selected(raw: &iced_x86::Instruction) -> Option<usize> {
    (raw.op_count() > 0 && raw.op0_kind() == OpKind::Register).then(|| number(raw.op0_register())).flatten()
}

/// Whether it reads or writes this register.
pub(crate) fn touches(raw: &iced_x86::Instruction, register: usize, factory: &mut InstructionInfoFactory) -> bool {
    let info = factory.info_options(raw, InstructionInfoOptions::NONE);
    info.used_registers().iter().any(|used| number(used.register()) == Some(register))
}

/// The register that a computed address or a loaded pointer goes to.
pub(crate) fn destination(raw: &iced_x86::Instruction) -> Option<usize> {
    let moves = matches!(raw.mnemonic(), Mnemonic::Lea | Mnemonic::Mov) && raw.op0_kind() == OpKind::Register;
    moves.then(|| number(raw.op0_register())).flatten()
}

pub(crate) fn step(
    state: &mut State,
    raw: &iced_x86::Instruction,
    accessed: Option<u64>,
    sources: &Sources,
    factory: &mut InstructionInfoFactory,
) {
    let step = Step { raw, accessed, sources };
    let width = if raw.op_count() > 0 { step.width(0) } else { 0 };
    let stack_pointer = |register: Register| register.full_register() == Register::RSP;
    let operands = |state: &State| (step.read(state, 0), step.read(state, 1));
    let same = raw.op_count() == 2
        && raw.op0_kind() == OpKind::Register
        && raw.op1_kind() == OpKind::Register
        && raw.op0_register() == raw.op1_register();
    // Where an operation sets the flags by its result.
    let mut result = None;
    match raw.mnemonic() {
        Mnemonic::Mov | Mnemonic::Movzx => {
            let value = step.read(state, 1);
            if raw.op0_kind() == OpKind::Register && stack_pointer(raw.op0_register()) {
                state.move_stack();
            } else {
                step.write(state, value);
            }
            return;
        }
        Mnemonic::Lea => {
            let place = slot(raw).filter(|(base, _)| *base == Register::RSP.number());
            if stack_pointer(raw.op0_register()) {
                state.move_stack();
            } else {
                step.write(state, place.map_or(PLAIN, Value::Place));
            }
            return;
        }
        Mnemonic::Xchg => {
            let (one, other) = operands(state);
            step.write(state, other);
            if let (OpKind::Register, Some(number)) = (raw.op1_kind(), number(raw.op1_register())) {
                state.set(number, one);
            }
            return;
        }
        Mnemonic::Test => {
            let (a, b) = operands(state);
            let value = if same { a } else { a.and(b, sources) };
            state.flags = Flags::of(value, width, sources);
            return;
        }
        Mnemonic::Cmp => {
            state.flags = match operands(state) {
                (value, Value::Const(with)) => Flags::compared(value, with, width, sources),
                _ => Flags::default(),
            };
            return;
        }
        Mnemonic::Bt => {
            state.flags = match operands(state) {
                (value, Value::Const(bit)) => Flags::carry(value, bit & u64::from(width - 1), sources),
                _ => Flags::default(),
            };
            return;
        }
        Mnemonic::Xor if same => result = Some(Value::Const(0)),
        Mnemonic::And if same => result = Some(step.read(state, 0)),
        Mnemonic::Or if same => result = Some(step.read(state, 0)),
        Mnemonic::And => result = Some(operands(state).0.and(operands(state).1, sources)),
        Mnemonic::Or => result = Some(operands(state).0.or(operands(state).1, sources)),
        Mnemonic::Xor => result = Some(operands(state).0.xor(operands(state).1, sources)),
        Mnemonic::Shr | Mnemonic::Shl => {
            let (value, by) = operands(state);
            if let Value::Const(by) = by {
                let by = shift(by, width);
                result = Some(value.shifted(if raw.mnemonic() == Mnemonic::Shr { by } else { -by }).low(width));
            }
        }
        Mnemonic::Shrd | Mnemonic::Shld => {
            if let Value::Const(by) = step.read(state, 2) {
                let by = shift(by, width);
                let (value, filled) = operands(state);
                let value = value.shifted(if raw.mnemonic() == Mnemonic::Shrd { by } else { -by }).low(width);
                result = Some(if filled == Value::Const(0) { value } else { value.inexact() });
            }
        }
        Mnemonic::Not => {
            let value = step.read(state, 0).not(width);
            step.write(state, value);
            return;
        }
        Mnemonic::Cpuid => {
            for register in [RAX, RBX, RCX, RDX] {
                state.set(register, Value::of(Meaning::Bits, 32 * register as i32, 32));
            }
            return;
        }
        _ if is_conditional(raw) => {
            let code = raw.condition_code();
            let (holds, not) = (condition(&state.flags, code), condition(&state.flags, inverse(code)));
            let is_set = raw.op_count() == 1;
            let (yes, no) =
                if is_set { (Value::Const(1), Value::Const(0)) } else { (step.read(state, 1), step.read(state, 0)) };
            match (state.flags.zero, code) {
                (Some(zero), ConditionCode::e) => return step.write(state, if zero { yes } else { no }),
                (Some(zero), ConditionCode::ne) => return step.write(state, if zero { no } else { yes }),
                _ => {}
            }
            let ((yes_some, yes_zero), (no_some, no_zero)) = (yes.truth(sources), no.truth(sources));
            let value =
                Value::Truth { some: (yes_some | holds) & (no_some | not), zero: (yes_zero | holds) & (no_zero | not) };
            step.write(state, value);
            return;
        }
        _ => {}
    }
    if let Some(value) = result {
        step.write(state, value);
        state.flags = Flags::of(value, width, sources);
        return;
    }
    // All else: what is computed from a source says something that is not known, and tests of it are believed.
    let from_source = (0..raw.op_count()).any(|operand| step.read(state, operand).is_derived());
    let value = if from_source { DERIVED } else { PLAIN };
    let info = factory.info_options(raw, InstructionInfoOptions::NONE);
    for used in info.used_registers() {
        let writes = matches!(
            used.access(),
            OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite
        );
        if let (true, Some(number)) = (writes, number(used.register())) {
            if stack_pointer(used.register()) {
                state.move_stack();
            }
            state.set(number, value);
        }
    }
    if raw.op_count() > 0 && raw.op0_kind() == OpKind::Memory {
        step.write(state, PLAIN);
    }
    if raw.rflags_modified() != RflagsBits::NONE {
        state.flags = Flags::default();
    }
}

/// A call that returns these.
pub(crate) fn call(state: &mut State, outcome: Outcome) {
    if outcome.fills {
        // The first parameter, by the conventions of Unix and of Windows.
        state.fill(&[7, RCX]);
    }
    let returned = outcome.values;
    for (number, value) in state.registers.iter_mut().enumerate() {
        if !KEPT.contains(&number) {
            *value = PLAIN;
        }
    }
    state.set(RAX, returned[0]);
    state.set(RDX, returned[1]);
    state.flags = Flags::default();
}
