//! The table of features of the macro crate, for builds without it.
//!
//! Written by the tests of `simd-core-expand`: `UPDATE_EXPECT=1 cargo test -p simd-core-expand table`.

macro_rules! table {
    ($table:ident $callback:ident) => {
        $table! { $callback }
    };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! features_with {
    ($callback:ident $($rows:tt)*) => { $callback! { X86 ["x86" "x86_64"] detected [
        (SSE "sse" 1 [1])
        (SSE2 "sse2" 2 [1 2])
        (SSE3 "sse3" 3 [1 2 3])
        (SSSE3 "ssse3" 4 [1 2 3 4])
        (SSE4_1 "sse4.1" 5 [1 2 3 4 5])
        (SSE4_2 "sse4.2" 6 [1 2 3 4 5 6])
        (AVX "avx" 7 [1 2 3 4 5 6 7])
        (AVX2 "avx2" 8 [1 2 3 4 5 6 7 8])
        (FMA "fma" 9 [1 2 3 4 5 6 7 9])
        (F16C "f16c" 10 [1 2 3 4 5 6 7 10])
        (BMI1 "bmi1" 11 [11])
        (BMI2 "bmi2" 12 [12])
        (LZCNT "lzcnt" 13 [13])
        (POPCNT "popcnt" 14 [14])
        (MOVBE "movbe" 15 [15])
        (AES "aes" 16 [1 2 16])
        (PCLMULQDQ "pclmulqdq" 17 [1 2 17])
        (SHA "sha" 18 [1 2 18])
        (AVX512F "avx512f" 19 [1 2 3 4 5 6 7 8 9 10 19])
        (AVX512CD "avx512cd" 20 [1 2 3 4 5 6 7 8 9 10 19 20])
        (AVX512BW "avx512bw" 21 [1 2 3 4 5 6 7 8 9 10 19 21])
        (AVX512DQ "avx512dq" 22 [1 2 3 4 5 6 7 8 9 10 19 22])
        (AVX512VL "avx512vl" 23 [1 2 3 4 5 6 7 8 9 10 19 23])
        (AVX512IFMA "avx512ifma" 24 [1 2 3 4 5 6 7 8 9 10 19 24])
        (AVX512VBMI "avx512vbmi" 25 [1 2 3 4 5 6 7 8 9 10 19 21 25])
        (AVX512VBMI2 "avx512vbmi2" 26 [1 2 3 4 5 6 7 8 9 10 19 21 26])
        (AVX512VNNI "avx512vnni" 27 [1 2 3 4 5 6 7 8 9 10 19 27])
        (AVX512BITALG "avx512bitalg" 28 [1 2 3 4 5 6 7 8 9 10 19 21 28])
        (GFNI "gfni" 29 [1 2 29])
        (VAES "vaes" 30 [1 2 3 4 5 6 7 8 16 30])
        (VPCLMULQDQ "vpclmulqdq" 31 [1 2 3 4 5 6 7 17 31])
        (AVX512VPOPCNTDQ "avx512vpopcntdq" 32 [1 2 3 4 5 6 7 8 9 10 19 32])
        (AVX512BF16 "avx512bf16" 33 [1 2 3 4 5 6 7 8 9 10 19 21 33])
        (AVX512FP16 "avx512fp16" 34 [1 2 3 4 5 6 7 8 9 10 19 21 34])
        (AVX512VP2INTERSECT "avx512vp2intersect" 35 [1 2 3 4 5 6 7 8 9 10 19 35])
        (AVXVNNI "avxvnni" 36 [1 2 3 4 5 6 7 8 36])
        (AVXVNNIINT8 "avxvnniint8" 37 [1 2 3 4 5 6 7 8 37])
        (AVXVNNIINT16 "avxvnniint16" 38 [1 2 3 4 5 6 7 8 38])
        (AVXIFMA "avxifma" 39 [1 2 3 4 5 6 7 8 39])
        (AVXNECONVERT "avxneconvert" 40 [1 2 3 4 5 6 7 8 40])
        (SHA512 "sha512" 41 [1 2 3 4 5 6 7 8 41])
        (SM3 "sm3" 42 [1 2 3 4 5 6 7 42])
        (SM4 "sm4" 43 [1 2 3 4 5 6 7 8 43])
        (ADX "adx" 44 [44])
        (RDRAND "rdrand" 45 [45])
        (RDSEED "rdseed" 46 [46])
        (CMPXCHG16B "cmpxchg16b" 47 [47])
        (FXSR "fxsr" 48 [48])
        (XSAVE "xsave" 49 [49])
        (XSAVEC "xsavec" 50 [49 50])
        (XSAVEOPT "xsaveopt" 51 [49 51])
        (XSAVES "xsaves" 52 [49 52])
        (KL "kl" 53 [1 2 53])  $($rows)*] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(simd_core_rust = "91")))]
macro_rules! features {
    ($callback:ident) => { features_with! { $callback
        (WIDEKL "widekl" 54 [1 2 53 54]) } };
}

#[rustfmt::skip]
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), simd_core_rust = "91"))]
macro_rules! features {
    ($callback:ident) => { features_with! { $callback
        (WIDEKL "widekl" 54 [1 2 53 54])
        (SSE4A "sse4a" 55 [1 2 3 55])
        (TBM "tbm" 56 [56]) } };
}

