//! The code that each crate has for itself: which clones its lists have to choose.

/// Whether this process is to act as if its CPU had `feature`.
fn left(feature: &str) -> bool {
    let limit = std::env::var("SIMD_CORE_ONLY").ok();
    let left = |only: &String| only.split(',').any(|name| name == feature);
    built(feature) || (detected(feature) && limit.as_ref().is_none_or(left))
}

/// Features that this crate's build enables are there; for the rest `simd_core` is asked, of whose build that need not be true.
fn has_all(features: &[&str]) -> bool {
    features.iter().all(|feature| enabled(feature)) || features.iter().all(|feature| left(feature))
}

/// For each list of targets, one more than the place of the first target that the chosen clone has.
static TAGS: [AtomicU64; LISTS.len()] = [const { AtomicU64::new(0) }; LISTS.len()];

#[inline]
pub fn tag(list: usize) -> u64 {
    TAGS[list].load(Relaxed)
}

/// The features that the chosen clone of each list has besides those of the build.
static CHOSEN: [OnceLock<&'static [&'static str]>; LISTS.len()] = [const { OnceLock::new() }; LISTS.len()];

#[inline]
pub fn sees(list: usize, feature: &str) -> u64 {
    u64::from(enabled(feature) || CHOSEN[list].get().is_some_and(|chosen| chosen.contains(&feature)))
}

/// Finds out which clones have to run.
pub fn decide() {
    for ((tag, kept), list) in TAGS.iter().zip(&CHOSEN).zip(LISTS) {
        let chosen = list.iter().find(|(target, _)| has_all(target)).map_or(&[][..], |(_, full)| full);
        let _ = kept.set(chosen);
        let sees = |feature: &&str| enabled(feature) || chosen.contains(feature);
        let place = list.iter().position(|(target, _)| target.iter().all(sees)).unwrap_or(list.len());
        tag.store(place as u64 + 1, Relaxed);
    }
}
