//! The control flow inside one function: basic blocks, dominators, loops.

use core::ops::Range;
use std::collections::{BTreeSet, HashMap};

use crate::instruction::{Flow, Instruction};

/// Whether these only fill the space before what follows.
pub(crate) fn is_padding(instructions: &[Instruction]) -> bool {
    instructions.iter().all(|instruction| instruction.mnemonic() == "nop")
}

/// A function cut into basic blocks, in the order of its instructions. Block 0 is the entry.
pub(crate) struct Graph {
    pub(crate) blocks: Vec<Range<usize>>,
    pub(crate) successors: Vec<Vec<usize>>,
    /// The blocks that other code enters, the first one included.
    pub(crate) entries: Vec<usize>,
    /// The instructions by their addresses.
    index: HashMap<u64, usize>,
}

impl Graph {
    pub(crate) fn new(instructions: &[Instruction]) -> Self {
        Self::with(instructions, &[], &[])
    }

    /// One that is also entered at these addresses, and whose indirect jumps also lead to those `cases`.
    pub(crate) fn with(instructions: &[Instruction], entries: &[u64], cases: &[u64]) -> Self {
        let index: HashMap<u64, usize> = instructions.iter().enumerate().map(|(at, i)| (i.address, at)).collect();
        let mut leaders = BTreeSet::from([0]);
        let mut targeted = BTreeSet::new();
        for (at, instruction) in instructions.iter().enumerate() {
            if let Flow::Branch(to) | Flow::Jump(to) = instruction.flow
                && let Some(&to) = index.get(&to)
            {
                leaders.insert(to);
                targeted.insert(to);
            }
            if !matches!(instruction.flow, Flow::Next | Flow::Call(_) | Flow::CallIndirect) {
                leaders.insert(at + 1);
            }
        }
        // What follows can stand elsewhere: a further part of the function, or the code after a jump into an instruction.
        let follows = |at: usize| instructions.get(at).is_some_and(|i| i.address == instructions[at - 1].end());
        for at in (1..=instructions.len()).filter(|&at| !follows(at)) {
            leaders.insert(at);
            leaders.extend(index.get(&instructions[at - 1].end()));
        }
        leaders.extend(entries.iter().chain(cases).filter_map(|to| index.get(to)));
        leaders.retain(|&at| at < instructions.len());
        let starts: Vec<usize> = leaders.into_iter().collect();
        let ends = starts.iter().skip(1).copied().chain([instructions.len()]);
        let blocks: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        let block_at = |at: usize| starts.binary_search(&at).ok();
        let to = |address: u64| index.get(&address).and_then(|&at| block_at(at));
        // Where a jump table can lead: blocks that nothing else reaches, and those that it is seen to hold.
        let mut orphans: Vec<usize> = (1..blocks.len())
            .filter(|&block| {
                let falls_in = follows(blocks[block].start) && instructions[blocks[block].start - 1].flow.goes_on();
                !falls_in
                    && !targeted.contains(&blocks[block].start)
                    && !is_padding(&instructions[blocks[block].clone()])
            })
            .collect();
        orphans.extend(cases.iter().filter_map(|&case| to(case)));
        orphans.sort_unstable();
        orphans.dedup();
        let after = |block: &Range<usize>| block.clone().last().and_then(|last| to(instructions[last].end()));
        let successors = blocks
            .iter()
            .map(|block| match instructions[block.clone()].last().map_or(Flow::Return, |last| last.flow) {
                Flow::Branch(target) => after(block).into_iter().chain(to(target)).collect(),
                Flow::Jump(target) => to(target).into_iter().collect(),
                Flow::JumpIndirect => orphans.clone(),
                Flow::Return | Flow::Trap => Vec::new(),
                Flow::Next | Flow::Call(_) | Flow::CallIndirect => after(block).into_iter().collect(),
            })
            .collect();
        let entries = (!blocks.is_empty()).then_some(0).into_iter().chain(entries.iter().filter_map(|&at| to(at)));
        let entries = entries.collect();
        Self { blocks, successors, entries, index }
    }

