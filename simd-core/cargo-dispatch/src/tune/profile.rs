//! Where a program spends its time: program counters, and the functions of the workspace that are inlined there.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use addr2line::{FrameIter, Loader};
use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::source::Source;

/// The part of a row's time from which on a function is a candidate.
pub(super) const WARM: f64 = 0.02;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Heat {
    pub(super) samples: u32,
    pub(super) nanoseconds: f64,
    /// Of functions that can have the attribute, or cannot for a reason of their own, by file and line.
    pub(super) functions: BTreeMap<String, Counts>,
    macros: BTreeMap<String, u32>,
    /// Of code outside of the workspace that nothing of it was inlined into, by the function's name.
    elsewhere: BTreeMap<String, u32>,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Counts {
    /// In the function's own lines, or in what was inlined into it from outside of the workspace.
    own: u32,
    /// Also in those of functions of the workspace that were inlined into it.
    all: u32,
    /// Where it is not inlined into another function of the workspace.
    outermost: u32,
}

/// The parts of a row's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) own: f64,
    pub(super) all: f64,
    pub(super) outermost: f64,
}

impl Heat {
    pub(super) fn share(&self, key: &str) -> Share {
        let counts = self.functions.get(key).copied().unwrap_or_default();
        Share { own: self.part(counts.own), all: self.part(counts.all), outermost: self.part(counts.outermost) }
    }

    /// How little the row is like another one: 1 if they spend their time in other functions, or if one takes a hundred times as long.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let keys = self.functions.keys().chain(other.functions.keys());
        let shares = keys.map(|key| (self.share(key).all - other.share(key).all).abs()).fold(0.0, f64::max);
        shares + (self.nanoseconds / other.nanoseconds).ln().abs() / 100_f64.ln()
    }

    fn part(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.samples.max(1))
    }

    /// Whether nothing of the workspace takes a part of the time.
    pub(super) fn is_outside(&self) -> bool {
        self.macros.is_empty() && self.functions.keys().all(|key| self.share(key).all < WARM)
    }

    /// The functions that macros make, and those that are not of the workspace.
    pub(super) fn outside(&self) -> impl Iterator<Item = String> {
        self.macros.keys().chain(self.elsewhere.keys()).cloned()
    }

    pub(super) fn outside_share(&self, name: &str) -> f64 {
        self.part(self.macros.get(name).or(self.elsewhere.get(name)).copied().unwrap_or_default())
    }

    /// The rest without the samples of another profile, each of which may have taken twice as long this time.
    pub(super) fn without(mut self, other: &Self) -> Self {
        let less = |count: &mut u32, other: Option<&u32>| *count = count.saturating_sub(2 * other.unwrap_or(&0));
        self.samples = self.samples.saturating_sub(other.samples);
        self.macros.iter_mut().for_each(|(name, count)| less(count, other.macros.get(name)));
        self.elsewhere.iter_mut().for_each(|(name, count)| less(count, other.elsewhere.get(name)));
        for (key, counts) in &mut self.functions {
            let Counts { own, all, outermost } = other.functions.get(key).copied().unwrap_or_default();
            less(&mut counts.own, Some(&own));
            less(&mut counts.all, Some(&all));
            less(&mut counts.outermost, Some(&outermost));
        }
        self
    }

    fn add(&mut self, of: &Profiled<'_>, address: u64, count: u32) {
        let Profiled { loader, root, sources, .. } = of;
        // From the innermost function outwards.
        let mut chain: Vec<String> = Vec::new();
        // A macro that makes functions, or a bench around the code.
        let mut other = None;
        let mut frames = loader.find_frames(address).ok();
        while let Some(Ok(Some(frame))) = frames.as_mut().map(FrameIter::next) {
            let Some(location) = &frame.location else { continue };
            let (Some(file), Some(line)) = (location.file, location.line) else { continue };
            let Ok(file) = Path::new(file).strip_prefix(root) else { continue };
            let source = sources.iter().find(|source| source.file == file);
            if let Some((source, function)) = source.and_then(|one| Some((one, one.function_at(line as usize)?))) {
                let key = source.key(function);
                if !chain.contains(&key) {
                    chain.push(key);
                }
            } else if other.is_none() {
                let name = source.and_then(|source| source.macro_at(line as usize));
                other = Some(name.map(|name| format!("{}: {name}!", file.display())));
            }
        }
        match other {
            _ if !chain.is_empty() => {}
            Some(Some(name)) => *self.macros.entry(name).or_default() += count,
            Some(None) => {}
            None => {
                let name =
                    loader.find_symbol(address).map(|name| addr2line::demangle_auto(name.into(), None).into_owned());
                *self.elsewhere.entry(name.unwrap_or_else(|| "code without a name".to_owned())).or_default() += count;
            }
        }
        let last = chain.len().wrapping_sub(1);
        for (at, key) in chain.into_iter().enumerate() {
            let counts = self.functions.entry(key).or_default();
            counts.all += count;
            counts.own += if at == 0 { count } else { 0 };
            counts.outermost += if at == last { count } else { 0 };
        }
    }
}

pub(super) struct Profiled<'a> {
    program: &'a Path,
    loader: Loader,
    root: &'a Path,
    sources: &'a [&'a Source],
}

impl<'a> Profiled<'a> {
    pub(super) fn new(program: &'a Path, root: &'a Path, sources: &'a [&'a Source]) -> Result<Self> {
        let loader = Loader::new(program).map_err(|error| anyhow::anyhow!("{}: {error}", program.display()))?;
        Ok(Self { program, loader, root, sources })
    }

    /// Runs the program to its end, or until there are so many samples.
    pub(super) fn heat(&self, command: Command, most: u32) -> Result<Heat> {
        let mut heat = Heat::default();
        for (address, count) in sampler::run(command, self.program, most)? {
            heat.samples += count;
            match address {
                Some(address) => heat.add(self, address, count),
                None => *heat.elsewhere.entry("the C library and others".to_owned()).or_default() += count,
            }
        }
        Ok(heat)
    }
}

