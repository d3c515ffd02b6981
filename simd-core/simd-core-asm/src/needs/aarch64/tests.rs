//! Words and what they need. The requirement is what LLVM's assembler names when it is given the instruction without
//! the feature; `neon` where a vector or floating-point register stands, `""` for what every core has. What it calls
//! `sve2` counts as `sve` here.

use super::need;

#[rustfmt::skip]
const WORDS: &[(u32, &str)] = &[
    (0xd50b_7c20, "dpb"), // dc cvap, x0
    (0xd503_477f, ""), // smstart
    (0x4482_7820, "sve"), // usdot z0.s, z1.b, z2.b
    (0x4482_0420, "sve"), // udot z0.s, z1.b, z2.b
    (0x4523_e020, "sve2-sm4"), // sm4e z0.s, z0.s, z1.s
    (0x4522_f420, "sve2-sha3"), // rax1 z0.d, z1.d, z2.d
    (0x0523_2820, "sve"), // tbl z0.b, {z1.b, z2.b}, z3.b
    (0x4482_6020, "sve"), // sqdmlalb z0.s, z1.h, z2.h
    (0x4502_6820, "sve2-aes"), // pmullb z0.q, z1.d, z2.d
    (0x4522_e020, "sve2-aes"), // aese z0.b, z0.b, z1.b
    (0x4502_b020, "sve2-bitperm"), // bext z0.b, z1.b, z2.b
    (0x0421_3840, "sve"), // eor3 z0.d, z0.d, z1.d, z2.d
    (0x8580_43e0, "sve"), // ldr z0, [sp]
    (0x043f_57ff, "sve"), // addvl sp, sp, #-1
    (0x04bf_5020, "sve"), // rdvl x0, #1
    (0x04b0_e3e0, "sve"), // incw x0
    (0x04a0_e3e0, "sve"), // cntw x0
    (0x65a2_0020, "sve"), // fmla z0.s, p0/m, z1.s, z2.s
    (0xe541_4000, "sve"), // st1w {z0.s}, p0, [x0, x1, lsl #2]
    (0xa541_4000, "sve"), // ld1w {z0.s}, p0/z, [x0, x1, lsl #2]
    (0x25a1_1c00, "sve"), // whilelo p0.s, x0, x1
    (0x2518_e3e0, "sve"), // ptrue p0.b
    (0x04e2_0020, "sve"), // add z0.d, z1.d, z2.d
    (0x05e0_3800, "sve"), // mov z0.d, x0
    (0x1e69_c020, "frintts"), // frint64x d0, d1
    (0x1e28_4020, "frintts"), // frint32z s0, s1
    (0xd503_415f, "dit"), // msr dit, #1
    (0xd53b_42a0, "dit"), // mrs x0, dit
    (0xd53b_d040, ""), // mrs x0, tpidr_el0
    (0xd503_309f, ""), // ssbb
    (0xd500_401f, "flagm"), // cfinv
    (0x3a00_080d, "flagm"), // setf8 w0
    (0xba00_8402, "flagm"), // rmif x0, #1, #2
    (0x9ac2_0020, "mte"), // subp x0, x1, x2
    (0xd960_0020, "mte"), // ldg x0, [x1]
    (0xd920_0820, "mte"), // stg x0, [x1]
    (0x9181_0420, "mte"), // addg x0, x1, #16, #1
    (0x9adf_1020, "mte"), // irg x0, x1
    (0xd503_245f, ""), // hint #34
    (0xd503_20ff, ""), // xpaclri
    (0xd73f_0801, "paca"), // blraa x0, x1
    (0xd71f_0801, "paca"), // braa x0, x1
    (0xd65f_0bff, "paca"), // retaa
    (0xdac1_1020, "paca"), // autia x0, x1
    (0xdac1_0020, "paca"), // pacia x0, x1
    (0xd503_23bf, ""), // autiasp
    (0x9ac2_4c20, "crc"), // crc32x w0, w1, x2
    (0x1ac2_4020, "crc"), // crc32b w0, w1, w2
    (0x3820_7041, "lse"), // lduminb w0, w1, [x2]
    (0xb8e0_4041, "lse"), // ldsmaxal w0, w1, [x2]
    (0xb820_003f, "lse"), // stadd w0, [x1]
    (0xb8e0_8041, "lse"), // swpal w0, w1, [x2]
    (0xb8e0_2041, "lse"), // ldeoral w0, w1, [x2]
    (0xb8e0_3041, "lse"), // ldsetal w0, w1, [x2]
    (0xb8e0_1041, "lse"), // ldclral w0, w1, [x2]
    (0xb8e0_0041, "lse"), // ldaddal w0, w1, [x2]
    (0xf820_0041, "lse"), // ldadd x0, x1, [x2]
    (0x4820_7c82, "lse"), // casp x0, x1, x2, x3, [x4]
    (0xc8e0_fc41, "lse"), // casal x0, x1, [x2]
    (0xc8a0_7c41, "lse"), // cas x0, x1, [x2]
    (0xd900_8020, "rcpc2"), // stlur x0, [x1, #8]
    (0xd940_8020, "rcpc2"), // ldapur x0, [x1, #8]
    (0xf8bf_c020, "rcpc"), // ldapr x0, [x1]
    (0x1e7e_0020, "jsconv"), // fjcvtzs w0, d1
    (0x6e82_8c20, "rdm"), // sqrdmlsh v0.4s, v1.4s, v2.4s
    (0x6e82_8420, "rdm"), // sqrdmlah v0.4s, v1.4s, v2.4s
    (0x6e82_cc20, "fcma"), // fcmla v0.4s, v1.4s, v2.4s, #90
    (0x6e82_e420, "fcma"), // fcadd v0.4s, v1.4s, v2.4s, #90
    (0x4ea2_ec20, "fhm"), // fmlsl v0.4s, v1.4h, v2.4h
    (0x4e22_ec20, "fhm"), // fmlal v0.4s, v1.4h, v2.4h
    (0x4ef9_b820, "fp16"), // fcvtzs v0.8h, v1.8h
    (0x4f12_9020, "fp16"), // fmul v0.8h, v1.8h, v2.h[1]
    (0x1ee2_2820, "fp16"), // fadd h0, h1, h2
    (0x4e42_1420, "fp16"), // fadd v0.8h, v1.8h, v2.8h
    (0x4ea1_6820, "bf16"), // bfcvtn2 v0.8h, v1.4s
    (0x0ea1_6820, "bf16"), // bfcvtn v0.4h, v1.4s
    (0x1e63_4020, "bf16"), // bfcvt h0, s1
    (0x6ec2_fc20, "bf16"), // bfmlalt v0.4s, v1.8h, v2.8h
    (0x2ec2_fc20, "bf16"), // bfmlalb v0.4s, v1.8h, v2.8h
    (0x6e42_ec20, "bf16"), // bfmmla v0.4s, v1.8h, v2.8h
    (0x6e42_fc20, "bf16"), // bfdot v0.4s, v1.8h, v2.8h
    (0x4e82_ac20, "i8mm"), // usmmla v0.4s, v1.16b, v2.16b
    (0x6e82_a420, "i8mm"), // ummla v0.4s, v1.16b, v2.16b
    (0x4e82_a420, "i8mm"), // smmla v0.4s, v1.16b, v2.16b
    (0x4f22_f020, "i8mm"), // sudot v0.4s, v1.16b, v2.4b[1]
    (0x4e82_9c20, "i8mm"), // usdot v0.4s, v1.16b, v2.16b
    (0x2fa2_e020, "dotprod"), // udot v0.2s, v1.8b, v2.4b[1]
    (0x4fa2_e020, "dotprod"), // sdot v0.4s, v1.16b, v2.4b[1]
    (0x6e82_9420, "dotprod"), // udot v0.4s, v1.16b, v2.16b
    (0x4e82_9420, "dotprod"), // sdot v0.4s, v1.16b, v2.16b
    (0xce62_c820, "sm4"), // sm4ekey v0.4s, v1.4s, v2.4s
    (0xcec0_8420, "sm4"), // sm4e v0.4s, v1.4s
    (0xce42_9c20, "sm4"), // sm3tt2b v0.4s, v1.4s, v2.s[1]
    (0xce42_9820, "sm4"), // sm3tt2a v0.4s, v1.4s, v2.s[1]
    (0xce42_9420, "sm4"), // sm3tt1b v0.4s, v1.4s, v2.s[1]
    (0xce42_9020, "sm4"), // sm3tt1a v0.4s, v1.4s, v2.s[1]
    (0xce42_0c20, "sm4"), // sm3ss1 v0.4s, v1.4s, v2.4s, v3.4s
    (0xce62_c420, "sm4"), // sm3partw2 v0.4s, v1.4s, v2.4s
    (0xce62_c020, "sm4"), // sm3partw1 v0.4s, v1.4s, v2.4s
    (0xce82_3020, "sha3"), // xar v0.2d, v1.2d, v2.2d, #12
    (0xce62_8c20, "sha3"), // rax1 v0.2d, v1.2d, v2.2d
    (0xce22_0c20, "sha3"), // bcax v0.16b, v1.16b, v2.16b, v3.16b
    (0xce02_0c20, "sha3"), // eor3 v0.16b, v1.16b, v2.16b, v3.16b
    (0xce62_8820, "sha3"), // sha512su1 v0.2d, v1.2d, v2.2d
    (0xcec0_8020, "sha3"), // sha512su0 v0.2d, v1.2d
    (0xce62_8420, "sha3"), // sha512h2 q0, q1, v2.2d
    (0xce62_8020, "sha3"), // sha512h q0, q1, v2.2d
    (0x5e02_6020, "sha2"), // sha256su1 v0.4s, v1.4s, v2.4s
    (0x5e28_2820, "sha2"), // sha256su0 v0.4s, v1.4s
    (0x5e02_5020, "sha2"), // sha256h2 q0, q1, v2.4s
    (0x5e02_4020, "sha2"), // sha256h q0, q1, v2.4s
    (0x5e28_1820, "sha2"), // sha1su1 v0.4s, v1.4s
    (0x5e02_3020, "sha2"), // sha1su0 v0.4s, v1.4s, v2.4s
    (0x5e02_1020, "sha2"), // sha1p q0, s1, v2.4s
    (0x5e02_2020, "sha2"), // sha1m q0, s1, v2.4s
    (0x5e28_0820, "sha2"), // sha1h s0, s1
    (0x5e02_0020, "sha2"), // sha1c q0, s1, v2.4s
    (0x6e22_9c20, "neon"), // pmul v0.16b, v1.16b, v2.16b
    (0x0ee2_e020, "aes"), // pmull v0.1q, v1.1d, v2.1d
    (0x4e28_7820, "aes"), // aesimc v0.16b, v1.16b
    (0x4e28_6820, "aes"), // aesmc v0.16b, v1.16b
    (0x4e28_5820, "aes"), // aesd v0.16b, v1.16b
    (0x4e28_4820, "aes"), // aese v0.16b, v1.16b
    (0xd50b_7d20, "dpb2"), // dc cvadp, x0
    (0xd53b_2400, "rand"), // mrs x0, rndr
    (0xd503_30ff, "sb"), // sb
    (0x9ac2_3020, "pacg"), // pacga x0, x1, x2
    (0xdac1_43e0, "paca"), // xpaci x0
    (0x9ac2_5c20, "crc"), // crc32cx w0, w1, x2
    (0x4ee2_e020, "aes"), // pmull2 v0.1q, v1.2d, v2.2d
    (0x0e22_e020, "neon"), // pmull v0.8h, v1.8b, v2.8b
    (0xd503_233f, ""), // paciasp
    (0xd503_245f, ""), // bti c
    (0xd50b_7420, ""), // dc zva, x0
    (0xd53b_4400, ""), // mrs x0, fpcr
    (0x4f03_f600, "neon"), // fmov v0.4s, #1.0
    (0x6f00_e400, "neon"), // movi v0.2d, #0
    (0x4f00_2420, "neon"), // movi v0.4s, #1, lsl #8
    (0x6f00_c420, "neon"), // mvni v0.4s, #1, msl #8
    (0x6e62_1c20, "neon"), // bsl v0.16b, v1.16b, v2.16b
    (0x6ea2_1c20, "neon"), // bit v0.16b, v1.16b, v2.16b
    (0x4e03_2020, "neon"), // tbl v0.16b, {v1.16b, v2.16b}, v3.16b
    (0x4e03_7020, "neon"), // tbx v0.16b, {v1.16b, v2.16b, v3.16b, v4.16b}, v3.16b
    (0x6e02_4020, "neon"), // ext v0.16b, v1.16b, v2.16b, #8
    (0x4e02_3820, "neon"), // zip1 v0.16b, v1.16b, v2.16b
    (0x4ec2_5820, "neon"), // uzp2 v0.2d, v1.2d, v2.2d
    (0x4ec2_2820, "neon"), // trn1 v0.2d, v1.2d, v2.2d
    (0x4e20_0820, "neon"), // rev64 v0.16b, v1.16b
    (0x6e60_0820, "neon"), // rev32 v0.8h, v1.8h
    (0x4f27_5420, "neon"), // shl v0.4s, v1.4s, #7
    (0x6f27_4420, "neon"), // sri v0.4s, v1.4s, #25
    (0x6f39_5420, "neon"), // sli v0.4s, v1.4s, #25
    (0x6f27_0420, "neon"), // ushr v0.4s, v1.4s, #25
    (0x6f27_1420, "neon"), // usra v0.4s, v1.4s, #25
    (0x0f10_a420, "neon"), // sshll v0.4s, v1.4h, #0
    (0x6f13_a420, "neon"), // ushll2 v0.4s, v1.8h, #3
    (0x0f1d_8420, "neon"), // shrn v0.4h, v1.4s, #3
    (0x2f0d_8c20, "neon"), // sqrshrun v0.8b, v1.8h, #3
    (0x4e04_0c20, "neon"), // dup v0.4s, w1
    (0x4e14_0420, "neon"), // dup v0.4s, v1.s[2]
    (0x5e18_0420, "neon"), // dup d0, v1.d[1]
    (0x5e18_0420, "neon"), // mov d0, v1.d[1]
    (0x4e0c_1c20, "neon"), // mov v0.s[1], w1
    (0x6e0c_4420, "neon"), // mov v0.s[1], v1.s[2]
    (0x0e07_3c20, "neon"), // umov w0, v1.b[3]
    (0x4e18_3c20, "neon"), // mov x0, v1.d[1]
    (0x4e0e_2c20, "neon"), // smov x0, v1.h[3]
    (0x9e66_0020, "neon"), // fmov x0, d1
    (0x9eae_0020, "neon"), // fmov x0, v1.d[1]
    (0x9eaf_0020, "neon"), // fmov v0.d[1], x1
    (0x4c40_7000, "neon"), // ld1 {v0.16b}, [x0]
    (0x4cdf_2000, "neon"), // ld1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0], #64
    (0x0d40_9000, "neon"), // ld1 {v0.s}[1], [x0]
    (0x4d40_c800, "neon"), // ld1r {v0.4s}, [x0]
    (0x4c40_8800, "neon"), // ld2 {v0.4s, v1.4s}, [x0]
    (0x4cdf_4800, "neon"), // ld3 {v0.4s, v1.4s, v2.4s}, [x0], #48
    (0x4cc1_0000, "neon"), // ld4 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0], x1
    (0x4c00_a000, "neon"), // st1 {v0.16b, v1.16b}, [x0]
    (0x0d20_3c00, "neon"), // st4 {v0.b, v1.b, v2.b, v3.b}[7], [x0]
    (0xad41_0400, "neon"), // ldp q0, q1, [x0, #32]
    (0xadbf_07e0, "neon"), // stp q0, q1, [sp, #-32]!
    (0x3ce1_7800, "neon"), // ldr q0, [x0, x1, lsl #4]
    (0x9cff_e880, "neon"), // ldr q0, f
    (0x3cdf_0000, "neon"), // ldur q0, [x0, #-16]
    (0xf980_0000, ""), // prfm pldl1keep, [x0]
    (0x4eb1_b820, "neon"), // addv s0, v1.4s
    (0x2e30_3820, "neon"), // uaddlv h0, v1.8b
    (0x6e30_a820, "neon"), // umaxv b0, v1.16b
    (0x4e22_bc20, "neon"), // addp v0.16b, v1.16b, v2.16b
    (0x5ef1_b820, "neon"), // addp d0, v1.2d
    (0x7e30_d820, "neon"), // faddp s0, v1.2s
    (0x6e30_c820, "neon"), // fmaxnmv s0, v1.4s
    (0x4e20_2820, "neon"), // saddlp v0.8h, v1.16b
    (0x6e20_6820, "neon"), // uadalp v0.8h, v1.16b
    (0x4e20_5820, "neon"), // cnt v0.16b, v1.16b
    (0x6ea0_4820, "neon"), // clz v0.4s, v1.4s
    (0x4ea0_9820, "neon"), // cmeq v0.4s, v1.4s, #0
    (0x6ea2_3420, "neon"), // cmhi v0.4s, v1.4s, v2.4s
    (0x4ea0_c820, "neon"), // fcmgt v0.4s, v1.4s, #0.0
    (0x6fa2_0020, "neon"), // mla v0.4s, v1.4s, v2.s[1]
    (0x2ea2_8020, "neon"), // umlal v0.2d, v1.2s, v2.2s
    (0x6ea2_c020, "neon"), // umull2 v0.2d, v1.4s, v2.4s
    (0x4ea2_b420, "neon"), // sqdmulh v0.4s, v1.4s, v2.4s
    (0x2f72_2820, "neon"), // umlal v0.4s, v1.4h, v2.h[7]
    (0x4ea1_d820, "neon"), // frecpe v0.4s, v1.4s
    (0x4ea2_fc20, "neon"), // frsqrts v0.4s, v1.4s, v2.4s
    (0x0e61_6820, "neon"), // fcvtn v0.2s, v1.2d
    (0x0e61_7820, "neon"), // fcvtl v0.2d, v1.2s
    (0x9e39_0020, "neon"), // fcvtzu x0, s1
    (0x4e21_d820, "neon"), // scvtf v0.4s, v1.4s
    (0x9e02_f420, "neon"), // scvtf s0, x1, #3
    (0x7e61_d820, "neon"), // ucvtf d0, d1
    (0x4e21_8820, "neon"), // frintn v0.4s, v1.4s
    (0x1f02_0c20, "neon"), // fmadd s0, s1, s2, s3
    (0x1e22_0c20, "neon"), // fcsel s0, s1, s2, eq
    (0x1e21_1400, "neon"), // fccmp s0, s1, #0, ne
    (0x6ee1_f820, "neon"), // fsqrt v0.2d, v1.2d
    (0x6ea2_d420, "neon"), // fabd v0.4s, v1.4s, v2.4s
    (0x0e62_5020, "neon"), // sabal v0.4s, v1.4h, v2.4h
    (0x0e21_2820, "neon"), // xtn v0.8b, v1.8h
    (0x4e21_2820, "neon"), // xtn2 v0.16b, v1.8h
    (0x2e21_4820, "neon"), // uqxtn v0.8b, v1.8h
    (0x4f00_1420, "neon"), // orr v0.4s, #1
    (0x6f00_b420, "neon"), // bic v0.8h, #1, lsl #8
    (0x4ee2_1c20, "neon"), // orn v0.16b, v1.16b, v2.16b
    (0x6e20_5820, "neon"), // mvn v0.16b, v1.16b
    (0x6e60_5820, "neon"), // rbit v0.16b, v1.16b
    (0x6e22_7420, "neon"), // uabd v0.16b, v1.16b, v2.16b
    (0x0f0f_8c20, "neon"), // rshrn v0.8b, v1.8h, #1
    (0x0e22_6020, "neon"), // subhn v0.8b, v1.8h, v2.8h
    (0x6e22_1420, "neon"), // urhadd v0.16b, v1.16b, v2.16b
    (0x4e22_0c20, "neon"), // sqadd v0.16b, v1.16b, v2.16b
    (0x4e20_3820, "neon"), // suqadd v0.16b, v1.16b
    (0x6e20_b820, "neon"), // neg v0.16b, v1.16b
    (0xfa41_1004, ""), // ccmp x0, x1, #4, ne
    (0x9b02_0c20, ""), // madd x0, x1, x2, x3
    (0x9bc2_7c20, ""), // umulh x0, x1, x2
    (0x93c2_0c20, ""), // extr x0, x1, x2, #3
    (0x93c1_0c20, ""), // ror x0, x1, #3
    (0x937d_0c20, ""), // sbfiz x0, x1, #3, #4
    (0xd343_1820, ""), // ubfx x0, x1, #3, #4
    (0xb37d_0c20, ""), // bfi x0, x1, #3, #4
    (0xb343_1820, ""), // bfxil x0, x1, #3, #4
    (0x9a82_0420, ""), // csinc x0, x1, x2, eq
    (0x1a9f_07e0, ""), // cset w0, ne
    (0x9a81_1420, ""), // cinc x0, x1, eq
    (0xda82_0420, ""), // csneg x0, x1, x2, eq
    (0x361f_e060, ""), // tbz x0, #3, f
    (0xb5ff_e040, ""), // cbnz x0, f
    (0x54ff_e020, ""), // b.eq f
    (0x97ff_ff00, ""), // bl f
    (0xd63f_0020, ""), // blr x1
    (0xd61f_0020, ""), // br x1
    (0xd65f_03c0, ""), // ret
    (0x9000_0000, ""), // adrp x0, f
    (0x10ff_df60, ""), // adr x0, f
    (0xc85f_7c20, ""), // ldxr x0, [x1]
    (0xc800_fc41, ""), // stlxr w0, x1, [x2]
    (0xc8df_fc20, ""), // ldar x0, [x1]
    (0xc89f_fc20, ""), // stlr x0, [x1]
    (0xc87f_8440, ""), // ldaxp x0, x1, [x2]
    (0xd503_3bbf, ""), // dmb ish
    (0xd503_3fdf, ""), // isb
    (0xd503_203f, ""), // yield
    (0xd503_229f, ""), // csdb
    (0xd400_0001, ""), // svc #0
    (0xd420_0020, ""), // brk #1
    (0x0000_0000, ""), // udf #0
];

#[test]
fn words_need_what_the_assembler_says() {
    for &(word, feature) in WORDS {
        assert_eq!(need(word).unwrap_or_default(), feature, "{word:#010x}");
    }
}
