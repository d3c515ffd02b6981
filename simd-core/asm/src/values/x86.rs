use iced_x86::{FlowControl, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register};

use crate::architecture::Architecture;
use crate::format::Format;
use crate::image::{Image, Value};
use crate::values::state::{Found, State};

/// The number of a general-purpose register, whatever part of it is named.
fn number(register: Register) -> Option<usize> {
    let full = register.full_register();
    full.is_gpr().then(|| full.number())
}

/// Of the general-purpose registers, those that a call preserves: rbx, rbp and r12 to r15, with rsi and rdi on Windows
/// and in 32-bit code.
fn kept(register: usize, image: &Image) -> bool {
    const RBX: usize = 3;
    const RBP: usize = 5;
    const RSI: usize = 6;
    const RDI: usize = 7;
    match register {
        RBX | RBP | 12..=15 => true,
        RSI | RDI => image.format == Format::Pe || image.architecture == Architecture::X86,
        _ => false,
    }
}

pub(crate) fn step(state: &mut State, image: &Image, at: usize, raw: &iced_x86::Instruction, found: &mut Found) {
    let memory = (0..raw.op_count()).any(|i| raw.op_kind(i) == OpKind::Memory);
    let address = if memory { address(state, image, raw) } else { None };
    if let Some(address) = address {
        found.references.push((at, address));
        // A load from a table of addresses refers to what stands there as well.
        if let Value::Address(to) = image.slot(address) {
            found.references.push((at, to));
        }
    }
    for operand in 0..raw.op_count() {
        if image.fixed
            && matches!(raw.op_kind(operand), OpKind::Immediate32 | OpKind::Immediate64 | OpKind::Immediate32to64)
        {
            found.references.push((at, raw.immediate(operand)));
        }
    }
    let register =
        |operand| (raw.op_kind(operand) == OpKind::Register).then(|| number(raw.op_register(operand))).flatten();
    let loaded = || address.map_or(Value::Unknown, |slot| image.slot(slot));
    match raw.flow_control() {
        FlowControl::IndirectCall | FlowControl::IndirectBranch => {
            let value = if memory { loaded() } else { register(0).map_or(Value::Unknown, |r| state.registers[r]) };
            found.targets.insert(at, value);
        }
        _ => {}
    }
    match raw.flow_control() {
        FlowControl::Call if raw.near_branch_target() == raw.next_ip() => {
            state.pushed = Some(raw.next_ip());
            return;
        }
        FlowControl::Call | FlowControl::IndirectCall => {
            for (number, value) in state.registers.iter_mut().enumerate() {
                if !kept(number, image) {
                    *value = Value::Unknown;
                }
            }
            return;
        }
        _ => {}
    }
    let pushed = state.pushed.take();
    let wide = raw.op0_kind() == OpKind::Register
        && (raw.op0_register().is_gpr64() || image.architecture == Architecture::X86 && raw.op0_register().is_gpr32());
    let result = match raw.mnemonic() {
        Mnemonic::Lea => address.map_or(Value::Unknown, Value::Address),
        Mnemonic::Mov if memory => loaded(),
        Mnemonic::Mov => match register(1) {
            Some(from) => state.registers[from],
            None if image.fixed => Value::Address(raw.immediate(1)),
            None => Value::Unknown,
        },
        Mnemonic::Add | Mnemonic::Sub if raw.op1_kind() != OpKind::Register && raw.op1_kind() != OpKind::Memory => {
            match register(0).map(|r| state.registers[r]) {
                Some(Value::Address(base)) if raw.mnemonic() == Mnemonic::Add => {
                    Value::Address(image.wrap(base.wrapping_add(raw.immediate(1))))
                }
                Some(Value::Address(base)) => Value::Address(image.wrap(base.wrapping_sub(raw.immediate(1)))),
                _ => Value::Unknown,
            }
        }
        Mnemonic::Pop => pushed.map_or(Value::Unknown, Value::Address),
        _ => Value::Unknown,
    };
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info_options(raw, InstructionInfoOptions::NO_MEMORY_USAGE).used_registers() {
        if matches!(
            used.access(),
            OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite
        ) && let Some(number) = number(used.register())
        {
            state.registers[number] = Value::Unknown;
        }
    }
    if let (true, Some(to)) = (wide, register(0)) {
        if writes_first(raw.mnemonic()) {
            state.registers[to] = result;
        }
        if let (Value::Address(address), Mnemonic::Add | Mnemonic::Sub) = (result, raw.mnemonic()) {
            found.references.push((at, address));
        }
    }
}

fn writes_first(mnemonic: Mnemonic) -> bool {
    matches!(mnemonic, Mnemonic::Lea | Mnemonic::Mov | Mnemonic::Add | Mnemonic::Sub | Mnemonic::Pop)
}

/// The address of the memory operand, where it is known. Thread-local storage has none.
fn address(state: &State, image: &Image, raw: &iced_x86::Instruction) -> Option<u64> {
    if matches!(raw.memory_segment(), Register::FS | Register::GS) {
        return None;
    }
    if raw.is_ip_rel_memory_operand() {
        return Some(raw.ip_rel_memory_address());
    }
    if raw.memory_index() != Register::None {
        return None;
    }
    if raw.memory_base() == Register::None {
        return Some(raw.memory_displacement64());
    }
    match state.registers[number(raw.memory_base())?] {
        Value::Address(base) => Some(image.wrap(base.wrapping_add(raw.memory_displacement64()))),
        _ => None,
    }
}
