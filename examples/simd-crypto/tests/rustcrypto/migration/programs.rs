// Code of users of these types: every method of every trait that both have, called as a method of the type.
use aead::{Aead, AeadInOut, Generate, Key, KeyInit, Nonce, Payload, Tag};
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{
    Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockSizeUser, IvSizeUser, KeyIvInit, KeySizeUser,
    StreamCipher, StreamCipherSeek,
};
use cmac::Mac as _;
use polyval::universal_hash::UniversalHash;
use std::collections::BTreeMap;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

pub(super) type Outputs = BTreeMap<&'static str, Vec<u8>>;

/// The output of a program, if it does not panic.
fn attempt(program: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    catch_unwind(AssertUnwindSafe(program)).unwrap_or_else(|_| b"panicked".to_vec())
}

fn sample(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 151 + (i >> 6) + 7) as u8).collect()
}

macro_rules! block_ciphers {
    ($out:ident, $encrypt:ident, $blocks:ident, $inout:ident, $b2b:ident, $all_inout:ident, $all_b2b:ident, $($Cipher:ident $key:literal),*) => { $(
        $out.insert(concat!(stringify!($encrypt), " of ", stringify!($Cipher)), {
            let cipher = $Cipher::new(&[0x42; $key].into());
            let mut block = Array::from([7; 16]);
            cipher.$encrypt(&mut block);
            cipher.$inout((&mut block).into());
            let mut other = Block::<$Cipher>::default();
            cipher.$b2b(&block, &mut other);
            let mut blocks: Vec<Block<$Cipher>> = sample(37 * 16).chunks(16).map(|block| block.try_into().unwrap()).collect();
            let key = Key::<$Cipher>::try_from(&sample($key)[..]).unwrap();
            let cipher = $Cipher::new_from_slice(&key).unwrap();
            cipher.$blocks(&mut blocks);
            cipher.$all_inout((&mut blocks[..]).into());
            let mut others = blocks.clone();
            cipher.$all_b2b(&blocks, &mut others).unwrap();
            assert!(cipher.$all_b2b(&blocks[1..], &mut others).is_err() && $Cipher::new_from_slice(&[0; $key - 1]).is_err());
            assert!(($Cipher::key_size(), $Cipher::block_size()) == ($key, 16));
            [&block[..], &other, others.concat().as_slice()].concat()
        });
    )* };
}

