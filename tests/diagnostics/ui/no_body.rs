trait Count {
    #[simd_core::dispatch(targets = "avx2 | sve2")]
    fn count(start: u64) -> u64;
}

impl Count for u8 {
    fn count(start: u64) -> u64 {
        start + 1
    }
}

fn main() {
    <u8 as Count>::count(1);
}
