use yaxpeax_arm::armv8::a64::{self, Operand};

use crate::decode::aarch64::written;
use crate::image::{Image, Value};
use crate::instruction::{Flow, Instruction};
use crate::values::state::{Found, State};

/// The number of the stack pointer or, by the instruction, the zero register.
const NONE: usize = 31;

pub(crate) fn step(
    state: &mut State,
    image: &Image,
    at: usize,
    instruction: &Instruction,
    word: u32,
    raw: Option<&a64::Instruction>,
    found: &mut Found,
) {
    let field = |shift: u32| (word >> shift & 31) as usize;
    let read =
        |state: &State, register: usize| if register == NONE { Value::Unknown } else { state.registers[register] };
    let slot = |address: u64, found: &mut Found| {
        found.references.push((at, address));
        let value = image.slot(address);
        // A load from a table of addresses refers to what stands there as well.
        if let Value::Address(to) = value {
            found.references.push((at, to));
        }
        value
    };
    if matches!(instruction.flow, Flow::CallIndirect | Flow::JumpIndirect) {
        found.targets.insert(at, read(state, field(5)));
    }
    if matches!(instruction.flow, Flow::Call(_) | Flow::CallIndirect) {
        // The procedure call standard leaves x19 to x29 to the caller.
        for (number, value) in state.registers.iter_mut().enumerate() {
            if !(19..=29).contains(&number) {
                *value = Value::Unknown;
            }
        }
        return;
    }
    let Some(raw) = raw else { return };
    let mut result = Value::Unknown;
    let page_or_here =
        raw.operands.iter().find_map(|o| if let Operand::PCOffset(offset) = o { Some(*offset) } else { None });
    match (instruction.mnemonic(), page_or_here) {
        ("adrp", Some(offset)) => {
            result = Value::Address((instruction.address & !0xfff).wrapping_add_signed(offset));
        }
        ("adr", Some(offset)) => {
            let address = instruction.address.wrapping_add_signed(offset);
            found.references.push((at, address));
            result = Value::Address(address);
        }
        ("ldr", Some(offset)) => {
            result = slot(instruction.address.wrapping_add_signed(offset), found);
        }
        _ => {}
    }
    // add x, x, #imm{, lsl #12} and sub: bit 22 shifts
    if matches!(word & 0xff80_0000, 0x9100_0000 | 0xd100_0000) {
        let immediate = u64::from(word >> 10 & 0xfff) << if word >> 22 & 1 == 1 { 12 } else { 0 };
        if let Value::Address(base) = read(state, field(5)) {
            let sum = if word >> 30 & 1 == 0 { base.wrapping_add(immediate) } else { base.wrapping_sub(immediate) };
            found.references.push((at, sum));
            result = Value::Address(sum);
        }
    } else if word & 0xffe0_ffe0 == 0xaa00_03e0 {
        result = read(state, field(16)); // mov x, x
    } else {
        for operand in raw.operands {
            if let Operand::RegPreIndex(base, offset, _) = operand
                && let Value::Address(base) = read(state, usize::from(base))
            {
                let address = base.wrapping_add_signed(i64::from(offset));
                // ldr x, [x, #imm]
                if word & 0xffc0_0000 == 0xf940_0000 {
                    result = slot(address, found);
                } else {
                    found.references.push((at, address));
                }
            }
            if let Operand::RegPostIndex(base, _) | Operand::RegPostIndexReg(base, _) = operand
                && let Value::Address(address) = read(state, usize::from(base))
            {
                found.references.push((at, address));
            }
        }
    }
    let general = written(raw).general;
    for number in (0..NONE).filter(|number| general >> number & 1 == 1) {
        state.registers[number] = Value::Unknown;
    }
    let to = field(0);
    if result != Value::Unknown && to != NONE && general >> to & 1 == 1 {
        state.registers[to] = result;
    }
}