macro_rules! aeads {
    ($out:ident, $($Aead:ident $key:literal $nonce:literal),*) => { $(
        $out.insert(concat!("messages of ", stringify!($Aead)), {
            let cipher = $Aead::new(&[0x42; $key].into());
            let nonce: Nonce<$Aead> = [0x24; $nonce].into();
            let mut out = vec![];
            for length in [0, 5, 333] {
                let sealed = cipher.encrypt(&nonce, sample(length).as_slice()).unwrap();
                assert_eq!(cipher.decrypt(&nonce, sealed.as_ref()).unwrap(), sample(length));
                for cut in 0..sealed.len().min(20) {
                    assert!(cipher.decrypt(&nonce, &sealed[..cut]).is_err());
                }
                let payload = Payload { msg: &sample(length), aad: b"header" };
                out.extend([sealed, cipher.encrypt(&[9; $nonce].into(), payload).unwrap()].concat());
            }
            out
        });
        $out.insert(concat!("buffers of ", stringify!($Aead)), {
            let cipher = $Aead::new_from_slice(&sample($key)).unwrap();
            let nonce = [1; $nonce].into();
            let mut buffer = sample(100);
            cipher.encrypt_in_place(&nonce, b"header", &mut buffer).unwrap();
            let sealed = buffer.clone();
            assert!(cipher.decrypt_in_place(&nonce, b"other", &mut buffer).is_err());
            cipher.decrypt_in_place(&nonce, b"header", &mut buffer).unwrap();
            assert_eq!(buffer, sample(100));
            let tag = cipher.encrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into()).unwrap();
            let detached = [&buffer[..], &tag].concat();
            let mut wrong: Tag<$Aead> = tag;
            wrong[15] ^= 0x80;
            assert!(cipher.decrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into(), &wrong).is_err());
            cipher.decrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into(), &tag).unwrap();
            assert_eq!(buffer, sample(100));
            [sealed, detached].concat()
        });
        $out.insert(concat!("the old trait of ", stringify!($Aead)), {
            #[allow(deprecated, unused_imports, reason = "older programs use it, and our types have these methods themselves")]
            use aead::AeadInPlace as _;
            let (cipher, nonce, mut buffer) = ($Aead::new(&[3; $key].into()), [1; $nonce].into(), sample(100));
            #[allow(deprecated, reason = "it is what older programs use")]
            let tag = cipher.encrypt_in_place_detached(&nonce, b"header", &mut buffer).unwrap();
            #[allow(deprecated, reason = "it is what older programs use")]
            cipher.decrypt_in_place_detached(&nonce, b"header", &mut buffer, &tag).unwrap();
            assert_eq!(buffer, sample(100));
            let tag: &[u8] = tag.as_ref();
            tag.to_vec()
        });
        $out.insert(concat!("generated keys of ", stringify!($Aead)), {
            let (key, nonce) = (Key::<$Aead>::generate(), Nonce::<$Aead>::generate());
            let sealed = $Aead::new(&key).encrypt(&nonce, b"plaintext message".as_ref()).unwrap();
            let opened = $Aead::new(&key).decrypt(&nonce, sealed.as_ref()).unwrap();
            [opened, vec![sealed.len() as u8, $Aead::key_size() as u8, size_of::<Nonce<$Aead>>() as u8]].concat()
        });
    )* };
}

macro_rules! streams {
    ($out:ident, $($Cipher:ident $key:literal $iv:literal),*) => { $(
        $out.insert(concat!("keystream of ", stringify!($Cipher)), {
            let mut cipher = $Cipher::new(&[0x42; $key].into(), &[0x24; $iv].into());
            let (mut data, mut copy) = (sample(500), sample(500));
            cipher.apply_keystream(&mut data[..77]);
            cipher.apply_keystream_inout(data[77..100].as_mut().into());
            cipher.apply_keystream_b2b(&data, &mut copy);
            cipher.try_apply_keystream(&mut data).unwrap();
            cipher.try_apply_keystream_inout(data[1..].as_mut().into()).unwrap();
            cipher.try_apply_keystream_b2b(&copy, &mut data).unwrap();
            assert!(cipher.try_apply_keystream_b2b(&copy[1..], &mut data).is_err());
            let mut keystream = [1; 99];
            cipher.write_keystream(&mut keystream);
            let position: u64 = cipher.current_pos();
            cipher.try_write_keystream(&mut copy[..100]).unwrap();
            cipher.check_remaining(1000).unwrap();
            cipher.unchecked_apply_keystream(&mut copy);
            [&data, &copy, &keystream[..], &position.to_le_bytes()].concat()
        });
        $out.insert(concat!("positions of ", stringify!($Cipher)), {
            let mut cipher = $Cipher::new_from_slices(&sample($key), &sample($iv)).unwrap();
            assert!($Cipher::new_from_slices(&sample($key), &sample($iv + 1)).is_err());
            assert!(($Cipher::key_size(), $Cipher::iv_size()) == ($key, $iv));
            let mut data = sample(40);
            cipher.seek(3u32);
            for piece in data.chunks_mut(3) {
                cipher.apply_keystream(piece);
            }
            let after: usize = cipher.try_current_pos().unwrap();
            cipher.try_seek(1u64 << 33).unwrap();
            cipher.apply_keystream(&mut data);
            [data, after.to_le_bytes().to_vec()].concat()
        });
    )* };
}

