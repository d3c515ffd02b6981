//! The traits of RustCrypto, so that its modes of operation take the types of this crate as parameters.
//!
//! The modes are generic code without any attribute. A block cipher hands its backend to the mode inside of a dispatched
//! function: there the mode is inlined into the clone, and its calls of the backend go straight to the clone's kernels.
mod aead;
mod block;
mod hash;
mod stream;
