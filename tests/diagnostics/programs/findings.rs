//! Code with something to say about it. `tests/diagnostics/lints.rs` compiles it with and without the attribute.
#![warn(
    absolute_paths_not_starting_with_crate, elided_lifetimes_in_paths, explicit_outlives_requirements,
    let_underscore_drop, meta_variable_misuse, missing_copy_implementations, missing_debug_implementations,
    missing_docs, non_ascii_idents, redundant_lifetimes, single_use_lifetimes, trivial_casts, trivial_numeric_casts, unit_bindings,
    unreachable_pub, unsafe_code, unsafe_op_in_unsafe_fn, unused, unused_lifetimes, unused_macro_rules,
    unused_qualifications, unused_results, variant_size_differences
)]
#![warn(clippy::all, clippy::pedantic, clippy::nursery)]
#![warn(
    clippy::as_conversions, clippy::indexing_slicing, clippy::panic,
    clippy::shadow_reuse, clippy::shadow_same, clippy::unwrap_used
)]

// A dispatched function cannot be `const`.
#![allow(clippy::missing_const_for_fn)]

#[cfg_attr(feature = "dispatched", simd_core::dispatch(targets = "avx2,aes | aes"))]
pub mod kernels {
    use std::collections::HashMap;

    pub fn variables(number: u64) -> u64 {
        let unused = 1;
        let mut never_changed = 2;
        let mut assigned = 3;
        assigned = 4;
        number + never_changed + assigned
    }

    pub fn parameters(used: u64, unused: u64) -> u64 {
        used
    }

    fn dead(number: u64) -> u64 {
        dead_below(number)
    }

    fn dead_below(number: u64) -> u64 {
        number
    }

    fn dead_and_recursive(number: u64) -> u64 {
        if number == 0 { 0 } else { dead_and_recursive(number - 1) }
    }

    fn dead_and_generic<T: Copy>(value: T) -> T {
        value
    }

    fn endless(number: u64) -> u64 { // plain only
        endless(number)
    }

    const DEAD: u64 = 4;

    struct DeadType;

    impl DeadType {
        fn dead_method(&self) {}
    }

    const ONLY_WITH_AES: u64 = 1; // plain only

    fn only_with_aes(number: u64) -> u64 { // plain only
        number
    }

    fn only_without_aes(number: u64) -> u64 {
        number
    }

    pub fn chooses(number: u64) -> u64 {
        #[cfg(target_feature = "aes")]
        {
            return only_with_aes(number) + ONLY_WITH_AES;
        }
        #[cfg(not(target_feature = "aes"))]
        {
            return only_without_aes(number);
        }
    }

    pub fn uses_in_one_clone(number: u64, other: u64) -> u64 { // plain only
        let mut sum = 0; // plain only
        #[cfg(target_feature = "aes")]
        {
            sum = number + other;
        }
        sum
    }

    pub fn asks_without_leaving_out(number: u64) -> u64 {
        let unused_although_asked = 1;
        if cfg!(target_feature = "aes") { number } else { 0 }
    }

    pub fn NotSnake(AlsoNot: u64) -> u64 {
        let NorThis = AlsoNot;
        NorThis
    }

    pub fn unreachable(number: u64) -> u64 {
        return number;
        number + 1
    }

    /// Documented, but not its safety.
    pub unsafe fn pointer(p: *const u64) -> u64 {
        *p
    }

    pub fn needless_unsafe(number: u64) -> u64 {
        unsafe { number }
    }

    pub fn results() {
        variables(1);
        must_be_used();
        let _ = String::new();
        let unit = must_be_used_by_none();
    }

    #[must_use]
    pub fn must_be_used() -> u64 {
        1
    }

    fn must_be_used_by_none() {}

