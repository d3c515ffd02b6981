//! A progress bar, on a terminal and for work that takes a while.
#[cfg(not(target_family = "wasm"))]
pub(crate) use bar::Progress;
#[cfg(target_family = "wasm")]
pub(crate) use none::Progress;

#[cfg(not(target_family = "wasm"))]
mod bar {
    use core::time::Duration;
    use indicatif::{ProgressBar, ProgressStyle};
    use std::io::{self, IsTerminal};
    use std::time::Instant;

    /// Work that is done before takes no bar.
    const PATIENCE: Duration = Duration::from_millis(500);

    pub(crate) struct Progress {
        begun: Instant,
        terminal: bool,
        /// How many bytes there are, if that is known.
        total: Option<u64>,
        done: u64,
        bar: Option<ProgressBar>,
    }

    impl Progress {
        pub(crate) fn new(total: Option<u64>) -> Self {
            Self { begun: Instant::now(), terminal: io::stderr().is_terminal(), total, done: 0, bar: None }
        }

        pub(crate) fn add(&mut self, bytes: usize) {
            self.done += bytes as u64;
            if !self.terminal || (self.bar.is_none() && self.begun.elapsed() < PATIENCE) {
                return;
            }
            let bar = self.bar.get_or_insert_with(|| {
                let (bar, template) = match self.total {
                    Some(total) => {
                        (ProgressBar::new(total), "{wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}")
                    }
                    None => (ProgressBar::new_spinner(), "{spinner} {bytes} {binary_bytes_per_sec}"),
                };
                // The templates are those above; were one wrong, the default would do.
                ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
            });
            bar.set_position(self.done);
        }
    }

    impl Drop for Progress {
        fn drop(&mut self) {
            if let Some(bar) = &self.bar {
                bar.finish_and_clear();
            }
        }
    }
}

/// Where there is no terminal.
#[cfg(target_family = "wasm")]
mod none {
    pub(crate) struct Progress;

    impl Progress {
        pub(crate) fn new(_: Option<u64>) -> Self {
            Self
        }

        pub(crate) fn add(&mut self, _: usize) {}
    }
}
