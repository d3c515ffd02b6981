#![no_main]
#[path = "../entry.rs"]
#[allow(dead_code, reason = "the other target's half")]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = entry::binary(bytes);
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    entry::mutate(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate)
});
