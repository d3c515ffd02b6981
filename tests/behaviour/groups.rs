//! Fragments that `macro_rules!` passes on as a whole stay whole: each macro is expanded with the attribute and without it.

use simd_core::dispatch;

/// Two modules with the same items, of which one is dispatched, and a test that compares them.
macro_rules! twins {
    ($test:ident: $($call:expr),+; $($item:tt)*) => {
        mod $test {
            mod plain {
                #![allow(unused, const_item_mutation, irrefutable_let_patterns, clippy::all)]
                $($item)*
                pub fn all() -> Vec<i64> { vec![$($call as i64),+] }
            }
            #[super::dispatch(targets = "avx2 | sse4.1 | sve2")]
            mod marked {
                #![allow(unused, const_item_mutation, irrefutable_let_patterns, clippy::all)]
                $($item)*
                pub fn all() -> Vec<i64> { vec![$($call as i64),+] }
            }
            #[test]
            fn same() {
                assert_eq!(marked::all(), plain::all());
            }
        }
    };
}

// They take tokens apart that are no fragment.
macro_rules! double {
    ($($t:tt)*) => { $($t)* * 2 };
}
macro_rules! pick {
    ($a:tt + $($b:tt)*) => {
        3
    };
    ($e:expr) => {
        5
    };
}

/// An expression in every position.
macro_rules! positions {
    ($test:ident, $e:expr) => {
        twins! { $test:
            binary(), before(), minus(), not(), method(), cast(), compared(), range(), closure(), scrutinee(),
            condition(), macros(), nested(), initialiser(), length(), generic(), assigned(), returned(), referenced(),
            called(), shifted(), passed_on(), returned_last(), an_arm(), LAST, STATIC, Type::ASSOCIATED, Type.method(), Type.provided();
            const ONE: i64 = 1;
            pub fn binary() -> i64 { let x = $e * 2; x }
            pub fn before() -> i64 { 100 - $e }
            pub fn minus() -> i64 { -$e }
            pub fn not() -> i64 { !$e }
            pub fn method() -> i64 { let x = $e.pow(2); x }
            pub fn cast() -> u8 { let x = $e as u8; x }
            pub fn compared() -> bool { let x = $e == 3; x }
            pub fn range() -> i64 { (0..$e * 2).chain($e..9).sum() }
            pub fn closure() -> i64 { (|x: i64| x * $e)(3) + (move || $e)() }
            pub fn scrutinee() -> i64 { match $e { 3 => 1, x => x * $e } }
            pub fn condition() -> i64 { if $e > 2 && $e & 1 == 1 { $e } else { return $e - 1; } }
            pub fn macros() -> i64 { assert!($e * 2 != 5); vec![$e * 2, $e].into_iter().sum() }
            pub fn nested() -> i64 { fn inner() -> i64 { return $e * 2; } struct L; impl L { fn m() -> i64 { return $e * 3; } } inner() + L::m() }
            pub fn initialiser() -> i64 { let x = $e; let y = $e * x; y }
            pub fn length() -> usize { [0; ($e * 2 & 31) as usize].len() + [0; { 0 + $e * 2 & 31 } as usize].len() }
            pub fn generic() -> usize { struct G<const N: i64>; impl<const N: i64> G<N> { const V: i64 = N; } G::<{ 0 + $e * 2 }>::V as usize }
            pub fn assigned() -> i64 { let mut x = 2; x *= $e; x -= $e * x; x }
            pub fn returned() -> i64 { if ONE == 1 { return $e * 2; } $e }
            pub fn referenced() -> i64 { *&$e * *&mut $e }
            pub fn called() -> i64 { i64::from($e * 2 > 3).max($e) }
            pub fn shifted() -> i64 { let x = $e << 2 >> 1; x }
            pub fn passed_on() -> i64 { double!($e) + pick!($e) + double!([$e, 1][0]) }
            pub fn returned_last() -> i64 { $e }
            pub fn an_arm() -> i64 { match ONE { 1 => $e, _ => 0 } }
            const LAST: i64 = $e * 2;
            static STATIC: i64 = 10 - $e;
            pub struct Type;
            impl Type { const ASSOCIATED: i64 = $e * 4; fn method(&self) -> i64 { return $e * 5; } }
            trait Provided { fn provided(&self) -> i64 { return $e * 6; } }
            impl Provided for Type {}
        }
    };
}

/// Where a statement begins, and rustc itself takes a block for all of it.
macro_rules! starts {
    ($test:ident, $e:expr) => {
        twins! { $test: binary(), method(), cast(), compared(), closure();
            pub fn closure() -> i64 { (|x: i64| $e * x)(3) }
            pub fn binary() -> i64 { $e * 2 }
            pub fn method() -> i64 { $e.pow(2) }
            pub fn cast() -> u8 { $e as u8 }
            pub fn compared() -> bool { $e == 3 }
        }
    };
}

starts!(sum_first, 1_i64 + 2);
starts!(negative_first, -3_i64);
starts!(converted_first, 300_i32 as i64);
positions!(sum, 1_i64 + 2);
positions!(negative, -3_i64);
positions!(negated, -(1_i64 + 2));
positions!(literal, 3_i64);
positions!(path, ONE);
positions!(choice, if ONE == 1 { 1_i64 } else { 2 });
positions!(
    matched,
    match ONE {
        1 => 4_i64,
        _ => 5,
    }
);
positions!(block, { ONE + 1 });
positions!(
    block_first,
    match ONE {
        _ => 1_i64,
    } + 1
);
positions!(choice_first, if ONE == 1 { 1_i64 } else { 2 } - 5);
positions!(converted, 300_i32 as i64);
positions!(masked, 7_i64 & 3);
positions!(either, 1_i64 | 6);
positions!(shift, 1_i64 << 2);
positions!(dereferenced, *&mut 3_i64);
positions!(call, 3_i64.pow(2));
positions!(tuple, (5_i64, 6_i64).1);

