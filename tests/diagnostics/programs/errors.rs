//! Code that does not compile. `tests/diagnostics/lints.rs` compares what rustc says of it with and without the attribute.

#[cfg_attr(feature = "dispatched", simd_core::dispatch(targets = "avx2,aes | aes"))]
pub mod types {
    pub fn mismatched(number: u64) -> u64 {
        let small: u32 = number;
        number + "text"
    }

    pub fn wrong_value(number: u64) -> u64 {
        "text"
    }

    pub fn no_value(number: u64) -> u64 {
        let kept = number;
    }

    pub fn not_in_scope(number: u64) -> u64 {
        undefined(number) + number.no_such_method()
    }

    pub fn no_such_type(number: NoSuchType) -> u64 {
        1
    }

    pub fn wrong_call(number: u64) -> u64 {
        mismatched(number, 3)
    }

    pub fn no_bound<T>(value: T) -> T {
        value + value
    }

    pub fn not_inferred() {
        let numbers = Vec::new();
    }

    pub fn closures() -> u64 {
        let call = |x| takes_number(x);
        call("text")
    }

    fn takes_number(number: u64) -> u64 {
        number
    }

    pub async fn futures(number: u64) -> u64 {
        number.await
    }

    pub fn nested(number: u64) -> u64 {
        fn inner(number: u64) -> u32 {
            number
        }
        inner(number)
    }

    pub struct Wrapper<T>(T);

    impl<T: Clone> Wrapper<T> {
        pub fn bounds<U: Into<u64>>(&self, other: U) -> u64 {
            needs_copy(&self.0);
            other.into()
        }

        pub fn no_field(&self) -> u64 {
            self.number
        }

        pub fn similar_name(&self) -> u64 {
            self.bound(1)
        }
    }

    fn needs_copy<T: Copy>(_value: &T) {}

    pub fn unsatisfied() -> u64 {
        needs_copy(&String::new());
        Wrapper(1).bounds("text")
    }

    pub fn not_sent<T>(value: T) {
        std::thread::spawn(move || drop(value));
    }

    impl<T> std::fmt::Display for Wrapper<T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{}", self.0)
        }
    }

    impl<T> std::ops::Mul for Wrapper<T> {
        type Output = u64;

        fn mul(self, other: Self) -> u64 {
            self.number;
            "text"
        }
    }

    pub trait Provides {
        fn provided(&self) -> u64 {
            self.no_such_method()
        }
    }
}

#[cfg_attr(feature = "dispatched", simd_core::dispatch(targets = "avx2,aes | aes"))]
pub mod members {
    pub struct Wrapper<T>(T);

    impl<T> std::ops::Mul for Wrapper<T> {
        type Output = Wrapper<T>;

        fn mul(self, other: Wrapper<u8>) -> Wrapper<T> {
            self
        }
    }

    impl<T> std::ops::Add for Wrapper<T> {
        type Output = Wrapper<T>;

        fn add(self, other: Self) -> u64 {
            1
        }
    }

    impl<T> std::fmt::Display for Wrapper<T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Ok(())
        }

        fn no_member() {}
    }

    impl Iterator for Wrapper<u8> {
        type Item = u64;

        fn nxet(&mut self) -> Option<u64> {
            None
        }
    }
}

#[cfg_attr(feature = "dispatched", simd_core::dispatch(targets = "avx2,aes | aes"))]
pub mod lifetimes {
    pub fn missing(one: &str, other: &str) -> &str {
        one.trim()
    }
}
