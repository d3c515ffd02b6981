//! Impls in the body of a function, for types from outside of it.
use simd_core::dispatch;

mod outer {
    pub struct Imported(pub u64);
}

struct Counter(u64);
struct Generic<T>(T);

#[dispatch(targets = "avx2 | sve2")]
fn of_an_outer_type() -> u64 {
    impl Counter {
        fn get(&self) -> u64 {
            self.0
        }
    }
    Counter(1).get()
}

#[dispatch(targets = "avx2 | sve2")]
fn of_an_imported_type() {
    use self::outer::Imported;
    impl Imported {
        fn get(&self) {}
    }
}

#[dispatch(targets = "avx2")]
pub fn of_an_outer_generic_type() -> u32 {
    const LANES: u32 = if cfg!(target_feature = "avx2") { 8 } else { 1 };
    impl Generic<u8> {
        pub const LANES: u32 = LANES;
    }
    Generic::<u8>::LANES
}

#[dispatch(targets = "avx2")]
pub fn of_local_types() -> u32 {
    struct Local;
    impl Generic<Local> {
        const LANES: u32 = 2;
    }
    trait Lanes {
        const LANES: u32;
    }
    impl Lanes for [u8; 3] {
        const LANES: u32 = 3;
    }
    Generic::<Local>::LANES + <[u8; 3]>::LANES
}

#[dispatch(targets = "avx2")]
pub fn of_a_type_hidden_in_another_block() -> u32 {
    {
        #[allow(dead_code)]
        struct Generic;
    }
    impl Generic<u16> {
        pub const LANES: u32 = 1;
    }
    Generic::<u16>::LANES
}

/// # Safety
/// The CPU has AVX-512.
pub unsafe trait Has<T> {}
pub struct Reader;
pub struct Vector<T>(T);

#[dispatch(targets = "avx512f")]
pub fn by_an_argument() {
    #[cfg(target_feature = "avx512f")]
    {
        pub struct Local;
        unsafe impl Has<Local> for Reader {}
        unsafe impl Has<u8> for Vector<Local> {}
        unsafe impl Has<u16> for Local {}
    }
}

#[dispatch(targets = "avx512f")]
pub fn in_another_block() {
    struct Local;
    #[cfg(target_feature = "avx512f")]
    {
        unsafe impl Has<Local> for Local {}
    }
}

fn main() {}
