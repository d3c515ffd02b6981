//! `key`: a new key.
use super::exact::KEY;
use super::failure::Failure;
use super::files::{Content, Output, Request};
use clap::Args;
use rand_core::Rng;
use simd_crypto::shamir::seeded_rng;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Make a key for `seal` and `open`
///
/// It has 32 random bytes, and is written as 64 hexadecimal digits and a line end. Only its owner can read the file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto key --out key.txt
  simd-crypto shamir split -n 3 -t 2 --in key.txt --out-dir shares --format text")]
pub(crate) struct Key {
    /// Where the key goes; `-` is standard output
    #[arg(long = "out", value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists: what was sealed with an old key in it can no longer be opened
    #[arg(long)]
    force: bool,
}

impl Key {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let files = Request { inputs: Vec::new(), output: &self.output, content: Content::Any, force: self.force };
        let mut output = Output::create(&files)?;
        let (mut key, mut line) = (Zeroizing::new([0; KEY]), Zeroizing::new([b'\n'; 2 * KEY + 1]));
        seeded_rng().map_err(|error| Failure::randomness(&error))?.fill_bytes(&mut key[..]);
        base16ct::lower::encode(&key[..], &mut line[..2 * KEY]).map_err(|error| Failure::general(error.to_string()))?;
        output.put(&line[..])?;
        output.finish()
    }
}
