//! The contenders.
#![allow(unsafe_code, reason = "the peers' ways of calling take it")]
#![allow(unused_unsafe, reason = "multiversion's clones need it where the build has the feature, and there only")]

use super::{CALLS, Contender, add_all};
use crate::case::{Case, sample};

type Pairs = [(u64, u64)];

pub(super) fn add(cases: &mut Vec<Case>) {
    let portable: Contender<u64> = ("without the instruction", [portable::throughput, portable::latency]);
    let all: [Contender<u64>; 12] = [
        ("inlined in one function", [by_hand::throughput, by_hand::latency]),
        ("simd-core, nested", [ours::nested::throughput, ours::nested::latency]),
        ("simd-core, unannotated caller", [ours::leaf::throughput, ours::leaf::latency]),
        ("std macro", [std_macro::throughput, std_macro::latency]),
        ("cpufeatures, token", [cpufeatures_token::throughput, cpufeatures_token::latency]),
        ("cpufeatures", [cpufeatures_get::throughput, cpufeatures_get::latency]),
        ("multiversion, direct", [multiversion_direct::throughput, multiversion_direct::latency]),
        ("multiversion, indirect", [multiversion_indirect::throughput, multiversion_indirect::latency]),
        ("archmage, token", [archmage_token::throughput, archmage_token::latency]),
        ("archmage, incant!", [archmage_incant::throughput, archmage_incant::latency]),
        ("function pointer", [pointer::throughput, pointer::latency]),
        portable,
    ];
    add_all(cases, "dispatch", pairs, portable, all);
}

fn pairs() -> Vec<(u64, u64)> {
    let words = sample(CALLS * 16);
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    words.chunks_exact(16).map(|pair| (word(&pair[..8]), word(&pair[8..]) | 1)).collect()
}

/// The loops around a leaf, in a caller that knows nothing.
macro_rules! loops {
    ($leaf:expr) => {
        pub(crate) fn throughput(pairs: &[(u64, u64)]) -> u64 {
            pairs.iter().fold(0, |sum, &(a, b)| sum ^ $leaf(a, b))
        }

        pub(crate) fn latency(pairs: &[(u64, u64)]) -> u64 {
            pairs.iter().fold(1, |product, &(_, b)| $leaf(product, b))
        }
    };
}

mod portable {
    pub(super) fn clmul(a: u64, b: u64) -> u64 {
        (0..64).fold(0, |sum, i| sum ^ ((a << i) & 0u64.wrapping_sub(b >> i & 1)))
    }

    loops!(clmul);
}

/// The instruction, for who has made sure that it is there.
#[target_feature(enable = "pclmulqdq")]
#[inline]
fn instruction(a: u64, b: u64) -> u64 {
    use core::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64};
    let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a.cast_signed()), _mm_cvtsi64_si128(b.cast_signed()));
    _mm_cvtsi128_si64(product).cast_unsigned()
}

mod by_hand {
    use super::{Pairs, instruction};

    #[target_feature(enable = "pclmulqdq")]
    fn throughput_inside(pairs: &Pairs) -> u64 {
        pairs.iter().fold(0, |sum, &(a, b)| sum ^ instruction(a, b))
    }

    #[target_feature(enable = "pclmulqdq")]
    fn latency_inside(pairs: &Pairs) -> u64 {
        pairs.iter().fold(1, |product, &(_, b)| instruction(product, b))
    }

    pub(super) fn throughput(pairs: &Pairs) -> u64 {
        assert!(is_x86_feature_detected!("pclmulqdq"), "this CPU has no pclmulqdq to time");
        // SAFETY: just detected.
        unsafe { throughput_inside(pairs) }
    }

    pub(super) fn latency(pairs: &Pairs) -> u64 {
        assert!(is_x86_feature_detected!("pclmulqdq"), "this CPU has no pclmulqdq to time");
        // SAFETY: just detected.
        unsafe { latency_inside(pairs) }
    }
}

mod ours {
    use simd_core::dispatch;

    #[dispatch(targets = "pclmulqdq")]
    pub(super) fn clmul(a: u64, b: u64) -> u64 {
        #[cfg(target_feature = "pclmulqdq")]
        return super::instruction(a, b);
        #[cfg(not(target_feature = "pclmulqdq"))]
        super::portable::clmul(a, b)
    }

    pub(super) mod leaf {
        use super::clmul;

        loops!(clmul);
    }

    pub(super) mod nested {
        use super::super::Pairs;
        use super::{clmul, dispatch};

        #[dispatch(targets = "pclmulqdq")]
        pub(in super::super) fn throughput(pairs: &Pairs) -> u64 {
            pairs.iter().fold(0, |sum, &(a, b)| sum ^ clmul(a, b))
        }

