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

/// Of registers that a call preserves on every system, the numbers.
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
        ConditionCode::ne | ConditionCode::g => flags.unequal,
        ConditionCode::b => flags.below,
        ConditionCode::ae => flags.not_below,
        ConditionCode::be => flags.below & flags.equal,
        ConditionCode::a => flags.not_below | flags.unequal,
        ConditionCode::s => flags.negative,
        ConditionCode::ns => flags.not_negative,
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

/// What an instruction stores of a register, and how many bytes.
pub(crate) fn stored(state: &State, raw: &iced_x86::Instruction) -> Option<(Value, u64)> {
    let stores =
        raw.mnemonic() == Mnemonic::Mov && raw.op0_kind() == OpKind::Memory && raw.op1_kind() == OpKind::Register;
    let register = stores.then(|| number(raw.op1_register())).flatten()?;
    Some((state.registers[register], raw.memory_size().size() as u64))
}

/// Whether it reads or writes this register.
pub(crate) fn touches(raw: &iced_x86::Instruction, register: usize, factory: &mut InstructionInfoFactory) -> bool {
    let info = factory.info_options(raw, InstructionInfoOptions::NONE);
    info.used_registers().iter().any(|used| number(used.register()) == Some(register))
}

/// Whether an instruction that reads or writes this register writes all of it, and does not read it.
pub(crate) fn overwrites(
    raw: &iced_x86::Instruction,
    register: usize,
    factory: &mut InstructionInfoFactory,
) -> Option<bool> {
    let info = factory.info_options(raw, InstructionInfoOptions::NONE);
    let mut used = info.used_registers().iter().filter(|used| number(used.register()) == Some(register)).peekable();
    used.peek()?;
    Some(used.all(|used| used.access() == OpAccess::Write && used.register().size() >= 4))
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
    if let Some(flags) = step.compared(state) {
        state.flags = flags;
    } else if let Some(value) = step.result(state) {
        step.write(state, value);
        state.flags = Flags::of(value, step.width(0), sources);
    } else if let Some(value) = step.moved(state) {
        if raw.op0_kind() == OpKind::Register && is_stack_pointer(raw.op0_register()) {
            state.move_stack();
        } else {
            step.write(state, value);
        }
    } else {
        match raw.mnemonic() {
            Mnemonic::Xchg => {
                let (one, other) = step.operands(state);
                step.write(state, other);
                if let (OpKind::Register, Some(number)) = (raw.op1_kind(), number(raw.op1_register())) {
                    state.set(number, one);
                }
            }
            Mnemonic::Cpuid => {
                for (register, first) in [RAX, RBX, RCX, RDX].into_iter().zip((0..).step_by(32)) {
                    state.set(register, Value::of(Meaning::Bits, first, 32));
                }
            }
            _ => step.other(state, factory),
        }
    }
}

