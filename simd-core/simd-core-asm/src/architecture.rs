/// An architecture whose machine code can be decoded.
///
/// ```
/// use simd_core_asm::{Architecture, Features};
///
/// // The names of features differ between architectures.
/// assert!(Features::parse(Architecture::X86_64, "avx2").is_ok());
/// assert!(Features::parse(Architecture::Aarch64, "avx2").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Architecture {
    /// 32-bit x86.
    X86,
    /// x86-64.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Architecture {
    /// The architecture that this crate was compiled for.
    #[must_use]
    pub fn of_this_build() -> Option<Self> {
        match std::env::consts::ARCH {
            "x86" => Some(Self::X86),
            "x86_64" => Some(Self::X86_64),
            "aarch64" => Some(Self::Aarch64),
            _ => None,
        }
    }

    /// Whether both share their features' names.
    pub(crate) fn same_family(self, other: Self) -> bool {
        (self == Self::Aarch64) == (other == Self::Aarch64)
    }
}
