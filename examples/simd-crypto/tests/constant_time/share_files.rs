//! The files of shares: what is written and read of them is secret, their digests are not.
//!
//! Reading text branches on whether a byte is a digit. That is public, but memcheck cannot tell: see `instructions`.
use core::cell::Cell;
use simd_crypto::shamir::Set;
use simd_crypto::share_files::{Header, Reader, TextWriter, Writer};
use std::io::{self, Read, Write};
use std::rc::Rc;

use crate::kernels::Kernel;
use crate::valgrind;

pub(crate) const KERNELS: &[Kernel] = &[
    ("a binary share of 1000 bytes, there and back", 1000, binary),
    ("a binary share of two records, there and back", 70_000, binary),
    ("a text share written", 5000, |secret| {
        let mut writer = TextWriter::new(Vec::new(), &HEADER).unwrap();
        writer.write_all(secret).unwrap();
        let line = writer.finish().unwrap();
        // The values, and behind them a bar, the check value and the end of the line. Every fifth character is a space.
        let end = line.len() - "|0000 0000 0000 0000\n".len();
        let digits = 2 * secret.len();
        let values = &line[end - digits - (digits - 1) / 4..end];
        values.iter().enumerate().filter(|(i, _)| i % 5 < 4).map(|(_, digit)| *digit).collect()
    }),
];

/// Where the reader is, and how long. Its state when it reads a digest is public: it is to be the digest.
type Place = Rc<Cell<(usize, usize)>>;

struct Told<'a> {
    file: &'a [u8],
    reader: Place,
}

impl Read for Told<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.len() == 32 {
            let (reader, length) = self.reader.get();
            valgrind::learn_at(reader, length);
        }
        self.file.read(buffer)
    }
}

pub(crate) const HEADER: Header = Header { set: Set { id: [7; 16], threshold: 2 }, x: 3 };

fn binary(secret: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &HEADER).unwrap();
    writer.write_all(secret).unwrap();
    let mut file = writer.finish().unwrap();
    // Digests, and what else is no value.
    let end = file.len() - 44;
    let mut place = 64;
    while place < end {
        let values = secret.len().min(1 << 16).min(end - place - 36);
        valgrind::learn(&mut file[place + 4 + values..][..32]);
        place += 36 + values;
    }
    valgrind::learn(&mut file[end..]);

    let at = Place::default();
    let mut reader = Box::new(Reader::new(Told { file: &file, reader: Rc::clone(&at) }).unwrap());
    at.set((core::ptr::from_mut(&mut *reader) as usize, size_of_val(&*reader)));
    let mut values = vec![0; secret.len() + 1];
    assert_eq!(reader.read(&mut values).unwrap(), secret.len());
    values.truncate(secret.len());
    values
}
