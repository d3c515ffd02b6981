//! By `cpuid`, and `xgetbv` for what the operating system saves.
//!
//! The system is called directly, since the program may have no C library. Functions that return change only registers that both
//! System V's and Windows' calling convention leave to them.

use core::arch::naked_asm;

use super::{BUILT_FOR, COUNT, REQUIRED, ROOM};
use crate::detect::cpuid_rows::{ALONE, IF_SAVED, LEAVES, WITH_AVX};
use crate::mask::{FeatureSet, Mask, feature};

pub(super) const BASE: Mask = feature::SSE2.full.or(feature::FXSR.leaf);

/// The bits of a feature, and the index of their word: four for each leaf.
pub(super) const fn bits(set: FeatureSet) -> Option<(u64, u16)> {
    let tables = [ALONE, WITH_AVX, IF_SAVED];
    let mut table = 0;
    while table < tables.len() {
        let mut i = 0;
        while i < tables[table].len() {
            let (leaf, register, bit, feature) = tables[table][i];
            if feature.leaf.contains(set.leaf) {
                return Some((1 << bit, (leaf * 4 + register) as u16));
            }
            i += 1;
        }
        table += 1;
    }
    None
}

/// The leaves and subleaves, for assembly.
static ASKED: [[u32; 2]; LEAVES.len()] = {
    let mut asked = [[0; 2]; LEAVES.len()];
    let mut i = 0;
    while i < LEAVES.len() {
        asked[i] = [LEAVES[i].0, LEAVES[i].1];
        i += 1;
    }
    asked
};

// A library may export the symbol, so on ELF platforms its address is in a table.
#[cfg(not(windows))]
macro_rules! address {
    ($register:literal, $symbol:literal) => {
        concat!("mov ", $register, ", qword ptr [rip + {", $symbol, "}@GOTPCREL]")
    };
}
#[cfg(windows)]
macro_rules! address {
    ($register:literal, $symbol:literal) => {
        concat!("lea ", $register, ", [rip + {", $symbol, "}]")
    };
}

/// A bit for each row of [`REQUIRED`] that the CPU lacks.
#[unsafe(naked)]
pub(in super::super) extern "C" fn lacking<const USED: bool>() -> u64 {
    naked_asm!(
        "push rbx",
        "sub rsp, {words}",
        // The registers that the system saves (XCR0), if it says so (OSXSAVE). Right behind `cpuid`, an audit takes it for the test that it is.
        "mov eax, 1",
        "xor ecx, ecx",
        "cpuid",
        "xor r10d, r10d",
        "test ecx, 0x8000000",
        "jz 5f",
        "xor ecx, ecx",
        "xgetbv",
        "mov r10d, eax",
        "5:",
        address!("r8", "leaves"),
        // The words of each leaf, or zeros beyond the highest leaf.
        "xor r9d, r9d",
        "2:",
        "mov eax, dword ptr [r8 + 8*r9]",
        "and eax, 0x80000000",
        "xor ecx, ecx",
        "cpuid",
        "cmp eax, dword ptr [r8 + 8*r9]",
        "jb 3f",
        "mov eax, dword ptr [r8 + 8*r9]",
        "mov ecx, dword ptr [r8 + 8*r9 + 4]",
        "cpuid",
        "jmp 4f",
        "3:",
        "xor eax, eax",
        "xor ebx, ebx",
        "xor ecx, ecx",
        "xor edx, edx",
        "4:",
        "mov r11d, r9d",
        "shl r11d, 4",
        "mov dword ptr [rsp + r11], eax",
        "mov dword ptr [rsp + r11 + 4], ebx",
        "mov dword ptr [rsp + r11 + 8], ecx",
        "mov dword ptr [rsp + r11 + 12], edx",
        "inc r9d",
        "cmp r9d, {leaf_count}",
        "jb 2b",
        "mov eax, r10d",
        "mov ecx, eax",
        "and ecx, 0x06",
        "cmp ecx, 0x06", // XMM, YMM
        "je 6f",
        "btr dword ptr [rsp + 8], 28", // AVX
        "6:",
        "and eax, 0xe6",
        "cmp eax, 0xe6", // and the masks and ZMM
        "je 7f",
        "btr dword ptr [rsp + 20], 16", // AVX-512F
        "7:",
        address!("r8", "rows"),
        "xor eax, eax",
        "xor r9d, r9d",
        "cmp r9d, {count}",
        "je 22f",
        "8:",
        "movzx ecx, word ptr [r8 + 8]",
        "mov ecx, dword ptr [rsp + 4*rcx]",
        "not ecx",
        "test ecx, dword ptr [r8]",
        "jz 9f",
        "bts rax, r9",
        "9:",
        "add r8, 32",
        "inc r9d",
        "cmp r9d, {count}",
        "jb 8b",
        "22:",
        "add rsp, {words}",
        "pop rbx",
        "ret",
        words = const LEAVES.len() * 16,
        leaves = sym ASKED,
        leaf_count = const LEAVES.len(),
        rows = sym REQUIRED,
        count = const COUNT,
    )
}

