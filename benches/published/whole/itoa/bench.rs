//! `itoa`: numbers of different lengths.

use super::subject::Buffer;
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let numbers: Vec<u64> =
        bytes(512).chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()) >> (bytes[0] % 64)).collect();
    let sum = |text: &str| text.bytes().map(usize::from).sum::<usize>();
    vec![
        Row::new("u64, 64 numbers", 64, numbers.clone(), move |numbers| {
            numbers.iter().map(|&number| sum(Buffer::new().format(number))).sum::<usize>()
        }),
        Row::new("u32, 64 numbers", 64, numbers.clone(), |numbers| {
            numbers.iter().map(|&number| Buffer::new().format(number as u32).len()).sum::<usize>()
        }),
        Row::new("i128, 64 numbers", 64, numbers, |numbers| {
            let wide = |number: u64| i128::from(number) * -i128::from(number);
            numbers.iter().map(|&number| Buffer::new().format(wide(number)).len()).sum::<usize>()
        }),
    ]
}
