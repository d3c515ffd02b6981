//! Futures that never share a frame with a read that may be zero.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A future whose `poll` is never inlined.
///
/// An async dispatcher that has read zero from the feature words awaits its clone through this: were the clone's
/// `poll` inlined beside that read, what the clone asserts would contradict it (see `known`, rule 5).
pub struct Outlined<'a, F>(pub Pin<&'a mut F>);

impl<F: Future> Future for Outlined<'_, F> {
    type Output = F::Output;

    #[cold]
    #[inline(never)]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(context)
    }
}

/// The future of a clone that was chosen; the function says whether the words show it where it is called.
///
/// A future is polled in one frame after another, and a later one may hold a read from before the first detection. So
/// each poll asks again in its own frame, and where that does not tell, the clone's `poll` is not inlined.
pub struct Chosen<'a, F, S>(pub Pin<&'a mut F>, pub S);

impl<F: Future, S: Fn() -> bool + Unpin> Future for Chosen<'_, F, S> {
    type Output = F::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if (self.1)() { self.0.as_mut().poll(context) } else { Pin::new(&mut Outlined(self.0.as_mut())).poll(context) }
    }
}
