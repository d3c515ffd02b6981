//! Futures that never share a frame with their caller.

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
