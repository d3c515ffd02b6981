//! Steps through a kernel with the trap flag of the CPU: after each instruction the kernel of the system delivers `SIGTRAP`, and the
//! handler notes where the next one is and which memory it works on.
//!
//! Each secret has a process of its own, forked from the same state: where nothing depends on the secret, all addresses are equal.
use core::hint::black_box;
use core::ptr::{NonNull, null_mut};
use core::slice;
use core::sync::atomic::{AtomicPtr, Ordering};
use iced_x86::{Code, Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter, Mnemonic, OpKind, Register};
use std::arch::asm;
use std::process::Command;
use std::{env, fs};

/// As many steps as are compared at most.
const MOST: usize = 1 << 21;
/// Instructions that are decoded once. A place that two of them share is decoded again.
const DECODED: usize = 1 << 16;
const TRAP: i64 = 0x100;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Step {
    address: u64,
    /// The memory that it works on; the operands of a division, whose time depends on them.
    uses: [u64; 2],
}

/// An address: a sum of registers and a number.
#[derive(Clone, Copy)]
struct Operand {
    base: usize,
    index: usize,
    scale: u64,
    displacement: u64,
}

/// Behind the last register of a context.
const NO_REGISTER: usize = 23;
const NOTHING: Operand = Operand { base: NO_REGISTER, index: NO_REGISTER, scale: 0, displacement: 0 };

#[derive(Clone, Copy)]
struct Decoded {
    address: u64,
    operands: [Operand; 2],
}

struct Shared {
    /// The trace of the first secret.
    first: [Step; MOST],
    decoded: [Decoded; DECODED],
    /// Whether this is the first trace.
    is_first: bool,
    /// The trace ends after so many steps, whatever follows.
    limit: usize,
    length: usize,
    /// Steps of this trace that were as in the first one.
    taken: usize,
    /// The line that was found instead of the next one.
    other: Option<Step>,
    finished: bool,
}

static SHARED: AtomicPtr<Shared> = AtomicPtr::new(null_mut());

pub(crate) enum Trace {
    /// So many steps, the same for each secret.
    Same(usize),
    /// A line that shows where they differ.
    Differs(String),
}

/// Maps memory that forked processes share, and installs the handler.
fn shared() -> *mut Shared {
    let shared = SHARED.load(Ordering::Relaxed);
    if !shared.is_null() {
        return shared;
    }
    // Decoding makes tables when it is first used, which a handler must not.
    let _ = decode(decode as *const () as u64);
    // SAFETY: new memory of zeros, which is what these structures may consist of, and a stack that stays. The handler is one for
    // `SA_SIGINFO`.
    unsafe {
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
        let shared = libc::mmap(null_mut(), size_of::<Shared>(), access, kind, -1, 0);
        assert_ne!(shared, libc::MAP_FAILED);
        SHARED.store(shared.cast(), Ordering::Relaxed);
        let stack = Vec::leak(vec![0_u8; 1 << 18]);
        let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: stack.len() };
        assert_eq!(libc::sigaltstack(&raw const stack, null_mut()), 0);
        let mut action: libc::sigaction = core::mem::zeroed();
        action.sa_sigaction = on_step as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        assert_eq!(libc::sigaction(libc::SIGTRAP, &raw const action, null_mut()), 0);
        shared.cast()
    }
}

/// The code that is stepped through. All before is done by what makes it from a secret.
pub(crate) type Work = Box<dyn FnOnce() -> Vec<u8>>;

