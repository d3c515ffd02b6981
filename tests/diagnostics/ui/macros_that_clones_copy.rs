#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    pub fn too_early() -> usize {
        lanes!()
    }

    macro_rules! lanes {
        () => {
            if cfg!(target_feature = "avx2") { 8 } else { 4 }
        };
    }
    pub(crate) use lanes;

    pub fn by_a_path() -> usize {
        self::lanes!()
    }

    mod other {
        macro_rules! local {
            () => {
                cfg!(target_feature = "avx2")
            };
        }
        pub(super) use local;
    }

    pub fn from_elsewhere() -> bool {
        use other::local;
        local!()
    }

    macro_rules! twice {
        () => {
            lanes!()
        };
    }
    const LANES: usize = twice!();
    macro_rules! twice {
        () => {
            2
        };
    }
    const TWO: usize = twice!();

    pub fn constants() -> usize {
        LANES + TWO
    }
}

fn main() {}
