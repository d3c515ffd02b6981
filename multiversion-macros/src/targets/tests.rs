use super::*;
use crate::features::{Family, ident_part};

fn literals(lists: &[&str]) -> Vec<LitStr> {
    lists.iter().map(|list| syn::parse_str(list).unwrap()).collect()
}

/// The targets of `lists`, which are source text without mistakes, in Rust 1.`rustc`.
fn good_in(rustc: u32, lists: &[&str]) -> Vec<Target> {
    let mut errors = Errors::new();
    let targets = parse_for(&literals(lists), &mut errors, rustc);
    assert!(errors.is_empty(), "{:?}", errors.messages());
    targets
}

fn good(list: &str) -> Vec<Target> {
    good_in(89, &[&format!("{list:?}")])
}

fn shown(list: &str) -> Vec<String> {
    good(list).iter().map(Target::display).collect()
}

/// The messages about `lists`.
fn wrong_in(rustc: u32, lists: &[&str]) -> Vec<String> {
    let mut errors = Errors::new();
    parse_for(&literals(lists), &mut errors, rustc);
    errors.messages().into_iter().map(str::to_owned).collect()
}

fn wrong(list: &str) -> Vec<String> {
    wrong_in(89, &[&format!("{list:?}")])
}

#[test]
fn a_target_is_for_every_architecture_that_has_all_of_it() {
    assert_eq!(shown("aes"), ["aes (x86, x86_64)", "aes (aarch64)"]);
    assert_eq!(shown("aes,pmull"), ["aes (aarch64)"]);
    assert_eq!(shown("avx2,pclmulqdq"), ["avx2,pclmulqdq (x86, x86_64)"]);
    assert_eq!(shown("neon"), ["neon (aarch64)"]);
    assert_eq!(shown("sm4"), ["sm4 (x86, x86_64)", "sm4 (aarch64)"]);
    assert_eq!(shown("simd128"), ["simd128 (wasm32, wasm64)"]);
    assert_eq!(shown("zbb"), ["zbb (riscv32, riscv64)"]);
    assert_eq!(shown("lasx"), ["lasx (loongarch64)"]);
    assert_eq!(shown("d"), ["d (loongarch64)"]);
}

