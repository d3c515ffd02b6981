use super::*;

/// A bench with the times of the baseline and of targets.
fn row(bench: &str, times: &[f64]) -> Row {
    // The noise of a round is that of all its processes.
    let noise = [1.0, 1.3, 1.01, 2.0, 1.1, 1.02, 1.4, 1.0, 1.2, 1.03, 1.0];
    let times: Vec<Vec<f64>> = times.iter().map(|time| noise.iter().map(|noise| time * noise).collect()).collect();
    Row { program: "p".into(), bench: bench.into(), baseline_ns: times[0][0], targets: Vec::new(), times }
}

fn verdict(rows: &[Row], at: usize, lower: &[usize]) -> Verdict {
    Verdict::new(rows, &["avx512f".into(), "avx2".into()], at, lower, 0.03, ERROR)
}

#[test]
fn a_target_has_to_be_faster_than_what_is_below_it() {
    let rows = [row("one", &[10.0, 5.0, 5.0]), row("other", &[10.0, 9.0, 5.0])];
    let wide = verdict(&rows, 0, &[1]).to_string();
    let expected = "  p: avx512f: does not pay, slower on 1 of 2\n    on no bench faster than each of: avx2, the baseline\n    \
                    slower on other:\n      0.56 (0.56 to 0.56) of the speed with avx2\n    no difference seen on: one\n";
    assert_eq!(wide, expected);
    assert_eq!(verdict(&rows, 1, &[]).to_string(), "  p: avx2: pays on 2 of 2\n");
    // One that is not below it is no reason.
    assert_eq!(verdict(&rows, 0, &[]).to_string(), "  p: avx512f: pays on 2 of 2\n");
}

#[test]
fn noise_is_no_verdict() {
    let mut noisy = row("one", &[10.0, 9.0, 10.0]);
    for (at, time) in noisy.times[1].iter_mut().enumerate() {
        *time *= if at % 3 == 0 { 1.5 } else { 0.9 };
    }
    let text = verdict(&[noisy], 0, &[]).to_string();
    assert!(text.starts_with("  p: avx512f: undecided\n    no difference seen in the noise on: one\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// A difference that is smaller than the spread, and one that is seen by chance in one of many benches.
#[test]
fn chance_is_no_verdict() {
    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.8 + 0.4 * f64::from((state >> 33) as u32) / f64::from(1_u32 << 31)
    };
    let mut wrong = 0;
    for _ in 0..200 {
        let rows: Vec<Row> = (0..16)
            .map(|_| {
                let mut row = row("one", &[10.0, 10.0, 10.0]);
                row.times = (0..3).map(|_| (0..15).map(|_| noise()).collect()).collect();
                row
            })
            .collect();
        let verdicts = Verdict::all(&rows, &["avx512f".into(), "avx2".into()], &[vec![1], vec![]], 0.03);
        wrong += usize::from(verdicts.iter().any(|one| !one.slower.is_empty() || !one.faster_on.is_empty()));
    }
    // One run in twenty, and by chance some more.
    assert!(wrong < 20, "{wrong} of 200");
}

#[test]
fn what_is_alike_is_said() {
    let text = verdict(&[row("one", &[10.0, 10.1, 10.0])], 0, &[1]).to_string();
    assert!(text.starts_with("  p: avx512f: does not pay\n"), "{text}");
    assert!(text.ends_with("    no difference seen on: one\n"), "{text}");
    let rows = [row("Sub, 3 bytes", &[10.0, 10.0, 10.0]), row("Up, 3 bytes", &[10.0, 10.0, 10.0])];
    let text = verdict(&rows, 0, &[1]).to_string();
    assert!(text.ends_with("    no difference seen on: Sub, 3 bytes; Up, 3 bytes\n"), "{text}");
}

#[test]
fn what_ratios_say() {
    let compared = |median, low, high| Compared::new(&Spread { median, low, high }, 0.03);
    assert_eq!(compared(0.5, 0.4, 0.99), Compared::Slower);
    assert_eq!(compared(0.5, 0.4, 1.01), Compared::Unclear);
    assert_eq!(compared(1.5, 1.01, 2.0), Compared::Faster);
    assert_eq!(compared(1.5, 0.99, 2.0), Compared::Unclear);
    assert_eq!(compared(0.98, 0.97, 0.99), Compared::Alike);
    assert_eq!(compared(1.0, 0.9, 1.1), Compared::Unclear);
}
