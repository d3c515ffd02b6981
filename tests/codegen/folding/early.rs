//! Values that are made before detection has run, and used after it: only baselines make them, and they go on as
//! baselines. A pointer to a dispatched function is to none: it tests at each call.

use super::generate::{Generator, Place};

impl Generator {
    /// An initialiser that comes before the one of `simd_core`, and a caller of what it has kept.
    pub(crate) fn early(&mut self, number: usize) -> String {
        let list = self.random.below(self.lists.len());
        let place = Place { level: 3, depth: 0, list: None, is_async: false };
        let calls: Vec<String> = (0..5).map(|_| self.call(place.level, "x", "a")).collect();
        // The number of the baseline, whatever clone is chosen later.
        let tag = format!("⟪«{list}»¦‹{list}›⟫");
        // One without a `static`, which would keep what the early call has made of it.
        let first = format!("black_box(§f{}(1, 2));", self.random.below(6));
        format!(
            "@{list}@ fn §e{number}(a: u64) -> Stored {{ fn inner(x: u64) -> u64 {{ let a = 3; mix({}, {tag}) }} if a == 0 {{ return \
             Box::new(inner) }} Box::new(move |x| mix({}, {tag})) }}\n\
             @{list}@ async fn §l{number}(a: u64, out: &Slot) {{ Yield(2).await; let x = a; let again = |x: u64| mix({}, {tag}); \
             out.set(mix(again(x), {})); }}\n\
             static §OUT: Slot = Slot::new(0);\n\
             static §KEPT: OnceLock<([Stored; 2], fn(u64, u64) -> u64, std::sync::Mutex<Option<Task<'static>>>)> = OnceLock::new();\n\
             fn §early() {{ {first} let mut task: Task<'static> = Box::pin(§l{number}(5, &§OUT)); poll(task.as_mut()); let pointer = \
             {{ @{list}@ fn own(a: u64, c: u64) -> u64 {{ let x = c; mix({}, «{list}») }} own as fn(u64, u64) -> u64 }}; let _ = \
             §KEPT.set(([§e{number}(0), §e{number}(1)], pointer, Some(task).into())); }}\n\
             ⟪extern \"C\" fn early() {{ dearly(); oearly(); }} #[used] #[unsafe(link_section = \".init_array.00050\")] static EARLY: \
             extern \"C\" fn() = early;¦⟫\n\
             #[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let Some((kept, pointer, task)) = §KEPT.get() else {{ \
             return 0 }}; if let Some(mut task) = task.lock().ok().and_then(|mut task| task.take()) {{ while poll(task.as_mut()) {{}} }} \
             r = mix(kept[0](r), kept[1](c)); r = mix(r, pointer(r, c)); mix(r, §OUT.get()) }}",
            calls[0], calls[1], calls[2], calls[3], calls[4],
        )
    }
}