    /// The instruction at this address.
    pub(crate) fn at(&self, address: u64) -> Option<usize> {
        self.index.get(&address).copied()
    }

    /// The natural loops: each header with the blocks from which it is reached again without leaving the loop. No way leads
    /// from the entry to such a block but through the header.
    pub(crate) fn loops(&self) -> Vec<(usize, BTreeSet<usize>)> {
        let count = self.blocks.len();
        if count == 0 {
            return Vec::new();
        }
        let mut predecessors = vec![Vec::new(); count];
        let reached = reached(vec![0], &self.successors, None);
        for from in (0..count).filter(|&from| reached[from]) {
            self.successors[from].iter().for_each(|&to| predecessors[to].push(from));
        }
        let natural = |header: usize| {
            let outside = self::reached(vec![0], &self.successors, Some(header));
            let back = predecessors[header].iter().copied().filter(|&from| from == header || !outside[from]);
            let back: Vec<usize> = back.collect();
            let body = self::reached([&[header], &back[..]].concat(), &predecessors, Some(header));
            (!back.is_empty()).then(|| (header, (0..count).filter(|&block| body[block]).collect()))
        };
        // A header is reached from the loop and from outside.
        (0..count).filter(|&header| header == 0 || predecessors[header].len() > 1).filter_map(natural).collect()
    }
}

/// Whether each block is reached along `edges`, on ways that end at `last`.
pub(crate) fn reached(open: Vec<usize>, edges: &[Vec<usize>], last: Option<usize>) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    reach(&mut reached, open, edges, last);
    reached
}

/// Adds the blocks that are reached from `open`.
pub(crate) fn reach(reached: &mut [bool], mut open: Vec<usize>, edges: &[Vec<usize>], last: Option<usize>) {
    while let Some(block) = open.pop() {
        if !core::mem::replace(&mut reached[block], true) && Some(block) != last {
            open.extend(&edges[block]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Architecture;
    use crate::decode;

    fn graph(code: &[u8]) -> Graph {
        Graph::new(&decode::decode(Architecture::X86_64, code, 0))
    }

    #[test]
    fn a_backward_branch_of_a_loop() {
        // dec eax; jne -4; ret
        let graph = graph(&[0xff, 0xc8, 0x75, 0xfc, 0xc3]);
        assert_eq!(graph.blocks, [0..2, 2..3]);
        assert_eq!(graph.loops(), [(0, BTreeSet::from([0]))]);
    }

    #[test]
    fn a_cold_block_that_jumps_back_is_no_loop() {
        // test eax, eax; je 6; inc eax; ret; (6:) nop; jmp 4
        let graph = graph(&[0x85, 0xc0, 0x74, 0x03, 0xff, 0xc0, 0xc3, 0x90, 0xeb, 0xfa]);
        assert_eq!(graph.successors, [vec![1, 2], vec![], vec![1]]);
        assert!(graph.loops().is_empty());
    }

    #[test]
    fn an_indirect_jump_does_not_lead_to_padding() {
        // test eax, eax; je 7; jmp rcx; nop; (7:) ret; inc eax; ret
        let graph = graph(&[0x85, 0xc0, 0x74, 0x03, 0xff, 0xe1, 0x90, 0xc3, 0xff, 0xc0, 0xc3]);
        assert_eq!(graph.successors, [vec![1, 3], vec![4], vec![3], vec![], vec![]]);
    }

    #[test]
    fn nested_loops_have_two_headers() {
        // dec ecx; (2:) dec eax; jne 2; test ecx, ecx; jne 0; ret
        let graph = graph(&[0xff, 0xc9, 0xff, 0xc8, 0x75, 0xfc, 0x85, 0xc9, 0x75, 0xf6, 0xc3]);
        let loops = graph.loops();
        assert_eq!(loops.len(), 2);
        assert!(loops.iter().any(|(header, body)| *header == 1 && *body == BTreeSet::from([1])));
        assert!(loops.iter().any(|(header, body)| *header == 0 && *body == BTreeSet::from([0, 1, 2])));
    }
}
