use super::*;

/// The speed of a row is the product of what the functions in it bring at the level.
type Model<'a> = &'a [Effects<'a>];

/// A function, and what it brings to rows.
type Effects<'a> = (&'a str, &'a [(&'a str, [f64; 4])]);

/// Targets `v4 | v3 | v2`, each of which has those below.
fn levels() -> Levels {
    Levels::new(3, |level, target| target >= level)
}

fn names(of: &[&str]) -> Functions {
    of.iter().map(|name| (*name).to_owned()).collect()
}

/// The groups of a model, with all functions as the only start.
fn groups(model: Model<'_>) -> Vec<Group> {
    let mut rows: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for (function, effects) in model {
        for (row, _) in *effects {
            rows.entry((*row).to_owned()).or_default().insert((*function).to_owned(), 0.5);
        }
    }
    Group::all(&rows, &[model.iter().map(|(function, _)| (*function).to_owned()).collect()])
}

fn speeds(model: Model<'_>, functions: &Functions, rows: &Group) -> Speeds {
    let of_row = |row: &String| {
        let product = |level: usize| {
            let own = model.iter().filter(|(function, _)| functions.contains(*function));
            let effects = own.flat_map(|(_, effects)| effects.iter()).filter(|(name, _)| name == row);
            effects.fold(1.0, |product, (_, effect)| product * effect[level])
        };
        (0..4).map(product).collect()
    };
    rows.rows.keys().map(|row| (row.clone(), of_row(row))).collect()
}

/// The choice for each group, and the number of measurements.
fn found(model: Model<'_>) -> (Vec<Choice>, usize) {
    let mut asked = 0;
    let mut choices = Vec::new();
    for group in groups(model) {
        let choice = search(&group, &levels(), &mut |functions| {
            asked += 1;
            Some(speeds(model, functions, &group))
        });
        choices.push(mended(model, &group, choice));
    }
    (choices, asked)
}

/// Measured and mended until it stands.
fn mended(model: Model<'_>, group: &Group, mut choice: Choice) -> Choice {
    loop {
        let measured = Choice { speeds: speeds(model, &choice.functions, group), ..choice.clone() };
        choice = group.mended(&levels(), &measured);
        if (&choice.functions, &choice.targets) == (&measured.functions, &measured.targets)
            || choice.functions.is_empty()
        {
            return choice;
        }
    }
}

#[test]
fn a_row_that_loses_costs_its_own_functions_alone_without_any_time() {
    let model: Model<'_> = &[
        ("both", &[("long", [4.0, 2.0, 1.0, 1.0]), ("other", [1.3, 1.2, 1.0, 1.0])]),
        ("hot", &[("other", [2.0, 1.5, 1.2, 1.0]), ("small", [1.0; 4])]),
        ("small", &[("small", [0.9, 0.9, 0.9, 0.9])]),
    ];
    let group = &groups(model)[0];
    let mut asked = 0;
    let choice = search(group, &levels(), &mut |functions| {
        asked += 1;
        (asked == 1).then(|| speeds(model, functions, group))
    });
    assert_eq!(choice.functions.len(), 3);
    let choice = mended(model, group, choice);
    assert_eq!((choice.functions, choice.targets), (names(&["both"]), vec![0, 1]));
}

#[test]
fn a_row_that_has_to_lose_less_costs_as_little_as_it_can() {
    // The shared loop loses its best target for a short row, and nothing else of the group with it.
    let (choices, _) = found(&[
        ("loop", &[("long", [4.0, 3.0, 2.5, 1.0]), ("short", [0.8, 0.9, 0.98, 0.9])]),
        ("call", &[("short", [1.0; 4]), ("other", [1.5, 1.4, 1.3, 1.0])]),
    ]);
    assert_eq!((&choices[0].functions, &*choices[0].targets), (&names(&["call", "loop"]), &[2][..]), "{choices:?}");
    // Where it loses with every target, the functions of other rows stay.
    let (choices, _) = found(&[
        ("loop", &[("long", [4.0, 3.0, 2.5, 1.0]), ("short", [0.8, 0.8, 0.8, 0.9])]),
        ("call", &[("short", [1.0; 4]), ("other", [1.5, 1.4, 1.3, 1.0])]),
    ]);
    assert_eq!((&choices[0].functions, &*choices[0].targets), (&names(&["call"]), &[0, 1, 2][..]), "{choices:?}");
}

#[test]
fn a_row_that_seems_to_lose_may_not_with_fewer_tests() {
    // With only `v2` there are two tests less. Whether that is enough is measured.
    let model: Model<'_> = &[("hot", &[("long", [3.0, 3.0, 2.5, 1.0]), ("short", [0.8, 0.8, 0.9, 0.9])])];
    let group = &groups(model)[0];
    let search = |model| search(group, &levels(), &mut |functions| Some(speeds(model, functions, group)));
    let choice = search(model);
    assert_eq!((&choice.functions, &*choice.targets), (&names(&["hot"]), &[2][..]), "{choice:?}");
    let kept = group.mended(&levels(), &choice);
    assert_eq!((kept.functions, kept.targets), (choice.functions.clone(), choice.targets.clone()));
    assert_eq!(mended(model, group, choice), Choice::default());
    let model: Model<'_> = &[("hot", &[("long", [3.0, 3.0, 2.5, 1.0]), ("short", [0.8, 0.8, 0.8, 0.9])])];
    assert_eq!(search(model), Choice::default());
}

