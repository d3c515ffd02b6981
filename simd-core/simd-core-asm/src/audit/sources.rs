//! Where a program keeps what it has found out about the CPU.
//!
//! The bits of `cpuid` are known, and by their names the variables and functions of other detection. Users can name more.

use core::ops::Range;
use std::collections::{BTreeSet, HashMap};

use super::facts::Facts;
use crate::architecture::Architecture;
use crate::features::Features;
use crate::image::Value;
use crate::path;
use crate::program::Program;
use crate::standard;
use crate::values::bits::ZERO;

/// Names of variables: the end of a path, or a pattern.
const VARIABLES: &[&str] = &[
    "core_detect::cache::CACHE",
    crate::runtime::WORDS,
    "zlib_rs::cpu_features::*::CACHE",
    "faster_hex::vectorization_support::FLAGS",
    "ring::cpu::*::featureflags::FEATURES",
    "ring_core_*_available",
    "*OPENSSL_*cap_P",
    "_dl_x86_cpu_features",
    "__aarch64_*s",
    "*::HAVE_LSE_ATOMICS",
];

/// Crates that keep what they have found out in a struct, and kernels that they call behind a test. Of private ones all calls are theirs.
const KEEPERS: &[(&str, &[&str])] = &[
    ("blake3::*", &["*blake3_*", "blake3::sse41::*", "blake3::avx2::*"]),
    ("*", &["crc32fast::specialized::pclmulqdq::*", "zlib_rs::crc32::pclmulqdq::*"]),
    ("httparse::*", &["httparse::simd::avx2::*", "httparse::simd::sse42::*"]),
    ("rav1e::*", &["rav1e_*", "rav1e::asm::x86::*"]),
];

/// The standard library's cache. On x86 its bits are those that its code stores there.
pub(crate) const STD: &str = "std_detect::detect::cache::CACHE";
const FILLS_STD: &str = "std_detect::detect::cache::detect_and_initialize";
const FILLS_CORE_DETECT: &str = "core_detect::cache::detect_and_initialize";

/// The bytes of the longest variable whose size is not known.
const LONGEST: u64 = 64;

/// Functions of C that run only where they can: patterns, what they can need, a variable that the program has then, and why.
const FAMILIES: &str = "\
get_available_features* __cpu_indicator_init* | xsave | __cpu_model | \
    libgcc's own detection: it passes the bit of `cpuid` that it tests as an argument
uw_update_context* _Unwind_GetGR execute_stack_op | sve | | \
    libgcc's unwinder: it asks for the length of vectors where a function has saved it
__lll_*lock_elision __pthread_* pthread_* | RTM | __elision_aconf | \
    glibc's locks: it tests when it starts, and keeps the outcome in each lock
__str*_avx2* __str*_evex* __str*_sse42 __mem*_avx2* __mem*_evex* __wcs*_avx2* __wcs*_evex* __wmem*_avx2* __wmem*_evex* | | \
    _dl_x86_cpu_features | glibc's own selection of string functions, of which some are linked and not called
__mem*_a64fx __mem*_sve | sve | _dl_aarch64_cpu_features | glibc's own selection of string functions
_int_* _mid_* __libc_*alloc __libc_memalign __malloc_* __calloc __free __libc_mtag_* | mte | mtag_enabled | \
    glibc's allocator: it asks the system when it starts, and keeps the outcome
*aesni_* *aes_hw_* *vpaes_* padlock_* *bn_*x*_mont* mulx4x_internal *bn_*x*x_internal gcm_* sha1_multi_block sha256_multi_block \
    *ecp_nistz256_*x *25519_* *rsaz_amm52x* *extract_multiplier_* *poly1305_blocks_* *OPENSSL_ia32_* *CRYPTO_rdrand* | | \
    *OPENSSL_ia32cap_P | OpenSSL's and AWS-LC's kernels, which tables of methods hold after a test, and tables in `.text`
ZSTD_* HUF_* FSE_* | bmi1 bmi2 lzcnt | | zstd's kernels: it keeps what `cpuid` says in its context";
pub(crate) const PRIVILEGED: &str = "privileged instructions: no program can run them, whatever the CPU has";

/// The reason why a finding in this function of C is none.
pub(crate) fn family(program: &Program, path: &str, needs: &[String]) -> Option<&'static str> {
    FAMILIES.lines().find_map(|line| {
        let [functions, features, variable, reason] = *line.split('|').map(str::trim).collect::<Vec<_>>() else {
            return None;
        };
        let has_needs = features.is_empty() || needs.iter().all(|need| features.split(' ').any(|one| one == need));
        let is_named = functions.split_whitespace().any(|pattern| path::allowed(pattern, path));
        let is_there = || variable.is_empty() || program.data.iter().any(|one| path::allowed(variable, &one.name));
        (has_needs && is_named && is_there()).then_some(reason)
    })
}

