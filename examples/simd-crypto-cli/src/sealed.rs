//! `seal` and `open`: authenticated encryption of files.
//!
//! The construction is STREAM (<https://eprint.iacr.org/2015/189>, of the crate `aead-stream`) over XChaCha20-Poly1305: chunks are
//! encrypted each with the number of the chunk, and with whether it is the last, in its nonce.
use super::exact::read_key;
use super::failure::Failure;
use super::files::{Content, Input, Output, Request};
use super::progress::Progress;
use super::protect;
use aead_stream::{NewStream, StreamBE32, StreamPrimitive};
use clap::Args;
use rand_core::Rng;
use simd_crypto::aead::XChaCha20Poly1305;
use simd_crypto::shamir::seeded_rng;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// How a sealed file begins. The first byte is in no text, and the line ends show what has been sent as text.
const MAGIC: [u8; 8] = *b"\x89SCE\r\n\x1a\n";
const VERSION: u8 = 1;
const NONCE: usize = 19;
/// The magic number, the version and the nonce; it is authenticated with each chunk.
const HEADER: usize = 9 + NONCE;
/// All chunks but the last have as many bytes.
const CHUNK: usize = 1 << 16;
const TAG: usize = 16;

#[derive(Args)]
struct Arguments {
    /// The file with the key: 32 bytes, or as many in hexadecimal digits; `-` is standard input
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Take a key of 32 bytes even if all of them are text, such as a password
    #[arg(long)]
    text_key: bool,
    /// The input; `-` is standard input
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// The output; `-` is standard output
    #[arg(long = "out", value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

/// Encrypt a file, so that any change of it is noticed
///
/// The key is read from a file of 32 bytes, or of as many in hexadecimal digits; one key is enough for any number of files. What is
/// sealed is 28 bytes longer than the input, and 16 bytes for each 64 KiB that have been begun.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto key --out key.txt
  simd-crypto seal --key key.txt --in letter.txt --out letter.sealed
  tar c photos | simd-crypto seal --key key.txt --out photos.sealed")]
pub(crate) struct Seal {
    #[command(flatten)]
    arguments: Arguments,
}

/// Decrypt a file that was sealed
///
/// Nothing comes out of a file that has been changed in any way, or sealed with another key, as long as it is a file, which is read
/// twice for standard output. From a pipe to standard output, what is longer than 8 MiB goes out as it is checked, piece by
/// piece, and the exit code tells whether all was well.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto open --key key.txt --in letter.sealed --out letter.txt
  simd-crypto open --key key.txt --in photos.sealed | tar x")]
pub(crate) struct Open {
    #[command(flatten)]
    arguments: Arguments,
}

/// The key with the nonce of one file.
type Stream = StreamBE32<XChaCha20Poly1305>;

fn stream(key: &[u8; 32], header: &[u8; HEADER]) -> Stream {
    let nonce: [u8; NONCE] = core::array::from_fn(|i| header[9 + i]);
    Stream::new(&(*key).into(), &nonce.into())
}

impl Arguments {
    fn files(&self, content: Content) -> Request<'_> {
        Request { inputs: vec![&self.key, &self.input], output: &self.output, content, force: self.force }
    }

    fn key(&self) -> Result<Zeroizing<[u8; 32]>, Failure> {
        let key = read_key(&mut Input::open(&self.key)?, self.text_key)?;
        protect::lock(&*key);
        Ok(key)
    }
}

impl Seal {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let arguments = self.arguments;
        let files = arguments.files(Content::Binary);
        files.check()?;
        let key = arguments.key()?;
        let input = Input::open(&arguments.input)?;
        let mut output = Output::create(&files)?;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8] = VERSION;
        let mut rng = seeded_rng().map_err(|error| Failure::randomness(&error))?;
        rng.fill_bytes(&mut header[9..]);
        output.put(&header)?;
        let stream = stream(&key, &header);
        protect::lock(&stream);
        each_chunk(input, CHUNK, |position, last, chunk| {
            let sealed = stream.encrypt_in_place(position, last, &header, chunk);
            sealed.map_err(|_| Failure::general("a chunk cannot be encrypted"))?;
            output.put(chunk)
        })?;
        output.finish()
    }
}

impl Open {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let arguments = self.arguments;
        let files = arguments.files(Content::Any);
        files.check()?;
        let key = arguments.key()?;
        let mut first = Some(Input::open(&arguments.input)?);
        let repeatable = first.as_ref().is_some_and(|input| input.length.is_some());
        Output::create(&files)?.checked(repeatable, |put| {
            let mut input = first.take().map_or_else(|| Input::open(&arguments.input), Ok)?;
            let name = input.name.clone();
            let bad = |problem: &str| Failure::share(format!("`{name}`: {problem}"));
            let mut header = [0; HEADER];
            let read = input.fill(&mut header)?;
            if read == 0 || header[..read.min(8)] != MAGIC[..read.min(8)] {
                return Err(bad("not a sealed file"));
            }
            if read < HEADER {
                return Err(bad(&format!("cut off after {read} bytes")));
            }
            if header[8] != VERSION {
                return Err(bad(&format!("sealed in format version {}, and only version 1 is known", header[8])));
            }
            let stream = stream(&key, &header);
            protect::lock(&stream);
            each_chunk(input, CHUNK + TAG, |position, last, chunk| {
                // A message that ends with a whole chunk has no empty one behind it.
                let is_possible = position == 0 || chunk.len() > TAG;
                if !is_possible || stream.decrypt_in_place(position, last, &header, chunk).is_err() {
                    return Err(bad(&match position {
                        0 => "sealed with another key, or its start has been changed".to_owned(),
                        _ => {
                            let at = HEADER as u64 + u64::from(position) * (CHUNK + TAG) as u64;
                            format!("changed, reordered or cut off: what is at byte {at} does not belong there")
                        }
                    }));
                }
                put(chunk)
            })
        })
    }
}

/// Reads chunks of `length` bytes, of which only the last is shorter, and may be empty if it is the first. Each comes with its
/// number and whether it is the last.
fn each_chunk(
    mut input: Input,
    length: usize,
    mut work: impl FnMut(u32, bool, &mut Vec<u8>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut progress = Progress::new(input.length);
    let mut memory = protect::buffer(CHUNK + TAG);
    // The byte behind a chunk shows that it is not the last.
    let (mut ahead, mut begun) = ([0], 0);
    for position in 0..=u32::MAX {
        memory.resize(length, 0);
        memory[..begun].copy_from_slice(&ahead[..begun]);
        let read = begun + input.fill(&mut memory[begun..])?;
        memory.truncate(read);
        progress.add(read);
        begun = if read < length { 0 } else { input.fill(&mut ahead)? };
        work(position, begun == 0, &mut memory)?;
        if begun == 0 {
            return Ok(());
        }
    }
    Err(Failure::general(format!("`{}`: longer than 256 TiB", input.name)))
}
