//! That such a value or type exists may be someone's proof of the feature. So it exists for the clones of its module alone.

#[target_feature(enable = "avx512f")]
fn needs() {}

#[simd_core::dispatch(targets = "avx512f")]
mod kernels {
    pub struct Proof(());

    impl Proof {
        pub fn run(&self) {
            // SAFETY: there is a `Proof` only with the feature.
            unsafe { super::needs() }
        }
    }

    #[cfg(target_feature = "avx512f")]
    pub const CONSTANT: Proof = Proof(());

    #[cfg(target_feature = "avx512f")]
    pub static STATIC: Proof = Proof(());

    #[cfg(target_feature = "avx512f")]
    impl Proof {
        pub const ASSOCIATED: Proof = Proof(());

        #[dispatch(skip)]
        pub fn function() -> Proof {
            Proof(())
        }
    }

    #[cfg(target_feature = "avx512f")]
    pub mod inner {
        pub const CONSTANT: super::Proof = super::Proof(());
    }

    pub mod around {
        #[cfg(target_feature = "avx512f")]
        pub static STATIC: super::Proof = super::Proof(());
    }

    pub unsafe trait Promise {}

    pub struct Cpu;

    // SAFETY: the build has the feature.
    #[cfg(target_feature = "avx512f")]
    unsafe impl Promise for Cpu {}

    pub fn promised<T: Promise>() {
        // SAFETY: as `T` promises.
        unsafe { super::needs() }
    }

    #[cfg(target_feature = "avx512f")]
    pub struct Unit;

    #[cfg(target_feature = "avx512f")]
    #[derive(Default)]
    pub enum Choice {
        #[default]
        Only,
    }

    #[cfg(target_feature = "avx512f")]
    pub type Alias = Unit;

    #[cfg(target_feature = "avx512f")]
    pub use Choice as Renamed;

    #[cfg(target_feature = "avx512f")]
    pub fn takes(_: Unit, _: Alias) -> Renamed {
        Renamed::Only
    }

    pub fn in_clones() {
        #[cfg(target_feature = "avx512f")]
        {
            CONSTANT.run();
            STATIC.run();
            Proof::ASSOCIATED.run();
            Proof::function().run();
            inner::CONSTANT.run();
            around::STATIC.run();
            takes(Unit, Unit);
        }
    }
}

fn main() {
    kernels::in_clones();
    kernels::CONSTANT.run();
    kernels::STATIC.run();
    kernels::Proof::ASSOCIATED.run();
    kernels::Proof::function().run();
    kernels::inner::CONSTANT.run();
    kernels::around::STATIC.run();
    kernels::promised::<kernels::Cpu>();
    let _ = (kernels::Unit, kernels::Choice::default(), kernels::Alias {}, kernels::Renamed::Only);
}
