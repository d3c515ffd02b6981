use super::reference::{REFERENCE, imc};
use hex_literal::hex;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::aes::{
    Aes128, Aes192, Aes256, Block, Quad, aesdec, aesdec4, aesdeclast, aesdeclast4, aesenc, aesenc4, aesenclast,
    aesenclast4, aesimc, round_keys128, round_keys192, round_keys256,
};

/// FIPS 197, appendix C.
#[test]
#[each_target(crate::every)]
fn fips_197() {
    let plain = hex!("00112233445566778899aabbccddeeff");
    macro_rules! check {
        ($aes:ident, $key:literal, $cipher:literal) => {
            let (aes, cipher) = ($aes::from_key(&hex!($key)), hex!($cipher));
            let mut block = plain;
            aes.encrypt(&mut block);
            assert_eq!(block, cipher);
            aes.decrypt(&mut block);
            assert_eq!(block, plain);
        };
    }
    check!(Aes128, "000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a");
    check!(Aes192, "000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191");
    check!(
        Aes256,
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "8ea2b7ca516745bfeafc49904b496089"
    );
}

/// FIPS 197, appendix A: the last round key of each expansion.
#[test]
#[each_target(crate::every)]
fn fips_197_key_expansion() {
    let [.., last] = round_keys128(&hex!("2b7e151628aed2a6abf7158809cf4f3c"));
    assert_eq!(last.to_bytes(), hex!("d014f9a8c9ee2589e13f0cc8b6630ca6"));
    let [.., last] = round_keys192(&hex!("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"));
    assert_eq!(last.to_bytes(), hex!("e98ba06f448c773c8ecc720401002202"));
    let [.., last] = round_keys256(&hex!("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"));
    assert_eq!(last.to_bytes(), hex!("fe4890d1e6188d0b046df344706c631e"));
}

/// NIST SP 800-38A, appendix F.1 (ECB).
#[test]
#[each_target(crate::every)]
fn sp_800_38a() {
    let plain = [
        hex!("6bc1bee22e409f96e93d7e117393172a"),
        hex!("ae2d8a571e03ac9c9eb76fac45af8e51"),
        hex!("30c81c46a35ce411e5fbc1191a0a52ef"),
        hex!("f69f2445df4f9b17ad2b417be66c3710"),
    ];
    macro_rules! check {
        ($aes:ident, $key:literal, $($cipher:literal),*) => {
            let (aes, cipher) = ($aes::from_key(&hex!($key)), [$(hex!($cipher)),*]);
            let mut blocks = plain;
            aes.encrypt_many(&mut blocks);
            assert_eq!(blocks, cipher);
            aes.decrypt_many(&mut blocks);
            assert_eq!(blocks, plain);
        };
    }
    check!(
        Aes128,
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3ad77bb40d7a3660a89ecaf32466ef97",
        "f5d3d58503b9699de785895a96fdbaaf",
        "43b1cd7f598ece23881b00e3ed030688",
        "7b0c785e27e8ad3f8223207104725dd4"
    );
    check!(
        Aes192,
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "bd334f1d6e45f25ff712a214571fa5cc",
        "974104846d0ad3ad7734ecb3ecee4eef",
        "ef7afd2270e2e60adce0ba2face6444e",
        "9a4b41ba738d6c72fb16691603c18e0e"
    );
    check!(
        Aes256,
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "f3eed1bdb5d2a03c064b5a7e3db181f8",
        "591ccb10d410ed26dc5ba74a31362870",
        "b6ed21b99ca6f4f9f153e7b1beafed1d",
        "23304b7a39f9f3ff067d8d8f9e24ecc7"
    );
}

/// The Monte Carlo test of NIST's AESAVS, section 6.4.1, with the vectors of `ECBMCT*.rsp`: each of 100 passes runs a block
/// through the cipher 1000 times and changes the key with the last outputs. Checked after the first pass and after the last;
/// unoptimised builds stop after the first.
fn monte_carlo(
    key: &mut [u8],
    mut block: [u8; 16],
    first: [u8; 16],
    last: [u8; 16],
    run: impl Fn(&[u8], &mut [[u8; 16]; 2]),
) {
    let passes = if cfg!(debug_assertions) { 1 } else { 100 };
    for pass in 0..passes {
        let mut outputs = [[0; 16], block];
        run(key, &mut outputs);
        let changes = outputs.as_flattened();
        for (byte, change) in key.iter_mut().rev().zip(changes.iter().rev()) {
            *byte ^= change;
        }
        block = outputs[1];
        if pass == 0 {
            assert_eq!(block, first);
        }
    }
    if passes == 100 {
        assert_eq!(block, last);
    }
}

