//! `keccak`: the permutations.

use super::subject::Keccak;
use crate::harness::Row;

pub fn rows() -> Vec<Row> {
    vec![
        Row::new("f1600", 200, [7_u64; 25], |state| Keccak::new().with_f1600(|f| f(state))),
        Row::new("p1600, 12 rounds", 200, [7_u64; 25], |state| Keccak::new().with_p1600::<12>(|f| f(state))),
        Row::new("f800", 100, [7_u32; 25], |state| Keccak::new().with_f800(|f| f(state))),
        Row::new("f200", 25, [7_u8; 25], |state| Keccak::new().with_f200(|f| f(state))),
    ]
}
