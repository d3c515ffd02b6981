use super::Compiler;

fn compiler(arguments: &str) -> Compiler {
    Compiler::of(&arguments.split(' ').map(Into::into).collect::<Vec<_>>())
}

#[test]
fn a_check_makes_no_code() {
    for arguments in [
        "/bin/rustc --crate-name a src/lib.rs --emit=dep-info,metadata -C metadata=link",
        "C:/rustc.exe a.rs --emit metadata",
        "clippy-driver /bin/rustc --crate-name a --emit=dep-info,metadata",
    ] {
        assert!(compiler(arguments).only_checks, "{arguments}");
    }
    for arguments in [
        "",
        "rustc",
        "rustc a.rs",
        "rustc @arguments",
        "rustc a.rs --emit=dep-info,metadata,link",
        "rustc a.rs --emit=metadata --emit link",
        "rustc a.rs --emit=metadata --emit=mir",
        "rustc a.rs --emit=metadata -Zunpretty=expanded",
        "rustc a.rs --emit=metadata -Z unpretty=expanded",
        "rustc a.rs --emit=metadata=a.rmeta",
        "rustc a.rs --emit=metadata --option-of-tomorrow",
        "miri a.rs --emit=metadata",
        "rust-analyzer proc-macro --emit=metadata",
    ] {
        assert!(!compiler(arguments).only_checks, "{arguments}");
    }
}

#[test]
fn without_a_level_it_does_not_optimise() {
    for arguments in [
        "/bin/rustc a.rs --emit=dep-info,link -C embed-bitcode=no -C debuginfo=2",
        "rustc a.rs -C opt-level=0",
        "rustc a.rs -Copt-level=0",
        "rustc a.rs",
        "rustc a.rs -gO -Copt-level=0",
        "rustc a.rs --codegen opt_level=3 --codegen=opt_level=0",
        "rustc a.rs --cfg -O",
        "rustc a.rs --crate-name opt-level=3",
        "rustc a.rs -- -O",
    ] {
        assert!(!compiler(arguments).optimises, "{arguments}");
    }
    for arguments in [
        "",
        "rustc a.rs -C opt-level=3",
        "rustc a.rs -Copt-level=s",
        "rustc a.rs --codegen opt-level=1",
        "rustc a.rs --codegen=opt-level=3",
        "rustc a.rs -C opt_level=3",
        "rustc a.rs -gO",
        "rustc a.rs -gCopt-level=3",
        "rustc a.rs -gC opt-level=3",
        "rustc a.rs -C opt-level=0 -O",
        "rustc a.rs -C opt-level=0 --codegen=opt-level=z",
        "rustc a.rs -O",
        "rustc a.rs -Clinker-plugin-lto",
        "rustc a.rs -C llvm_args=-O3",
        "rustc a.rs -Zunpretty=expanded",
        "rustc @arguments",
        "rustc a.rs --option-of-tomorrow",
        "rustc a.rs --optimise=3",
        "rustc a.rs -q",
        "rustc a.rs -C",
        "rust-analyzer proc-macro",
    ] {
        assert!(compiler(arguments).optimises, "{arguments}");
    }
}

#[test]
fn a_file_of_arguments_is_read() {
    let file = std::env::temp_dir().join(format!("simd-core-arguments-{}", std::process::id()));
    let arguments = format!("rustc a.rs --emit=metadata @{}", file.display());
    for (lines, optimises) in [("-C\nopt-level=3\n", true), ("-C\nopt-level=0", false), ("--cfg\n-O\n", false)] {
        std::fs::write(&file, lines).unwrap();
        let compiler = compiler(&arguments);
        assert_eq!((compiler.optimises, compiler.only_checks), (optimises, true), "{lines}");
    }
    std::fs::remove_file(&file).unwrap();
    let compiler = compiler(&arguments);
    assert!(compiler.optimises && !compiler.only_checks && compiler.leaves_features_out);
}

#[test]
fn features_are_left_out_by_a_cfg() {
    assert!(compiler("rustc a.rs --cfg simd_core_without=\"avx2\"").leaves_features_out);
    // Where a workspace declares the name.
    assert!(!compiler("rustc a.rs --check-cfg cfg(simd_core_without,values(any()))").leaves_features_out);
    assert!(compiler("rustc @arguments").leaves_features_out);
    for target in ["x86_64-unknown-none", "thumbv7em-none-eabi", "x86_64-unknown-uefi", "kernel/target.json"] {
        assert!(compiler(&format!("rustc a.rs --target {target}")).leaves_features_out, "{target}");
        assert!(compiler(&format!("rustc --target={target} a.rs")).leaves_features_out, "{target}");
    }
    assert!(!compiler("rustc a-none.rs --target x86_64-unknown-linux-gnu").leaves_features_out);
    assert!(!compiler("rustc a.rs --cfg simd_core_ledger").leaves_features_out);
}

#[test]
fn editors_are_known_by_their_name() {
    for (arguments, editor) in [
        ("rust-analyzer proc-macro", true),
        ("/lib/libexec/rust-analyzer-proc-macro-srv", true),
        ("/bin/rustc a.rs --crate-name rust-analyzer", false),
        ("", false),
    ] {
        assert_eq!(compiler(arguments).editor, editor, "{arguments}");
    }
}