#[rustfmt::skip]
#[cfg(target_arch = "aarch64")]
macro_rules! features_with {
    ($callback:ident $($rows:tt)*) => { $callback! { Aarch64 ["aarch64"] detected [
        (NEON "neon" 1 [1])
        (AES "aes" 2 [1 2])
        (SHA2 "sha2" 3 [1 3])
        (SHA3 "sha3" 4 [1 3 4])
        (SM4 "sm4" 5 [1 5])
        (CRC "crc" 6 [6])
        (LSE "lse" 7 [7])
        (RDM "rdm" 8 [1 8])
        (FP16 "fp16" 9 [1 9])
        (FHM "fhm" 10 [1 9 10])
        (DOTPROD "dotprod" 11 [1 11])
        (I8MM "i8mm" 12 [12])
        (BF16 "bf16" 13 [13])
        (FCMA "fcma" 14 [1 14])
        (JSCONV "jsconv" 15 [1 15])
        (FRINTTS "frintts" 16 [16])
        (RCPC "rcpc" 17 [17])
        (RCPC2 "rcpc2" 18 [17 18])
        (DPB "dpb" 19 [19])
        (DPB2 "dpb2" 20 [19 20])
        (DIT "dit" 21 [21])
        (FLAGM "flagm" 22 [22])
        (RAND "rand" 23 [23])
        (SB "sb" 24 [24])
        (SSBS "ssbs" 25 [25])  $($rows)*
        (BTI "bti" 34 [34])
        (MTE "mte" 35 [35])
        (PACA "paca" 36 [36])
        (PACG "pacg" 37 [37])
        (TME "tme" 38 [38])] static [
        (LOR "lor" 39 [39])
        (PAN "pan" 40 [40])
        (PMUV3 "pmuv3" 41 [41])
        (RAS "ras" 42 [42])
        (SPE "spe" 43 [43])
        (VH "vh" 44 [44])] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "aarch64", not(simd_core_rust = "98")))]
macro_rules! features {
    ($callback:ident) => { features_with! { $callback
        (SVE "sve" 26 [1 26])
        (SVE2 "sve2" 27 [1 26 27])
        (SVE2_AES "sve2-aes" 28 [1 2 26 27 28])
        (SVE2_SHA3 "sve2-sha3" 29 [1 3 4 26 27 29])
        (SVE2_SM4 "sve2-sm4" 30 [1 5 26 27 30])
        (SVE2_BITPERM "sve2-bitperm" 31 [1 26 27 31])
        (F32MM "f32mm" 32 [1 26 32])
        (F64MM "f64mm" 33 [1 26 33]) } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "aarch64", simd_core_rust = "98"))]
