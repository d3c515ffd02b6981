//! Code that the borrow checker refuses, and code that is unsafe where it must not be. `tests/diagnostics/lints.rs` compares what
//! rustc says of it with and without the attribute.

#[cfg_attr(feature = "dispatched", simd_core::dispatch(targets = "avx2,aes | aes"))]
pub mod borrows {
    pub fn both_ways(numbers: &mut Vec<u64>) -> &u64 {
        let first = &numbers[0];
        numbers.push(1);
        first
    }

    pub fn moved(bytes: Vec<u8>) -> usize {
        drop(bytes);
        bytes.len()
    }

    pub fn too_short() -> u64 {
        let outside;
        {
            let inside = 1;
            outside = &inside;
        }
        *outside
    }

    pub fn mixed_up<'a, 'b>(one: &'a str, other: &'b str) -> &'a str {
        other
    }

    pub fn not_mutable(number: u64) -> u64 {
        number += 1;
        number
    }

    pub fn closure(numbers: Vec<u64>) -> impl_free::Boxed {
        Box::new(|| numbers.len())
    }

    pub mod impl_free {
        pub type Boxed = Box<dyn Fn() -> usize>;
    }

    pub struct Wrapper<T>(T);

    impl<T> Wrapper<T> {
        pub fn shorter(&self, other: &u64) -> &u64 {
            other
        }
    }

    impl<T> Iterator for Wrapper<T> {
        type Item = T;

        fn next(&mut self) -> Option<T> {
            Some(self.0)
        }
    }

    impl<T> std::ops::Neg for Wrapper<T> {
        type Output = T;

        fn neg(self) -> T {
            let this = self;
            drop(this);
            this.0
        }
    }

    pub fn dereferences(p: *const u64) -> u64 {
        *p
    }

    pub async fn dereferences_later(p: *const u64) -> u64 {
        std::future::ready(()).await;
        *p
    }
}
