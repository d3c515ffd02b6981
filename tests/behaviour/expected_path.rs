//! The dispatcher takes the path that the environment says it must take.
//!
//! `SIMD_CORE_EXPECT=hardware` says that the CPU has AES instructions (on wasm: that the build has `simd128`), `baseline` that it
//! has none. A run on a CPU whose features are known sets it, so that a wrong choice fails even where both paths would run. Without
//! it, these tests still check that the dispatcher and the reported features agree.
use simd_core::{detected, dispatch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Hardware,
    Baseline,
}

fn expected() -> Option<Path> {
    match std::env::var("SIMD_CORE_EXPECT").as_deref() {
        Err(_) => None,
        Ok("hardware") => Some(Path::Hardware),
        Ok("baseline") => Some(Path::Baseline),
        Ok(other) => panic!("SIMD_CORE_EXPECT is `{other}`; expected `hardware` or `baseline`"),
    }
}

#[dispatch(targets = "aes | simd128")]
fn taken() -> Path {
    #[cfg(any(target_feature = "aes", target_feature = "simd128"))]
    {
        Path::Hardware
    }
    #[cfg(not(any(target_feature = "aes", target_feature = "simd128")))]
    {
        Path::Baseline
    }
}

#[test]
fn the_dispatcher_takes_the_path_that_is_expected_and_reported() {
    let hardware = detected!("aes") || detected!("simd128");
    let reported = if hardware { Path::Hardware } else { Path::Baseline };
    assert_eq!(taken(), reported);
    assert_eq!(taken(), expected().unwrap_or(reported));
}
