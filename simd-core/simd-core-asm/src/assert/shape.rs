//! Assertions on loops and the stack.

use super::{Assert, Fault};
use crate::listing::Mark;

impl Assert<'_> {
    /// At most this number of instructions write into the stack frame. Spilled registers and local arrays count, saved
    /// registers of the caller do not.
    ///
    /// # Panics
    /// If there are more.
    #[track_caller]
    pub fn stack_stores_at_most(self, stores: usize) -> Self {
        self.check(&format!("stack_stores_at_most({stores})"), |copy, number| {
            let marks: Vec<Mark> = (copy.stack().iter().enumerate())
                .filter(|(_, effect)| effect.stores > 0)
                .map(|(index, effect)| Mark { copy: number, index, note: format!("{} bytes", effect.stores) })
                .collect();
            (marks.len() > stores).then(|| Fault {
                what: format!("{} instructions write to the stack, more than {stores}", marks.len()),
                marks,
                hint: "more values are live at once than there are registers: fewer states at a time, or less unrolling",
            })
        })
    }

    /// The stack frame has at most this number of bytes: see [`Function::stack_frame`](crate::Function::stack_frame).
    ///
    /// # Panics
    /// If it has more.
    #[track_caller]
    pub fn stack_frame_at_most(self, bytes: u64) -> Self {
        self.check(&format!("stack_frame_at_most({bytes})"), |copy, number| {
            let effects = copy.stack();
            let total: u64 = effects.iter().map(|effect| effect.grows).sum();
            (total > bytes).then(|| Fault {
                what: format!("the stack frame has {total} bytes, more than {bytes}"),
                marks: (effects.iter().enumerate())
                    .filter(|(_, effect)| effect.grows > 0)
                    .map(|(index, effect)| Mark { copy: number, index, note: format!("{} bytes", effect.grows) })
                    .collect(),
                hint: "local arrays and spilled registers take the space",
            })
        })
    }

    /// At least one innermost loop computes on vector registers of this number of bits or more. Moves, shuffles and
    /// operations on a single lane do not count. That says nothing about speed: a vectorised loop can be slower.
    ///
    /// # Panics
    /// If no loop does, or there is no loop.
    #[track_caller]
    pub fn vectorized(self, bits: u32) -> Self {
        self.check(&format!("vectorized({bits})"), |copy, number| {
            let loops = copy.loops();
            if loops.iter().any(|l| l.is_innermost && l.width >= bits) {
                return None;
            }
            let marks = loops.iter().filter(|l| l.is_innermost).filter_map(|l| {
                let index = copy.instructions.iter().position(|i| i.address() == l.start)?;
                Some(Mark { copy: number, index, note: format!("{} bits", l.width) })
            });
            Some(Fault {
                what: if loops.is_empty() {
                    "there is no loop: it was unrolled, or it is in another function".to_owned()
                } else {
                    format!("no loop computes on {bits} bits at a time")
                },
                marks: marks.collect(),
                hint: "a call, a panic, an early exit, a dependence between rounds or an unknown step keeps LLVM from \
                       vectorising a loop",
            })
        })
    }
}
