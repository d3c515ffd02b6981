//! Items that take the names of constants and type aliases that differ between clones in their module.
//!
//! Code that all clones share, such as a signature, a `static` or another module, cannot use them: the compiler's error there names one
//! of these. Use them by their plain names in the bodies of the module's functions.

/// The type of the `static mut` that takes a constant's name: no pattern can name or shadow it, and safe code cannot read it.
pub struct ConstantUsableOnlyInsideClones;

/// The bound of the type that takes an alias's name. Nothing implements it, so each use is an error.
#[diagnostic::on_unimplemented(
    message = "this type alias differs between clones, and is usable only inside them",
    label = "used in code that all clones share",
    note = "use it by its plain name in the bodies of its own module's functions; elsewhere, write a type that is the same in all clones"
)]
pub trait AliasUsableOnlyInsideClones<Parameters> {
    /// No type.
    type Type: ?Sized;
}