/// Functions that return what the CPU has, or nothing on one that lacks something.
const FUNCTIONS: &[&str] = &["std_detect::detect::check_for", FILLS_CORE_DETECT, "IsProcessorFeaturePresent"];

/// Functions of other libraries that do not return.
const NEVER: &str = "abort exit _exit quick_exit _Unwind_Resume __cxa_throw __cxa_rethrow longjmp __longjmp_chk siglongjmp \
    __stack_chk_fail __assert_fail";

macro_rules! define {
    ($family:ident $arches:tt $($group:ident [$(($feature:ident $name:literal $leaf:literal $part:literal $register:literal $bit:literal))*])*;) => {
        /// A leaf of `cpuid`, its part, the register, the bit and the feature.
        pub(crate) const CPUID: &[(u64, u64, usize, u32, &str)] = &[
            $($(($leaf, $part, $register, $bit, $name),)*)*
            // The operating system's word for it.
            (1, 0, 2, 27, "xsave"),
            (25, 0, 1, 0, "kl"),
        ];
    };
}
simd_core_macros::__table!(cpuid define);

/// The features by the bits of libgcc's `__cpu_model` and, from the line break on, `__cpu_features2` (`i386-cpuinfo.h`).
const LIBGCC: &str = "- - popcnt sse sse2 sse3 ssse3 sse4.1 sse4.2 avx avx2 sse4a fma4 xop fma avx512f bmi1 bmi2 aes pclmulqdq \
    avx512vl avx512bw avx512dq avx512cd - - avx512vbmi avx512ifma - - avx512vpopcntdq avx512vbmi2 \
    gfni vpclmulqdq avx512vnni avx512bitalg avx512bf16 avx512vp2intersect - - adx - - - - - cmpxchg16b - - f16c - fxsr - - - \
    - - lzcnt movbe - - - - - - - - - - rdrand rdseed - - - sha - tbm - vaes - - xsave xsavec xsaveopt xsaves - - - - - kl - \
    widekl avxvnni avx512fp16 - x86-64-v2 x86-64-v3 x86-64-v4";

/// Whether a path is that of such a kernel, and `from` is of the same crate, as are tables and ways that are not seen.
pub(crate) fn keeps(from: Option<&str>, to: &str) -> bool {
    let of = |(own, kernels): &(&str, &[&str])| {
        let is_kernel = |path: &str| kernels.iter().any(|kernel| path::allowed(kernel, path));
        is_kernel(to) && from.is_none_or(|from| path::allowed(own, from) || is_kernel(from))
    };
    KEEPERS.iter().any(of)
}

pub(crate) struct Sources {
    architecture: Architecture,
    /// Those that are zero, and libgcc's, with the place of their first bit in its list; whether any program can have the name.
    variables: Vec<(Range<u64>, Option<usize>, bool)>,
    /// The standard library's cache, where its code is read.
    pub(crate) std: Option<Range<u64>>,
    /// For each variable that the user names, whether there is one.
    pub(crate) found: Vec<bool>,
}

impl Sources {
    /// `more` are paths of variables, or patterns, that the user names.
    pub(crate) fn new(program: &Program, more: &[String]) -> Self {
        let architecture = program.image.architecture;
        let mut sources = Self { architecture, variables: Vec::new(), std: None, found: vec![false; more.len()] };
        for (at, symbol) in program.data.iter().enumerate() {
            let path = symbol.path();
            let is_this = |pattern: &&str| *pattern == path || pattern.contains('*') && path::allowed(pattern, &path);
            // The crate `cpufeatures` puts it into a module that its user names, next to the function that fills it.
            let fills = || path.strip_suffix("::STORAGE").map(|module| format!("{module}::init_get::init_inner"));
            let is_filled = || fills().is_some_and(|fills| program.symbols.iter().any(|one| one.path() == fills));
            // The CPU's make stands before its features.
            let (skipped, first) = match &*path {
                "__cpu_model" => (12, Some(0)),
                "__cpu_features2" => (0, Some(32)),
                _ => (0, None),
            };
            let named = |pattern: &String| path::allowed(pattern, &path) || *pattern == symbol.name;
            sources.found.iter_mut().zip(more).for_each(|(found, pattern)| *found |= named(pattern));
            let (is_std, is_named) = (path == STD, more.iter().any(named));
            if !(is_std || is_named || first.is_some() || VARIABLES.iter().any(is_this) || is_filled()) {
                continue;
            }
            // The format may have no sizes.
            let next = program.data[at..].iter().find(|other| other.address > symbol.address);
            let room = next.map_or(LONGEST, |next| (next.address - symbol.address).min(LONGEST));
            let memory = symbol.address..symbol.address + if symbol.size == 0 { room } else { symbol.size };
            if is_std && architecture != Architecture::Aarch64 {
                sources.std = Some(memory);
            } else {
                let is_free = !path.starts_with('_') && !path.contains("::") && !is_named;
                sources.variables.push((memory.start + skipped..memory.end, first, is_free));
            }
        }
        sources
    }

