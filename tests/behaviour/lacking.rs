//! Says which clones of the example kernels cannot be tested because this CPU lacks their features.
//!
//! The kernels' own tests run whatever clones there are, and pass. So that nobody takes that for more than it is, this
//! prints a line for each file and target, past the capture of the test harness.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use integration_tests::report;

macro_rules! features {
    ($($arch:literal $detected:ident [$($name:tt)*])*) => {
        /// Whether this CPU has `feature`, and nothing if the feature is another architecture's.
        fn has(feature: &str) -> Option<bool> {
            $(
                #[cfg(target_arch = $arch)]
                match feature {
                    $($name => return Some(std::arch::$detected!($name)),)*
                    _ => {}
                }
            )*
            let known = [$($($name),*),*];
            assert!(known.contains(&feature), "add `{feature}` to the features of this test");
            None
        }
    };
}
features! {
    "x86_64" is_x86_feature_detected [
        "aes" "avx2" "avx512bw" "avx512f" "avx512vbmi2" "avx512vl" "gfni" "pclmulqdq" "sha" "ssse3" "vaes" "vpclmulqdq"
    ]
    "aarch64" is_aarch64_feature_detected ["aes" "neon" "pmull" "sha2" "sha3"]
}

/// The lists of targets in the Rust files under `directory`, each with its file.
fn lists(directory: &Path, found: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            lists(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for list in text.split("dispatch(targets = \"").skip(1) {
                found.insert((path.display().to_string(), list.split('"').next().unwrap().to_owned()));
            }
        }
    }
}

#[test]
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), ignore = "the kernels have no targets there")]
fn clones_that_this_cpu_lacks() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/crypto/src");
    let mut found = BTreeSet::new();
    lists(&sources, &mut found);
    assert!(found.len() >= 5, "the kernels are not where this test looks: {found:?}");
    let mut here = 0;
    for (file, list) in &found {
        for target in list.split('|').map(str::trim) {
            let (arch, names) = target.split_once(':').unwrap_or((env::consts::ARCH, target));
            let features: Option<Vec<bool>> = names.split(',').map(|name| has(name.trim())).collect();
            let Some(features) = features.filter(|_| arch == env::consts::ARCH) else { continue };
            here += 1;
            if features.contains(&false) {
                let file = file.rsplit_once("../").unwrap().1;
                report(format_args!("not run on this CPU: the tests of `{file}` with `{names}`, which it lacks"));
            }
        }
    }
    assert!(here > 0, "the kernels have no target for {}", env::consts::ARCH);
}
