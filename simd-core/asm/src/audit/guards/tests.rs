use std::collections::HashMap;

use super::*;
use crate::architecture::Architecture;
use crate::audit::facts::ANY;
use crate::audit::sources::Meaning;
use crate::image::{Image, Section};

/// What is shown in code at 0x1000 that tests a variable at 0x5000.
fn guards(architecture: Architecture, meaning: Meaning, code: &[u8]) -> Guards {
    let mut image = Image::of_slots(architecture, HashMap::new());
    let size = code.len() as u64;
    image.sections.push(Section { memory: 0x1000..0x1000 + size, file: 0..code.len(), code: true });
    image.bytes = code.to_vec();
    let sources = Sources::of(architecture, 0x5000..0x5010, meaning);
    Guards::new(&Code::new(&image, 0x1000, size), &sources, &Outcomes::new())
}

fn arm(meaning: Meaning, words: &[u32]) -> Guards {
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    guards(Architecture::Aarch64, meaning, &code)
}

const AESE: u32 = 0x4e28_4820;
const RET: u32 = 0xd65f_03c0;
const VARIABLE: u32 = 0x9000_0028; // adrp x8, 0x5000

#[test]
fn tests_on_arm_show_something_on_one_way() {
    for (name, meaning, words) in [
        ("a byte", Meaning::Flag, &[VARIABLE, 0x3940_0108, 0x3400_0048][..]), // ldrb w8, [x8]; cbz w8
        ("a bit", Meaning::Bits, &[VARIABLE, 0xf940_0108, 0x3618_0048]),      // ldr x8, [x8]; tbz w8, #3
        ("a mask", Meaning::Bits, &[VARIABLE, 0xf940_0108, 0x721d_011f, 0x5400_0040]), // tst w8, #8; b.eq
        ("a field", Meaning::Bits, &[0xd538_0600, 0xd344_1c00, 0xb400_0040]), // mrs x0; ubfx x0, x0, #4, #4; cbz x0
        ("a number", Meaning::Flag, &[VARIABLE, 0x3940_0108, 0x7100_051f, 0x5400_0041]), // cmp w8, #1; b.ne
    ] {
        let found = arm(meaning, &[words, &[AESE, RET]].concat());
        let at = words.len();
        assert_eq!((found.shown[at - 1], found.shown[at], found.shown[at + 1]), (0, ANY, 0), "{name}");
        // The other way shows nothing.
        let mut other = words.to_vec();
        let branch = other.last_mut().unwrap();
        *branch ^= if *branch >> 24 == 0x54 { 1 } else { 0x0100_0000 };
        assert_eq!(arm(meaning, &[&other, &[AESE, RET][..]].concat()).shown[at], 0, "{name}");
    }
}

#[test]
fn other_variables_show_nothing() {
    // adrp x8, 0x6000
    let found = arm(Meaning::Flag, &[0xb000_0028, 0x3940_0108, 0x3400_0048, AESE, RET]);
    assert_eq!(found.shown, [0; 5]);
}

#[test]
fn an_address_that_a_test_selects() {
    let code: &[&[u8]] = &[
        &[0x48, 0x8b, 0x15, 0xf9, 0x3f, 0x00, 0x00], // mov rdx, [0x5000]
        &[0x48, 0x8d, 0x05, 0xf2, 0x0f, 0x00, 0x00], // lea rax, [0x2000]
        &[0x48, 0x8d, 0x0d, 0xeb, 0x1f, 0x00, 0x00], // lea rcx, [0x3000]
        &[0xf6, 0xc2, 0x02],                         // test dl, 2
        &[0x48, 0x0f, 0x45, 0xc1],                   // cmovne rax, rcx
        &[0xc3],
    ];
    let found = guards(Architecture::X86_64, Meaning::Bits, &code.concat());
    assert_eq!(found.shown, [0; 6]);
    assert_eq!((found.selected.get(&1), found.selected.get(&2)), (Some(&0), Some(&ANY)));
    // It is no longer selected if the register is read once more.
    let again = [&code[..5], &[&[0x48, 0x89, 0xcf], &[0xc3]]].concat(); // mov rdi, rcx
    assert_eq!(guards(Architecture::X86_64, Meaning::Bits, &again.concat()).selected.get(&2), None);
}

#[test]
fn an_address_that_is_kept_on_one_way() {
    const JNE: u8 = 0x75;
    let code = |jump: u8, other: &[u8]| -> Vec<u8> {
        let code: &[&[u8]] = &[
            &[0x8b, 0x15, 0xfa, 0x3f, 0x00, 0x00],       // mov edx, [0x5000]
            &[0x48, 0x8d, 0x05, 0xf3, 0x0f, 0x00, 0x00], // lea rax, [0x2000]
            &[0xf6, 0xc2, 0x02],                         // test dl, 2
            &[jump, other.len() as u8],
            other,
            &[0xc3],
        ];
        code.concat()
    };
    let lea: &[u8] = &[0x48, 0x8d, 0x05, 0xeb, 0x1f, 0x00, 0x00]; // lea rax, [0x3000]
    let selected = |code: Vec<u8>| guards(Architecture::X86_64, Meaning::Bits, &code).selected.get(&1).copied();
    assert_eq!(selected(code(JNE, lea)), Some(ANY));
    // Where the test fails; read on both ways; read before it is overwritten; and nothing but a part of it is.
    assert_eq!(selected(code(0x74, lea)), None);
    assert_eq!(selected(code(JNE, &[0x90])), None);
    assert_eq!(selected(code(JNE, &[&[0x48, 0x89, 0xc7], lea].concat())), None);
    assert_eq!(selected(code(JNE, &[0xb0, 0x01])), None);
}