/// Where the keystream ends, RustCrypto panics or gives an error.
macro_rules! ends {
    ($out:ident, $($Cipher:ident $iv:literal),*) => { $(
        for (name, from, length) in [
            (concat!("the last blocks of ", stringify!($Cipher)), (64u64 << 32) - 256, 128),
            (concat!("past the end of ", stringify!($Cipher)), (64u64 << 32) - 128, 129),
            (concat!("far past the end of ", stringify!($Cipher)), 6u64 << 36, 5),
        ] {
            $out.insert(name, attempt(|| {
                let mut cipher = $Cipher::new(&[0x42; 32].into(), &[0x24; $iv].into());
                cipher.seek(from);
                let mut data = sample(length);
                cipher.apply_keystream(&mut data);
                data
            }));
        }
        $out.insert(concat!("errors at the end of ", stringify!($Cipher)), {
            let mut cipher = $Cipher::new(&[0x42; 32].into(), &[0x24; $iv].into());
            cipher.seek((64u64 << 32) - 128);
            let mut data = sample(200);
            let refused = cipher.try_apply_keystream(&mut data).is_err();
            [vec![u8::from(refused), u8::from(cipher.try_seek(u64::MAX).is_err())], data].concat()
        });
    )* };
}

macro_rules! hashes {
    ($out:ident, $($Hash:ident $key:literal),*) => { $(
        $out.insert(concat!("hashes of ", stringify!($Hash)), {
            let mut hash = $Hash::new(&[0x42; $key].into());
            hash.update(&[[2; 16].into()]);
            let blocks: Vec<Block<$Hash>> = sample(40 * 16).chunks(16).map(|block| block.try_into().unwrap()).collect();
            hash.update(&blocks);
            hash.update_padded(b"a message that is no whole number of blocks");
            let tag = hash.clone().finalize();
            hash.clone().verify(&tag).unwrap();
            let mut wrong = tag;
            wrong[0] ^= 1;
            assert!(hash.verify(&wrong).is_err());
            let short = $Hash::new_from_slice(&sample($key)).unwrap().finalize();
            [&tag[..], &short].concat()
        });
    )* };
}

pub(super) fn outputs() -> Outputs {
    let mut out = Outputs::new();
    block_ciphers!(
        out, encrypt_block, encrypt_blocks, encrypt_block_inout, encrypt_block_b2b, encrypt_blocks_inout, encrypt_blocks_b2b,
        Aes128 16, Aes192 24, Aes256 32, Aes128Enc 16, Aes192Enc 24, Aes256Enc 32
    );
    block_ciphers!(
        out, decrypt_block, decrypt_blocks, decrypt_block_inout, decrypt_block_b2b, decrypt_blocks_inout, decrypt_blocks_b2b,
        Aes128 16, Aes192 24, Aes256 32
    );
    aeads!(out, Aes128Gcm 16 12, Aes256Gcm 32 12, ChaCha20Poly1305 32 12, XChaCha20Poly1305 32 24, LongNonce 16 16);
    streams!(out, ChaCha20 32 12, XChaCha20 32 24, ChaCha20Legacy 32 8, Aes128Ctr 16 16, Aes256Ctr 32 16);
    ends!(out, ChaCha20 12, XChaCha20 24);
    hashes!(out, GHash 16, Polyval 16, Poly1305 32);
    out.insert("Poly1305 of one message", Poly1305::new(&[1; 32].into()).compute_unpadded(&sample(77)).to_vec());
    out.insert("a MAC", Mac::new(&[1; 16].into()).chain_update(sample(77)).finalize().into_bytes().to_vec());
    out.insert("a sector", {
        let (first, second) = (Aes256::new(&[1; 32].into()), Aes256::new(&[2; 32].into()));
        let mut sector = sample(512);
        Disk::new(first, second).encrypt_sector(&mut sector, [7; 16].into());
        sector
    });
    out.insert("a padded message", {
        let decryptor = Decryptor::new_from_slices(&[1; 16], &[2; 16]).unwrap();
        decryptor.decrypt_padded_vec::<Pkcs7>(&sample(64)).unwrap_or_else(|_| b"refused".to_vec())
    });
    out
}
