//! What an annotated module has in place of an item that differs between clones.

/// The type of a constant that has one value in one clone and another in another.
///
/// The compiler names this type where such a constant is used outside of a clone, or by a path: `self::W`, `super::W`.
/// Write the constant's plain name, in the bodies of dispatched functions of its own module. Anything that all clones
/// share, such as a signature, a `static` or a field, needs a value that all of them share.
#[derive(Clone, Copy)]
pub struct DiffersBetweenClones;

/// A type alias that means one type in one clone and another in another: what is said of [`DiffersBetweenClones`] holds
/// for it. It has no size, so that nobody takes its size for that of the alias.
pub struct TypeDiffersBetweenClones<Parameters> {
    _parameters: core::marker::PhantomData<Parameters>,
    _unsized: str,
}
