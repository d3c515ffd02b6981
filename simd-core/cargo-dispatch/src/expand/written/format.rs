//! Written files as rustfmt has them, if there is one.

use std::io::Write as _;
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;

use super::tree::Module;

/// `text` in the project's own style; unchanged without rustfmt.
pub(super) fn formatted(text: &str, module: &Module) -> String {
    rustfmt(text, module).unwrap_or_else(|| text.to_owned())
}

fn rustfmt(text: &str, module: &Module) -> Option<String> {
    let directory = module.source.parent()?;
    let program = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let mut rustfmt = Command::new(program);
    rustfmt.args(["--edition", &module.edition, "--emit", "stdout"]);
    rustfmt.current_dir(directory).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = rustfmt.spawn().ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    // It may write before it has read everything.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}

/// Whether two files have the same tokens, but for what a formatter adds and removes.
pub(super) fn same_tokens(one: &str, other: &str) -> bool {
    let tokens = |text: &str| super::tree::blanked(text).parse::<TokenStream>().map(|tokens| tokens.to_string()).ok();
    let plain = |text: &str| super::tree::parsed(text).map(|file| prettyplease::unparse(&file)).ok();
    let same = |one: Option<String>, other: Option<String>| one.is_some() && one == other;
    same(tokens(one), tokens(other)) || same(plain(one), plain(other))
}

pub(super) fn items(tokens: TokenStream) -> syn::Result<String> {
    Ok(prettyplease::unparse(&syn::parse2(tokens)?))
}

pub(super) fn members(tokens: &TokenStream) -> syn::Result<String> {
    Ok(inside(&items(quote::quote!(impl X { #tokens }))?))
}

pub(super) fn expression(tokens: &TokenStream) -> syn::Result<String> {
    Ok(inside(&items(quote::quote!(fn x() { #tokens }))?).trim().to_owned())
}

/// The lines between the first and the last one, further left.
fn inside(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let lines = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default();
    let lines: Vec<&str> = lines.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.join("\n")
}

/// `text` with all lines but the first behind `indent`.
pub(super) fn indented(text: &str, indent: &str) -> String {
    let mut out = String::new();
    for (at, line) in text.trim_end().lines().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if at > 0 && !line.is_empty() {
            out += indent;
        }
        out += line;
    }
    out
}
