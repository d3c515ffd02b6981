//! `chacha20`: encryption and decryption, which are the same.
use super::exact::read_either;
use super::failure::Failure;
use super::files::{Input, Output, is_standard};
use super::progress::Progress;
use clap::{ArgGroup, Args};
use simd_crypto::chacha20::{ChaCha20, KEYSTREAM_LENGTH};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Encrypt or decrypt with ChaCha20 (RFC 8439)
///
/// Encryption and decryption are the same. Nothing is authenticated: an attacker who flips a bit of the ciphertext flips that bit of
/// the message. Never use a key and a nonce for two messages.
///
/// Key and nonce are read from files of 32 and 12 bytes, or of as many in hexadecimal digits. The keystream has 2^32 blocks of 64
/// bytes; a longer input is an error, and leaves no output.
#[derive(Args)]
#[command(group = ArgGroup::new("nonces").required(true).args(["nonce", "nonce_file"]), after_help = "\
Examples:
  simd-crypto chacha20 --key key.bin --nonce 000000000000004a00000000 --in letter.txt --out letter.enc
  tar c photos | simd-crypto chacha20 --key key.bin --nonce-file nonce.bin --out photos.enc")]
pub(crate) struct Chacha20 {
    /// The file with the key; `-` is standard input
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The nonce, in 24 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = parse_nonce)]
    nonce: Option<[u8; 12]>,
    /// The file with the nonce
    #[arg(long, value_name = "FILE")]
    nonce_file: Option<PathBuf>,
    /// The number of the first block of the keystream; RFC 8439 has protocols that begin with 1
    #[arg(long, default_value_t = 0)]
    counter: u32,
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

fn parse_nonce(digits: &str) -> Result<[u8; 12], String> {
    let mut nonce = [0; 12];
    match base16ct::mixed::decode(digits, &mut nonce) {
        Ok(decoded) if decoded.len() == 12 => Ok(nonce),
        _ => Err("a nonce has 24 hexadecimal digits".to_owned()),
    }
}

impl Chacha20 {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let inputs = [Some(&self.key), self.nonce_file.as_ref(), Some(&self.input)];
        if inputs.into_iter().flatten().filter(|path| is_standard(path)).count() > 1 {
            return Err(Failure::usage("only one of key, nonce and input can be standard input"));
        }
        let key = read_either(&mut Input::open(&self.key)?, "a key")?;
        let nonce = match (self.nonce, &self.nonce_file) {
            (Some(nonce), _) => nonce,
            (None, Some(path)) => *read_either(&mut Input::open(path)?, "a nonce")?,
            (None, None) => return Err(Failure::usage("there is no nonce")),
        };
        let mut cipher = ChaCha20::from_key_and_nonce(&key, &nonce);
        let past_the_end = |name: &str| {
            Failure::general(format!(
                "`{name}` is longer than the keystream, which ends {KEYSTREAM_LENGTH} bytes after block 0"
            ))
        };
        let mut input = Input::open(&self.input)?;
        let start = 64 * u64::from(self.counter);
        cipher.set_position(start).map_err(|_| past_the_end(&input.name))?;
        // Of a file the length is known before anything is written.
        if input.length.is_some_and(|length| length > KEYSTREAM_LENGTH - start) {
            return Err(past_the_end(&input.name));
        }
        let mut output = Output::create(&self.output, self.force)?;
        let mut progress = Progress::new(input.length);
        let mut piece = Zeroizing::new(vec![0; 1 << 17]);
        loop {
            let read = input.fill(&mut piece)?;
            let piece = &mut piece[..read];
            cipher.xor_keystream(piece).map_err(|_| past_the_end(&input.name))?;
            output.put(piece)?;
            progress.add(read);
            if read < 1 << 17 {
                break;
            }
        }
        // Windows replaces no file that is open.
        drop(input);
        output.finish()
    }
}
