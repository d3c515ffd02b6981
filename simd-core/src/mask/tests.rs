use super::*;

#[test]
fn one_bit_for_each_feature() {
    let mut seen = Mask::INIT;
    for entry in TABLE {
        let bit = Mask::bit(entry.bit);
        assert!(!seen.intersects(bit), "bit {} is used twice", entry.bit);
        seen = seen.or(bit);
    }
    for (name, property) in names().filter(|(_, set)| Mask::PROPERTIES.intersects(set.leaf)) {
        assert!(!seen.intersects(property.full), "the bit of {name} is used twice");
        seen = seen.or(property.full);
    }
    assert_eq!(seen.without(Mask::INIT), Mask::ALL);
    assert!(!Mask::ALL.intersects(Mask::INIT));
}

#[test]
fn implied_features_are_transitive() {
    for entry in TABLE {
        let full = Mask::bits(entry.full);
        assert!(full.contains(Mask::bit(entry.bit)));
        for implied in TABLE.iter().filter(|other| full.contains(Mask::bit(other.bit))) {
            assert!(full.contains(Mask::bits(implied.full)), "bits {} and {}", entry.bit, implied.bit);
        }
    }
}

#[test]
fn closing_drops_what_lacks_its_base() {
    assert_eq!(Mask::ALL.closed(), Mask::ALL);
    assert_eq!(Mask::EMPTY.closed(), Mask::EMPTY);
    assert_eq!(Mask::INIT.closed(), Mask::EMPTY);
    for entry in TABLE {
        let full = Mask::bits(entry.full);
        assert_eq!(full.closed(), full);
        let lacking = Mask::ALL.without(Mask::bit(entry.bit)).closed();
        for other in TABLE {
            let kept = lacking.contains(Mask::bit(other.bit));
            assert_eq!(kept, !Mask::bits(other.full).intersects(Mask::bit(entry.bit)));
        }
    }
}

#[test]
fn static_features_are_the_builds() {
    for entry in TABLE {
        assert_eq!(Mask::STATIC.contains(Mask::bit(entry.bit)), entry.enabled);
    }
}

#[test]
fn operations() {
    let a = Mask::from_words([3; WORDS]);
    let b = Mask::from_words([6; WORDS]);
    assert_eq!(a.or(b).words(), [7; WORDS]);
    assert_eq!(a.and(b).words(), [2; WORDS]);
    assert_eq!(a.without(b).at(WORDS - 1), 1);
    assert!(a.intersects(b) && !a.contains(b) && a.or(b).contains(b));
    assert!(Mask::EMPTY.is_empty() && !a.is_empty() && !Mask::INIT.is_empty());
    assert!(a.contains(Mask::EMPTY) && !a.intersects(Mask::EMPTY));
    let high = Mask::bit(WORDS as u32 * Word::BITS - 1);
    assert!(high.intersects(Mask::from_words([1 << (Word::BITS - 1); WORDS])) && !high.intersects(a));
}

#[test]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn sets_of_x86() {
    use feature::{AVX, AVX2, PCLMULQDQ, SSE, SSE2, SSE4_1};
    let both = AVX2.and(PCLMULQDQ);
    assert_eq!(both.leaf, AVX2.leaf.or(PCLMULQDQ.leaf));
    assert!(both.full.contains(AVX.full) && AVX.full.contains(SSE4_1.full) && SSE4_1.full.contains(SSE2.full));
    assert!(!SSE2.full.contains(SSE4_1.leaf) && SSE2.full.contains(SSE.leaf));
    assert_eq!(AVX2.and(SSE2).leaf, AVX2.leaf.or(SSE2.leaf));
    assert_eq!(FeatureSet::EMPTY.and(AVX2), AVX2);
}

#[test]
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
fn words_are_few() {
    assert_eq!(WORDS, if Word::BITS == 64 { 1 } else { 2 });
}
