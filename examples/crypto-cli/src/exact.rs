//! Inputs of exactly so many bytes.
use super::failure::Failure;
use super::files::Input;
use clap::ValueEnum;
use zeroize::Zeroizing;

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
    let mut digits = Zeroizing::new(Vec::with_capacity(2 * N));
    let mut buffer = Zeroizing::new([0; 512]);
    let mut count = 0_u64;
    loop {
        let read = input.fill(&mut buffer[..])?;
        for byte in buffer[..read].iter().filter(|byte| !byte.is_ascii_whitespace()) {
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

/// Reads `N` bytes that are written in either way, `what` they are.
pub(crate) fn read_either<const N: usize>(input: &mut Input, what: &str) -> Result<Zeroizing<[u8; N]>, Failure> {
    let mut buffer = Zeroizing::new([0; 1024]);
    let read = input.fill(&mut buffer[..])?;
    let text = buffer[..read].trim_ascii();
    match (read, text.len()) {
        (raw, _) if raw == N => {
            let mut bytes = Zeroizing::new([0; N]);
            bytes.copy_from_slice(&buffer[..N]);
            Ok(bytes)
        }
        (1024, _) => Err(Failure::general(format!("`{}` is too long for {what}: that has {N} bytes", input.name))),
        (_, digits) if digits == 2 * N => decode(text, &input.name),
        _ => Err(Failure::general(format!(
            "`{}` has {read} bytes, and {what} has {N}, or {} hexadecimal digits",
            input.name,
            2 * N
        ))),
    }
}

/// The bytes of `2 N` digits.
fn decode<const N: usize>(digits: &[u8], name: &str) -> Result<Zeroizing<[u8; N]>, Failure> {
    let mut bytes = Zeroizing::new([0; N]);
    match base16ct::mixed::decode(digits, &mut bytes[..]) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Failure::general(format!("`{name}` has characters that are no hexadecimal digits"))),
    }
}
