//! Callers that hold futures of dispatched functions: polled in several frames, dropped early, stored, and moved.

use super::callers::guarded;
use super::generate::{Generator, Place, Shape};

impl Generator {
    /// A caller of async functions; `None` if there are none to call.
    pub(crate) fn future_caller(&mut self, number: usize, attribute: &str, guard: &str) -> Option<String> {
        let [Some(one), Some(two), Some(three)] = [(); 3].map(|()| self.callee(3, |shape| shape == Shape::Async))
        else {
            return None;
        };
        let callees = [one, two, three];
        let text = match self.random.below(6) {
            0 => self.resumes(number, callees[0], attribute, guard),
            1 => self.async_caller(number, attribute, guard),
            2 | 3 => self.drops(number, callees, attribute, guard),
            4 => self.moves(number, callees, attribute, guard),
            _ => self.tasks(number, callees, attribute, guard),
        };
        Some(text)
    }

    fn async_caller(&mut self, number: usize, attribute: &str, guard: &str) -> String {
        let place = Place { level: 3, depth: 2, list: None, is_async: true };
        let body = self.block(place, 3);
        let (attribute, guard) = self.random.pick(&[("", "true"), (attribute, guard)]);
        format!(
            "{attribute} async fn §p{number}(a: u64, c: u64, out: &Slot) {{ let mut r = a; {body} out.set(r); }}\n\
             fn §c{number}(a: u64, c: u64) -> u64 {{ if !{guard} {{ return a }} let out = Slot::new(0); \
             block(unsafe {{ §p{number}(a, c, &out) }}); out.get() }}"
        )
    }

    /// A future that is polled in several frames.
    fn resumes(&mut self, number: usize, callee: usize, attribute: &str, guard: &str) -> String {
        let calls: Vec<String> = ["a", "r", "r"].iter().map(|x| self.call(3, x, "c")).collect();
        let elsewhere = self.random.pick(&["poll_elsewhere(future.as_mut())", "poll(future.as_mut())"]);
        let body = format!(
            "let mut r = a; let out = Slot::new(0); let done = Slot::new(0); let mut future = pin!(§a{callee}(a, &out)); if c & 8 != 0 \
             {{ r = mix(r, {}); }} if c & 16 != 0 && !{elsewhere} {{ done.set(1); }} r = mix(r, §n{number}(future.as_mut(), &done, r, \
             c)); while done.get() == 0 {{ if !poll(future.as_mut()) {{ done.set(1); }} }} mix(r, out.get())",
            calls[2],
        );
        format!(
            "{attribute} fn §n{number}<F: Future<Output = ()>>(mut future: Pin<&mut F>, done: &Slot, a: u64, c: u64) -> u64 {{ let mut r \
             = mix(a, {}); if c & 3 != 0 {{ r = mix(r, §n{number}(future.as_mut(), done, r, c - 1)); }} if c & 4 != 0 {{ r = mix(r, \
             {}); }} if done.get() == 0 && !poll(future.as_mut()) {{ done.set(1); }} r }}\n{attribute} {}",
            calls[0],
            calls[1],
            guarded(number, guard, &body),
        )
    }

    /// Futures that are dropped before they are ready: here, in a frame with features, in a thread, and by unwinding.
    fn drops(&mut self, number: usize, [one, two, three]: [usize; 3], attribute: &str, guard: &str) -> String {
        let call = self.call(3, "r", "c");
        format!(
            "{attribute} fn §n{number}<F: Future<Output = ()>>(future: F, a: u64, c: u64) -> u64 {{ let mut r = a; half(future, c & 3); r = \
             mix(r, {call}); r }}\n\
             #[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let out = [Slot::new(1), Slot::new(2), Slot::new(3), \
             Slot::new(4)]; half(§a{one}(a, &out[0]), c & 1); if {guard} {{ r = unsafe {{ §n{number}(§a{two}(r, &out[1]), r, c >> 2) }}; }} \
             let mut boxed = Box::pin(§a{three}(a, &out[2])); let mut pending = c & 4 == 0 || poll(boxed.as_mut()); r = mix(r, {call}); \
             if pending && c & 8 != 0 {{ pending = in_thread(|| poll(boxed.as_mut())); }} if c & 16 == 0 {{ in_thread(move || drop(boxed)); \
             }} else {{ drop(boxed) }} r = mix(r, caught(|| {{ let mut r = r; let mut held = pin!(§a{one}(r, &out[3])); if poll(held.as_mut()) \
             {{ if c & 32 != 0 {{ throw(r) }} r = mix(r, {call}); poll(held.as_mut()); }} r }})); out.iter().fold(r, |r, out| mix(r, out.get())) }}"
        )
    }

    /// A future that is polled by several threads in turn, and by a frame with features.
    fn moves(&mut self, number: usize, [one, two, _]: [usize; 3], attribute: &str, guard: &str) -> String {
        let (call, dropped) = (self.call(3, "r", "c"), self.call(3, "x", "a"));
        format!(
            "{attribute} fn §n{number}<F: Future<Output = ()>>(future: Pin<&mut F>, a: u64, c: u64) -> (bool, u64) {{ let r = a; \
             (poll(future), {call}) }}\n\
             #[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let out = Slot::new(0); let log = Slot::new(c); let mut \
             pending = true; {{ let mut future = Box::pin(async {{ let _guard = Guard(|x| {dropped}, &log); §a{one}(a, &out).await; \
             §a{two}(c, &out).await; }}); for i in 0..c & 15 {{ if !pending {{ break }} pending = match (c >> i) & 3 {{ 0 => \
             poll(future.as_mut()), 1 if {guard} => {{ let (pending, value) = unsafe {{ §n{number}(future.as_mut(), r, c) }}; r = mix(r, \
             value); pending }} 2 => poll_elsewhere(future.as_mut()), _ => in_thread(|| poll(future.as_mut())) }}; r = mix(r, {call}); }} \
             if c & 1 != 0 {{ in_thread(move || drop(future)); }} }} mix(mix(r, out.get()), log.get()) }}"
        )
    }

    /// Futures of several functions in one list, polled in turn by frames of several kinds.
    fn tasks(&mut self, number: usize, [one, two, three]: [usize; 3], attribute: &str, guard: &str) -> String {
        let call = self.call(3, "r", "c");
        format!(
            "{attribute} fn §n{number}(tasks: &mut Vec<Task<'_>>, a: u64, c: u64) -> u64 {{ let r = a; if c & 1 == 0 {{ tasks.truncate(3) }} \
             tasks.retain_mut(|task| poll(task.as_mut())); {call} }}\n\
             #[inline(never)] fn §c{number}(a: u64, c: u64) -> u64 {{ let mut r = a; let out = [Slot::new(1), Slot::new(2), Slot::new(3), \
             Slot::new(4)]; let mut tasks: Vec<Task<'_>> = vec![Box::pin(§a{one}(a, &out[0])), Box::pin(§a{two}(c, &out[1])), \
             Box::pin(§a{three}(r, &out[2])), Box::pin(async {{ §a{one}(a, &out[3]).await; §a{two}(out[3].get(), &out[3]).await; }})]; for i \
             in 0..c & 7 {{ match (c >> i) & 3 {{ 0 => turn(&mut tasks), 1 if {guard} => r = unsafe {{ §n{number}(&mut tasks, r, c) }}, 2 => \
             in_thread(|| turn(&mut tasks)), _ => {{ tasks.pop(); }} }} r = mix(r, {call}); }} drop(tasks); out.iter().fold(r, |r, out| \
             mix(r, out.get())) }}"
        )
    }
}