    /// Forgets the variables of names that any program can have, if one of these functions that ask nothing writes there.
    pub(crate) fn verify(&mut self, written: &BTreeSet<u64>) {
        self.variables.retain(|(variable, _, is_free)| !is_free || written.range(variable.clone()).next().is_none());
    }

    /// Whether it is in a variable that says what the CPU has.
    pub(crate) fn variable(&self, address: u64) -> bool {
        self.trusted(address) || self.std.as_ref().is_some_and(|std| std.contains(&address))
    }

    pub(crate) fn trusted(&self, address: u64) -> bool {
        self.variables.iter().any(|(variable, ..)| variable.contains(&address))
    }

    /// What such a variable holds on a CPU that lacks this.
    pub(crate) fn held(&self, address: u64, bytes: u64, lacking: Facts) -> Option<Value> {
        let (variable, first, _) = self.variables.iter().find(|(variable, ..)| variable.contains(&address))?;
        let Some(first) = first else { return Some(ZERO) };
        let names = LIBGCC.split_whitespace().skip(first + 8 * (address - variable.start) as usize);
        let lacks = |(_, name): &(u32, &str)| *name != "-" && self.needs(name, lacking);
        let bits = (0..64.min(8 * bytes as u32)).zip(names).filter(lacks);
        Some(Value::bits(bits.fold(0, |zero, (bit, _)| zero | 1 << bit), 0))
    }

    /// Whether the function of this path, here or in another library, is known.
    pub(crate) fn answers(path: &str) -> bool {
        let known = FUNCTIONS.contains(&path) || path == "getauxval" || path == FILLS_STD;
        known || path.contains("::__is_feature_detected::") || Self::never_returns(path)
    }

    pub(crate) fn never_returns(path: &str) -> bool {
        NEVER.split_whitespace().any(|name| name == path) || standard::only_panics(path)
    }

    /// What the function of this path returns on a CPU that lacks this; nothing if it does not return, or is not known.
    pub(crate) fn returned(&self, path: &str, argument: Value, lacking: Facts, is_import: bool) -> Option<[Value; 2]> {
        if Self::never_returns(path) {
            return None;
        }
        let whether = path.rsplit_once("::").filter(|(module, _)| module.ends_with("::__is_feature_detected"));
        let is_unread = is_import || self.architecture == Architecture::Aarch64;
        // Among the words that `getauxval` gives are others.
        let nothing = FUNCTIONS.contains(&path)
            || path == "getauxval" && argument.number().is_some_and(|word| matches!(word, 16 | 26 | 29 | 30))
            || path == FILLS_STD && is_unread
            || whether.is_some_and(|(_, name)| self.needs(name, lacking));
        Some([if nothing { ZERO } else { Value::Unknown }; 2])
    }

    /// Whether the feature is one of these or implies one of them, or has no name here.
    fn needs(&self, name: &str, lacking: Facts) -> bool {
        let features =
            Features::from_label(self.architecture, name).or_else(|| Features::parse(self.architecture, name).ok());
        features.is_none_or(|features| features.bits() & lacking != 0)
    }

    /// The registers of `cpuid` on a CPU that lacks this, by leaf and part.
    pub(crate) fn cpuid(&self, lacking: Facts) -> HashMap<(u64, u64), [Value; 4]> {
        let mut out: HashMap<_, [Value; 4]> = HashMap::new();
        for &(leaf, part, register, bit, _) in CPUID.iter().filter(|(.., name)| self.needs(name, lacking)) {
            let held = &mut out.entry((leaf, part)).or_insert([Value::Unknown; 4])[register];
            *held = Value::bits(held.known().0 | 1 << bit, 0);
        }
        out
    }
}