/// A condition in every position.
macro_rules! conditions {
    ($test:ident, $e:expr) => {
        twins! { $test: plain(), scrutinee(), looped();
            const ONE: i64 = 1;
            pub fn plain() -> i64 { if $e { 1 } else { 0 } }
            pub fn scrutinee() -> i64 { if let false = $e { 1 } else { 0 } }
            pub fn looped() -> i64 { let mut n = 0; while let true = $e { n += 1; if n > 3 { break } } n }
        }
    };
}

conditions!(both, ONE == 1 && ONE == 2);
conditions!(one_of_two, ONE == 1 || ONE == 2);
conditions!(compared, ONE < 2);
conditions!(structs, Some(ONE) == (Some::<i64> { 0: 1 }));

/// A type before what could be its arguments, and a block after a condition.
macro_rules! types_and_blocks {
    ($ty:ty, $path:path, $e:expr, $block:block) => {
        twins! { types_and_blocks: compared(3), shifted(3), by_path(3), chosen();
            #[derive(PartialEq)]
            struct S { a: i64 }
            pub fn compared(x: i64) -> bool { x as $ty < 4 }
            pub fn shifted(x: i64) -> i64 { (x as $ty << 2) as i64 }
            pub fn by_path(x: i64) -> bool { (x as $path) < 4 }
            pub fn chosen() -> i64 { if $e $block else { 2 } }
        }
    };
}

types_and_blocks!(u32, u32, S { a: 1 } == S { a: 1 }, { 7 });

/// Fragments that are no expressions, where a parser may take them for some. `$x`, `$p` and `$s` are variables in them.
macro_rules! fragments {
    ($x:ident $p:ident $s:ident; $ty:ty, $dyn:ty, $pat:pat, $either:pat, $block:block, $vis:vis, $lifetime:lifetime,
     $path:path, $literal:literal, $statement:stmt, $item:item, $meta:meta, $place:expr, $fallible:expr, $struct:expr,
     $bounds:expr, $field:expr) => {
        twins! { fragments:
            types(), dynamic(), patterns(), alternatives(), blocks(), visible(), lifetimes(&5), paths(), literals(),
            statements(), made(), places(), tried().unwrap(), structs(), ranges(), fields();
            $item
            #[derive(PartialEq, Clone, Copy)]
            struct S { a: i64 }
            trait Tr { const N: i64; }
            impl Tr for $ty { const N: i64 = 4; }
            #[$meta]
            fn types() -> i64 {
                let x: $ty = &7;
                let y: Option<$ty> = Some(x);
                let z = <$ty>::clone(&x);
                *x + *y.unwrap() + *z + <$ty as Tr>::N + *(x as $ty)
            }
            fn dynamic() -> i64 { let f: &$dyn = &|| 4; let g: Box<$dyn> = Box::new(|| 5); f() + g() }
            fn patterns() -> i64 {
                let $pat = &3;
                let f = |$pat: &i64| $x + 1;
                let mut sum = $x + f(&1);
                for $pat in [&2] { sum += $x }
                if let $pat = &4 { sum += $x }
                match &5 { $pat => sum + $x }
            }
            fn alternatives() -> i64 {
                let count = |n: i64| match n { $either | 9 => 1, $literal..=20 => 2, _ => 3 };
                let (Some($either | _) | None) = Some(1_i64);
                (0..30).map(count).fold(0, |sum, n| sum * 3 % 1001 + n)
            }
            fn blocks() -> i64 { let x = $block; let f = || $block; if x == 2 $block else { f() } }
            $vis fn visible() -> i64 { 3 }
            fn lifetimes<$lifetime>(x: &$lifetime i64) -> i64 { *x }
            fn paths() -> i64 { let x: $path = 3; <$path>::from(2) + x }
            fn literals() -> i64 { let n: i64 = $literal; -$literal + n.pow(2) + $literal - $literal }
            fn statements() -> i64 { $statement; $x * 2 }
            fn places() -> i64 { let mut a = [1, 2]; let $p = &mut a[1]; $place = 5; $place += 2; a[1] }
            fn tried() -> Option<i64> { Some($fallible? * 2) }
            fn structs() -> i64 { if $struct == (S { a: 1 }) { $struct.a } else { match $struct { S { a } => a } } }
            fn ranges() -> i64 { let mut sum = 0; for i in $bounds { sum += i } sum + $bounds.rev().sum::<i64>() }
            fn fields() -> i64 { struct F { f: fn(i64) -> i64 } let $s = F { f: |x| x + 1 }; ($field)(2) }
        }
    };
}

fragments!(
    x p s; &'static i64, dyn Fn() -> i64 + Send, &x, 1 | 2 | 7, { 2 }, pub(super), 'a, i64, -10,
    let x = 1 + 2, pub fn made() -> i64 { 6 }, inline, *p, if true { Some(3) } else { None }, S { a: 1 }, 1..4, s.f
);
