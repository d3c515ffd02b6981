#![no_main]
#[path = "../entry.rs"]
#[allow(dead_code, reason = "the other target's half")]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = entry::text(bytes);
});
