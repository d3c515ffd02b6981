//! Which registers hold a known address: what `lea`, `adrp` with `add`, and loads from the global offset table give.
//!
//! A forward analysis over the blocks of one function, until nothing changes. A register that holds different values
//! on two ways to a block is unknown there.

mod aarch64;
pub(crate) mod state;
mod x86;

use crate::flow::{Graph, is_padding};
use crate::image::Image;
use crate::instruction::{Flow, Instruction, Raw};
use state::{Found, State};

/// What one instruction changes and refers to.
fn step(state: &mut State, image: &Image, at: usize, instruction: &Instruction, found: &mut Found) {
    match &instruction.raw {
        Raw::X86(raw) => x86::step(state, image, at, raw, found),
        Raw::Aarch64(word, raw) => aarch64::step(state, image, at, instruction, *word, raw.as_ref(), found),
    }
}

pub(crate) fn analyse(image: &Image, instructions: &[Instruction], graph: &Graph) -> Found {
    let mut entries = Entries { states: vec![None; graph.blocks.len()], open: Vec::new() };
    if !graph.blocks.is_empty() {
        entries.enter(0, &State::unknown());
    }
    let pads = landing_pads(instructions, graph);
    let mut scratch = Found::default();
    while let Some(block) = entries.open.pop() {
        let Some(mut state) = entries.states[block].clone() else { continue };
        for at in graph.blocks[block].clone() {
            step(&mut state, image, at, &instructions[at], &mut scratch);
            if matches!(instructions[at].flow, Flow::Call(_) | Flow::CallIndirect) {
                for &pad in &pads {
                    entries.enter(pad, &state);
                }
            }
        }
        for &next in &graph.successors[block] {
            entries.enter(next, &state);
        }
    }
    let mut found = Found::default();
    for (range, entry) in graph.blocks.iter().zip(entries.states) {
        let mut state = entry.unwrap_or_else(State::unknown);
        for at in range.clone() {
            step(&mut state, image, at, &instructions[at], &mut found);
        }
    }
    found
}

/// The states with which blocks are entered, and the blocks to look at again.
struct Entries {
    states: Vec<Option<State>>,
    open: Vec<usize>,
}

impl Entries {
    fn enter(&mut self, block: usize, state: &State) {
        let changed = match &mut self.states[block] {
            Some(entry) => entry.merge(state),
            entry @ None => {
                *entry = Some(state.clone());
                true
            }
        };
        if changed {
            self.open.push(block);
        }
    }
}

/// Blocks that no branch leads to: the unwinder enters them from a call. Padding between blocks is nobody's.
pub(crate) fn landing_pads(instructions: &[Instruction], graph: &Graph) -> Vec<usize> {
    let mut reached = vec![false; graph.blocks.len()];
    for &to in graph.successors.iter().flatten() {
        reached[to] = true;
    }
    let is_code = |block: usize| !is_padding(&instructions[graph.blocks[block].clone()]);
    (1..graph.blocks.len()).filter(|&block| !reached[block] && is_code(block)).collect()
}

/// Whether this call only pushes its own address, as 32-bit code does to find out where it is.
pub(crate) fn is_self_call(instruction: &Instruction) -> bool {
    instruction.flow == Flow::Call(instruction.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Architecture;
    use crate::decode;
    use crate::image::Value;
    use std::collections::HashMap;

    const WORDS: u64 = 0x5000;

    /// What code at 0x1000 refers to, with the address of the words in the slot at 0x2000.
    fn references(architecture: Architecture, code: &[u8]) -> Vec<usize> {
        let image = Image::of_slots(architecture, HashMap::from([(0x2000, Value::Address(WORDS))]));
        let instructions = decode::decode(architecture, code, 0x1000);
        let found = analyse(&image, &instructions, &Graph::new(&instructions));
        found.references.into_iter().filter(|&(_, to)| to == WORDS).map(|(at, _)| at).collect()
    }

    #[test]
    fn an_address_is_followed_over_branches_calls_and_padding() {
        let code: &[&[u8]] = &[
            &[0x48, 0x8b, 0x2d, 0xf9, 0x0f, 0x00, 0x00], // mov rbp, [0x2000]
            &[0xff, 0xd0],                               // call rax
            &[0xeb, 0x01],                               // jmp over the padding
            &[0x90],
            &[0x48, 0x8b, 0x4d, 0x00], // mov rcx, [rbp]
            &[0xc3],
        ];
        assert_eq!(references(Architecture::X86_64, &code.concat()), [0, 4]);
    }

    #[test]
    fn a_register_that_a_call_may_change_is_forgotten() {
        let code: &[&[u8]] = &[
            &[0x48, 0x8b, 0x0d, 0xf9, 0x0f, 0x00, 0x00], // mov rcx, [0x2000]
            &[0x48, 0x8b, 0x11],                         // mov rdx, [rcx]
            &[0xff, 0xd0],                               // call rax
            &[0x48, 0x8b, 0x11],                         // mov rdx, [rcx]
            &[0xc3],
        ];
        assert_eq!(references(Architecture::X86_64, &code.concat()), [0, 1]);
    }

    #[test]
    fn an_address_that_32_bit_code_computes_from_its_own() {
        let code: &[&[u8]] = &[
            &[0xe8, 0x00, 0x00, 0x00, 0x00],       // call the next
            &[0x5b],                               // pop ebx: 0x1005
            &[0x81, 0xc3, 0xfb, 0x0f, 0x00, 0x00], // add ebx, 0xffb: 0x2000
            &[0x8b, 0x03],                         // mov eax, [ebx]: the slot
            &[0x8b, 0x08],                         // mov ecx, [eax]: the words
            &[0x8d, 0x83, 0x00, 0x30, 0x00, 0x00], // lea eax, [ebx + 0x3000]: their address
            &[0xc3],
        ];
        assert_eq!(references(Architecture::X86, &code.concat()), [3, 4, 5]);
    }

    #[test]
    fn pages_and_offsets_on_arm() {
        let words: [u32; 7] = [
            0xb000_0008, // adrp x8, 0x2000
            0xf940_0109, // ldr x9, [x8]: the slot
            0xf940_012a, // ldr x10, [x9]: the words
            0x9000_002b, // adrp x11, 0x5000
            0x9100_016b, // add x11, x11, #0: their address
            0xf940_0560, // ldr x0, [x11, #8]: after them
            0xd65f_03c0, // ret
        ];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(references(Architecture::Aarch64, &code), [1, 2, 4]);
    }
}