/// Returns 0 if the CPU has what the build requires, else writes the message and ends the process. `r10` is the address of the
/// program's name.
#[unsafe(naked)]
pub extern "C" fn end_if_lacking<const USED: bool>() {
    naked_asm!(
        "push r10",
        "call {lacking}",
        "pop r10",
        "test rax, rax",
        "jnz {end}",
        "ret",
        lacking = sym lacking::<USED>,
        end = sym end::<USED>,
    )
}

/// Room for the arguments of Windows' functions below the message.
const ARGUMENTS: usize = 64;

/// Writes that the CPU lacks the rows whose bits are set in `rax`, and ends the process. `r10` is the address of the program's
/// name.
#[unsafe(naked)]
extern "C" fn end<const USED: bool>() {
    naked_asm!(
        "mov rbx, rax",
        "sub rsp, {frame}",
        "and rsp, -16",
        "lea rdi, [rsp + {arguments}]",
        "mov rcx, qword ptr [r10]",
        "lea rsi, [r10 + 8]",
        "rep movsb",
        "mov word ptr [rdi], 0x203a", // ": "
        "add rdi, 2",
        address!("r10", "built_for"),
        "mov rcx, qword ptr [r10]",
        "lea rsi, [r10 + 8]",
        "rep movsb",
        address!("r8", "rows"),
        "xor r9d, r9d",
        "2:",
        "bt rbx, r9",
        "jnc 3f",
        "movzx ecx, word ptr [r8 + 10]",
        "lea rsi, [r8 + 12]",
        "rep movsb",
        "mov word ptr [rdi], 0x202c", // ", "
        "add rdi, 2",
        "3:",
        "add r8, 32",
        "inc r9d",
        "cmp r9d, {count}",
        "jb 2b",
        // In place of the last comma.
        "mov byte ptr [rdi - 2], 10",
        "sub rdi, {arguments} + 1",
        "sub rdi, rsp",
        "jmp {write_and_exit}",
        frame = const ROOM + ARGUMENTS,
        arguments = const ARGUMENTS,
        built_for = sym BUILT_FOR,
        rows = sym REQUIRED,
        count = const COUNT,
        write_and_exit = sym write_and_exit::<USED>,
    )
}

/// Writes `rdi` bytes at `rsp + 64` to standard error, and exits with code 2.
#[cfg(not(windows))]
#[unsafe(naked)]
extern "C" fn write_and_exit<const USED: bool>() {
    naked_asm!(
        "mov rdx, rdi",
        "lea rsi, [rsp + {arguments}]",
        "mov edi, 2",
        "mov eax, 1", // write
        "syscall",
        "mov edi, 2",
        "mov eax, 231", // exit_group
        "syscall",
        "ud2",
        arguments = const ARGUMENTS,
    )
}

/// Writes `rdi` bytes at `rsp + 64` to standard error, and exits with code 2.
#[cfg(windows)]
#[unsafe(naked)]
extern "C" fn write_and_exit<const USED: bool>() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetStdHandle();
        fn WriteFile();
        fn GetCurrentProcess();
        fn TerminateProcess();
    }
    naked_asm!(
        "mov ecx, -12", // STD_ERROR_HANDLE
        "call {handle}",
        "mov rcx, rax",
        "lea rdx, [rsp + {arguments}]",
        "mov r8d, edi",
        "lea r9, [rsp + 40]",
        "mov qword ptr [rsp + 32], 0",
        "call {write}",
        "call {process}",
        "mov rcx, rax",
        "mov edx, 2",
        "call {terminate}",
        "ud2",
        arguments = const ARGUMENTS,
        handle = sym GetStdHandle,
        write = sym WriteFile,
        process = sym GetCurrentProcess,
        terminate = sym TerminateProcess,
    )
}

#[doc(hidden)]
#[cfg(not(windows))]
#[macro_export]
macro_rules! __check_cpu {
    () => {
        // The first of all initialisers.
        $crate::__initialiser! {
            ".init_array.1",
            "mov r10, qword ptr [rip + {name}@GOTPCREL]",
            "jmp qword ptr [rip + {end_if_lacking}@GOTPCREL]",
        }
    };
}

#[doc(hidden)]
#[cfg(windows)]
#[macro_export]
macro_rules! __check_cpu {
    () => {
        // Of the C runtime's initialisers, which come before those of other code.
        $crate::__initialiser! { ".CRT$XIB", "lea r10, [rip + {name}]", "jmp {end_if_lacking}", }
    };
}
