//! A plugin of QEMU's user mode that prints how many instructions the program has executed.
//!
//! Compiled by the report with `rustc --crate-type cdylib`. The interface is version 1 of QEMU's plugins, as documented in
//! <https://www.qemu.org/docs/master/devel/tcg-plugins.html>.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{addr_of, addr_of_mut, null_mut};

#[repr(C)]
struct Block {
    _private: [u8; 0],
}

const ADD_U64: c_int = 0;

unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(id: u64, callback: extern "C" fn(u64, *mut Block));
    fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    fn qemu_plugin_register_vcpu_tb_exec_inline(block: *mut Block, operation: c_int, to: *mut c_void, value: u64);
    fn qemu_plugin_register_atexit_cb(id: u64, callback: extern "C" fn(u64, *mut c_void), data: *mut c_void);
}

#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "QEMU's name")]
pub static qemu_plugin_version: c_int = 1;

/// Added to by translated code, of one thread only.
static mut EXECUTED: u64 = 0;

extern "C" fn translated(_: u64, block: *mut Block) {
    // SAFETY: QEMU hands out a block that is valid during the call; the counter lives as long as the process.
    unsafe {
        let instructions = qemu_plugin_tb_n_insns(block) as u64;
        qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, addr_of_mut!(EXECUTED).cast(), instructions);
    }
}

extern "C" fn exit(_: u64, _: *mut c_void) {
    // SAFETY: the program has ended, nothing adds any more.
    eprintln!("executed {}", unsafe { addr_of!(EXECUTED).read() });
}

#[unsafe(no_mangle)]
pub extern "C" fn qemu_plugin_install(id: u64, _: *const c_void, _: c_int, _: *const *const c_char) -> c_int {
    // SAFETY: QEMU calls this once, with the identity that these want.
    unsafe {
        qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
        qemu_plugin_register_atexit_cb(id, exit, null_mut());
    }
    0
}
