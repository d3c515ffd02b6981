//! By the kernel's words, which the C library has.

use core::arch::naked_asm;

use super::{BUILT_FOR, COUNT, REQUIRED, ROOM};
use crate::detect::kernel_rows::ROWS;
use crate::mask::{FeatureSet, Mask, feature};

pub(super) const BASE: Mask = feature::NEON.full;

/// The bits of a feature, and the index of the kernel's word.
pub(super) const fn bits(set: FeatureSet) -> Option<(u64, u16)> {
    let mut i = 0;
    while i < ROWS.len() {
        let (feature, word, bits) = ROWS[i];
        if feature.leaf.contains(set.leaf) {
            return Some((bits, word as u16));
        }
        i += 1;
    }
    None
}

/// A bit for each row of [`REQUIRED`] that the CPU lacks.
#[unsafe(naked)]
pub(in super::super) extern "C" fn lacking<const USED: bool>() -> u64 {
    naked_asm!(
        "stp x29, x30, [sp, #-32]!",
        "mov x29, sp",
        "mov x0, #{hwcap}",
        "bl {getauxval}",
        "str x0, [sp, #16]",
        "mov x0, #{hwcap2}",
        "bl {getauxval}",
        "str x0, [sp, #24]",
        "add x1, sp, #16",
        "adrp x2, :got:{rows}",
        "ldr x2, [x2, :got_lo12:{rows}]",
        "mov x0, #0",
        "mov x3, #1",
        "mov x4, #{count}",
        "2:",
        "cbz x4, 4f",
        "ldrh w5, [x2, #8]",
        "ldr x5, [x1, x5, lsl #3]",
        "ldr x6, [x2]",
        "bics xzr, x6, x5",
        "b.eq 3f",
        "orr x0, x0, x3",
        "3:",
        "lsl x3, x3, #1",
        "add x2, x2, #32",
        "sub x4, x4, #1",
        "b 2b",
        "4:",
        "ldp x29, x30, [sp], #32",
        "ret",
        hwcap = const libc::AT_HWCAP,
        hwcap2 = const libc::AT_HWCAP2,
        getauxval = sym libc::getauxval,
        rows = sym REQUIRED,
        count = const COUNT,
    )
}

/// Returns if the CPU has what the build requires, else writes the message and ends the process. `x9` is the address of the
/// program's name.
#[unsafe(naked)]
pub extern "C" fn end_if_lacking<const USED: bool>() {
    naked_asm!(
        "stp x29, x30, [sp, #-32]!",
        "mov x29, sp",
        "str x9, [sp, #16]",
        "bl {lacking}",
        "ldr x9, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        "cbnz x0, 2f",
        "ret",
        "2:",
        "b {end}",
        lacking = sym lacking::<USED>,
        end = sym end::<USED>,
    )
}

/// Writes that the CPU lacks the rows whose bits are set in `x0`, and ends the process. `x9` is the address of the program's
/// name.
#[unsafe(naked)]
extern "C" fn end<const USED: bool>() {
    naked_asm!(
        "mov x10, x0",
        "sub sp, sp, #{room}",
        "mov x0, sp",
        "ldr x2, [x9], #8",
        "mov x1, x9",
        "bl 6f",
        "mov w3, #0x203a", // ": "
        "strh w3, [x0], #2",
        "adrp x9, :got:{built_for}",
        "ldr x9, [x9, :got_lo12:{built_for}]",
        "ldr x2, [x9], #8",
        "mov x1, x9",
        "bl 6f",
        "adrp x9, :got:{rows}",
        "ldr x9, [x9, :got_lo12:{rows}]",
        "2:",
        "cbz x10, 4f",
        "tbz x10, #0, 3f",
        "ldrh w2, [x9, #10]",
        "add x1, x9, #12",
        "bl 6f",
        "mov w3, #0x202c", // ", "
        "strh w3, [x0], #2",
        "3:",
        "lsr x10, x10, #1",
        "add x9, x9, #32",
        "b 2b",
        "4:",
        // In place of the last comma.
        "mov w3, #10",
        "strb w3, [x0, #-2]",
        "sub x2, x0, #1",
        "mov x1, sp",
        "sub x2, x2, x1",
        "mov x0, #2",
        "mov x8, #64", // write
        "svc #0",
        "mov x0, #2",
        "mov x8, #94", // exit_group
        "svc #0",
        "brk #1",
        // Copies `x2` bytes from `x1` to `x0`.
        "6:",
        "cbz x2, 7f",
        "ldrb w3, [x1], #1",
        "strb w3, [x0], #1",
        "sub x2, x2, #1",
        "b 6b",
        "7:",
        "ret",
        room = const ROOM,
        built_for = sym BUILT_FOR,
        rows = sym REQUIRED,
    )
}

#[doc(hidden)]
#[macro_export]
macro_rules! __check_cpu {
    () => {
        // The first of all initialisers.
        $crate::__initialiser! {
            ".init_array.1",
            "adrp x9, :got:{name}",
            "ldr x9, [x9, :got_lo12:{name}]",
            "b {end_if_lacking}",
        }
    };
}