macro_rules! features {
    ($callback:ident) => { features_with! { $callback
        (SVE "sve" 26 [1 9 26])
        (SVE2 "sve2" 27 [1 9 26 27])
        (SVE2_AES "sve2-aes" 28 [1 2 9 26 27 28])
        (SVE2_SHA3 "sve2-sha3" 29 [1 3 4 9 26 27 29])
        (SVE2_SM4 "sve2-sm4" 30 [1 5 9 26 27 30])
        (SVE2_BITPERM "sve2-bitperm" 31 [1 9 26 27 31])
        (F32MM "f32mm" 32 [1 9 26 32])
        (F64MM "f64mm" 33 [1 9 26 33]) } };
}

#[rustfmt::skip]
#[cfg(target_arch = "arm")]
macro_rules! features {
    ($callback:ident) => { $callback! { Arm ["arm"] detected [] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), not(simd_core_rust = "94")))]
macro_rules! features {
    ($callback:ident) => { $callback! { Riscv ["riscv32" "riscv64"] detected [
        (M "m" 1 [1])
        (A "a" 2 [2])
        (C "c" 3 [3])
        (ZBA "zba" 4 [4])
        (ZBB "zbb" 5 [5])
        (ZBC "zbc" 6 [6 9])
        (ZBS "zbs" 7 [7])
        (ZBKB "zbkb" 8 [8])
        (ZBKC "zbkc" 9 [9])
        (ZBKX "zbkx" 10 [10])
        (ZKND "zknd" 11 [11])
        (ZKNE "zkne" 12 [12])
        (ZKNH "zknh" 13 [13])
        (ZKSED "zksed" 14 [14])
        (ZKSH "zksh" 15 [15])
        (ZKR "zkr" 16 [16])
        (ZKN "zkn" 17 [8 9 10 11 12 13 17])
        (ZKS "zks" 18 [8 9 10 14 15 18])
        (ZK "zk" 19 [8 9 10 11 12 13 16 17 19 20])
        (ZKT "zkt" 20 [20])] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), simd_core_rust = "94"))]
macro_rules! features {
    ($callback:ident) => { $callback! { Riscv ["riscv32" "riscv64"] detected [
        (M "m" 1 [1])
        (A "a" 2 [2 22 23])
        (C "c" 3 [3 24])
        (ZBA "zba" 4 [4])
        (ZBB "zbb" 5 [5])
        (ZBC "zbc" 6 [6 9])
        (ZBS "zbs" 7 [7])
        (ZBKB "zbkb" 8 [8])
        (ZBKC "zbkc" 9 [9])
        (ZBKX "zbkx" 10 [10])
        (ZKND "zknd" 11 [11])
        (ZKNE "zkne" 12 [12])
        (ZKNH "zknh" 13 [13])
        (ZKSED "zksed" 14 [14])
        (ZKSH "zksh" 15 [15])
        (ZKR "zkr" 16 [16])
        (ZKN "zkn" 17 [8 9 10 11 12 13 17])
        (ZKS "zks" 18 [8 9 10 14 15 18])
        (ZK "zk" 19 [8 9 10 11 12 13 16 17 19 20])
        (ZKT "zkt" 20 [20])
        (B "b" 21 [4 5 7 21])
        (ZAAMO "zaamo" 22 [22])
        (ZALRSC "zalrsc" 23 [23])
        (ZCA "zca" 24 [24])
        (ZABHA "zabha" 25 [22 25])
        (ZACAS "zacas" 26 [22 26])
        (ZAWRS "zawrs" 27 [27])
        (ZCB "zcb" 28 [24 28])
        (ZICOND "zicond" 29 [29])
        (ZCMOP "zcmop" 33 [24 33])
        (ZICBOM "zicbom" 35 [35])
        (ZICBOZ "zicboz" 37 [37])
        (ZICNTR "zicntr" 42 [42 43])
        (ZICSR "zicsr" 43 [43])
        (ZIFENCEI "zifencei" 44 [44])
        (ZIHINTNTL "zihintntl" 45 [45])
        (ZIHINTPAUSE "zihintpause" 46 [46])
        (ZIHPM "zihpm" 47 [43 47])
        (ZIMOP "zimop" 48 [48])
        (ZTSO "ztso" 49 [49])] static [
        (ZA64RS "za64rs" 30 [30 31])
        (ZA128RS "za128rs" 31 [31])
        (ZAMA16B "zama16b" 32 [32])
        (ZIC64B "zic64b" 34 [34])
        (ZICBOP "zicbop" 36 [36])
        (ZICCAMOA "ziccamoa" 38 [38])
        (ZICCIF "ziccif" 39 [39])
        (ZICCLSM "zicclsm" 40 [40])
        (ZICCRSE "ziccrse" 41 [41])] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(target_arch = "loongarch64")]
macro_rules! features_with {
    ($callback:ident $($rows:tt)*) => { $callback! { Loongarch ["loongarch64"] detected [
        (F "f" 1 [1])
        (D "d" 2 [1 2])
        (LSX "lsx" 3 [1 2 3])
        (LASX "lasx" 4 [1 2 3 4])
        (FRECIPE "frecipe" 5 [5])
        (LBT "lbt" 6 [6])  $($rows)*] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "loongarch64", not(simd_core_rust = "97")))]
macro_rules! features {
    ($callback:ident) => { features_with! { $callback
        (LVZ "lvz" 7 [7]) } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "loongarch64", simd_core_rust = "97"))]
macro_rules! features {
    ($callback:ident) => { features_with! { $callback
        (LVZ "lvz" 7 [7])
        (DIV32 "div32" 8 [8])
        (LAM_BH "lam-bh" 9 [9])
        (LAMCAS "lamcas" 10 [10])
        (LD_SEQ_SA "ld-seq-sa" 11 [11])
        (SCQ "scq" 12 [12]) } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "s390x", not(simd_core_rust = "93")))]
