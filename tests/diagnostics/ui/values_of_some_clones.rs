//! That such a value exists may be someone's proof of the feature. So it exists for the clones of its module alone.

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

    pub fn in_clones() {
        #[cfg(target_feature = "avx512f")]
        {
            CONSTANT.run();
            STATIC.run();
            Proof::ASSOCIATED.run();
            Proof::function().run();
            inner::CONSTANT.run();
            around::STATIC.run();
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
}
