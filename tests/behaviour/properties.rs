//! Properties of CPUs in lists of targets: chosen at run time, decided in clones, and nothing to the compiler.
#![cfg(target_arch = "x86_64")]

use simd_core::testing::each_target;
use simd_core::{Status, Targets, detected, dispatch, features, targets};

/// Which clone runs, and whether it takes CPUs for fast at PEXT and at gathers.
#[dispatch(targets = "bmi2,fast-pext | bmi2", list = BITS)]
fn clone() -> (bool, bool, bool) {
    // The compiler is told of the feature only.
    (cfg!(target_feature = "bmi2"), detected!("fast-pext"), inner())
}

#[dispatch(targets = "bmi2,fast-pext,fast-gather | bmi2,fast-pext")]
fn inner() -> bool {
    detected!("bmi2,fast-pext")
}

#[dispatch(targets = "bmi2,fast-pext | bmi2", crate = simd_core)]
mod arms {
    use simd_core::match_target;

    pub(super) fn expression() -> &'static str {
        let inside = || match_target! { "bmi2,fast-pext" => "fast", "bmi2" => "slow", _ => "none" };
        inside()
    }

    match_target! {
        "bmi2,fast-pext" => { pub(super) fn item() -> &'static str { "fast" } }
        "bmi2" => { pub(super) fn item() -> &'static str { "slow" } }
        _ => { pub(super) fn item() -> &'static str { "none" } }
    }
}

/// Outside of clones the build decides, which has no property.
#[test]
#[each_target(BITS)]
fn arms_for_a_property() {
    use simd_core::match_target;
    let expected = match BITS.chosen() {
        "bmi2,fast-pext" => "fast",
        "bmi2" => "slow",
        _ if cfg!(target_feature = "bmi2") => "slow",
        _ => "none",
    };
    assert_eq!([arms::expression(), arms::item()], [expected; 2]);
    assert_eq!(match_target! { "sse2,fast-pext" => 1, "sse2" => 2, _ => 3 }, 2);
}

#[test]
#[each_target(BITS)]
fn the_clone_that_runs_has_the_property() {
    let (bmi2, fast, inner) = clone();
    match BITS.chosen() {
        "bmi2,fast-pext" => assert_eq!((bmi2, fast, inner), (true, true, true)),
        "bmi2" => assert_eq!((bmi2, inner), (true, false)),
        // Under a build for a CPU that has BMI2, this is compiled for it as well.
        _ => assert_eq!((bmi2, inner), (cfg!(target_feature = "bmi2"), detected!("bmi2,fast-pext"))),
    }
}

#[test]
fn features_and_questions_agree() {
    for (name, asked) in [
        ("fast-pext", detected!("fast-pext")),
        ("fast-512", detected!("fast-512")),
        ("fast-gather", detected!("fast-gather")),
        ("fast-compress-store", detected!("x86_64: fast-compress-store")),
    ] {
        assert_eq!(features().contains(name), asked, "{name}");
        let remains = std::env::var("SIMD_CORE_ONLY").is_err() && std::env::var("SIMD_CORE_WITHOUT").is_err();
        if remains && cfg!(any(miri, simd_core_no_detect)) {
            assert!(asked, "nobody is asked, and every CPU is fast");
        }
    }
}

/// No build settles a property, whatever it enables: both targets are listed, and the first is asked for.
#[test]
fn it_is_asked_for_at_run_time() {
    const LIST: Targets = targets!("sse2,fast-gather | sse2");
    let statuses: Vec<_> = LIST.iter().map(|target| (target.name(), target.status())).collect();
    assert_eq!(statuses[0].0, "sse2,fast-gather");
    assert!(matches!(statuses[0].1, Status::Runs | Status::Lacks(_)));
    assert_eq!(statuses[0].1 == Status::Runs, features().contains("fast-gather"));
    #[dispatch(targets = "sse2,fast-gather | sse2")]
    fn which() -> bool {
        detected!("fast-gather")
    }
    assert_eq!(core::hint::black_box(which as fn() -> bool)(), features().contains("fast-gather"));
}

/// With the environment's help a CPU lacks the property, and has the feature.
#[test]
fn without_the_property() {
    if std::env::var_os("SIMD_CORE_TEST_SLOW").is_some() {
        const LIST: Targets = targets!("sse2,fast-gather | sse2");
        let text = LIST.to_string();
        assert!(text.starts_with("sse2,fast-gather: not here, lacks fast-gather"), "{text}");
        assert!(!detected!("fast-gather") && !detected!("sse2,fast-gather"));
        assert_eq!(LIST.chosen(), "sse2");
        #[dispatch(targets = "sse2,fast-gather")]
        fn one() -> u8 {
            1
        }
        assert_eq!(core::hint::black_box(one as fn() -> u8)(), 1);
        println!("seen to lack it");
        return;
    }
    if !features().contains("fast-gather") || cfg!(miri) {
        return integration_tests::skip("the environment has nothing to take away here, or no process can be started");
    }
    let output = simd_core::testing::this_program()
        .args(["properties::without_the_property", "--exact", "--nocapture"])
        .env("SIMD_CORE_WITHOUT", "fast-gather")
        .env("SIMD_CORE_TEST_SLOW", "1")
        .output()
        .expect("this program starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("seen to lack it"), "{text}");
    // The CPU is not to blame for what the environment takes away.
    assert!(!text.contains("slow on this CPU"), "{text}");
}