        #[dispatch(targets = "pclmulqdq")]
        pub(in super::super) fn latency(pairs: &Pairs) -> u64 {
            pairs.iter().fold(1, |product, &(_, b)| clmul(product, b))
        }
    }
}

cpufeatures::new!(has_pclmulqdq, "pclmulqdq");

/// A test at each call.
macro_rules! tested {
    ($name:ident, $test:expr) => {
        mod $name {
            #[inline]
            fn clmul(a: u64, b: u64) -> u64 {
                if $test {
                    // SAFETY: just detected.
                    unsafe { super::instruction(a, b) }
                } else {
                    super::portable::clmul(a, b)
                }
            }

            loops!(clmul);
        }
    };
}
tested!(std_macro, is_x86_feature_detected!("pclmulqdq"));
tested!(cpufeatures_get, super::has_pclmulqdq::get());

mod cpufeatures_token {
    use super::has_pclmulqdq::InitToken;

    #[inline]
    fn clmul(token: InitToken, a: u64, b: u64) -> u64 {
        if token.get() {
            // SAFETY: just detected.
            unsafe { super::instruction(a, b) }
        } else {
            super::portable::clmul(a, b)
        }
    }

    pub(super) fn throughput(pairs: &super::Pairs) -> u64 {
        let token = super::has_pclmulqdq::init();
        pairs.iter().fold(0, |sum, &(a, b)| sum ^ clmul(token, a, b))
    }

    pub(super) fn latency(pairs: &super::Pairs) -> u64 {
        let token = super::has_pclmulqdq::init();
        pairs.iter().fold(1, |product, &(_, b)| clmul(token, product, b))
    }
}

macro_rules! multiversioned {
    ($name:ident, $dispatcher:literal) => {
        mod $name {
            use multiversion::{multiversion, target::match_target};

            #[multiversion(targets("x86_64+pclmulqdq"), dispatcher = $dispatcher)]
            fn clmul(a: u64, b: u64) -> u64 {
                match_target! {
                    // SAFETY: this clone is for CPUs that have it.
                    "x86_64+pclmulqdq" => unsafe { super::instruction(a, b) },
                    _ => super::portable::clmul(a, b),
                }
            }

            loops!(clmul);
        }
    };
}
multiversioned!(multiversion_direct, "direct");
multiversioned!(multiversion_indirect, "indirect");

mod archmage_incant {
    use archmage::prelude::*;

    #[arcane]
    fn clmul_x64_crypto(_: X64CryptoToken, a: u64, b: u64) -> u64 {
        super::instruction(a, b)
    }

    fn clmul_scalar(_: ScalarToken, a: u64, b: u64) -> u64 {
        super::portable::clmul(a, b)
    }

    #[inline]
    fn clmul(a: u64, b: u64) -> u64 {
        incant!(clmul(a, b), [x64_crypto, scalar])
    }

    loops!(clmul);
}

mod archmage_token {
    use archmage::prelude::*;

    #[arcane]
    fn clmul(_: X64CryptoToken, a: u64, b: u64) -> u64 {
        super::instruction(a, b)
    }

    fn token() -> X64CryptoToken {
        X64CryptoToken::summon().expect("a CPU with pclmulqdq and AES to time them on")
    }

    pub(super) fn throughput(pairs: &super::Pairs) -> u64 {
        let token = token();
        pairs.iter().fold(0, |sum, &(a, b)| sum ^ clmul(token, a, b))
    }

    pub(super) fn latency(pairs: &super::Pairs) -> u64 {
        let token = token();
        pairs.iter().fold(1, |product, &(_, b)| clmul(token, product, b))
    }
}

mod pointer {
    use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

    type Clmul = fn(u64, u64) -> u64;

    static CHOSEN: AtomicPtr<()> = AtomicPtr::new(choose as Clmul as *mut ());

    fn choose(a: u64, b: u64) -> u64 {
        let chosen: Clmul = if is_x86_feature_detected!("pclmulqdq") {
            // SAFETY: just detected.
            |a, b| unsafe { super::instruction(a, b) }
        } else {
            super::portable::clmul
        };
        CHOSEN.store(chosen as *mut (), Relaxed);
        chosen(a, b)
    }

    #[inline]
    fn clmul(a: u64, b: u64) -> u64 {
        // SAFETY: the pointer was made from a function of this type.
        let chosen = unsafe { core::mem::transmute::<*mut (), Clmul>(CHOSEN.load(Relaxed)) };
        chosen(a, b)
    }

    loops!(clmul);
}
