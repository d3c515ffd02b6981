//! `symphonia-bundle-mp3`: a file of tones and noise, and its parts.

use std::io::Cursor;

use super::subject::{MpaDecoder, MpaReader};
use crate::harness::Row;
use symphonia_core::audio::{AudioBufferRef, Signal as _};
use symphonia_core::codecs::{Decoder as _, DecoderOptions};
use symphonia_core::formats::{FormatOptions, FormatReader as _, Packet};
use symphonia_core::io::{MediaSourceStream, MediaSourceStreamOptions};

fn row(name: &str, from: usize, to: usize) -> Row {
    let file = Box::new(Cursor::new(&include_bytes!("tone.mp3")[..]));
    let source = MediaSourceStream::new(file, MediaSourceStreamOptions::default());
    let mut reader = MpaReader::try_new(source, &FormatOptions::default()).expect("a valid file");
    let params = reader.tracks()[0].codec_params.clone();
    let mut packets: Vec<Packet> = Vec::new();
    while let Ok(packet) = reader.next_packet() {
        packets.push(packet);
    }
    let to = to.min(packets.len());
    Row::new(name, (to - from) * 1152, (), move |()| {
        let mut decoder = MpaDecoder::try_new(&params, &DecoderOptions::default()).expect("a known codec");
        let mut last = Vec::new();
        for packet in &packets[from..to] {
            // The first frames refer to bits that are not there.
            if let Ok(AudioBufferRef::F32(samples)) = decoder.decode(packet) {
                last = samples.chan(1).to_vec();
            }
        }
        last
    })
}

pub fn rows() -> Vec<Row> {
    vec![row("the whole file", 0, usize::MAX), row("the beginning", 0, 5), row("the end", 8, 14)]
}
