//! A bench's side of criterion's protocol, the part that the commands use: its arguments, its variable and its files. Tests need not build criterion.
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs};

pub struct Criterion {
    filter: Option<String>,
    profile: Option<Duration>,
    measure: Duration,
    home: PathBuf,
    rows: usize,
}

impl Default for Criterion {
    fn default() -> Self {
        let arguments: Vec<String> = env::args().skip(1).collect();
        let seconds = |name: &str| {
            let at = arguments.iter().position(|one| one == name)?;
            arguments[at + 1].parse().ok().map(Duration::from_secs_f64)
        };
        let last = arguments.last().filter(|one| one.starts_with("^(") || *one == "no row");
        Self {
            filter: last.map(|one| one.trim_start_matches("^(").trim_end_matches(")$").replace('\\', "")),
            profile: seconds("--profile-time"),
            measure: seconds("--measurement-time").unwrap_or(Duration::from_millis(10)),
            home: env::var_os("CRITERION_HOME").expect("the command sets it").into(),
            rows: 0,
        }
    }
}

impl Criterion {
    /// Runs a row for the time of a profile, or in ten samples.
    pub fn bench_function<T>(&mut self, name: &str, mut body: impl FnMut() -> T) {
        if self.filter.as_deref().is_some_and(|filter| !filter.split('|').any(|one| one == name)) {
            return;
        }
        let mut run = |time: Duration| {
            let (start, mut count) = (Instant::now(), 0u32);
            while count == 0 || start.elapsed() < time {
                black_box(body());
                count += 1;
            }
            (count, start.elapsed().as_nanos())
        };
        if let Some(time) = self.profile {
            run(time);
            return;
        }
        let samples: Vec<(u32, u128)> = (0..10).map(|_| run(self.measure / 10)).collect();
        let directory = self.home.join(self.rows.to_string()).join("new");
        self.rows += 1;
        fs::create_dir_all(&directory).expect("a directory");
        let (iters, times): (Vec<u32>, Vec<u128>) = samples.into_iter().unzip();
        let sample = format!("{{\"iters\": {iters:?}, \"times\": {times:?}}}");
        fs::write(directory.join("sample.json"), sample).expect("a file");
        fs::write(directory.join("benchmark.json"), format!("{{\"full_id\": {name:?}}}")).expect("a file");
    }
}
