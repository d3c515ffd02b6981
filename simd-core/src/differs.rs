//! What an annotated module has in place of an item that differs between clones.

/// The type of a constant that has one value in one clone and another in another.
///
/// The compiler names this type where such a constant is used outside of a clone, or by a path: `self::W`, `super::W`.
/// Write the constant's plain name, in the bodies of dispatched functions of its own module. Anything that all clones
/// share, such as a signature, a `static` or a field, needs a value that all of them share.
#[derive(Clone, Copy)]
pub struct DiffersBetweenClones;

/// A type alias that means one type in one clone and another in another: what is said of [`DiffersBetweenClones`] holds
/// for it. Nothing has the bound, so that each use is an error, and nobody takes its size for that of the alias.
pub struct TypeDiffersBetweenClones<Parameters>
where
    Parameters: SameInAllClones,
{
    _parameters: core::marker::PhantomData<Parameters>,
    _unsized: str,
}

/// See [`TypeDiffersBetweenClones`].
#[diagnostic::on_unimplemented(
    message = "this type alias differs between clones, which share what stands here",
    label = "an alias that differs between clones",
    note = "use it by its plain name in bodies of functions of its own module, and elsewhere a type that is the same for all"
)]
pub trait SameInAllClones {}
