//! Hashes of source files, which tell whether a stored figure is of the present code.

use anyhow::{Result, ensure};
use std::fs;
use std::path::Path;

/// Of the files below the repository's root that have one of these patterns, without tests, indents and lines of comments.
///
/// # Errors
/// If a file cannot be read, or none has a pattern.
pub(crate) fn hash(patterns: &[String]) -> Result<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let is_test = |file: &Path| {
        let inside = file.strip_prefix(root).unwrap_or(file);
        inside.iter().any(|name| name == "tests" || name == "tests.rs")
    };
    let mut hasher = crc32fast::Hasher::new();
    for pattern in patterns {
        let pattern = root.join(pattern);
        let files = glob::glob(&pattern.to_string_lossy())?.collect::<Result<Vec<_>, _>>()?;
        ensure!(!files.is_empty(), "report.toml: {} is no source", pattern.display());
        for text in files.into_iter().filter(|file| file.is_file() && !is_test(file)).map(fs::read_to_string) {
            let text = text?;
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
                hasher.update(line.as_bytes());
            }
        }
    }
    Ok(format!("{:08x}", hasher.finalize()))
}
