//! What the fuzz targets and `tests/share_files.rs` run: the parsers on any bytes, and what has to hold for those they accept.
use simd_crypto::share_files::{Reader, ShareError, TextReader, TextWriter, Writer, scan};
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
    let mut lines = Vec::new();
    for share in scan(bytes)? {
        let mut values = vec![0; share.length as usize];
        let read = TextReader::new(&bytes[share.start as usize..], &share).read(&mut values)?;
        assert_eq!(read, values.len());
        let mut writer = TextWriter::new(&mut lines, share.x).expect("there is room");
        writer.write_all(&values).expect("there is room");
        writer.finish().expect("there is room");
        shares.push((share.x, values));
    }
    let again = scan(&lines[..]).expect("lines that have been written can be read");
    assert!(again.iter().map(|share| (share.x, share.length as usize)).eq(shares.iter().map(|(x, y)| (*x, y.len()))));
    Ok(shares)
}
