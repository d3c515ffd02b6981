//! The content of registers: addresses, and numbers of which some bits are known.
//!
//! A forward analysis over the blocks of one function, until nothing changes. Where ways to a block meet, what differs is
//! unknown. A way that a known number rules out is not followed.

mod aarch64;
pub(crate) mod bits;
pub(crate) mod oracle;
pub(crate) mod state;
mod x86;

use std::collections::BTreeSet;

use crate::architecture::Architecture;
use crate::flow::{self, Graph, is_padding};
use crate::image::{Image, Value};
use crate::instruction::{Flow, Instruction, Raw};
use oracle::{Frame, Oracle};
use state::{Analysis, State};

pub(crate) fn analyse(image: &Image, instructions: &[Instruction], graph: &Graph, oracle: &dyn Oracle) -> Analysis {
    let count = graph.blocks.len();
    let is_arm = image.architecture == Architecture::Aarch64;
    let frame = if is_arm { aarch64::frame(instructions) } else { x86::frame(instructions) };
    let mut walk =
        Walk { image, instructions, graph, oracle, frame, entries: vec![None; count], open: BTreeSet::new() };
    let (pads, calls) = walk.pads();
    let entries = graph.entries.iter().chain(pads.iter().filter(|_| !calls));
    entries.for_each(|&entry| walk.enter(entry, &State::unknown()));
    while let Some(block) = walk.open.pop_first() {
        let Some((mut state, _)) = walk.entries[block].clone() else { continue };
        let mut scratch = Analysis::default();
        for at in graph.blocks[block].clone() {
            walk.step(&mut state, at, &mut scratch);
            pads.iter().filter(|_| instructions[at].is_call()).for_each(|&pad| walk.enter(pad, &state));
        }
        walk.next(block, &state).into_iter().for_each(|next| walk.enter(next, &state));
    }
    walk.collect()
}

struct Walk<'a> {
    image: &'a Image,
    instructions: &'a [Instruction],
    graph: &'a Graph,
    oracle: &'a dyn Oracle,
    frame: Frame,
    /// The states with which blocks are entered, and how often they have changed.
    entries: Vec<Option<(State, u32)>>,
    /// The blocks to look at again, in the order of the code.
    open: BTreeSet<usize>,
}