/// Stops the threads of a child a thousand times in each second that they run, and reads their program counters. A process may
/// do that to its own child without further rights.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) mod sampler {
    use core::time::Duration;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use anyhow::{Context as _, Result, bail};
    use nix::sys::ptrace::{self, Options};
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::Pid;

    /// Nanoseconds of a thread from one sample to the next.
    const PERIOD: u64 = 1_000_000;

    /// How often each address in the program's file was seen, and any other one.
    pub(crate) fn run(mut command: Command, program: &Path, most: u32) -> Result<BTreeMap<Option<u64>, u32>> {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.with_context(|| format!("`{}` cannot be started", program.display()))?;
        let process = child.id();
        let main = Pid::from_raw(process.cast_signed());
        let (start, end, first) = loaded(process, program)?;
        ran(process, main)
            .context("the kernel does not say how long a thread ran, in `/proc/PID/task/TID/schedstat`")?;
        // Threads, and how long each had run at its last sample.
        let mut seized = BTreeMap::new();
        let mut samples = BTreeMap::new();
        loop {
            for thread in threads(process) {
                // One that ends meanwhile is no error.
                if !seized.contains_key(&thread) && ptrace::seize(thread, Options::PTRACE_O_EXITKILL).is_ok() {
                    seized.insert(thread, 0);
                }
                let Some(last) = seized.get_mut(&thread) else { continue };
                // Others have ended, which nobody else waits for, or sleep.
                let ran = ran(process, thread).unwrap_or(*last);
                // On a busy machine a sample stands for more than one period.
                let periods = (ran - *last) / PERIOD;
                let wanted = periods > 0 && ptrace::interrupt(thread).is_ok();
                *last += if wanted { periods * PERIOD } else { 0 };
                match stopped(thread, wanted) {
                    Ok(Some(counter)) => {
                        let address = (start..end).contains(&counter).then(|| counter - first);
                        *samples.entry(address).or_default() += u32::try_from(periods).unwrap_or(u32::MAX).max(1);
                    }
                    Ok(None) => {}
                    Err(Ended) if thread == main => return Ok(samples),
                    Err(Ended) => _ = seized.remove(&thread),
                }
            }
            if samples.values().sum::<u32>() >= most {
                child.kill()?;
                child.wait()?;
                return Ok(samples);
            }
            if !seized.contains_key(&main) {
                bail!("`{}` cannot be traced; some containers forbid it", program.display());
            }
            std::thread::sleep(Duration::from_nanos(PERIOD));
        }
    }

    struct Ended;

    /// If the thread stops, or will soon because that is wanted, its program counter; it then goes on. Fails if it has ended.
    fn stopped(thread: Pid, wanted: bool) -> Result<Option<u64>, Ended> {
        let mut polls = 0;
        let signal = loop {
            match waitpid(thread, Some(WaitPidFlag::WNOHANG | WaitPidFlag::__WALL)) {
                Ok(WaitStatus::PtraceEvent(..)) => break None,
                Ok(WaitStatus::Stopped(_, signal)) => break Some(signal),
                // A process whose first thread has ended stops no more, and goes on with the others.
                Ok(WaitStatus::StillAlive) if wanted && polls < 1000 => polls += 1,
                Ok(WaitStatus::StillAlive) => return Ok(None),
                _ => return Err(Ended),
            }
            std::thread::sleep(Duration::from_micros(10));
        };
        let counter = ptrace::getregs(thread).ok().map(|registers| {
            #[cfg(target_arch = "x86_64")]
            let counter = registers.rip;
            #[cfg(target_arch = "aarch64")]
            let counter = registers.pc;
            counter
        });
        _ = ptrace::cont(thread, signal);
        Ok(counter)
    }

    fn threads(process: u32) -> Vec<Pid> {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        tasks.filter_map(|task| Some(Pid::from_raw(task.file_name().to_str()?.parse().ok()?))).collect()
    }

    /// How long the thread has run, in nanoseconds. One that waits for a CPU makes no samples: if it were stopped before it runs,
    /// it would never come through a system call like `clone`.
    fn ran(process: u32, thread: Pid) -> Option<u64> {
        let times = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok()?;
        times.split(' ').next()?.parse().ok()
    }

    /// Where the program lies in memory, and the place of address 0 of its file.
    fn loaded(process: u32, program: &Path) -> Result<(u64, u64, u64)> {
        let path = fs::canonicalize(program)?;
        // Programs of this type are loaded at the addresses of their file.
        let is_fixed = fs::read(program)?.get(16) == Some(&2);
        // The child may not have come so far.
        for _ in 0..1000 {
            let maps = fs::read_to_string(format!("/proc/{process}/maps"))?;
            let own = maps.lines().filter(|line| line.ends_with(&*path.to_string_lossy()));
            let ranges = own.filter_map(|line| line.split_once(' ')?.0.split_once('-'));
            let parsed = ranges.filter_map(|(start, end)| {
                Some((u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
            });
            if let Some((start, end)) = parsed.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) {
                return Ok((start, end, if is_fixed { 0 } else { start }));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        bail!("`{}` is not in the memory of its process", program.display())
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) mod sampler {
    pub(crate) fn run(
        _: std::process::Command,
        _: &std::path::Path,
        _: u32,
    ) -> anyhow::Result<std::collections::BTreeMap<Option<u64>, u32>> {
        anyhow::bail!("programs can be profiled only on Linux on x86-64 and AArch64")
    }
}

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests;
