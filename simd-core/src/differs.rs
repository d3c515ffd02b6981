//! Placeholders in an annotated module for items that differ between clones.

/// The type of a constant that has different values in different clones.
///
/// The compiler names this type if such a constant is used outside of a clone, or by a path: `self::W`, `super::W`.
/// Write the constant's plain name, in the bodies of dispatched functions of its own module. Code that all clones
/// share, such as a signature, a `static` or a field, needs a value that all clones share.
#[derive(Clone, Copy)]
pub struct DiffersBetweenClones;

/// A type alias that has different types in different clones; see [`DiffersBetweenClones`]. No type satisfies the
/// bound, so each use is an error, and the placeholder's size is never taken for the alias's.
pub struct TypeDiffersBetweenClones<Parameters>
where
    Parameters: SameInAllClones,
{
    _parameters: core::marker::PhantomData<Parameters>,
    _unsized: str,
}

/// See [`TypeDiffersBetweenClones`].
#[diagnostic::on_unimplemented(
    message = "this type alias differs between clones, but all clones share this code",
    label = "an alias that differs between clones",
    note = "use it by its plain name in the bodies of its own module's functions; elsewhere, write a type that is the same in all clones"
)]
pub trait SameInAllClones {}
