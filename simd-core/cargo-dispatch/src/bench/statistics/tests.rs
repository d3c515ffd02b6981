use super::*;

#[test]
fn intervals_hold_the_median_often_enough() {
    // Tables of the sign test: the values outside on each side, for an error of 2 %.
    for (count, outside) in [(7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (14, 2), (20, 4), (101, 38)] {
        assert_eq!(rank(count, ERROR), outside, "{count}");
    }
    for (count, outside) in [(11, 0), (14, 0), (15, 1), (20, 2)] {
        assert_eq!(rank(count, 0.001), outside, "{count}");
    }
    // By simulation, with the skewed noise of a busy machine.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 33) as u32) / f64::from(1_u32 << 31)
    };
    let median = 0.5_f64.powi(4);
    let missed = (0..20_000).filter(|_| {
        let spread = Spread::new((0..11).map(|_| random().powi(4)).collect(), ERROR);
        spread.low > median || spread.high < median
    });
    // For eleven values: 2 * 12 / 2^11 of 20,000, and by chance some more or less.
    let missed = missed.count();
    assert!((150..330).contains(&missed), "{missed}");
}

#[test]
fn one_round_that_was_disturbed_changes_nothing() {
    let mut times = vec![2.0; 11];
    let others = vec![1.0; 11];
    times[3] = 90.0;
    assert_eq!(Spread::of_ratios(&times, &others, ERROR), Spread { median: 2.0, low: 2.0, high: 2.0 });
    times[4] = 0.1;
    times[5] = 0.1;
    assert_eq!(Spread::of_ratios(&times, &others, ERROR), Spread { median: 2.0, low: 0.1, high: 2.0 });
}

#[test]
fn what_ratios_say() {
    let compared = |median, low, high| Spread { median, low, high }.compare(0.03);
    assert_eq!(compared(0.5, 0.4, 0.99), Compared::Faster);
    assert_eq!(compared(0.5, 0.4, 1.01), Compared::Unclear);
    assert_eq!(compared(1.5, 1.01, 2.0), Compared::Slower);
    assert_eq!(compared(1.5, 0.99, 2.0), Compared::Unclear);
    assert_eq!(compared(0.98, 0.97, 0.99), Compared::Alike);
    assert_eq!(compared(1.0, 0.9, 1.1), Compared::Unclear);
}

#[test]
fn units() {
    assert_eq!([0.5, 999.0, 1e3, 2.5e6, 3e9].map(time), ["0.500 ns", "999.000 ns", "1.000 µs", "2.500 ms", "3.000 s"]);
}