macro_rules! features {
    ($callback:ident) => { $callback! { S390x ["s390x"] detected [] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "s390x", simd_core_rust = "93"))]
macro_rules! features {
    ($callback:ident) => { $callback! { S390x ["s390x"] detected [
        (VECTOR "vector" 1 [1])
        (VECTOR_ENHANCEMENTS_1 "vector-enhancements-1" 2 [1 2])
        (VECTOR_ENHANCEMENTS_2 "vector-enhancements-2" 3 [1 2 3])
        (VECTOR_ENHANCEMENTS_3 "vector-enhancements-3" 4 [1 2 3 4])
        (VECTOR_PACKED_DECIMAL "vector-packed-decimal" 5 [1 5])
        (VECTOR_PACKED_DECIMAL_ENHANCEMENT "vector-packed-decimal-enhancement" 6 [1 5 6])
        (VECTOR_PACKED_DECIMAL_ENHANCEMENT_2 "vector-packed-decimal-enhancement-2" 7 [1 5 6 7])
        (VECTOR_PACKED_DECIMAL_ENHANCEMENT_3 "vector-packed-decimal-enhancement-3" 8 [1 5 6 7 8])
        (NNP_ASSIST "nnp-assist" 9 [1 9])
        (MISCELLANEOUS_EXTENSIONS_2 "miscellaneous-extensions-2" 10 [10])
        (MISCELLANEOUS_EXTENSIONS_3 "miscellaneous-extensions-3" 11 [11])
        (MISCELLANEOUS_EXTENSIONS_4 "miscellaneous-extensions-4" 12 [12])] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "powerpc", target_arch = "powerpc64"))]
macro_rules! features {
    ($callback:ident) => { $callback! { Powerpc ["powerpc" "powerpc64"] detected [] static [] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "wasm32", target_arch = "wasm64"))]
macro_rules! features {
    ($callback:ident) => { $callback! { Wasm ["wasm32" "wasm64"] detected [] static [
        (SIMD128 "simd128" 1 [1])
        (RELAXED_SIMD "relaxed-simd" 2 [1 2])
        (BULK_MEMORY "bulk-memory" 3 [3])
        (EXTENDED_CONST "extended-const" 4 [4])
        (MULTIVALUE "multivalue" 5 [5])
        (MUTABLE_GLOBALS "mutable-globals" 6 [6])
        (NONTRAPPING_FPTOINT "nontrapping-fptoint" 7 [7])
        (REFERENCE_TYPES "reference-types" 8 [8])
        (SIGN_EXT "sign-ext" 9 [9])
        (TAIL_CALL "tail-call" 10 [10])] later [] unstable [] tied [] ; } };
}