impl Step<'_> {
    fn operands(&self, state: &State) -> (Value, Value) {
        (self.read(state, 0), self.read(state, 1))
    }

    /// Whether both operands are one register.
    fn is_same(&self) -> bool {
        let raw = self.raw;
        let registers = raw.op_count() == 2 && raw.op0_kind() == OpKind::Register && raw.op1_kind() == OpKind::Register;
        registers && raw.op0_register() == raw.op1_register()
    }

    /// The flags of an instruction that only compares.
    fn compared(&self, state: &State) -> Option<Flags> {
        let (Mnemonic::Test | Mnemonic::Cmp | Mnemonic::Bt) = self.raw.mnemonic() else { return None };
        let (value, other) = self.operands(state);
        let width = self.width(0);
        Some(match (self.raw.mnemonic(), other) {
            (Mnemonic::Test, _) if self.is_same() => Flags::of(value, width, self.sources),
            (Mnemonic::Test, _) => Flags::of(value.and(other, self.sources), width, self.sources),
            (Mnemonic::Cmp, Value::Const(number)) => Flags::compared(value, number, width, self.sources),
            (Mnemonic::Bt, Value::Const(bit)) => Flags::carry(value, bit & u64::from(width - 1), self.sources),
            _ => Flags::default(),
        })
    }

    /// The result of an operation that sets the flags by it.
    fn result(&self, state: &State) -> Option<Value> {
        let (value, other) = match self.raw.mnemonic() {
            Mnemonic::And
            | Mnemonic::Or
            | Mnemonic::Xor
            | Mnemonic::Shr
            | Mnemonic::Shl
            | Mnemonic::Shrd
            | Mnemonic::Shld
            | Mnemonic::Add => self.operands(state),
            _ => return None,
        };
        let width = self.width(0);
        let shift = |by: u64| (by & if width == 64 { 63 } else { 31 }) as i32;
        match (self.raw.mnemonic(), other) {
            (Mnemonic::Xor, _) if self.is_same() => Some(Value::Const(0)),
            (Mnemonic::And | Mnemonic::Or, _) if self.is_same() => Some(value),
            (Mnemonic::And, _) => Some(value.and(other, self.sources)),
            (Mnemonic::Or, _) => Some(value.or(other, self.sources)),
            (Mnemonic::Xor, _) => Some(value.xor(other, self.sources)),
            (Mnemonic::Add, _) => value.joined(other, self.sources),
            (Mnemonic::Shr, Value::Const(by)) => Some(value.shifted(shift(by))),
            (Mnemonic::Shl, Value::Const(by)) => Some(value.shifted(-shift(by)).low(width)),
            (Mnemonic::Shrd | Mnemonic::Shld, filled) => {
                let Value::Const(by) = self.read(state, 2) else { return None };
                let by = if self.raw.mnemonic() == Mnemonic::Shrd { shift(by) } else { -shift(by) };
                let value = value.shifted(by).low(width);
                Some(if filled == Value::Const(0) { value } else { value.inexact() })
            }
            _ => None,
        }
    }

    /// The bits that `lea` puts together from its registers.
    fn sum(&self, state: &State) -> Option<Value> {
        let register = |register| number(register).map(|number| state.registers[number]);
        let scale = self.raw.memory_index_scale().trailing_zeros().cast_signed();
        let fixed = Some(self.raw.memory_displacement64()).filter(|fixed| *fixed != 0).map(Value::Const);
        let parts = [
            register(self.raw.memory_base()),
            register(self.raw.memory_index()).map(|index| index.shifted(-scale)),
            fixed,
        ];
        let width = self.width(0);
        let mut parts = parts.into_iter().flatten().map(|part| part.low(width));
        let first = parts.next()?;
        parts.try_fold(first, |sum, part| sum.joined(part, self.sources))
    }

    /// What a move writes, whatever the flags are.
    fn moved(&self, state: &State) -> Option<Value> {
        match self.raw.mnemonic() {
            Mnemonic::Mov | Mnemonic::Movzx => Some(self.read(state, 1)),
            Mnemonic::Lea => {
                let place = slot(self.raw).filter(|(base, _)| *base == Register::RSP.number());
                Some(place.map_or_else(|| self.sum(state).unwrap_or(PLAIN), Value::Place))
            }
            Mnemonic::Not => Some(self.read(state, 0).not(self.width(0))),
            _ if is_conditional(self.raw) => {
                let is_set = self.raw.op_count() == 1;
                let sides = if is_set {
                    (Value::Const(1), Value::Const(0))
                } else {
                    (self.read(state, 1), self.read(state, 0))
                };
                Some(match (state.flags.zero, self.raw.condition_code()) {
                    (Some(zero), ConditionCode::e) => {
                        if zero {
                            sides.0
                        } else {
                            sides.1
                        }
                    }
                    (Some(zero), ConditionCode::ne) => {
                        if zero {
                            sides.1
                        } else {
                            sides.0
                        }
                    }
                    _ => Value::chosen(sides, branch(state, self.raw), self.sources),
                })
            }
            _ => None,
        }
    }

    /// All else: what is computed from a source says something that is not known, and tests of it are believed.
    fn other(&self, state: &mut State, factory: &mut InstructionInfoFactory) {
        let raw = self.raw;
        let from_source = (0..raw.op_count()).any(|operand| self.read(state, operand).is_derived());
        let value = if from_source { DERIVED } else { PLAIN };
        let info = factory.info_options(raw, InstructionInfoOptions::NONE);
        for used in info.used_registers() {
            let writes = matches!(
                used.access(),
                OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite
            );
            if let (true, Some(number)) = (writes, number(used.register())) {
                if is_stack_pointer(used.register()) {
                    state.move_stack();
                }
                state.set(number, value);
            }
        }
        if raw.op_count() > 0 && raw.op0_kind() == OpKind::Memory {
            self.write(state, PLAIN);
        }
        if raw.rflags_modified() != RflagsBits::NONE {
            state.flags = Flags::default();
        }
    }
}

fn is_stack_pointer(register: Register) -> bool {
    register.full_register() == Register::RSP
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
