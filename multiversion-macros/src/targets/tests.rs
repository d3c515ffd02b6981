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
fn unknown_names() {
    assert_eq!(
        wrong("avx2,pclmulqd | neno | frobnicate"),
        [
            "unknown target feature `pclmulqd`\nhelp: did you mean `pclmulqdq`?",
            "unknown target feature `neno`\nhelp: did you mean `neon`?",
            "unknown target feature `frobnicate`\nhelp: the names are those of `rustc --print target-features`",
        ]
    );
    assert_eq!(wrong("SHA_NI"), ["unknown target feature `SHA_NI`\nhelp: did you mean `sha_ni`?"]);
    assert_eq!(wrong("x86_64: avx22"), ["unknown target feature `avx22`\nhelp: did you mean `avx2`?"]);
}

#[test]
fn what_other_tools_have_in_their_lists() {
    for (list, help) in [
        ("avx2+fma", "features are joined by `,`: `avx2,fma`"),
        ("avx2 fma", "features are joined by `,`: `avx2,fma`"),
        ("avx2 ; sse4.1", "features are joined by `,`, and targets separated by `|`"),
        ("avx2/sse4.1", "features are joined by `,`, and targets separated by `|`"),
        ("x86_64+avx2+fma", "write `x86_64: avx2,fma`"),
        ("aarch64", "an architecture stands before its features: `aarch64: …`"),
        ("x86-64-v1", "leave it out: CPUs that have none of the targets run the baseline, which is not listed"),
        ("default", "leave it out: CPUs that have none of the targets run the baseline, which is not listed"),
        ("native", "list features; those that the build enables, as with `-C target-cpu=native`, are not tested"),
        ("+avx2", "write `avx2`"),
        (
            "-avx2",
            "there is no negation: for other code on CPUs with `avx2`, write a target with `avx2` before this one",
        ),
        (
            "no-fma",
            "there is no negation: for other code on CPUs with `fma`, write a target with `fma` before this one",
        ),
        (
            "not(fma)",
            "there is no negation: for other code on CPUs with `fma`, write a target with `fma` before this one",
        ),
        ("avx2 neon", "targets are separated by `|`: `avx2 | neon`"),
        ("sse42", "did you mean `sse4.2`?"),
        ("v3", "did you mean `x86-64-v3`?"),
        ("znver4", "a list names features and levels, not CPUs: write for example `x86-64-v3` for `haswell`"),
        (
            "simd",
            "there is no ready list: write for example `avx512bw,avx512vl | avx2,fma | sse4.2 | sve2`, or the name of a list of yours \
             without quotes",
        ),
        ("sse4", "did you mean `sse4.1` or `sse4.2`?"),
        ("x86-64-v5", "the levels are `x86-64-v2`, `x86-64-v3` and `x86-64-v4`"),
    ] {
        assert_eq!(wrong(list), [format!("unknown target feature `{list}`\nhelp: {help}")]);
    }
    let [error] = &wrong("x86: avx2, x86_64: sse4.1")[..] else { panic!() };
    assert!(error.ends_with("help: features are joined by `,`, and targets separated by `|`"), "{error}");
}

#[test]
fn unknown_architectures() {
    assert_eq!(
        wrong("amd64: avx2 | x86_46: aes, frob | mips: msa"),
        [
            "unknown architecture `amd64`\nhelp: did you mean `x86_64`?",
            "unknown architecture `x86_46`\nhelp: did you mean `x86_64`?",
            "unknown target feature `frob`\nhelp: the names are those of `rustc --print target-features`",
            "unknown architecture `mips`\nhelp: known are `x86`, `x86_64`, `aarch64`, `arm`, `riscv32`, \
             `riscv64`, `loongarch64`, `s390x`, `powerpc`, `powerpc64`, `wasm32`, `wasm64`",
        ]
    );
    let [error] = &wrong("crate::lists::simd")[..] else { panic!() };
    assert!(error.ends_with("help: write the name of a list without quotes: `targets = path::to::list`"), "{error}");
    assert_eq!(
        wrong("x86, amd64: avx2 | x86, x86: aes | x86,, x86_64: aes | x86, aarch64: avx2,pmull"),
        [
            "no architecture before the `:` of `x86,, x86_64: aes`\nhelp: write an architecture on both sides of each `,`",
            "unknown architecture `amd64`\nhelp: did you mean `x86_64`?",
            "architecture `x86` is listed twice\nhelp: remove one of the two architectures",
            "`avx2` is not a feature of `aarch64`\nhelp: `avx2` is valid on `x86`, `x86_64`",
            "`pmull` is not a feature of `x86`\nhelp: `pmull` is valid on `aarch64`",
        ]
    );
}

