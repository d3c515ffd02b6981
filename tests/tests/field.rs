//! What real crates do that tests made up at a desk did not.

#[test]
fn every_clone() {
    integration_tests::run_each(&integration_tests::TARGETS);
}

/// Definitions that `cfg(target_feature)` picks, where some clone has none.
mod variants {
    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    mod kernels {
        /// On an architecture without `aes`, or with it, one of the two exists; never both.
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"), target_feature = "aes"))]
        pub(super) fn named() -> &'static str {
            "feature"
        }

        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            not(target_feature = "aes")
        ))]
        pub(super) fn named() -> &'static str {
            "none"
        }

        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
        pub(super) fn named() -> &'static str {
            "none"
        }

        /// No clone has this one: another item takes the name.
        #[cfg(all(target_feature = "aes", not(target_feature = "aes")))]
        pub(super) fn never(value: u32) -> u32 {
            value
        }

        pub(super) use core::convert::identity as never;

        pub(super) struct Holder(pub(super) u32);

        impl Holder {
            #[cfg(all(target_feature = "aes", not(target_feature = "aes")))]
            pub(super) fn get(&self, _extra: u32) -> u32 {
                self.0
            }
        }

        pub(super) trait Get {
            fn get(&self) -> u32;
        }

        impl Get for Holder {
            fn get(&self) -> u32 {
                self.0
            }
        }

        /// A clone without a definition has a parameter that nothing uses; that is no warning.
        #[cfg(target_feature = "aes")]
        pub(super) fn only_with_aes(value: String) -> String {
            value
        }
    }

    #[test]
    fn nothing_exists_twice() {
        use kernels::Get as _;

        let aes = integration_tests::expected().contains("aes");
        assert_eq!(kernels::named(), if aes { "feature" } else { "none" });
        assert_eq!(kernels::never(3), 3);
        assert_eq!(kernels::Holder(4).get(), 4);
    }

    #[test]
    #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
    fn a_missing_definition_panics() {
        let called = std::panic::catch_unwind(|| kernels::only_with_aes("a".to_owned()));
        assert_eq!(called.is_ok(), integration_tests::expected().contains("aes"));
    }
}
