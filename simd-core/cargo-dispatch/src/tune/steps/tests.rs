use super::*;

/// The rows of a program, named after the function that they spend their time in.
fn rows(of: impl Iterator<Item = (u32, f64)>) -> BTreeMap<String, Heat> {
    let heats = of.enumerate().map(|(at, (function, nanoseconds))| {
        let text = format!(
            r#"{{"samples": 100, "nanoseconds": {nanoseconds}, "macros": {{}}, "elsewhere": {{}},
                "functions": {{"{function}": {{"own": 90, "all": 90, "outermost": 90}}}}}}"#
        );
        (format!("{function} {at}"), serde_json::from_str(&text).unwrap())
    });
    heats.collect()
}

#[test]
fn a_sample_has_each_function_and_short_and_long_rows() {
    let few = rows((0..20).map(|at| (0, 10.0 + f64::from(at))));
    assert_eq!(sample(&few), few.keys().cloned().collect());

    let long = rows((0..20).map(|at| (at, 1e7)));
    assert_eq!(sample(&long).len(), ROWS);

    let many = rows((0..1000_u32).map(|at| (at % 15, if at == 77 { 1e6 } else { 100.0 + f64::from(at % 7) })));
    let sample = sample(&many);
    assert_eq!(sample.len(), 20);
    let functions: BTreeSet<&str> = sample.iter().filter_map(|row| Some(row.split_once(' ')?.0)).collect();
    assert_eq!(functions.len(), 15, "{sample:?}");
    assert!(sample.contains("2 77"), "{sample:?}");
}

/// On a machine whose other users slow each process down, at random, by up to the half.
#[test]
fn what_other_users_do_is_neither_a_gain_nor_a_loss() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 33) as u32) / f64::from(1_u32 << 31)
    };
    // Nanoseconds without others.
    for (time, other, low, high) in [(10.0, 10.0, 0.97, 1.1), (10.0, 8.0, 1.05, 1.5), (10.0, 13.0, 0.0, 0.97)] {
        let mut outside = 0;
        for _ in 0..1000 {
            let mut of = |time: f64| (0..14).map(|_| time * (1.0 + random().powi(4))).collect();
            let speed = seen(&Times::from([(String::new(), vec![of(time), of(other)])]), |speed| speed.high)[""][0];
            outside += usize::from(!(low..=high).contains(&speed));
        }
        assert!(outside < 150, "{time} and {other}: {outside} of 1000");
    }
}

#[test]
fn rounds_that_disagree_are_measured_again() {
    // Another program takes the CPU in two of seven rounds.
    let seven = |disturbed: f64| {
        let gain = [disturbed, 3.0, 3.0, 3.0, disturbed, 3.0, 3.0].map(|speed| 12.0 / speed).to_vec();
        Times::from([("row".to_owned(), vec![vec![12.0; 7], gain])])
    };
    let gains = |times: &Times| seen(times, |speed| speed.high)["row"][0];
    assert!(disturbed(&seven(3.0)).is_empty());
    assert!(disturbed(&seven(9.0)) == ["row"] && disturbed(&seven(0.5)) == ["row"]);

    let mut times = seven(0.5);
    assert_eq!((disturbed(&times), gains(&times)), (vec!["row".to_owned()], 1.0));
    add(&mut times, seven(0.5));
    assert_eq!((disturbed(&times), gains(&times)), (Vec::new(), 3.0));
}
