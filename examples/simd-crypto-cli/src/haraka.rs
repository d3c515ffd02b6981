//! `haraka`: the hash of one message.
use super::exact::{Format, read_exactly};
use super::failure::Failure;
use super::files::{Content, Input, Output, Request};
use clap::{Args, ValueEnum};
use simd_crypto::haraka::{haraka256, haraka512};
use std::path::PathBuf;

/// Hash a message of exactly 32 or 64 bytes with Haraka-256 or Haraka-512 v2
///
/// The hash has 32 bytes. Haraka is a hash function for inputs of these lengths only; a file of any other length is an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto haraka 256 --in leaf.bin
  printf '%064d' 0 | simd-crypto haraka 256 --in-format hex
  simd-crypto haraka 512 --rounds 6 --in node.bin --out-format raw --out hash.bin")]
pub(crate) struct Haraka {
    /// The bits of the message
    #[arg(value_enum)]
    bits: Bits,
    /// The number of rounds: 5 against second preimages, 6 against collisions as well
    #[arg(long, value_parser = ["5", "6"], default_value = "5")]
    rounds: String,
    /// The message; `-` is standard input
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// How the message is written; hexadecimal digits may have white space between them
    #[arg(long, value_enum, default_value_t = Format::Raw)]
    in_format: Format,
    /// Where the hash goes; `-` is standard output
    #[arg(long = "out", value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// How the hash is written; hexadecimal digits are followed by a line end
    #[arg(long, value_enum, default_value_t = Format::Hex)]
    out_format: Format,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Bits {
    #[value(name = "256")]
    Haraka256,
    #[value(name = "512")]
    Haraka512,
}

impl Haraka {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let content = if self.out_format == Format::Raw { Content::Binary } else { Content::Any };
        let files = Request { inputs: vec![&self.input], output: &self.output, content, force: self.force };
        files.check()?;
        let mut input = Input::open(&self.input)?;
        let six = self.rounds == "6";
        let hash = match self.bits {
            Bits::Haraka256 => {
                let message = read_exactly(&mut input, self.in_format, "Haraka-256")?;
                if six { haraka256::<6>(&message) } else { haraka256::<5>(&message) }
            }
            Bits::Haraka512 => {
                let message = read_exactly(&mut input, self.in_format, "Haraka-512")?;
                if six { haraka512::<6>(&message) } else { haraka512::<5>(&message) }
            }
        };
        // Windows replaces no file that is open.
        drop(input);
        let mut output = Output::create(&files)?;
        match self.out_format {
            Format::Raw => output.put(&hash)?,
            Format::Hex => output.put(format!("{:x}\n", base16ct::HexDisplay(&hash)).as_bytes())?,
        }
        output.finish()
    }
}
