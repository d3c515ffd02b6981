use super::*;

fn on_x86_64(predicate: &str, features: &[&str]) -> Option<bool> {
    value(&predicate.parse().unwrap(), Arch::X86_64, features)
}

#[test]
fn known_and_unknown() {
    assert_eq!(on_x86_64("target_arch = \"x86_64\"", &[]), Some(true));
    assert_eq!(on_x86_64("target_arch = \"x86\"", &[]), Some(false));
    assert_eq!(on_x86_64("target_feature = \"aes\"", &["aes"]), Some(true));
    assert_eq!(on_x86_64("target_feature = \"aes\"", &[]), None);
    assert_eq!(on_x86_64("feature = \"std\"", &[]), None);
    assert_eq!(on_x86_64("unix", &[]), None);
    assert_eq!(on_x86_64("true", &[]), Some(true));
}

#[test]
fn combined() {
    let both = "all(target_arch = \"x86_64\", target_feature = \"aes\",)";
    assert_eq!(on_x86_64(both, &["aes"]), Some(true));
    assert_eq!(on_x86_64(both, &[]), None);
    assert_eq!(on_x86_64(&format!("not({both})"), &["aes"]), Some(false));
    assert_eq!(on_x86_64("all(unix, target_arch = \"arm\")", &[]), Some(false));
    assert_eq!(on_x86_64("any(unix, not(target_arch = \"arm\"))", &[]), Some(true));
    assert_eq!(on_x86_64("any(unix, target_arch = \"arm\")", &[]), None);
    assert_eq!(on_x86_64("all()", &[]), Some(true));
    assert_eq!(on_x86_64("any()", &[]), Some(false));
}
