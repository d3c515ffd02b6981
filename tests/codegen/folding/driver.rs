//! The program that calls the callers. It is run as
//!
//! ```text
//! program CALLER ARGUMENT…    the caller's first and second result must be what they have to be
//! program all ARGUMENT…       the same for every caller, in one process
//! ```

/// A caller: a seed, and bits that branches and loops depend on.
type Caller = fn(u64, u64) -> u64;

fn main() {
    // Unwinding is part of the programs. What cannot unwind is not, such as an assertion that does not hold.
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if !text.contains("function nested in a clone") {
            eprintln!("{text}");
        }
    }));
    decide_all();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &String| -> usize { text.parse().expect("a number") };
    let callers = match &*arguments[0] {
        "all" => 0..CALLERS.len(),
        _ => number(&arguments[0])..number(&arguments[0]) + 1,
    };
    let mut wrong = false;
    for (caller, bits) in arguments[1..].iter().flat_map(|bits| callers.clone().map(move |caller| (caller, bits))) {
        let (dispatched, expected) = black_box(CALLERS[caller]);
        let bits = black_box(number(bits) as u64);
        let seed = black_box(bits ^ 0x5EED);
        let (first, second) = (dispatched(seed, bits), dispatched(seed, bits));
        let expected = expected(seed, bits);
        if first != expected || second != expected {
            wrong = true;
            eprintln!("caller {caller} with {bits}: first {first:x}, second {second:x}, expected {expected:x}");
        }
    }
    std::process::exit(i32::from(wrong));
}
