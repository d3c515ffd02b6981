pub struct Block;

#[simd_core::dispatch(targets = "avx2 | sse4.1")]
impl Block {
    #[cfg(target_feature = "avx2")]
    fn sum(&self) -> u32 {
        8
    }

    pub fn total(&self) -> u32 {
        self.sum()
    }

    pub fn of_another(&self, other: &Option<u32>) -> u32 {
        other.iter().sum()
    }
}

fn main() {}
