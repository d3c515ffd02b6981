//! Checks for the fuzz targets and `tests/share_files.rs`: the parsers on any bytes, and what has to hold for those they accept.
use sha2::{Digest, Sha256};
use simd_crypto::shamir::Set;
use simd_crypto::share_files::{Header, MAGIC, Reader, ShareError, TextReader, TextWriter, Writer, scan};
use std::io::Write;

/// Reads a binary share. One that is accepted is, byte by byte, what a writer makes of its values.
pub(crate) fn binary(bytes: &[u8]) -> Result<Vec<u8>, ShareError> {
    let mut reader = Reader::new(bytes)?;
    let mut values = vec![0; bytes.len() + 1];
    let read = reader.read(&mut values)?;
    values.truncate(read);
    assert_eq!(reader.total(), read as u64);

    let mut writer = Writer::new(Vec::new(), reader.header()).expect("a header that has been read can be written");
    writer.write_all(&values).expect("there is room");
    assert_eq!(writer.finish().expect("there is room"), bytes);
    Ok(values)
}

/// Reads the shares of a text: points and values. Shares that are accepted are those that come back when they are written.
pub(crate) fn text(bytes: &[u8]) -> Result<Vec<(u8, Vec<u8>)>, ShareError> {
    let mut shares = Vec::new();
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for share in scan(bytes)? {
        let mut values = vec![0; share.length as usize + 1];
        let read = TextReader::new(&bytes[share.start as usize..], &share).read(&mut values)?;
        values.truncate(read);
        assert_eq!(values.len() as u64, share.length);
        if let Some(set) = share.set {
            let header = Header { set, x: share.x };
            let mut writer = TextWriter::new(&mut lines, &header).expect("a header that has been read can be written");
            writer.write_all(&values).expect("there is room");
            writer.finish().expect("there is room");
            expected.push((share.set, share.x, share.length));
        }
        shares.push((share.x, values));
    }
    if !expected.is_empty() {
        let again = scan(&lines[..]).expect("lines that have been written can be read");
        assert!(again.iter().map(|share| (share.set, share.x, share.length)).eq(expected));
    }
    Ok(shares)
}

const DIGEST: usize = 32;
const HEADER: usize = 64;
/// The end of a share: a length of zero, the number of all values, a digest.
const END: usize = 4 + 8 + DIGEST;

/// Changes a binary share, of which `data` has `size` bytes and room for `max_size`. Says how many it has then.
///
/// No change of random bytes makes digests fit, and behind a wrong one nothing is looked at. So most changes are
/// followed by [`mend`]. Without a share to begin with, there is one.
pub(crate) fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    change: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut size = size;
    if size < HEADER + END && max_size >= HEADER + END {
        let header = Header { set: Set { id: [7; 16], threshold: 2 }, x: 3 };
        let share = Writer::new(Vec::new(), &header).and_then(Writer::finish).expect("there is room");
        size = share.len();
        data[..size].copy_from_slice(&share);
    }
    let size = change(data, size, max_size);
    if !seed.is_multiple_of(8) {
        mend(&mut data[..size], !seed.is_multiple_of(4));
    }
    size
}

/// Puts the magic number and all digests right, and with `fit` the lengths too where they lead behind the end.
fn mend(bytes: &mut [u8], fit: bool) {
    if bytes.len() < HEADER {
        return;
    }
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    seal(bytes, HEADER - DIGEST);
    let (mut place, mut total) = (HEADER, 0);
    while let Some((length, behind)) = bytes[place..].split_first_chunk_mut() {
        let left = behind.len() + 4;
        let mut values = u32::from_le_bytes(*length) as usize;
        // Full records are too long for what a fuzzer likes.
        if fit && left >= END && (values > left - END || values == 0) {
            values = (left - END).saturating_sub(4 + DIGEST);
            *length = (values as u32).to_le_bytes();
        }
        if values == 0 {
            if behind.len() >= END - 4 {
                if fit {
                    behind[..8].copy_from_slice(&u64::to_le_bytes(total));
                }
                seal(bytes, place + END - DIGEST);
            }
            return;
        }
        if values.checked_add(DIGEST).is_none_or(|needed| needed > behind.len()) {
            return;
        }
        seal(bytes, place + 4 + values);
        place += 4 + values + DIGEST;
        total += values as u64;
    }
}

/// Writes the digest of all bytes before a place to the place.
fn seal(bytes: &mut [u8], place: usize) {
    let digest = Sha256::digest(&bytes[..place]);
    bytes[place..place + DIGEST].copy_from_slice(&digest);
}
