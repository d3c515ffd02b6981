//! What is known of a `cfg` predicate here.

use proc_macro2::{TokenStream, TokenTree};

use crate::features::Arch;

/// The value of `predicate` on `arch`, in a clone that has `features`; `None` where the rest of the build decides.
pub(super) fn value(predicate: TokenStream, arch: Arch, features: &[&str]) -> Option<bool> {
    value_with(predicate, arch, features, &mut |_| None)
}

/// The same where `build` answers for the rest of the build, which is asked for every such part of the predicate.
pub(super) fn value_with(
    predicate: TokenStream,
    arch: Arch,
    features: &[&str],
    build: &mut dyn FnMut(&str) -> Option<bool>,
) -> Option<bool> {
    let text = predicate.to_string();
    let tokens: Vec<TokenTree> = predicate.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(word), TokenTree::Group(group)] => {
            let word = word.to_string();
            if !["all", "any", "not"].contains(&word.as_str()) {
                return build(&text);
            }
            let values: Vec<Option<bool>> = arguments(group.stream())
                .into_iter()
                .map(|argument| value_with(argument, arch, features, build))
                .collect();
            match word.as_str() {
                "not" => values.first().copied().flatten().map(|value| !value),
                "all" => fold(values.into_iter(), false),
                _ => fold(values.into_iter(), true),
            }
        }
        [TokenTree::Ident(key), TokenTree::Punct(_), TokenTree::Literal(literal)] => {
            let syn::Lit::Str(value) = syn::Lit::new(literal.clone()) else { return build(&text) };
            let value = value.value();
            match key.to_string().as_str() {
                "target_arch" => Some(value == arch.cfg_name()),
                // The build may enable what the clone does not.
                "target_feature" if features.contains(&value.as_str()) => Some(true),
                _ => build(&text),
            }
        }
        [TokenTree::Ident(word)] if word == "true" => Some(true),
        [TokenTree::Ident(word)] if word == "false" => Some(false),
        _ => build(&text),
    }
}

/// `decisive` if one of `values` is, its contrary if all are, else unknown.
fn fold(values: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut result = Some(!decisive);
    for value in values {
        match value {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}

/// `tokens` between its commas.
fn arguments(tokens: TokenStream) -> Vec<TokenStream> {
    let mut arguments = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => arguments.push(TokenStream::new()),
            _ => {
                if let Some(last) = arguments.last_mut() {
                    last.extend([token]);
                }
            }
        }
    }
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_x86_64(predicate: &str, features: &[&str]) -> Option<bool> {
        value(predicate.parse().unwrap(), Arch::X86_64, features)
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
}
