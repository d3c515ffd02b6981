//! Loops of the kind that the attribute is for: LLVM vectorises them, and they have no intrinsics.
//!
//! Each source stands in two modules: `plain`, the loops as they are, and `annotated`, the same text with one attribute
//! around it. Some have two more, `fearless` and `with_pulp`: the same text as users of these crates write it.

/// The items twice, without the attribute and with it.
macro_rules! twice {
    ($($items:tt)*) => {
        /// The loops as they are.
        pub mod plain {
            #[allow(unused_imports, reason = "not every source has items outside")]
            use super::*;

            $($items)*
        }

        /// The same with the attribute.
        #[simd_core::dispatch(targets = crate::ordinary::levels)]
        pub mod annotated {
            #[allow(unused_imports, reason = "not every source has items outside")]
            use super::*;

            $($items)*
        }
    };
}

/// The functions, and the same in the ways of two peers.
macro_rules! with_peers {
    ($($(#[$meta:meta])* pub fn $name:ident($($argument:ident: $type:ty),*) $(-> $out:ty)? { $($body:tt)* })*) => {
        twice! { $($(#[$meta])* pub fn $name($($argument: $type),*) $(-> $out)? { $($body)* })* }

        /// The same with `fearless_simd`.
        pub mod fearless {
            #[allow(unused_imports, reason = "not every source has items outside")]
            use super::*;

            $(
                $(#[$meta])*
                pub fn $name($($argument: $type),*) $(-> $out)? {
                    #[fearless_simd_macros::simd]
                    fn inside<S: fearless_simd::Simd>(_: S, $($argument: $type),*) $(-> $out)? { $($body)* }

                    fearless_simd::dispatch!(fearless_simd::Level::new(), simd => inside(simd, $($argument),*))
                }
            )*
        }

        /// The same with `pulp`.
        pub mod with_pulp {
            #[allow(unused_imports, reason = "not every source has items outside")]
            use super::*;

            $(
                $(#[$meta])*
                pub fn $name($($argument: $type),*) $(-> $out)? {
                    #[inline(always)]
                    fn inside($($argument: $type),*) $(-> $out)? { $($body)* }

                    pulp::Arch::new().dispatch(#[inline(always)] || inside($($argument),*))
                }
            )*
        }
    };
}

simd_core::target_list! {
    /// The levels of x86-64: AVX-512, AVX2 and SSE4.2. Elsewhere there is the baseline only.
    pub levels = "x86-64-v4 | x86-64-v3 | x86-64-v2"
}

pub mod base64;
pub mod bits;
pub mod blur;
pub mod crc;
pub mod fft;
pub mod floats;
pub mod grey;
pub mod hex;
pub mod histogram;
pub mod matrix;
pub mod search;
pub mod utf8;
