//! Inputs of exactly so many bytes.
use super::failure::Failure;
use super::files::Input;
use clap::ValueEnum;
use subtle::Choice;
use zeroize::Zeroizing;

pub(crate) const KEY: usize = 32;

/// How bytes are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Bytes as they are
    Raw,
    /// Two hexadecimal digits for each byte
    Hex,
}

/// Reads `N` bytes; any other number is an error. `who` needs them.
pub(crate) fn read_exactly<const N: usize>(
    input: &mut Input,
    format: Format,
    who: &str,
) -> Result<Zeroizing<[u8; N]>, Failure> {
    match format {
        Format::Raw => read_raw(input, who),
        Format::Hex => read_hex(input, who),
    }
}

fn read_raw<const N: usize>(input: &mut Input, who: &str) -> Result<Zeroizing<[u8; N]>, Failure> {
    let mut bytes = Zeroizing::new([0; N]);
    let read = input.fill(&mut bytes[..])?;
    let more = input.fill(&mut [0])? > 0;
    if read < N || more {
        let given = if more { format!("more than {N}") } else { read.to_string() };
        return Err(Failure::general(format!("`{}` has {given} bytes, and {who} takes exactly {N}", input.name)));
    }
    Ok(bytes)
}

/// Reads hexadecimal digits, with white space between them or not.
fn read_hex<const N: usize>(input: &mut Input, who: &str) -> Result<Zeroizing<[u8; N]>, Failure> {
    let mut digits = Vec::with_capacity(2 * N);
    let mut buffer = Zeroizing::new([0; 512]);
    let mut count = 0_u64;
    loop {
        let read = input.fill(&mut buffer[..])?;
        for byte in buffer[..read].iter().filter(|byte| !is_space(**byte)) {
            count += 1;
            if count <= 2 * N as u64 {
                digits.push(*byte);
            }
        }
        if read < buffer.len() {
            break;
        }
    }
    if count != 2 * N as u64 {
        let (name, wanted) = (&input.name, 2 * N);
        return Err(Failure::general(format!(
            "`{name}` has {count} hexadecimal digits, and {who} takes exactly {wanted}"
        )));
    }
    decode(&digits, &input.name)
}

/// Reads a key, which is written in either way. Of its bytes, none but digits and the white space around them is looked at.
pub(crate) fn read_key(input: &mut Input, text_key: bool) -> Result<Zeroizing<[u8; KEY]>, Failure> {
    let mut buffer = Zeroizing::new([0; 1024]);
    let (read, name) = (input.fill(&mut buffer[..])?, &input.name);
    match read {
        KEY if !text_key && is_text(&buffer[..KEY]) => Err(Failure::general(format!(
            "`{name}` has {KEY} bytes of text, which others can guess; `simd-crypto key` makes a key, and --text-key takes this one"
        ))),
        KEY => {
            let mut key = Zeroizing::new([0; KEY]);
            key.copy_from_slice(&buffer[..KEY]);
            Ok(key)
        }
        1024 => Err(Failure::general(format!("`{name}` is too long for a key: that has {KEY} bytes"))),
        _ => match buffer[..read].split(|byte| is_space(*byte)).filter(|part| !part.is_empty()).collect::<Vec<_>>()[..]
        {
            [digits] if digits.len() == 2 * KEY => decode(digits, name),
            _ => Err(Failure::general(format!(
                "`{name}` has {read} bytes, and a key has {KEY}, or {} hexadecimal digits",
                2 * KEY
            ))),
        },
    }
}

/// Whether a byte is white space. The branch on that is the same for all others.
fn is_space(byte: u8) -> bool {
    Choice::from(u8::from(byte == b' ') | u8::from(byte.wrapping_sub(b'\t') < 5)).into()
}

/// Whether all bytes are printable ASCII or white space. There is one branch on that, and none on each of the bytes.
fn is_text(bytes: &[u8]) -> bool {
    let is_text = |byte: u8| u8::from(byte.wrapping_sub(b' ') < 95) | u8::from(byte.wrapping_sub(b'\t') < 5);
    Choice::from(bytes.iter().fold(1, |all, byte| all & is_text(*byte))).into()
}

/// The bytes of `2 N` digits.
fn decode<const N: usize>(digits: &[u8], name: &str) -> Result<Zeroizing<[u8; N]>, Failure> {
    let mut bytes = Zeroizing::new([0; N]);
    match base16ct::mixed::decode(digits, &mut bytes[..]) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Failure::general(format!("`{name}` has characters that are no hexadecimal digits"))),
    }
}
