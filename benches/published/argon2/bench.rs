//! `argon2`: hashing a password with three passes.

use super::subject::{Algorithm, Argon2, Block, Params, Version};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let algorithms = [("Argon2id", Algorithm::Argon2id), ("Argon2i", Algorithm::Argon2i), ("Argon2d", Algorithm::Argon2d)];
    let mut rows = Vec::new();
    for (size, memory) in [("32 KiB", 32), ("1 MiB", 1024)] {
        for (name, algorithm) in algorithms {
            let params = Params::new(memory, 3, 1, Some(32)).expect("valid parameters");
            let blocks = vec![Block::new(); params.block_count()];
            let argon2 = Argon2::new(algorithm, Version::V0x13, params);
            let state = (bytes(32), bytes(16), blocks, [0; 32]);
            rows.push(Row::new(&format!("{name}, {size}"), memory as usize * 1024, state, move |state| {
                let (password, salt, blocks, out) = state;
                argon2.hash_password_into_with_memory(password, salt, out, &mut **blocks)
            }));
        }
    }
    rows
}
