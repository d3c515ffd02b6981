use iced_x86::{
    Code, CodeSize, Decoder, DecoderOptions, FlowControl, FormatMnemonicOptions, Formatter, InstructionInfoFactory,
    InstructionInfoOptions, IntelFormatter, MemorySizeOptions, Mnemonic, OpAccess, OpKind, Register,
};

use crate::features::Features;
use crate::instruction::{Flow, Instruction, Raw, StackEffect};
use crate::needs::x86::{Need, need};

pub(crate) fn decode(code: &[u8], address: u64, bits: u32) -> impl Iterator<Item = Instruction> {
    let mut decoder = Decoder::with_ip(bits, code, address, DecoderOptions::NONE);
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_use_pseudo_ops(false);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(true);
    options.set_branch_leading_zeros(false);
    options.set_space_after_operand_separator(true);
    options.set_space_between_memory_add_operators(true);
    options.set_memory_size_options(MemorySizeOptions::Always);
    options.set_rip_relative_addresses(false);
    options.set_show_branch_size(false);
    core::iter::from_fn(move || decoder.can_decode().then(|| instruction(&decoder.decode(), &mut formatter)))
}

fn instruction(raw: &iced_x86::Instruction, formatter: &mut IntelFormatter) -> Instruction {
    let (mut mnemonic, mut operands) = (String::new(), String::new());
    if raw.is_invalid() {
        mnemonic.push_str("(bad)");
    } else if matches!(raw.code(), Code::Nopw | Code::Nopd | Code::Nopq) {
        mnemonic.push_str("nop"); // the formatter writes `xchg ax, ax`
    } else {
        formatter.format_mnemonic_options(raw, &mut mnemonic, FormatMnemonicOptions::NO_PREFIXES);
        formatter.format_all_operands(raw, &mut operands);
    }
    let target = raw.near_branch_target();
    let flow = match raw.flow_control() {
        FlowControl::UnconditionalBranch => Flow::Jump(target),
        FlowControl::ConditionalBranch => Flow::Branch(target),
        FlowControl::XbeginXabortXend if raw.near_branch_target() != 0 => Flow::Branch(target),
        FlowControl::IndirectBranch => Flow::JumpIndirect,
        FlowControl::Return => Flow::Return,
        FlowControl::Call if raw.is_call_near() => Flow::Call(target),
        FlowControl::IndirectCall => Flow::CallIndirect,
        FlowControl::Exception => Flow::Trap,
        _ if matches!(raw.mnemonic(), Mnemonic::Hlt) => Flow::Trap,
        _ => Flow::Next,
    };
    Instruction { address: raw.ip(), length: raw.len() as u8, mnemonic, operands, flow, raw: Raw::X86(*raw) }
}

pub(crate) fn lacking(raw: &iced_x86::Instruction, have: &Features) -> Vec<String> {
    // `rep bsf` is a plain `bsf` on CPUs without BMI1, and LLVM emits it where the result is the same.
    if raw.mnemonic() == Mnemonic::Tzcnt {
        return Vec::new();
    }
    if raw.is_invalid() {
        return Vec::from(["an instruction that the decoder does not know".to_owned()]);
    }
    // The first 64-bit CPUs lacked these two, for which rustc and the decoder have no name; `x86-64-v2` has them.
    if matches!(raw.mnemonic(), Mnemonic::Lahf | Mnemonic::Sahf) && raw.code_size() == CodeSize::Code64 {
        return Vec::from_iter((!have.contains("ssse3")).then(|| "LAHF_SAHF".to_owned()));
    }
    raw.cpuid_features()
        .iter()
        .filter_map(|&bit| match need(bit) {
            Need::Nothing => None,
            Need::Feature(name) => (!have.contains(name)).then(|| name.to_owned()),
            Need::Unnamed => Some(format!("{bit:?}")),
        })
        .collect()
}

