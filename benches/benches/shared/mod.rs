//! The cases as criterion benches.

use benches::case::Case;
use criterion::{BenchmarkId, Criterion, Throughput};

/// Runs the groups that are wanted.
pub(crate) fn run(wanted: impl Fn(&str) -> bool) {
    let mut criterion = Criterion::default().configure_from_args();
    let cases: Vec<Case> = benches::cases().into_iter().filter(|case| wanted(case.group)).collect();
    for group in cases.chunk_by(|a, b| a.group == b.group) {
        let mut benches = criterion.benchmark_group(group[0].group);
        for case in group {
            benches.throughput(match case.bytes {
                Some(bytes) => Throughput::Bytes(bytes * case.operations),
                None => Throughput::Elements(case.operations),
            });
            let mut run = None;
            benches.bench_function(BenchmarkId::new(case.by, &case.work), |bencher| {
                bencher.iter_custom(run.get_or_insert_with(|| case.prepare()));
            });
        }
        benches.finish();
    }
    criterion.final_summary();
}