#[test]
fn what_gains_stays_and_what_loses_goes() {
    let (choices, _) = found(&[
        ("hot", &[("a", [2.0, 1.5, 1.2, 1.0])]),
        ("helper", &[("a", [1.2, 1.1, 1.1, 1.0])]),
        ("loses", &[("a", [0.8, 0.8, 0.9, 0.9])]),
        ("nothing", &[("a", [1.0, 1.0, 1.0, 1.0])]),
    ]);
    assert_eq!(choices[0].functions, names(&["helper", "hot"]));
    assert_eq!(choices[0].targets, [0, 1, 2]);
}

#[test]
fn a_target_that_loses_or_brings_nothing_leaves_the_list() {
    let (choices, _) = found(&[("hot", &[("a", [0.8, 1.5, 1.5, 1.0]), ("b", [1.1, 1.0, 1.0, 1.0])])]);
    assert_eq!(choices[0].targets, [2]);
}

#[test]
fn a_row_that_loses_on_every_target_is_not_paid_for_by_others() {
    let (choices, _) = found(&[("hot", &[("long", [1.3, 1.3, 1.1, 1.0]), ("short", [0.9, 0.9, 0.9, 0.9])])]);
    assert!(choices[0].targets.is_empty(), "{choices:?}");
}

#[test]
fn differences_in_the_noise_are_none() {
    let (choices, _) = found(&[("hot", &[("a", [1.019, 1.01, 0.99, 0.981])])]);
    assert!(choices[0].targets.is_empty(), "{choices:?}");
}

#[test]
fn a_gain_that_is_small_on_all_rows_together_is_left() {
    let (choices, _) = found(&[("hot", &[("a", [1.08, 1.06, 1.0, 1.0]), ("b", [1.01, 1.01, 1.0, 1.0])])]);
    assert_eq!(choices, [Choice::default()]);
    let (choices, _) = found(&[("hot", &[("a", [1.08, 1.06, 1.0, 1.0]), ("b", [1.05, 1.05, 1.0, 1.0])])]);
    assert_eq!(choices[0].functions, names(&["hot"]), "{choices:?}");
    // The baseline gains as much.
    let (choices, _) = found(&[("hot", &[("a", [1.3, 1.3, 1.25, 1.25])])]);
    assert_eq!(choices, [Choice::default()]);
}

#[test]
fn groups_share_no_row_and_no_function() {
    let model: Model<'_> =
        &[("one", &[("a", [1.5; 4]), ("b", [1.5; 4])]), ("two", &[("b", [1.5; 4])]), ("other", &[("c", [0.5; 4])])];
    let split: Vec<Functions> = groups(model).iter().map(Group::functions).collect();
    assert_eq!(split, [names(&["one", "two"]), names(&["other"])]);
}

#[test]
fn of_many_functions_the_useful_ones_are_found_in_few_measurements() {
    let names: Vec<String> = (0..32).map(|at| format!("f{at:02}")).collect();
    let (gain, none) = ([("a", [2.0, 1.5, 1.2, 1.0])], [("a", [1.0; 4])]);
    let model: Vec<Effects<'_>> =
        names.iter().enumerate().map(|(at, name)| (name.as_str(), if at == 13 { &gain[..] } else { &none })).collect();
    let (choices, asked) = found(&model);
    assert_eq!(choices[0].functions, super::Functions::from(["f13".to_owned()]));
    assert!(asked < 20, "{asked}");
}

#[test]
fn when_the_time_is_over_the_best_so_far_is_the_outcome() {
    let model: Model<'_> = &[("hot", &[("a", [2.0, 1.5, 1.2, 1.0])]), ("nothing", &[("a", [1.0; 4])])];
    for limit in 0..4 {
        let mut asked = 0;
        let choice = search(&groups(model)[0], &levels(), &mut |functions| {
            asked += 1;
            (asked <= limit).then(|| speeds(model, functions, &groups(model)[0]))
        });
        let expected: &[&str] = [&[][..], &["hot", "nothing"], &["hot", "nothing"], &["hot"]][limit];
        assert_eq!(choice.functions, names(expected), "{limit}");
    }
}

#[test]
fn no_outcome_has_a_row_below_the_floor() {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let names = ["f0", "f1", "f2", "f3", "f4", "f5"];
    let mut gained = 0;
    for _ in 0..100 {
        let mut effects: Vec<Vec<(&str, [f64; 4])>> = Vec::new();
        for _ in names {
            let rows = ["a", "b", "c", "d"].into_iter().filter(|_| random() < 0.4).collect::<Vec<_>>();
            effects.push(rows.into_iter().map(|row| (row, [(); 4].map(|()| 0.7 + 0.8 * random()))).collect());
        }
        let model: Vec<Effects<'_>> =
            names.iter().zip(&effects).map(|(name, effects)| (*name, effects.as_slice())).collect();
        for choice in found(&model).0 {
            for (speeds, level) in choice.speeds.values().flat_map(|speeds| (0..4).map(move |level| (speeds, level))) {
                let target = choice.targets.iter().find(|target| **target >= level);
                let is_above = target.map_or(speeds[3] >= 0.75, |target| speeds[*target] >= 0.97);
                assert!(choice.targets.is_empty() || is_above, "{choice:?}");
            }
            gained += usize::from(!choice.targets.is_empty());
        }
    }
    assert!(gained > 30, "{gained}");
}