impl Walk<'_> {
    fn enter(&mut self, block: usize, state: &State) {
        /// Numbers that change in a loop lose a bit each time.
        const OFTEN: u32 = 8;
        let is_new = self.entries[block].is_none();
        let (entry, times) = self.entries[block].get_or_insert_with(|| (state.clone(), 0));
        if is_new || entry.merge(state, *times > OFTEN) {
            *times += u32::from(!is_new);
            self.open.insert(block);
        }
    }

    fn step(&self, state: &mut State, at: usize, found: &mut Analysis) {
        let (image, oracle, frame) = (self.image, self.oracle, &self.frame);
        let instruction = &self.instructions[at];
        match &instruction.raw {
            Raw::X86(raw) => x86::Step { image, oracle, frame, at, raw, found }.run(state),
            Raw::Aarch64(word, raw) => {
                let (word, raw) = (*word, raw.as_ref());
                aarch64::Step { image, oracle, frame, at, instruction, word, raw, found }.run(state);
            }
        }
    }

    /// The values that the call at the end of a block or a jump out of the function leaves; none if it does not return.
    fn called(&self, at: usize) -> Option<[Value; 2]> {
        let mut found = Analysis::default();
        let to = match self.instructions[at].flow {
            Flow::Call(to) | Flow::Jump(to) | Flow::Branch(to) => Value::Address(to),
            _ => {
                self.step(&mut State::unknown(), at, &mut found);
                found.targets.get(&at).copied().unwrap_or(Value::Unknown)
            }
        };
        self.oracle.call(to, Value::Unknown)
    }

    /// Whether a branch is taken; known only of a conditional one.
    fn taken(&self, state: &State, at: usize) -> Option<bool> {
        match &self.instructions[at].raw {
            Raw::X86(raw) => x86::condition(state.flags, raw.condition_code()),
            Raw::Aarch64(word, _) => aarch64::branch(state, *word),
        }
    }

    /// The blocks to which one leads; none after a call that does not return.
    fn next(&self, block: usize, state: &State) -> Vec<usize> {
        let successors = &self.graph.successors[block];
        let last = self.graph.blocks[block].end - 1;
        match self.instructions[last].flow {
            Flow::Branch(target) => {
                let taken = self.taken(state, last);
                let start = |next: &usize| self.instructions[self.graph.blocks[*next].start].address;
                let to = taken.map(|taken| if taken { target } else { self.instructions[last].end() });
                let goes = |next: &&usize| to.is_none_or(|to| start(next) == to);
                successors.iter().filter(goes).copied().collect()
            }
            Flow::Call(_) | Flow::CallIndirect if self.called(last).is_none() => Vec::new(),
            _ => successors.clone(),
        }
    }

    /// Blocks that nothing seen leads to and are no padding, which the unwinder enters from a call; and whether another has one.
    fn pads(&self) -> (Vec<usize>, bool) {
        let blocks = &self.graph.blocks;
        let ends = |last: usize| self.instructions[last].is_call() && self.called(last).is_none();
        let edges = blocks.iter().zip(&self.graph.successors);
        let edges = edges.map(|(block, to)| if ends(block.end - 1) { vec![] } else { to.clone() });
        let (edges, mut from) = (edges.collect::<Vec<_>>(), self.graph.entries.clone());
        let mut reached = flow::reached(from.clone(), &edges, None);
        let is_code = |block: usize| !is_padding(&self.instructions[blocks[block].clone()]);
        let calls = (0..blocks.len())
            .any(|at| reached[at] && self.instructions[blocks[at].clone()].iter().any(Instruction::is_call));
        for pad in 1..blocks.len() {
            if !reached[pad] && is_code(pad) {
                from.push(pad);
                flow::reach(&mut reached, vec![pad], &edges, None);
            }
        }
        (from.split_off(self.graph.entries.len()), calls)
    }

    /// Steps through all blocks once more, those that nothing leads to included.
    fn collect(self) -> Analysis {
        let mut found = Analysis { reached: vec![false; self.instructions.len()], ..Analysis::default() };
        let entry = |block: usize| self.entries[block].as_ref().map_or_else(State::unknown, |(state, _)| state.clone());
        for (block, range) in self.graph.blocks.iter().enumerate() {
            let (reached, mut state, mut unreached) =
                (self.entries[block].is_some(), entry(block), Analysis::default());
            for at in range.clone() {
                let found = if reached { &mut found } else { &mut unreached };
                if reached {
                    found.reached[at] = true;
                    self.leaves(&state, at, found);
                }
                self.step(&mut state, at, found);
            }
            found.references.append(&mut unreached.references);
            found.targets.extend(unreached.targets);
            // Addresses that differ on other ways to the next block.
            for next in self.next(block, &state).into_iter().filter(|_| reached) {
                let differ = state.registers.into_iter().zip(entry(next).registers).filter_map(|pair| match pair {
                    (Value::Address(to), theirs) => (theirs.address() != Some(to)).then_some(to),
                    _ => None,
                });
                found.uses.extend(differ.map(|to| (range.end - 1, to)));
            }
        }
        found
    }

    /// Takes note of the ways out of the function, and of what they carry.
    fn leaves(&self, state: &State, at: usize, found: &mut Analysis) {
        let instruction = &self.instructions[at];
        let inside = |to: u64| self.graph.at(to).is_some();
        if let Flow::Call(to) | Flow::Jump(to) | Flow::Branch(to) = instruction.flow
            && !inside(to)
            && (self.taken(state, at) != Some(false))
        {
            found.uses.push((at, to));
        }
        // A call there does not return.
        let goes_on = matches!(instruction.flow, Flow::Next | Flow::Branch(_)) && self.taken(state, at) != Some(true);
        let falls_out = goes_on && !inside(instruction.end());
        found.uses.extend(falls_out.then(|| (at, instruction.end())));
        let returned = match instruction.flow {
            _ if falls_out => Some([Value::Unknown; 2]),
            Flow::Call(_) | Flow::CallIndirect => None,
            Flow::Return => {
                let second = if matches!(instruction.raw, Raw::X86(_)) { 2 } else { 1 };
                Some([state.registers[0], state.registers[second]])
            }
            Flow::Jump(to) | Flow::Branch(to) if !inside(to) => self.called(at),
            Flow::JumpIndirect => Some([Value::Unknown; 2]),
            _ => return,
        };
        if let Some(now) = returned {
            let before = found.returned.unwrap_or(now);
            found.returned = Some([before[0].join(now[0]), before[1].join(now[1])]);
        }
        let is_arm = self.image.architecture == Architecture::Aarch64;
        let kept = |number| if is_arm { aarch64::kept(number) } else { x86::kept(number, self.image) };
        for (number, value) in state.registers.iter().enumerate() {
            if let (Value::Address(to), false) = (value, kept(number)) {
                found.uses.push((at, *to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::oracle::Unknown;
    use super::*;
    use crate::decode;
    use std::collections::HashMap;

    /// Of code at 0x1000. The slot at 0x2000 holds the address of the words at 0x5000.
    fn found(architecture: Architecture, code: &[&[u8]]) -> Analysis {
        let image = Image::of_slots(architecture, HashMap::from([(0x2000, Value::Address(0x5000))]));
        let instructions = decode::decode(architecture, &code.concat(), 0x1000);
        analyse(&image, &instructions, &Graph::new(&instructions), &Unknown)
    }

    fn check(architecture: Architecture, code: &[&[u8]], references_to_the_words: &[usize]) {
        let references = found(architecture, code).references.into_iter().filter(|&(_, to)| to == 0x5000);
        assert_eq!(references.map(|(at, _)| at).collect::<Vec<_>>(), references_to_the_words);
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
        check(Architecture::X86_64, code, &[0, 4]);
        let code: &[&[u8]] = &[
            // and not in a register that a call may change
            &[0x48, 0x8b, 0x0d, 0xf9, 0x0f, 0x00, 0x00], // mov rcx, [0x2000]
            &[0x48, 0x8b, 0x11],                         // mov rdx, [rcx]
            &[0xff, 0xd0],                               // call rax
            &[0x48, 0x8b, 0x11],                         // mov rdx, [rcx]
            &[0xc3],
        ];
        check(Architecture::X86_64, code, &[0, 1]);
    }

    #[test]
    fn bits_of_a_vector_are_known_as_long_as_each_step_is() {
        let returned = |step: &[u8]| {
            let code: &[&[u8]] = &[
                &[0x66, 0x0f, 0x6e, 0xc7],       // movd xmm0, edi
                &[0x66, 0x0f, 0x70, 0xc0, 0x44], // pshufd xmm0, xmm0, 0x44: zeros in the odd lanes
                step,
                &[0x66, 0x48, 0x0f, 0x7e, 0xc0], // movq rax, xmm0
                &[0xc3],
            ];
            found(Architecture::X86_64, code).returned.map(|[value, _]| value.known().0)
        };
        assert_eq!(returned(&[0x66, 0x0f, 0xdf, 0xc0]), Some(!0 << 32)); // pandn xmm0, xmm0
        assert_eq!(returned(&[0x66, 0x0f, 0xfe, 0xc0]), Some(0)); // paddd xmm0, xmm0, which is not followed
        assert_eq!(returned(&[0xff, 0xd2]), Some(0)); // call rdx
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
        check(Architecture::X86, code, &[3, 4, 5]);
    }

    #[test]
    fn pages_and_offsets_on_arm() {
        let code = [
            0xb000_0008_u32, // adrp x8, 0x2000
            0xf940_0109,     // ldr x9, [x8]: the slot
            0xf940_012a,     // ldr x10, [x9]: the words
            0x9000_002b,     // adrp x11, 0x5000
            0x9100_016b,     // add x11, x11, #0: their address
            0xf940_0560,     // ldr x0, [x11, #8]: after them
            0xd65f_03c0,     // ret
        ];
        check(Architecture::Aarch64, &code.map(u32::to_le_bytes).each_ref().map(|word| &word[..]), &[1, 2, 4]);
    }
}