#[test]
fn nothing_listed() {
    let none = "no targets are given\nhelp: list features, as in `targets = \"avx2,fma | sve2\"`";
    assert_eq!(wrong(" "), [none]);
    assert_eq!(wrong_in(89, &[]).len(), 1);
    let empty = "empty target\nhelp: write features on both sides of each `|`";
    assert_eq!(wrong("avx2 | | neon"), [empty]);
    assert_eq!(wrong("avx2 |").len(), 1);
    assert_eq!(
        wrong("avx2,, fma | x86: | : aes"),
        [
            "empty feature name in target `avx2,, fma`\nhelp: write a feature on both sides of each `,`",
            "empty feature name in target `x86:`\nhelp: name a feature after the `:`",
            "no architecture before the `:` of `: aes`\nhelp: write an architecture before the `:`, or remove the `:`",
        ]
    );
}

#[test]
fn architectures_do_not_mix() {
    assert_eq!(
        wrong("avx2,fma,neon"),
        ["no architecture has all features of target `avx2,fma,neon`: `avx2` is valid on `x86`, `x86_64`, \
          `fma` is valid on `x86`, `x86_64`, `neon` is valid on `aarch64`\nhelp: separate the targets of different \
          architectures by `|`: `avx2,fma | neon`"]
    );
    assert_eq!(
        wrong("x86_64: neon | x86: x86-64-v2"),
        [
            "`neon` is not a feature of `x86_64`\nhelp: `neon` is valid on `aarch64`",
            "`x86-64-v2` is not a feature of `x86`\nhelp: `x86-64-v2` is valid on `x86_64`",
        ]
    );
}

#[test]
fn unstable_features() {
    assert_eq!(
        wrong("altivec | arm: neon | x87"),
        [
            "`altivec` is not stable in Rust\nhelp: only features that are stable in Rust can be enabled",
            "`neon` is not stable in Rust on `arm`\nhelp: `neon` is valid on `aarch64`",
            "`x87` is not stable in Rust\nhelp: only features that are stable in Rust can be enabled",
        ]
    );
}

/// With the feature `nightly`, on a stable compiler. The integration tests have the messages without it.
#[test]
#[cfg(all(feature = "nightly", not(simd_core_unstable)))]
fn unstable_features_on_a_stable_compiler() {
    assert_eq!(
        wrong("avx10.1 | riscv64: v"),
        [
            "`avx10.1` is not stable in Rust\nhelp: `simd-core` has its feature `nightly`, and this compiler is Rust 1.89: compile with a nightly",
            "`v` is not stable in Rust on `riscv64`\nhelp: `simd-core` has its feature `nightly`, and this compiler is Rust 1.89: compile with a nightly",
        ]
    );
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
fn targets_that_are_never_chosen() {
    assert_eq!(
        wrong("avx | avx2,fma | fma"),
        [
            "target `avx2,fma` can never be selected: it implies the earlier target `avx`\nhelp: list `avx2,fma` before `avx`",
            "target `fma` can never be selected: it implies the earlier target `avx`\nhelp: list `fma` before `avx`",
        ]
    );
    assert_eq!(
        wrong("avx2 | avx2 | avx,avx2"),
        [
            "target `avx2` is listed twice\nhelp: remove one of the two targets",
            "duplicate target: `avx,avx2` is the same as `avx2`\nhelp: remove one of the two targets",
        ]
    );
    assert_eq!(wrong("aes | x86: vaes").len(), 1);
    assert_eq!(wrong("x86_64: sse2 | x86: avx"), Vec::<String>::new());
    assert_eq!(wrong("aes,aes"), ["feature `aes` is listed twice in one target\nhelp: remove one of the two features"]);
}

#[test]
fn tied_features() {
    assert_eq!(good("paca,pacg").len(), 1);
    assert_eq!(
        wrong("paca | neon,pacg"),
        [
            "`paca` needs `pacg`: Rust enables them together only\nhelp: write `paca,pacg`",
            "`pacg` needs `paca`: Rust enables them together only\nhelp: write `neon,pacg,paca`",
        ]
    );
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
    assert_eq!(
        wrong("fast-pext | bmi2 | bmi2,fast-pext | neon,fast-gather | avx2,fast-gathr"),
        [
            "target `fast-pext` has no feature, only properties of CPUs\nhelp: name the feature as well, as in `bmi2,fast-pext` or `avx512f,fast-512`",
            "target `bmi2,fast-pext` can never be selected: it implies the earlier target `bmi2`\nhelp: list `bmi2,fast-pext` before `bmi2`",
            "no architecture has all features of target `neon,fast-gather`: `neon` is valid on `aarch64`, `fast-gather` is valid on `x86`, `x86_64`\nhelp: separate the targets of different architectures by `|`: `neon | fast-gather`",
            "unknown target feature `fast-gathr`\nhelp: did you mean `fast-gather`?",
        ]
    );
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
    assert_eq!(
        wrong("neon | aes | i8mm"),
        ["target `i8mm` can never be selected: it implies the earlier target `neon`\nhelp: list `i8mm` before `neon`"]
    );
}