pub(crate) fn arithmetic_width(raw: &iced_x86::Instruction, mnemonic: &str) -> u32 {
    const MOVES: &[&str] = &[
        "mov",
        "kmov",
        "lea",
        "broadcast",
        "perm",
        "pshufd",
        "pshufhw",
        "pshuflw",
        "insert",
        "extract",
        "pinsr",
        "pextr",
        "unpck",
        "punpck",
        "shuf",
        "palignr",
        "align",
        "blend",
        "pblend",
        "zero",
        "nop",
        "prefetch",
        "lddqu",
        "compress",
        "pcompress",
        "expand",
        "pexpand",
        "gather",
        "pgather",
        "scatter",
        "pscatter",
        "maskmov",
        "pmaskmov",
        "pbroadcast",
    ];
    let width = (0..raw.op_count())
        .filter(|&i| raw.op_kind(i) == OpKind::Register)
        .map(|i| match raw.op_register(i) {
            r if r.is_zmm() => 512,
            r if r.is_ymm() => 256,
            r if r.is_xmm() => 128,
            _ => 0,
        })
        .max()
        .unwrap_or(0);
    let base = mnemonic.strip_prefix('v').unwrap_or(mnemonic);
    // `ss` and `sd` mark one lane, but for the packed integers (`pabsd`), and in conversions they stand inside.
    let one_lane = !base.starts_with('p') && (base.ends_with("ss") || base.ends_with("sd"))
        || ["ss2", "sd2"].iter().any(|part| base.contains(part));
    let same = raw.op_count() >= 2 && {
        let last = raw.op_count() - 1;
        raw.op_kind(last) == OpKind::Register
            && raw.op_kind(last - 1) == OpKind::Register
            && raw.op_register(last) == raw.op_register(last - 1)
    };
    // All bits of a register set or cleared, whatever it held.
    let constant = same && (base.starts_with("pxor") || base.starts_with("xorp") || base.starts_with("pcmpeq"));
    let moves = MOVES.iter().any(|prefix| base.starts_with(prefix) || mnemonic.starts_with(prefix));
    if one_lane || constant || moves && !base.starts_with("shuff") { 0 } else { width }
}

pub(crate) fn is_jump_table(instructions: &[Instruction], at: usize, raw: &iced_x86::Instruction) -> bool {
    if raw.op0_kind() == OpKind::Memory {
        return raw.memory_index() != Register::None && raw.memory_index_scale() >= 4;
    }
    let register = raw.op0_register().full_register();
    let writer = instructions[..at].iter().rev().take(12).find_map(|before| match &before.raw {
        Raw::X86(raw) if matches!(raw.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Push) => None,
        Raw::X86(raw) if raw.op0_kind() == OpKind::Register && raw.op0_register().full_register() == register => {
            Some(raw)
        }
        _ => None,
    });
    writer.is_some_and(|raw| match raw.mnemonic() {
        Mnemonic::Add | Mnemonic::Sub | Mnemonic::Or | Mnemonic::Xor => true,
        Mnemonic::Lea => !raw.is_ip_rel_memory_operand(),
        Mnemonic::Mov => raw.op1_kind() == OpKind::Memory && raw.memory_index() != Register::None,
        _ => false,
    })
}

pub(crate) fn sets_frame_pointer(raw: &iced_x86::Instruction) -> bool {
    matches!(raw.mnemonic(), Mnemonic::Mov | Mnemonic::Lea)
        && raw.op0_kind() == OpKind::Register
        && raw.op0_register().full_register() == Register::RBP
        && (raw.op1_kind() == OpKind::Register && raw.op1_register().full_register() == Register::RSP
            || raw.op1_kind() == OpKind::Memory && raw.memory_base().full_register() == Register::RSP)
}

pub(crate) fn stack_effect(raw: &iced_x86::Instruction, frame_pointer: bool) -> StackEffect {
    let mut effect = StackEffect::default();
    let to_sp = raw.op0_kind() == OpKind::Register && raw.op0_register().full_register() == Register::RSP;
    match raw.mnemonic() {
        Mnemonic::Push => effect.grows = u64::from(raw.stack_pointer_increment().unsigned_abs()),
        Mnemonic::Sub if to_sp && raw.op1_kind() != OpKind::Register => effect.grows = raw.immediate(1),
        // The end of a frame that is probed page by page in a loop.
        Mnemonic::Lea if raw.memory_base().full_register() == Register::RSP && !to_sp => {
            let below = raw.memory_displacement64().cast_signed().wrapping_neg();
            effect.grows = u64::try_from(below).unwrap_or(0);
        }
        _ => {}
    }
    let base = raw.memory_base().full_register();
    let on_stack = base == Register::RSP || frame_pointer && base == Register::RBP;
    let writes = raw.op0_kind() == OpKind::Memory && on_stack && raw.mnemonic() != Mnemonic::Push && {
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info_options(raw, InstructionInfoOptions::NO_REGISTER_USAGE);
        matches!(
            info.op0_access(),
            OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite
        )
    };
    if writes {
        effect.stores = raw.memory_size().size() as u64;
    }
    effect
}
