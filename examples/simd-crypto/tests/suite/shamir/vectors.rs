//! Shares that other implementations made.
use super::Given;
use hex_literal::hex;
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf128};
use simd_crypto::shamir::{Combiner, Scheme, Share, reconstruct};

fn combined<const N: usize>(points: &[u8], shares: &[[u8; N]]) -> [u8; N] {
    let mut secret = [0; N];
    Combiner::new(points).unwrap().combine_into(shares, &mut secret).unwrap();
    secret
}

/// D. `McGrew`, *Threshold Secret Sharing* (draft-mcgrew-tss-03, 2009), section 9: in both directions, as the coefficients are the
/// sums of the secret and the share at 1.
#[test]
#[each_target(crate::every)]
fn threshold_secret_sharing() {
    let (secret, expected) = (hex!("7465737400"), [hex!("b9fa07e185"), hex!("f5409b4511")]);
    assert_eq!(combined(&[1, 2], &expected), secret);
    let mut shares = [[0; 5]; 2];
    let coefficients = [0xb9 ^ 0x74, 0xfa ^ 0x65, 0x07 ^ 0x73, 0xe1 ^ 0x74, 0x85];
    Scheme::compact(2, 2).unwrap().split_into(&secret, &mut shares, &mut Given::new(&coefficients)).unwrap();
    assert_eq!(shares, expected);
}

/// The test vector of `shamir.test.ts` in Mysten Labs' Seal, <https://github.com/MystenLabs/ts-sdks>: random points, the AES
/// polynomial.
#[test]
#[each_target(crate::every)]
fn seal() {
    let shares = [
        hex!("0bbad0cd0d222fe2fe7c17080198a95c186d66c523bbba"),
        hex!("94ed01a1e8e883b0110555e38cb50ca8014ffc8badd19a"),
        hex!("16cad5ae8279f9e59fc3bb05817abc6370160cdd8e82f7"),
    ];
    assert_eq!(&combined(&[0x2d, 0x59, 0x3d], &shares), b"My super secret message");
}

/// The example in the README of haseyan3104's toy-shamir-secret-sharing on GitHub, from base64: 2 shares.
#[test]
#[each_target(crate::every)]
fn toy() {
    let shares = [
        hex!("80c76f5eeae0773c3ecfc02be53d86f672b3adae8997e9c857c9ac3b5ab749101ea4a13ac9"),
        hex!("c33a6a087ebb77c9ea313735b264296f4a43dce937ad2fb536717dee5e4241810ef7d617ea"),
    ];
    assert_eq!(combined(&[1, 2], &shares), *"Hello world!!\nこんにちは世界!!".as_bytes());
}

/// Shares of `ssss` (B. Poettering), 3 of 5, as the self-tests of `PyCryptodome` have them (`test_secret_sharing.py`). Its polynomials
/// have a leading coefficient of one above the others, so that `x^t` is added to every value.
#[test]
#[each_target(crate::every)]
fn ssss() {
    let values: [u128; 5] = [
        0x6457_9fbf_1908_d66f_7239_bf6e_2b4e_41e1,
        0x6cd9_428d_f801_7b52_3225_61e8_c672_ae3e,
        0xe418_776e_f5c0_579b_d929_9277_3748_06dd,
        0xab3f_77a0_1073_98d2_3b32_3e58_1bb4_3f5d,
        0x23fe_4243_1db2_b41b_d03e_cdc7_ea8e_97ac,
    ];
    let shares = (1..).zip(values).map(|(x, value)| {
        let x = Gf128::from_word(x).unwrap();
        Share::new(x, Gf128::from_be_bytes(&value.to_be_bytes()) + x * x * x)
    });
    let shares: Vec<_> = shares.collect();
    for chosen in shares.windows(3) {
        let secret = u128::from_be_bytes(reconstruct(chosen).unwrap().to_be_bytes());
        assert_eq!(secret, 0xec96_aa5c_14c9_faa6_9935_4cf1_da74_e904);
    }
}