macro_rules! monte_carlo {
    ($($name:ident: $aes:ident.$step:ident, $key:literal, $block:literal, $first:literal, $last:literal;)*) => {$(
        #[test]
        #[each_target(crate::every)]
        fn $name() {
            monte_carlo(&mut hex!($key), hex!($block), hex!($first), hex!($last), |key, outputs| {
                let aes = $aes::from_key(key.try_into().unwrap());
                for _ in 0..1000 {
                    outputs[0] = outputs[1];
                    aes.$step(&mut outputs[1]);
                }
            });
        }
    )*};
}

monte_carlo! {
    aesavs_encrypt_128: Aes128.encrypt,
        "139a35422f1d61de3c91787fe0507afd", "b9145a768b7dc489a096b546f43b231f",
        "d7c3ffac9031238650901e157364c386", "fb2649694783b551eacd9d5db6126d47";
    aesavs_decrypt_128: Aes128.decrypt,
        "0c60e7bf20ada9baa9e1ddf0d1540726", "b08a29b11a500ea3aca42c36675b9785",
        "b613b87085fed1bb87f07a574e6d2879", "d1d2bfdc58ffcad2341b095bce55221e";
    aesavs_encrypt_192: Aes192.encrypt,
        "b9a63e09e1dfc42e93a90d9bad739e5967aef672eedd5da9", "85a1f7a58167b389cddc8a9ff175ee26",
        "ee83d85279e022d2048031abeefbc4a4", "5d1196da8f184975e240949a25104554";
    aesavs_decrypt_192: Aes192.decrypt,
        "4b97585701c03fbebdfa8555024f589f1482c58a00fdd9fd", "d0bd0e02ded155e4516be83f42d347a4",
        "c7b6581ccc88f7fc26d15d2731e7251b", "b63ef1b79507a62eba3dafcec54a6328";
    aesavs_encrypt_256: Aes256.encrypt,
        "f9e8389f5b80712e3886cc1fa2d28a3b8c9cd88a2d4a54c6aa86ce0fef944be0", "b379777f9050e2a818f2940cbbd9aba4",
        "6893ebaf0a1fccc704326529fdfb60db", "c5d2cb3d5b7ff0e23e308967ee074825";
    aesavs_decrypt_256: Aes256.decrypt,
        "2b09ba39b834062b9e93f48373b8dd018dedf1e5ba1b8af831ebbacbc92a2643", "89649bd0115f30bd878567610223a59d",
        "1f9b9b213f1884fa98b62dd6639fd33b", "e3d3868f578caf34e36445bf14cefc68";
}

/// Every byte through the S-box and its inverse.
#[test]
#[each_target(crate::every)]
fn all_bytes() {
    for byte in 0..=255 {
        let state = core::array::from_fn(|i| byte ^ [0, 1, 0x80, 0xff][i % 4]);
        assert_eq!(aesenclast(state.into(), Block::default()).to_bytes(), REFERENCE.enc_last(state, [0; 16]));
        assert_eq!(aesdeclast(state.into(), Block::default()).to_bytes(), REFERENCE.dec_last(state, [0; 16]));
    }
}

fn quad(blocks: [[u8; 16]; 4]) -> Quad {
    Quad::from(blocks.map(Block::from))
}