#[test]
fn all_bits_of_a_mask() {
    // mov edx, [0x5000]; and edx, 6; cmp edx, ..; jne over aesenc; ret
    let shown = |number: u8| {
        let code: &[&[u8]] = &[
            &[0x8b, 0x15, 0xfa, 0x3f, 0x00, 0x00, 0x83, 0xe2, 0x06, 0x83, 0xfa, number, 0x75, 0x05],
            &[0x66, 0x0f, 0x38, 0xdc, 0xc1, 0xc3],
        ];
        guards(Architecture::X86_64, Meaning::Bits, &code.concat()).shown[4]
    };
    // None of the bits is asked for in the last one.
    assert_eq!([6, 2, 1].map(shown), [ANY, ANY, 0]);
}

#[test]
fn padding_is_no_way() {
    let code: &[&[u8]] = &[
        &[0x8b, 0x15, 0xfa, 0x3f, 0x00, 0x00], // mov edx, [0x5000]
        &[0xf6, 0xc2, 0x02],                   // test dl, 2
        &[0x75, 0x03],                         // jne over the padding
        &[0xc3],
        &[0x66, 0x90],                   // nop
        &[0x66, 0x0f, 0x38, 0xdc, 0xc1], // aesenc xmm0, xmm1
        &[0xc3],
    ];
    let found = guards(Architecture::X86_64, Meaning::Bits, &code.concat());
    assert_eq!((found.shown[3], found.shown[5]), (0, ANY));
}

#[test]
fn a_word_of_bits_that_is_never_zero() {
    // cpuid; mov eax, 4; xor edi, edi; test ecx, 1 << 28; cmovne edi, eax; or edi, 1 << 31
    let fill: &[&[u8]] = &[
        &[0x0f, 0xa2, 0xb8, 4, 0, 0, 0, 0x31, 0xff, 0xf7, 0xc1, 0, 0, 0, 0x10, 0x0f, 0x45, 0xf8],
        &[0x81, 0xcf, 0, 0, 0, 0x80],
    ];
    let store = |address: u8| [&fill.concat()[..], &[0x89, 0x3c, 0x25, 0, address, 0, 0, 0xc3]].concat(); // mov [..], edi
    let found = guards(Architecture::X86_64, Meaning::Bits, &store(0x60));
    let stores: Vec<_> = found.stores.iter().map(|store| (store.address, store.size, store.meaning)).collect();
    assert_eq!(stores, [(0x6000, 4, Meaning::Bits)]);
    // It is known already.
    assert!(guards(Architecture::X86_64, Meaning::Bits, &store(0x50)).stores.is_empty());
    for (name, test, shown) in [
        ("the bit", &[0x40, 0xf6, 0xc7, 4][..], ANY), // test dil, 4
        ("any bit", &[0x85, 0xff], 0),                // test edi, edi
        ("the other bit", &[0xf7, 0xc7, 0, 0, 0, 0x80], 0),
    ] {
        let branch: &[u8] = &[0x74, 0x05, 0x66, 0x0f, 0x38, 0xdc, 0xc1, 0xc3]; // je over aesenc
        let found = guards(Architecture::X86_64, Meaning::Bits, &[&fill.concat(), test, branch].concat());
        assert_eq!(found.shown[found.shown.len() - 2], shown, "{name}");
    }
}

#[test]
fn answers_of_functions() {
    for (name, code, some) in [
        // movzx eax, byte [0x5000]; shr eax, 3; and eax, 1; ret
        ("a bit", &[0x0f, 0xb6, 0x05, 0xf9, 0x3f, 0, 0, 0xc1, 0xe8, 0x03, 0x83, 0xe0, 0x01, 0xc3][..], ANY),
        // mov eax, [0x5000]; not eax; test eax, 6; sete al; ret
        ("all bits", &[0x8b, 0x05, 0xfa, 0x3f, 0, 0, 0xf7, 0xd0, 0xa9, 6, 0, 0, 0, 0x0f, 0x94, 0xc0, 0xc3], ANY),
        // mov eax, [0x5000]; not eax; test eax, 6; setne al; ret
        ("some missing", &[0x8b, 0x05, 0xfa, 0x3f, 0, 0, 0xf7, 0xd0, 0xa9, 6, 0, 0, 0, 0x0f, 0x95, 0xc0, 0xc3], 0),
    ] {
        let found = guards(Architecture::X86_64, Meaning::Bits, code);
        assert_eq!(found.outcome.values[0].truth(&sources()).0, some, "{name}");
    }
}

fn sources() -> Sources {
    Sources::of(Architecture::X86_64, 0x5000..0x5010, Meaning::Bits)
}
