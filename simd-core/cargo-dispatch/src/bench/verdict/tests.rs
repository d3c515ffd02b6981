use super::*;

/// A bench with the times of the baseline and of targets.
fn row(bench: &str, times: &[f64]) -> Row {
    // The noise of a round is that of all its processes.
    let noise = [1.0, 1.3, 1.01, 2.0, 1.1, 1.02, 1.4, 1.0, 1.2, 1.03, 1.0];
    let times: Vec<Vec<f64>> = times.iter().map(|time| noise.iter().map(|noise| time * noise).collect()).collect();
    Row { program: "p".into(), bench: bench.into(), baseline_ns: times[0][0], targets: Vec::new(), times }
}

fn verdict(rows: &[Row], at: usize, lower: &[usize]) -> Verdict {
    Verdict::new(rows, &["avx512f".into(), "avx2".into()], at, lower, 0.03)
}

#[test]
fn a_target_has_to_be_faster_than_what_is_below_it() {
    let rows = [row("one", &[10.0, 5.0, 5.0]), row("other", &[10.0, 9.0, 5.0])];
    let wide = verdict(&rows, 0, &[1]).to_string();
    let expected = "  p: avx512f: does not pay, slower on 1 of 2\n    on no bench faster than each of: avx2, the baseline\n    \
                    slower on other:\n      1.80 (1.80 to 1.80) of the time with avx2\n";
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
    assert!(text.starts_with("  p: avx512f: undecided\n    too noisy to tell on: one\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
