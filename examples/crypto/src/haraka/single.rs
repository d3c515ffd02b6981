//! One message: all blocks of the state in flight at once.

use simd_core::dispatch;

pub use kernels::{haraka256, haraka512, target};

#[dispatch(targets = "aes")]
mod kernels {
    use crate::aes::{Block, Quad, aesenc};
    use crate::haraka::constants::{KEYS256, KEYS512, RoundKeys};
    use crate::haraka::mix::{mix256, mix512, mix512_truncated, truncate};
    use zerocopy::transmute;

    /// The target whose clone hashes single messages in this process: the features that it has more than the baseline.
    #[must_use]
    pub fn target() -> &'static str {
        if cfg!(target_feature = "aes") { "aes" } else { "baseline" }
    }

    /// Haraka-256 v2 of one message, with 5 or 6 rounds. Constant time.
    #[must_use]
    #[inline]
    pub fn haraka256<const ROUNDS: usize>(message: &[u8; 32]) -> [u8; 32] {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        let start = State256::load(message);
        let mut state = start;
        for keys in &KEYS256[..ROUNDS] {
            state = state.round(keys);
        }
        state.add(start).store()
    }

    /// Haraka-512 v2 of one message, with 5 or 6 rounds. Constant time.
    #[must_use]
    #[inline]
    pub fn haraka512<const ROUNDS: usize>(message: &[u8; 64]) -> [u8; 32] {
        const { assert!(ROUNDS == 5 || ROUNDS == 6, "Haraka has 5 or 6 rounds") };
        let start = State512::load(message);
        let mut state = start;
        for keys in &KEYS512[..ROUNDS - 1] {
            state = state.round(keys);
        }
        state.last_round(&KEYS512[ROUNDS - 1], start)
    }

    #[derive(Clone, Copy)]
    struct State256([Block; 2]);

    #[derive(Clone, Copy)]
    struct State512([Block; 4]);

    impl State256 {
        #[inline]
        fn load(bytes: &[u8; 32]) -> Self {
            let [a, b]: [[u8; 16]; 2] = transmute!(*bytes);
            Self([Block::new(a), Block::new(b)])
        }

        #[inline]
        fn store(self) -> [u8; 32] {
            let [a, b] = self.0;
            transmute!([a.to_bytes(), b.to_bytes()])
        }

        #[inline]
        fn round(self, keys: &RoundKeys) -> Self {
            self.aes2(keys).mix()
        }

        /// Two AES rounds on each block.
        #[inline]
        fn aes2(self, keys: &RoundKeys) -> Self {
            let [a, b] = self.0;
            if cfg!(target_feature = "aes") {
                let ([a0, b0, ..], [a1, b1, ..]) = (keys.first.to_blocks(), keys.second.to_blocks());
                Self([aesenc(aesenc(a, a0), a1), aesenc(aesenc(b, b0), b1)])
            } else {
                let padded = Quad::from([a, b, Block::default(), Block::default()]);
                let [a, b, ..] = keys.bitsliced([padded])[0].to_blocks();
                Self([a, b])
            }
        }

        #[inline]
        fn mix(self) -> Self {
            Self(mix256(self.0))
        }

        #[inline]
        fn add(self, other: Self) -> Self {
            let ([a, b], [c, d]) = (self.0, other.0);
            Self([a ^ c, b ^ d])
        }
    }

    impl State512 {
        #[inline]
        fn load(bytes: &[u8; 64]) -> Self {
            Self(Quad::new(*bytes).to_blocks())
        }

        #[inline]
        fn round(self, keys: &RoundKeys) -> Self {
            self.aes2(keys).mix()
        }

        /// Two AES rounds on each block.
        #[inline]
        fn aes2(self, keys: &RoundKeys) -> Self {
            if cfg!(target_feature = "aes") {
                let [a, b, c, d] = self.0;
                let ([a0, b0, c0, d0], [a1, b1, c1, d1]) = (keys.first.to_blocks(), keys.second.to_blocks());
                Self([
                    aesenc(aesenc(a, a0), a1),
                    aesenc(aesenc(b, b0), b1),
                    aesenc(aesenc(c, c0), c1),
                    aesenc(aesenc(d, d0), d1),
                ])
            } else {
                Self(keys.bitsliced([Quad::from(self.0)])[0].to_blocks())
            }
        }

        #[inline]
        fn mix(self) -> Self {
            Self(mix512(self.0))
        }

        /// The last round and the addition of the message, on the half of the state that is kept.
        #[inline]
        fn last_round(self, keys: &RoundKeys, message: Self) -> [u8; 32] {
            let ([a, b], [c, d]) = (mix512_truncated(self.aes2(keys).0), truncate(message.0));
            transmute!([(a ^ c).to_bytes(), (b ^ d).to_bytes()])
        }
    }
}