#[rustfmt::skip]
#[cfg(not(any(all(any(target_arch = "x86", target_arch = "x86_64"), not(simd_core_rust = "91")), all(any(target_arch = "x86", target_arch = "x86_64"), simd_core_rust = "91"), all(target_arch = "aarch64", not(simd_core_rust = "98")), all(target_arch = "aarch64", simd_core_rust = "98"), target_arch = "arm", all(any(target_arch = "riscv32", target_arch = "riscv64"), not(simd_core_rust = "94")), all(any(target_arch = "riscv32", target_arch = "riscv64"), simd_core_rust = "94"), all(target_arch = "loongarch64", not(simd_core_rust = "97")), all(target_arch = "loongarch64", simd_core_rust = "97"), all(target_arch = "s390x", not(simd_core_rust = "93")), all(target_arch = "s390x", simd_core_rust = "93"), any(target_arch = "powerpc", target_arch = "powerpc64"), any(target_arch = "wasm32", target_arch = "wasm64"))))]
macro_rules! features {
    ($callback:ident) => { $callback! {  } };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! names {
    ($callback:ident) => { $callback! {
        ("x86" "pni" [SSE3])
        ("x86" "sse4_1" [SSE4_1])
        ("x86" "sse4_2" [SSE4_2])
        ("x86" "fma3" [FMA])
        ("x86" "bmi" [BMI1])
        ("x86" "abm" [LZCNT])
        ("x86" "aesni" [AES])
        ("x86" "pclmul" [PCLMULQDQ])
        ("x86" "sha_ni" [SHA])
        ("x86" "rdrnd" [RDRAND])
        ("x86" "cx16" [CMPXCHG16B])
        ("x86" "avx512_vbmi2" [AVX512VBMI2])
        ("x86" "avx512_vnni" [AVX512VNNI])
        ("x86" "avx512_bitalg" [AVX512BITALG])
        ("x86" "avx512_vpopcntdq" [AVX512VPOPCNTDQ])
        ("x86" "avx512_bf16" [AVX512BF16])
        ("x86" "avx512_fp16" [AVX512FP16])
        ("x86" "avx512_vp2intersect" [AVX512VP2INTERSECT])
        ("x86" "avx_vnni" [AVXVNNI])
        ("x86" "avx_vnni_int8" [AVXVNNIINT8])
        ("x86" "avx_vnni_int16" [AVXVNNIINT16])
        ("x86" "avx_ifma" [AVXIFMA])
        ("x86" "avx_ne_convert" [AVXNECONVERT])
        ("x86_64" "pni" [SSE3])
        ("x86_64" "sse4_1" [SSE4_1])
        ("x86_64" "sse4_2" [SSE4_2])
        ("x86_64" "fma3" [FMA])
        ("x86_64" "bmi" [BMI1])
        ("x86_64" "abm" [LZCNT])
        ("x86_64" "aesni" [AES])
        ("x86_64" "pclmul" [PCLMULQDQ])
        ("x86_64" "sha_ni" [SHA])
        ("x86_64" "rdrnd" [RDRAND])
        ("x86_64" "cx16" [CMPXCHG16B])
        ("x86_64" "avx512_vbmi2" [AVX512VBMI2])
        ("x86_64" "avx512_vnni" [AVX512VNNI])
        ("x86_64" "avx512_bitalg" [AVX512BITALG])
        ("x86_64" "avx512_vpopcntdq" [AVX512VPOPCNTDQ])
        ("x86_64" "avx512_bf16" [AVX512BF16])
        ("x86_64" "avx512_fp16" [AVX512FP16])
        ("x86_64" "avx512_vp2intersect" [AVX512VP2INTERSECT])
        ("x86_64" "avx_vnni" [AVXVNNI])
        ("x86_64" "avx_vnni_int8" [AVXVNNIINT8])
        ("x86_64" "avx_vnni_int16" [AVXVNNIINT16])
        ("x86_64" "avx_ifma" [AVXIFMA])
        ("x86_64" "avx_ne_convert" [AVXNECONVERT])
        ("x86_64" "x86-64-v2" [SSE4_2 POPCNT CMPXCHG16B FXSR])
        ("x86_64" "x86-64-v3" [AVX2 FMA F16C BMI1 BMI2 LZCNT POPCNT MOVBE CMPXCHG16B FXSR XSAVE])
        ("x86_64" "x86-64-v4" [BMI1 BMI2 LZCNT POPCNT MOVBE AVX512CD AVX512BW AVX512DQ AVX512VL CMPXCHG16B FXSR XSAVE]) } };
}

#[rustfmt::skip]
#[cfg(target_arch = "aarch64")]
macro_rules! names {
    ($callback:ident) => { $callback! {
        ("aarch64" "asimd" [NEON])
        ("aarch64" "fp" [NEON])
        ("aarch64" "pmull" [AES])
        ("aarch64" "sha1" [SHA2])
        ("aarch64" "sha512" [SHA3])
        ("aarch64" "sm3" [SM4])
        ("aarch64" "crc32" [CRC])
        ("aarch64" "atomics" [LSE])
        ("aarch64" "asimdrdm" [RDM])
        ("aarch64" "fphp" [FP16])
        ("aarch64" "asimdhp" [FP16])
        ("aarch64" "asimdfhm" [FHM])
        ("aarch64" "asimddp" [DOTPROD])
        ("aarch64" "jscvt" [JSCONV])
        ("aarch64" "frint" [FRINTTS])
        ("aarch64" "lrcpc" [RCPC])
        ("aarch64" "ilrcpc" [RCPC2])
        ("aarch64" "dcpop" [DPB])
        ("aarch64" "dcpodp" [DPB2])
        ("aarch64" "rng" [RAND])
        ("aarch64" "sveaes" [SVE2_AES])
        ("aarch64" "svepmull" [SVE2_AES])
        ("aarch64" "svesha3" [SVE2_SHA3])
        ("aarch64" "svesm4" [SVE2_SM4])
        ("aarch64" "svebitperm" [SVE2_BITPERM])
        ("aarch64" "svef32mm" [F32MM])
        ("aarch64" "svef64mm" [F64MM])
        ("aarch64" "FEAT_AES" [AES])
        ("aarch64" "FEAT_AdvSIMD" [NEON])
        ("aarch64" "FEAT_BF16" [BF16])
        ("aarch64" "FEAT_BTI" [BTI])
        ("aarch64" "FEAT_CRC32" [CRC])
        ("aarch64" "FEAT_DIT" [DIT])
        ("aarch64" "FEAT_DPB" [DPB])
        ("aarch64" "FEAT_DPB2" [DPB2])
        ("aarch64" "FEAT_DotProd" [DOTPROD])
        ("aarch64" "FEAT_F32MM" [F32MM])
        ("aarch64" "FEAT_F64MM" [F64MM])
        ("aarch64" "FEAT_FCMA" [FCMA])
        ("aarch64" "FEAT_FHM" [FHM])
        ("aarch64" "FEAT_FP16" [FP16])
        ("aarch64" "FEAT_FRINTTS" [FRINTTS])
        ("aarch64" "FEAT_FlagM" [FLAGM])
        ("aarch64" "FEAT_I8MM" [I8MM])
        ("aarch64" "FEAT_JSCVT" [JSCONV])
        ("aarch64" "FEAT_LOR" [LOR])
        ("aarch64" "FEAT_LRCPC" [RCPC])
        ("aarch64" "FEAT_LRCPC2" [RCPC2])
        ("aarch64" "FEAT_LSE" [LSE])
        ("aarch64" "FEAT_MTE" [MTE])
        ("aarch64" "FEAT_MTE2" [MTE])
        ("aarch64" "FEAT_PAN" [PAN])
        ("aarch64" "FEAT_PMULL" [AES])
        ("aarch64" "FEAT_PMUv3" [PMUV3])
        ("aarch64" "FEAT_RAS" [RAS])
        ("aarch64" "FEAT_RDM" [RDM])
        ("aarch64" "FEAT_RNG" [RAND])
        ("aarch64" "FEAT_SB" [SB])
        ("aarch64" "FEAT_SHA1" [SHA2])
        ("aarch64" "FEAT_SHA256" [SHA2])
        ("aarch64" "FEAT_SHA3" [SHA3])
        ("aarch64" "FEAT_SHA512" [SHA3])
        ("aarch64" "FEAT_SM3" [SM4])
        ("aarch64" "FEAT_SM4" [SM4])
        ("aarch64" "FEAT_SPE" [SPE])
        ("aarch64" "FEAT_SSBS" [SSBS])
        ("aarch64" "FEAT_SSBS2" [SSBS])
        ("aarch64" "FEAT_SVE" [SVE])
        ("aarch64" "FEAT_SVE2" [SVE2])
        ("aarch64" "FEAT_SVE_AES" [SVE2_AES])
        ("aarch64" "FEAT_SVE_BitPerm" [SVE2_BITPERM])
        ("aarch64" "FEAT_SVE_PMULL128" [SVE2_AES])
        ("aarch64" "FEAT_SVE_SHA3" [SVE2_SHA3])
        ("aarch64" "FEAT_SVE_SM4" [SVE2_SM4])
        ("aarch64" "FEAT_TME" [TME])
        ("aarch64" "FEAT_VHE" [VH]) } };
}

#[rustfmt::skip]
#[cfg(all(target_arch = "s390x", simd_core_rust = "93"))]
macro_rules! names {
    ($callback:ident) => { $callback! {
        ("s390x" "vx" [VECTOR])
        ("s390x" "vxd" [VECTOR_PACKED_DECIMAL])
        ("s390x" "vxe" [VECTOR_ENHANCEMENTS_1])
        ("s390x" "vxe2" [VECTOR_ENHANCEMENTS_2])
        ("s390x" "vxp" [VECTOR_PACKED_DECIMAL_ENHANCEMENT])
        ("s390x" "vxp2" [VECTOR_PACKED_DECIMAL_ENHANCEMENT_2])
        ("s390x" "nnpa" [NNP_ASSIST]) } };
}

#[rustfmt::skip]
#[cfg(not(any(any(target_arch = "x86", target_arch = "x86_64"), target_arch = "aarch64", all(target_arch = "s390x", simd_core_rust = "93"))))]
macro_rules! names {
    ($callback:ident) => { $callback! {  } };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! levels {
    ($callback:ident) => { $callback! {
        ("x86_64" X86_64_V2 "x86-64-v2" [SSE4_2 POPCNT CMPXCHG16B FXSR])
        ("x86_64" X86_64_V3 "x86-64-v3" [AVX2 FMA F16C BMI1 BMI2 LZCNT POPCNT MOVBE CMPXCHG16B FXSR XSAVE])
        ("x86_64" X86_64_V4 "x86-64-v4" [BMI1 BMI2 LZCNT POPCNT MOVBE AVX512CD AVX512BW AVX512DQ AVX512VL CMPXCHG16B FXSR XSAVE]) } };
}

#[rustfmt::skip]
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
macro_rules! levels {
    ($callback:ident) => { $callback! {  } };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! properties {
    ($callback:ident) => { $callback! { X86 ["x86" "x86_64"] [
        (FAST_PEXT "fast-pext" 57)
        (FAST_512 "fast-512" 58)
        (FAST_GATHER "fast-gather" 59)
        (FAST_COMPRESS_STORE "fast-compress-store" 60)] ; } };
}

#[rustfmt::skip]
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
macro_rules! properties {
    ($callback:ident) => { $callback! {  } };
}

#[rustfmt::skip]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! cpuid_with {
    ($callback:ident $($rows:tt)*) => { $callback! { X86 ["x86" "x86_64"] alone [
        (SSE "sse" 1 0 3 25)
        (SSE2 "sse2" 1 0 3 26)
        (SSE3 "sse3" 1 0 2 0)
        (SSSE3 "ssse3" 1 0 2 9)
        (SSE4_1 "sse4.1" 1 0 2 19)
        (SSE4_2 "sse4.2" 1 0 2 20)
        (AVX2 "avx2" 7 0 1 5)
        (FMA "fma" 1 0 2 12)
        (F16C "f16c" 1 0 2 29)
        (BMI1 "bmi1" 7 0 1 3)
        (BMI2 "bmi2" 7 0 1 8)
        (LZCNT "lzcnt" 2147483649 0 2 5)
        (POPCNT "popcnt" 1 0 2 23)
        (MOVBE "movbe" 1 0 2 22)
        (AES "aes" 1 0 2 25)
        (PCLMULQDQ "pclmulqdq" 1 0 2 1)
        (SHA "sha" 7 0 1 29)
        (AVX512CD "avx512cd" 7 0 1 28)
        (AVX512BW "avx512bw" 7 0 1 30)
        (AVX512DQ "avx512dq" 7 0 1 17)
        (AVX512VL "avx512vl" 7 0 1 31)
        (AVX512IFMA "avx512ifma" 7 0 1 21)
        (AVX512VBMI "avx512vbmi" 7 0 2 1)
        (AVX512VBMI2 "avx512vbmi2" 7 0 2 6)
        (AVX512VNNI "avx512vnni" 7 0 2 11)
        (AVX512BITALG "avx512bitalg" 7 0 2 12)
        (GFNI "gfni" 7 0 2 8)
        (VAES "vaes" 7 0 2 9)
        (VPCLMULQDQ "vpclmulqdq" 7 0 2 10)
        (AVX512VPOPCNTDQ "avx512vpopcntdq" 7 0 2 14)
        (AVX512BF16 "avx512bf16" 7 1 0 5)
        (AVX512FP16 "avx512fp16" 7 0 3 23)
        (AVX512VP2INTERSECT "avx512vp2intersect" 7 0 3 8)
        (AVXVNNI "avxvnni" 7 1 0 4)
        (AVXVNNIINT8 "avxvnniint8" 7 1 3 4)
        (AVXVNNIINT16 "avxvnniint16" 7 1 3 10)
        (AVXIFMA "avxifma" 7 1 0 23)
        (AVXNECONVERT "avxneconvert" 7 1 3 5)
        (SHA512 "sha512" 7 1 0 0)
        (SM3 "sm3" 7 1 0 1)
        (SM4 "sm4" 7 1 0 2)
        (ADX "adx" 7 0 1 19)
        (RDRAND "rdrand" 1 0 2 30)
        (RDSEED "rdseed" 7 0 1 18)
        (CMPXCHG16B "cmpxchg16b" 1 0 2 13)  $($rows)*] with_avx [
        (XSAVE "xsave" 1 0 2 26)
        (XSAVEC "xsavec" 13 1 0 1)
        (XSAVEOPT "xsaveopt" 13 1 0 0)
        (XSAVES "xsaves" 13 1 0 3)] if_saved [
        (AVX "avx" 1 0 2 28)
        (AVX512F "avx512f" 7 0 1 16)] if_loaded [
        (KL "kl" 7 0 2 23)
        (WIDEKL "widekl" 25 0 1 2)] ; } };
}

#[rustfmt::skip]
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(simd_core_rust = "91")))]
macro_rules! cpuid {
    ($callback:ident) => { cpuid_with! { $callback
        (FXSR "fxsr" 1 0 3 24) } };
}

#[rustfmt::skip]
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), simd_core_rust = "91"))]
macro_rules! cpuid {
    ($callback:ident) => { cpuid_with! { $callback
        (FXSR "fxsr" 1 0 3 24)
        (SSE4A "sse4a" 2147483649 0 2 6)
        (TBM "tbm" 2147483649 0 2 21) } };
}

#[rustfmt::skip]
#[cfg(not(any(all(any(target_arch = "x86", target_arch = "x86_64"), not(simd_core_rust = "91")), all(any(target_arch = "x86", target_arch = "x86_64"), simd_core_rust = "91"))))]
macro_rules! cpuid {
    ($callback:ident) => { $callback! {  } };
}