/// Does what `prepare` makes of each secret, and compares the first `limit` steps with those of the first one. The secrets are of one
/// length. If there is no limit, there may be [`MOST`] steps.
pub(crate) fn trace(prepare: &dyn Fn(&[u8]) -> Work, secrets: &[Vec<u8>], limit: Option<usize>) -> Trace {
    let shared = shared();
    // Features are detected, and what else happens once has happened.
    drop(black_box(prepare(&secrets[0])()));
    for (number, secret) in secrets.iter().enumerate() {
        // SAFETY: the child does the work and ends; both write to what they share in turn.
        let status = unsafe {
            (*shared).taken = 0;
            (*shared).other = None;
            (*shared).finished = false;
            (*shared).is_first = number == 0;
            (*shared).limit = limit.unwrap_or(MOST);
            let child = libc::fork();
            if child == 0 {
                let work = prepare(secret);
                step_from_here();
                let result = work();
                step_no_more();
                black_box(result);
                (*shared).finished = true;
                libc::_exit(0);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
            status
        };
        // SAFETY: the only process that wrote to it has ended.
        let shared = unsafe { &mut *shared };
        assert!(status == 0 && shared.finished, "the process ended with {status:#x}");
        assert!(shared.taken < shared.limit || limit.is_some(), "it takes more than {MOST} steps");
        if number == 0 {
            shared.length = shared.taken;
        }
        if let Some(other) = shared.other {
            let before = shared.taken.checked_sub(1).map(|before| shared.first[before]);
            let place = |step: Step| if step.address == 0 { "the end".to_owned() } else { shown(step) };
            let expected = shared.first[..shared.length].get(shared.taken).copied().unwrap_or_default();
            let lines = [before.unwrap_or_default(), expected, other].map(place);
            let [before, first, other] = lines;
            return Trace::Differs(format!(
                "step {}, after {before}: {first}; for secret {number}: {other}",
                shared.taken
            ));
        }
    }
    // SAFETY: no other process is left.
    Trace::Same(unsafe { (*shared).length })
}

/// Whether this system delivers single steps. It is asked in a process with one thread, as all of this.
pub(crate) fn is_possible() -> bool {
    let work = |_: &[u8]| -> Work { Box::new(|| vec![black_box(1); 3]) };
    match trace(&work, &[vec![1], vec![2]], None) {
        Trace::Same(steps) => steps > 0,
        Trace::Differs(place) => panic!("the same work differs: {place}"),
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "the next instruction is the kernel's")]
fn step_from_here() {
    // SAFETY: flags are saved by the compiler around it.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "no step is taken after the kernel")]
fn step_no_more() {
    // SAFETY: as above.
    unsafe { asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq") }
}

extern "C" fn on_step(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system passes a context; the process has one thread, and the others wait.
    unsafe {
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        if !take(&mut *SHARED.load(Ordering::Relaxed), registers) {
            registers[libc::REG_EFL as usize] &= !TRAP;
        }
    }
}

/// Notes or compares the step that comes next. `false` at the end of what there is to see.
fn take(shared: &mut Shared, registers: &[i64; 23]) -> bool {
    let address = registers[libc::REG_RIP as usize].cast_unsigned();
    let decoded = &mut shared.decoded[address as usize % DECODED];
    if decoded.address != address {
        *decoded = Decoded { address, operands: decode(address) };
    }
    let register = |number: usize| if number < NO_REGISTER { registers[number].cast_unsigned() } else { 0 };
    let [a, b] = &decoded.operands;
    let place = |operand: &Operand| {
        let index = register(operand.index).wrapping_mul(operand.scale);
        register(operand.base).wrapping_add(index).wrapping_add(operand.displacement)
    };
    let step = Step { address, uses: [place(a), place(b)] };
    if shared.taken == shared.limit {
        return false;
    }
    let same = if shared.is_first {
        shared.first[shared.taken] = step;
        true
    } else {
        shared.taken < shared.length && shared.first[shared.taken] == step
    };
    if same {
        shared.taken += 1;
    } else {
        shared.other = Some(step);
    }
    same
}

fn instruction(address: u64) -> Instruction {
    let start = NonNull::new(address as *mut u8).expect("no code is there");
    // SAFETY: an instruction that is about to run is readable, and the longest has 15 bytes. What follows the last one of a
    // mapping is not read by the decoder, which stops at the instruction's end.
    let bytes = unsafe { slice::from_raw_parts(start.as_ptr(), 15) };
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode()
}

/// The memory that an instruction works on, or what its time depends on otherwise.
fn decode(address: u64) -> [Operand; 2] {
    let instruction = instruction(address);
    assert!(
        instruction.code() != Code::INVALID && !instruction.is_vsib(),
        "an instruction that loads from many addresses"
    );
    let mut operands = [NOTHING; 2];
    if matches!(instruction.mnemonic(), Mnemonic::Lea | Mnemonic::Nop) {
        return operands;
    }
    let mut count = 0;
    for operand in 0..instruction.op_count() {
        let found = match instruction.op_kind(operand) {
            OpKind::Memory => Operand {
                base: context_register(instruction.memory_base()),
                index: context_register(instruction.memory_index()),
                scale: u64::from(instruction.memory_index_scale()),
                // That of RIP is an address already, and thread-local storage is in the same place for all secrets.
                displacement: instruction.memory_displacement64(),
            },
            OpKind::MemorySegRSI => Operand { base: libc::REG_RSI as usize, ..NOTHING },
            OpKind::MemoryESRDI | OpKind::MemorySegRDI => Operand { base: libc::REG_RDI as usize, ..NOTHING },
            OpKind::Register if matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) => {
                Operand { base: context_register(instruction.op_register(operand)), ..NOTHING }
            }
            _ => continue,
        };
        operands[count] = found;
        count += 1;
    }
    if matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) {
        operands[1] =
            Operand { base: libc::REG_RAX as usize, index: libc::REG_RDX as usize, scale: 3, displacement: 0 };
    }
    operands
}

fn context_register(register: Register) -> usize {
    let place = match register.full_register() {
        Register::RAX => libc::REG_RAX,
        Register::RBX => libc::REG_RBX,
        Register::RCX => libc::REG_RCX,
        Register::RDX => libc::REG_RDX,
        Register::RSI => libc::REG_RSI,
        Register::RDI => libc::REG_RDI,
        Register::RBP => libc::REG_RBP,
        Register::RSP => libc::REG_RSP,
        Register::R8 => libc::REG_R8,
        Register::R9 => libc::REG_R9,
        Register::R10 => libc::REG_R10,
        Register::R11 => libc::REG_R11,
        Register::R12 => libc::REG_R12,
        Register::R13 => libc::REG_R13,
        Register::R14 => libc::REG_R14,
        Register::R15 => libc::REG_R15,
        _ => return NO_REGISTER,
    };
    place.cast_unsigned() as usize
}

/// An instruction with its place in the source, if `addr2line` is there.
fn shown(step: Step) -> String {
    let mut text = String::new();
    IntelFormatter::new().format(&instruction(step.address), &mut text);
    let program = env::current_exe().unwrap();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let base =
        maps.lines().find(|line| line.ends_with(&*program.to_string_lossy())).and_then(|line| line.split_once('-'));
    let base = base.map_or(0, |(start, _)| u64::from_str_radix(start, 16).unwrap());
    let offset = format!("{:#x}", step.address.wrapping_sub(base));
    let source = Command::new("addr2line").args(["-Cfpie"]).arg(&program).arg(&offset).output();
    let source =
        source.map(|output| String::from_utf8_lossy(&output.stdout).trim().replace('\n', "")).unwrap_or_default();
    format!("`{text}` on {:x?} at {offset} ({source})", step.uses)
}
