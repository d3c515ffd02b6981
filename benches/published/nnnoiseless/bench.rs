//! `nnnoiseless`: frames of noise and of a tone.

use super::subject::DenoiseState;
use crate::harness::{Row, bytes};

const FRAME: usize = DenoiseState::FRAME_SIZE;

fn row(name: &str, frames: usize, sample: impl Fn(usize, u8) -> f32) -> Row {
    let noise = bytes(FRAME * frames);
    let input: Vec<f32> = noise.iter().enumerate().map(|(i, byte)| sample(i, *byte)).collect();
    let mut state = DenoiseState::new();
    Row::new(name, FRAME * frames, (input, vec![0.0; FRAME]), move |(input, output)| {
        input.chunks_exact(FRAME).map(|frame| state.process_frame(output, frame)).sum::<f32>()
    })
}

pub fn rows() -> Vec<Row> {
    let tone = |i: usize| (i as f32 * 440.0 * core::f32::consts::TAU / 48_000.0).sin() * 8000.0;
    vec![
        row("a tone", 5, move |i, _| tone(i)),
        row("noise", 5, |_, byte| (f32::from(byte) - 127.5) * 60.0),
        row("a tone in noise", 5, move |i, byte| tone(i) + (f32::from(byte) - 127.5) * 20.0),
    ]
}
