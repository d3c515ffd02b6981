//! `argon2`: hashing a password with three passes.

use super::subject::{Algorithm, Argon2, Params, Version};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let algorithms = [("Argon2id", Algorithm::Argon2id), ("Argon2i", Algorithm::Argon2i), ("Argon2d", Algorithm::Argon2d)];
    let mut rows = Vec::new();
    for (size, memory) in [("32 KiB", 32), ("4 MiB", 4096)] {
        for (name, algorithm) in algorithms {
            let params = Params::new(memory, 3, 1, Some(32)).expect("valid parameters");
            let argon2 = Argon2::new(algorithm, Version::V0x13, params);
            let state = (bytes(32), bytes(16), [0; 32]);
            rows.push(Row::new(&format!("{name}, {size}"), memory as usize * 1024, state, move |(password, salt, out)| {
                argon2.hash_password_into(password, salt, out)
            }));
        }
    }
    rows
}
