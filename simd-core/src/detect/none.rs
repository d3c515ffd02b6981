//! No detection: only the features that the build enables.
use crate::mask::Mask;

pub(crate) const DETECTABLE: Mask = Mask::EMPTY;

pub(crate) fn detected() -> Mask {
    Mask::EMPTY
}