    pub fn named_once<'a>(number: &'a u64) -> u64 {
        *number
    }

    pub fn named_for_nothing<'a>(number: u64) -> u64 {
        number
    }

    pub fn elided(formatter: &mut std::fmt::Formatter) -> usize { // plain only, clippy
        formatter.width().unwrap()
    }

    pub fn paths(number: u64) -> std::option::Option<u64> {
        let result: std::result::Result<u64, ()> = Ok(number);
        result.ok()
    }

    pub fn parentheses(number: u64) -> u64 {
        if (number == 1) { (2) } else { { 3 } }
    }

    pub fn casts(number: u64) -> u32 {
        let same = number as u64;
        same as u32
    }

    pub fn range_loop(numbers: &Vec<u64>) -> u64 {
        let mut sum = 0;
        for i in 0..numbers.len() {
            sum += numbers[i];
        }
        return sum;
    }

    pub fn panics(number: u32) -> Result<u8, ()> { // plain only, clippy
        if number == 3 {
            panic!("three");
        }
        Ok(number as u8)
    }

    pub fn shadows(number: u64) -> u64 {
        let number = number;
        let number = number + 1;
        number
    }

    pub fn imports(number: u64) -> u64 {
        use std::fmt::Debug;
        number
    }

    pub fn local_items(number: u64) -> u64 {
        let first = number;
        fn used_below(number: u64) -> u64 {
            let unused_in_a_nested_function = 1;
            number
        }
        fn unused_below() {}
        struct UnusedBelow;
        used_below(first)
    }

    pub fn closures(number: u64) -> u64 {
        let closure = |one: u64, unused_in_a_closure: u64| {
            let NotSnakeInAClosure = one;
            return NotSnakeInAClosure;
        };
        closure(number, 1)
    }

    pub fn vectors() -> Vec<u64> {
        let mut numbers = Vec::new();
        numbers.push(1);
        numbers
    }

    pub fn too_many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8) -> u8 {
        a | b | c | d | e | f | g | h
    }

    pub fn complex(numbers: &[(Vec<Box<dyn Fn(u64) -> u64>>, Option<HashMap<u64, Vec<(u64, u64)>>>)]) -> usize {
        numbers.len()
    }

    #[inline(always)]
    pub fn always() {}

    pub async fn future(number: u64) -> u64 {
        let unused_in_a_future = 1;
        number
    }

    #[deprecated]
    pub fn old() {}

    pub fn uses_old() {
        old()
    }

    #[allow(unused_variables)]
    pub fn allowed(number: u64) {}

    #[expect(unused_variables)]
    pub fn expected(number: u64) {}

    #[expect(unused_variables)]
    pub fn expected_in_vain(number: u64) -> u64 {
        number
    }

    fn exposes(_hidden: Hidden) {}

    struct Hidden;

    pub struct Public {
        number: u64,
    }

    impl Public {
        pub fn new() -> Self {
            Self { number: 1 }
        }

        pub fn add(self, other: Public) -> Public {
            Self { number: self.number + other.number }
        }

        fn dead_method(&self) -> u64 {
            self.dead_method_below()
        }

        fn dead_method_below(&self) -> u64 {
            1
        }

        pub fn into_number(&self) -> u64 {
            let unused_in_a_method = 1;
            self.number
        }

        pub fn typed(self: &Self) -> u64 {
            self.number
        }

        #[expect(unused_variables)]
        pub fn expected(&self, number: u64) {}

        #[expect(unused_variables)] // plain only
        pub fn expected_in_vain(&self) -> u64 {
            self.number
        }

        pub fn without_self(&self) -> Option<u64> {
            Some(1)
        }
    }

    impl std::ops::Mul for Public {
        type Output = Public;

        fn mul(self, other: Public) -> Public {
            let unused_in_an_operator = 1;
            Public { number: self.number * other.number } // plain only, clippy
        }
    }

    impl Iterator for Public {
        type Item = u64;

        fn next(&mut self) -> Option<u64> {
            if cfg!(target_feature = "aes") {
                return None;
            }
            return Some(self.number); // plain only, clippy
        }
    }

    pub trait Reads {
        unsafe fn read(&self) -> *const u64;
    }

    impl Reads for u64 {
        unsafe fn read(&self) -> *const u64 { self as *const Self }
    }

    pub trait Provides {
        fn provided(&self) -> u64 {
            let unused_in_a_default = 1;
            3
        }

        fn takes(&self, unused_by_a_default: &u64) {}
    }
}
