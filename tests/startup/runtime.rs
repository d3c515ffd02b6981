//! Programs that no C runtime starts.

use super::*;

/// The program's code is what its dispatched function took inside of `start`: the best clone. It was the baseline before.
#[test]
fn a_program_of_its_own() {
    if !has_compiler() {
        return;
    }
    let simd_core = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("simd-core");
    let manifest = format!(
        "[package]\nname = \"startup-bare\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nsimd-core = {{ path = {simd_core:?}, default-features = false }}\n\
         [profile.dev]\npanic = \"abort\"\n[[bin]]\nname = \"startup-bare\"\npath = \"lib.rs\"\n"
    );
    let package = Package::new(env!("CARGO_TARGET_TMPDIR"), "startup-bare", "2024", source!("bare.rs"))
        .file("Cargo.toml", &manifest);
    const FLAGS: &[&str] = &[
        "-Crelocation-model=static",
        "-Clink-arg=-no-pie",
        "-Clink-arg=-nostartfiles",
        "-Clink-arg=-nostdlib",
        "-Clink-arg=-static",
    ];
    // The first level inlines everything into everything that it can.
    for &opt_level in some_of(&["3", "1"], 1) {
        let build = Build { opt_level, flags: FLAGS, ..OPTIMISED };
        let output = output(&mut build.cargo(&package, &["run"]));
        let best = i32::from(libraries::best_clone());
        assert_eq!(output.status.code(), Some(best + 4 + best * 8), "level {opt_level}: {}", shown(&output));
    }
}