proptest! {
    #[test]
    #[each_target(crate::every)]
    fn rounds(state: [u8; 16], key: [u8; 16]) {
        let (s, k) = (Block::from(state), Block::from(key));
        prop_assert_eq!(aesenc(s, k).to_bytes(), REFERENCE.enc(state, key));
        prop_assert_eq!(aesenclast(s, k).to_bytes(), REFERENCE.enc_last(state, key));
        prop_assert_eq!(aesdec(s, k).to_bytes(), REFERENCE.dec(state, key));
        prop_assert_eq!(aesdeclast(s, k).to_bytes(), REFERENCE.dec_last(state, key));
        prop_assert_eq!(aesimc(s).to_bytes(), imc(state));
        prop_assert_eq!((s ^ k).to_bytes(), core::array::from_fn(|i| state[i] ^ key[i]));
    }

    #[test]
    #[each_target(crate::every)]
    fn rounds_of_four(states: [[u8; 16]; 4], keys: [[u8; 16]; 4]) {
        let (s, k) = (quad(states), quad(keys));
        let blocks = |quad: Quad| quad.to_blocks().map(Block::to_bytes);
        prop_assert_eq!(blocks(aesenc4(s, k)), core::array::from_fn(|i| REFERENCE.enc(states[i], keys[i])));
        prop_assert_eq!(blocks(aesenclast4(s, k)), core::array::from_fn(|i| REFERENCE.enc_last(states[i], keys[i])));
        prop_assert_eq!(blocks(aesdec4(s, k)), core::array::from_fn(|i| REFERENCE.dec(states[i], keys[i])));
        prop_assert_eq!(blocks(aesdeclast4(s, k)), core::array::from_fn(|i| REFERENCE.dec_last(states[i], keys[i])));
        prop_assert_eq!(blocks(s ^ k), core::array::from_fn(|i| core::array::from_fn(|j| states[i][j] ^ keys[i][j])));
    }

    #[test]
    #[each_target(crate::every)]
    fn key_expansion(key: [u8; 32]) {
        let (key128, key192) = (key.first_chunk::<16>().unwrap(), key.first_chunk::<24>().unwrap());
        let bytes = |keys: &[Block]| keys.iter().map(|key| key.to_bytes()).collect::<Vec<_>>();
        prop_assert_eq!(bytes(&round_keys128(key128)), REFERENCE.round_keys(key128));
        prop_assert_eq!(bytes(&round_keys192(key192)), REFERENCE.round_keys(key192));
        prop_assert_eq!(bytes(&round_keys256(&key)), REFERENCE.round_keys(&key));
    }

    #[test]
    #[each_target(crate::every)]
    fn blocks(key: [u8; 32], blocks in prop::collection::vec(any::<[u8; 16]>(), 0..3)) {
        let (key128, key192) = (key.first_chunk::<16>().unwrap(), key.first_chunk::<24>().unwrap());
        macro_rules! check {
            ($aes:ident, $key:expr) => {
                let aes = $aes::from_key($key);
                let mut out = blocks.clone();
                aes.encrypt_many(&mut out);
                prop_assert_eq!(&out, &blocks.iter().map(|block| REFERENCE.encrypt($key, *block)).collect::<Vec<_>>());
                out.clone_from(&blocks);
                aes.decrypt_many(&mut out);
                prop_assert_eq!(&out, &blocks.iter().map(|block| REFERENCE.decrypt($key, *block)).collect::<Vec<_>>());
            };
        }
        check!(Aes128, key128);
        check!(Aes192, key192);
        check!(Aes256, &key);
    }
}

/// Lengths around every group size: 4 blocks, 8, 16 and 32 at once, and what is left after them.
#[test]
#[each_target(crate::every)]
fn every_length() {
    let aes = Aes128::from_key(&[7; 16]);
    for len in 0..=70 {
        let blocks: Vec<[u8; 16]> = (0..len).map(|i| [i; 16]).collect();
        let one_by_one = |step: fn(&Aes128, &mut [u8; 16])| {
            let mut blocks = blocks.clone();
            for block in &mut blocks {
                step(&aes, block);
            }
            blocks
        };
        let mut out = blocks.clone();
        aes.encrypt_many(&mut out);
        assert_eq!(out, one_by_one(Aes128::encrypt), "{len} blocks");
        out.clone_from(&blocks);
        aes.decrypt_many(&mut out);
        assert_eq!(out, one_by_one(Aes128::decrypt), "{len} blocks");
    }
}

#[test]
#[each_target(crate::every)]
fn debug_shows_no_key() {
    assert_eq!(format!("{:?}", Aes128::from_key(&[0xab; 16])), "Aes128(…)");
    assert_eq!(format!("{:?}", Aes192::from_key(&[0xab; 24])), "Aes192(…)");
    assert_eq!(format!("{:?}", Aes256::from_key(&[0xab; 32])), "Aes256(…)");
}