#[test]
fn listing_order_is_kept() {
    let expected = ["aes (aarch64)", "avx2,pclmulqdq (x86, x86_64)", "aes (x86, x86_64)"];
    assert_eq!(shown("aes,pmull|avx2 ,pclmulqdq\n| aes"), expected);
    let several: Vec<String> =
        good_in(89, &[r#""avx2 | neon""#, r##"r#"sse2"#"##]).iter().map(Target::display).collect();
    assert_eq!(several, ["avx2 (x86, x86_64)", "neon (aarch64)", "sse2 (x86, x86_64)"]);
}

#[test]
fn a_prefix_narrows() {
    assert_eq!(shown("x86_64: aes"), ["aes (x86_64)"]);
    assert_eq!(shown(" x86 :aes|aarch64:sha512"), ["aes (x86)", "sha3 (aarch64)"]);
    assert_eq!(shown("x86,x86_64: aes | x86_64 , aarch64:sm4"), ["aes (x86, x86_64)", "sm4 (x86_64)", "sm4 (aarch64)"]);
    // The other architectures of a later target stay.
    assert_eq!(shown("x86_64: aes | aes"), ["aes (x86_64)", "aes (x86)", "aes (aarch64)"]);
    assert_eq!(shown("aarch64: aes | aes"), ["aes (aarch64)", "aes (x86, x86_64)"]);
}

#[test]
fn aliases() {
    for (alias, name) in [
        ("pmull", "aes"),
        ("asimd", "neon"),
        ("fphp", "fp16"),
        ("asimdhp", "fp16"),
        ("asimddp", "dotprod"),
        ("atomics", "lse"),
        ("sha1", "sha2"),
        ("FEAT_SHA256", "sha2"),
        ("sse4_1", "sse4.1"),
        ("sse4_2", "sse4.2"),
        ("sha_ni", "sha"),
        ("pni", "sse3"),
        ("abm", "lzcnt"),
        ("cx16", "cmpxchg16b"),
        ("avx512_vbmi2", "avx512vbmi2"),
    ] {
        let targets = good(alias);
        assert_eq!(targets.len(), 1, "{alias}");
        assert_eq!(targets[0].enable(), name, "{alias}");
    }
}

#[test]
fn every_name_leads_to_one_thing() {
    for family in Family::ALL {
        let names: Vec<&str> = [family.names(), family.unstable()].concat();
        for (place, name) in names.iter().enumerate() {
            assert!(!names[..place].contains(name), "{name}");
            assert!(family.meaning(name, u32::MAX).is_some(), "{name}");
        }
        for feature in family.features() {
            for implied in feature.implied(u32::MAX) {
                assert!(family.features().iter().any(|other| other.name == implied), "{} {implied}", feature.name);
            }
        }
    }
}

#[test]
fn leaves_and_closure() {
    let [target] = &good("sse2,avx2,sse4.1,fma,aes")[..] else { panic!() };
    assert_eq!(target.enable(), "avx2,fma,aes");
    assert_eq!(target.label(), "avx2_fma_aes");
    let full: Vec<&str> = target.full.iter().map(|feature| feature.name).collect();
    assert_eq!(full, ["sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "fma", "aes"]);
    // An alias and its feature's name are one leaf.
    let [target] = &good("pmull,aes")[..] else { panic!() };
    assert_eq!(target.enable(), "aes");
}

#[test]
fn a_level_is_a_part_where_its_leaves_are_the_target_s() {
    let parts = |list: &str| good(list)[0].parts.clone();
    assert_eq!(parts("x86-64-v3"), ["x86-64-v3"]);
    assert_eq!(parts("gfni,x86-64-v4,avx2"), ["x86-64-v4", "gfni"]);
    // The features imply `avx2`, which then is no leaf.
    assert!(!parts("x86-64-v3,vaes").contains(&"x86-64-v3"));
    assert_eq!(parts("avx2,fma"), ["avx2", "fma"]);
}

#[test]
fn labels_are_parts_of_identifiers() {
    let label = |list: &str| good(list)[0].label();
    assert_eq!(label("sse4.2"), "sse4_2");
    assert_eq!(label("sve2-aes"), "sve2_aes");
    assert_ne!(label("sve2,aes"), label("sve2-aes"));
    assert_ne!(label("sve2,sha3"), label("sve2-sha3"));
    assert_eq!(label("aes,vpclmulqdq,avx512f"), "aes_avx512f_vpclmulqdq");
    for family in Family::ALL {
        for name in family.names() {
            let part = ident_part(name);
            assert!(part.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'), "{name}");
        }
    }
}

#[test]
fn presets() {
    let v3 = &good("x86-64-v3")[0];
    assert_eq!((v3.label(), v3.display()), ("x86_64_v3".to_owned(), "x86-64-v3 (x86_64)".to_owned()));
    assert_eq!(v3.enable(), "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe,cmpxchg16b,fxsr,xsave");
    assert_eq!(good("x86-64-v3,aes,avx2")[0].label(), "x86_64_v3_aes");
    assert_eq!(good("x86-64-v2,x86-64-v4")[0].label(), "x86_64_v4");
    assert_eq!(good("x86-64-v4 | x86-64-v3 | x86-64-v2").len(), 3);
    assert_eq!(shown("x86-64-v2 | sse4.2"), ["x86-64-v2 (x86_64)", "sse4.2 (x86, x86_64)"]);
    let v4 = &good("x86-64-v4")[0];
    for list in ["x86-64-v2", "x86-64-v3"] {
        let lower = &good(list)[0];
        assert!(lower.full.iter().all(|feature| contains(&v4.full, feature)), "{list}");
    }
}

#[test]
#[cfg(not(feature = "nightly"))]
fn unstable_features_without_the_switch() {
    let help = "help: use a nightly compiler, and enable `simd-core`'s cargo feature `nightly`";
    assert_eq!(
        wrong("avx10.1 | uscat,neon | riscv64: v"),
        [
            format!("`avx10.1` is not stable in Rust\n{help}"),
            format!("`lse2` is not stable in Rust\n{help}"),
            format!("`v` is not stable in Rust on `riscv64`\n{help}"),
        ]
    );
}

#[test]
#[cfg(simd_core_unstable)]
fn unstable_features_on_a_nightly() {
    let [avx10, sme, v] = &good("avx10.2 | sme2,neon | riscv64: v")[..] else { panic!() };
    assert_eq!((&*avx10.enable(), &*avx10.label()), ("avx10.2", "avx10_2"));
    assert!(avx10.full.iter().any(|feature| feature.name == "avx512fp16"));
    assert_eq!(sme.display(), "neon,sme2 (aarch64)");
    assert!(v.full.iter().any(|feature| feature.name == "zve64d"));
    assert_eq!(wrong("avx10.1 | avx10.2").len(), 1);
}

#[test]
fn newer_features() {
    let list = "\"vector | tbm\"";
    assert_eq!(
        wrong_in(92, &[list]),
        ["`vector` needs Rust 1.93: this is Rust 1.92\nhelp: compile with Rust 1.93 or newer, or leave the target out"]
    );
    assert_eq!(good_in(93, &[list]).len(), 2);
    assert_eq!(wrong_in(90, &[list]).len(), 2);
    // Implications of a newer Rust do not exist in an older one.
    let full = |rustc| good_in(rustc, &["\"a\""])[0].full.len();
    assert_eq!((full(89), full(94)), (1, 3));
}

#[test]
fn targets_that_can_be_chosen() {
    assert_eq!(good("paca,pacg").len(), 1);
    assert_eq!(good("x86_64: sse2 | x86: avx").len(), 2);
}

#[test]
fn escapes_point_at_the_literal() {
    let list = r#""avx2\t, \x66rob""#;
    assert_eq!(
        wrong_in(89, &[list]),
        ["unknown target feature `frob`\nhelp: the names are those of `rustc --print target-features`"]
    );
    let raw = r###"r##"frob"##"###;
    assert!(wrong_in(89, &[raw])[0].starts_with(""));
}

#[test]
fn properties() {
    let targets = good("bmi2,fast-pext | fast-512,avx512vl,avx512f | bmi2 | neon");
    assert_eq!(targets[0].display(), "bmi2,fast-pext (x86, x86_64)");
    assert_eq!((&*targets[0].label(), &*targets[0].enable()), ("bmi2_fast_pext", "bmi2"));
    assert_eq!((&*targets[1].label(), &*targets[1].enable()), ("avx512vl_fast_512", "avx512vl"));
    assert!(targets[0].has_property() && !targets[2].has_property());
    let mut errors = Errors::new();
    let condition = parse_condition(&literals(&["\"fast-pext\""])[0], &mut errors);
    assert!(errors.is_empty() && condition[0].enable().is_empty());
}

#[test]
fn targets_that_add_nothing() {
    let warned = |list: &str| check::adds_nothing(&good(list)).is_some();
    for list in ["neon", "avx2 | fp", "x86_64: sse2", "x86_64: fxsr,sse", "sve2 | asimd"] {
        assert!(warned(list), "{list}");
    }
    // 32-bit x86 has builds without SSE2.
    for list in ["sse2", "sse2 | dotprod", "x86_64: sse2,bmi1", "neon,crc", "d"] {
        assert!(!warned(list), "{list}");
    }
    assert_eq!(shown("sse2 | bmi1"), ["sse2 (x86, x86_64)", "bmi1 (x86)"]);
}
