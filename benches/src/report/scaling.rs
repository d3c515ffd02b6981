//! How throughput grows with the size of the work, and where it stops to.

use super::Report;
use super::page::{digits, rate};
use benchmarks::OURS;
use serde::Serialize;

/// The part of the best throughput that makes a knee.
const KNEE: f64 = 0.9;

/// Where the throughput of some work stops to grow.
#[derive(Serialize)]
pub(crate) struct Knee {
    pub(super) work: String,
    /// The smallest size with nearly the best throughput, as the tables call it.
    pub(super) at: String,
    /// The best throughput, and the size that has it.
    pub(super) best: String,
    /// Nanoseconds that a call costs whatever its size, and how many units of work take as long.
    pub(super) overhead: Option<(f64, f64)>,
    /// What is counted in `overhead`.
    pub(super) unit: &'static str,
    pub(super) why: &'static str,
}

/// Some work that there is in many sizes.
struct Scale {
    group: &'static str,
    /// How the work's name begins.
    prefix: &'static str,
    by: By,
    why: &'static str,
}

/// What the size is.
#[derive(Clone, Copy)]
enum By {
    /// Bytes of a buffer.
    Length,
    /// Messages, of which times are quoted for one.
    Batch,
    /// Shares of a secret of so many bytes.
    Shares,
    /// Bits of a field's elements: throughput is in products of bits.
    Field,
}

const SCALES: [Scale; 13] = [
    Scale {
        group: "ChaCha20",
        prefix: "",
        by: By::Length,
        why: "Sixteen blocks, 1 KiB, are as many as 512-bit registers hold side by side; one block has a quarter of a register's lanes.",
    },
    Scale {
        group: "AES-128",
        prefix: "encrypt",
        by: By::Length,
        why: "32 blocks, 512 B, are in flight together; fewer wait for the latency of each round.",
    },
    Scale { group: "AES-128", prefix: "decrypt", by: By::Length, why: "As for encryption." },
    Scale {
        group: "universal hash",
        prefix: "",
        by: By::Length,
        why: "The products of a group of blocks are summed up before they are brought down once; each group waits for the sum so far.",
    },
    Scale {
        group: "GF(2^8) slice times a scalar",
        prefix: "",
        by: By::Length,
        why: "An instruction multiplies 64 bytes, so that the call is most of a short buffer; loads and stores hold long ones.",
    },
    Scale {
        group: "Haraka-512",
        prefix: "batch",
        by: By::Batch,
        why: "Sixteen states are in flight together and hide the latency of the rounds; what is left over goes by fewer.",
    },
    Scale {
        group: "Haraka-256",
        prefix: "batch",
        by: By::Batch,
        why: "32 states are in flight together, two in a register; what is left over goes two by two.",
    },
    Scale {
        group: "Shamir",
        prefix: "split 3 of 5",
        by: By::Length,
        why: "Random bytes are drawn for whole blocks, and two of three bytes read are random: the generator holds it.",
    },
    Scale {
        group: "Shamir",
        prefix: "recover 3 of 5",
        by: By::Length,
        why: "The weights of the points are computed in each call.",
    },
    Scale {
        group: "shares",
        prefix: "split",
        by: By::Shares,
        why: "The random bytes are drawn once for all shares: the more there are, the less of the time they take.",
    },
    Scale {
        group: "shares",
        prefix: "recover",
        by: By::Shares,
        why: "The weights take time with the square of the number of shares, the secret with the number.",
    },
    Scale {
        group: "GF(2^n) multiply",
        prefix: "",
        by: By::Field,
        why: "A product of 64 bits is one instruction: smaller fields use a part of it, larger ones save products by Karatsuba's rule.",
    },
    Scale {
        group: "GF(2^n) invert",
        prefix: "",
        by: By::Field,
        why: "A chain of squarings and few products; each waits for the one before, so that only wider ones do more at a time.",
    },
];

/// The knees of all work of which there are at least three sizes.
pub(super) fn all(report: &Report) -> Vec<Knee> {
    SCALES.iter().filter_map(|scale| scale.knee(report)).collect()
}

/// One size: as it is called, the number, and the nanoseconds of all the work of that size.
struct Point {
    name: String,
    size: f64,
    ns: f64,
    bytes: f64,
}

impl Scale {
    fn points(&self, report: &Report) -> Vec<Point> {
        let figures = report.figures.iter().filter(|figure| figure.group == self.group && figure.by == OURS);
        let points = figures.filter_map(|figure| {
            let bytes = figure.bytes.unwrap_or_default() as f64;
            let last = figure.work.rsplit(' ').next()?;
            let (name, size, ns) = match self.by {
                By::Length => (benchmarks::case::length(figure.bytes? as usize), bytes, figure.ns),
                By::Batch => {
                    let size: f64 = last.parse().ok()?;
                    (last.to_owned(), size, figure.ns * size)
                }
                By::Shares | By::Field => (last.to_owned(), last.parse().ok()?, figure.ns),
            };
            // Of `split 1 KiB, 3 of 5` the length is the size, and the rest says which series it is of.
            let rest = match self.by {
                By::Length => figure.work.replacen(&format!(" {name},"), "", 1),
                _ => figure.work.clone(),
            };
            rest.starts_with(self.prefix).then_some(Point { name, size, ns, bytes })
        });
        let mut points: Vec<Point> = points.collect();
        points.sort_by(|a, b| a.size.total_cmp(&b.size));
        points
    }

    /// Work in a nanosecond.
    fn throughput(&self, point: &Point) -> f64 {
        match self.by {
            By::Length | By::Batch => point.size / point.ns,
            By::Shares => point.size * point.bytes / point.ns,
            By::Field => point.size * point.size / point.ns,
        }
    }

    fn knee(&self, report: &Report) -> Option<Knee> {
        let points = self.points(report);
        let (last, rest) = points.split_last()?;
        if rest.len() < 2 {
            return None;
        }
        let best = points.iter().max_by(|a, b| self.throughput(a).total_cmp(&self.throughput(b)))?;
        let knee = points.iter().find(|point| self.throughput(point) >= KNEE * self.throughput(best))?;
        // Through the knee and the end, and where the knee is the end, through what comes before it.
        let from = if knee.size < last.size { knee } else { rest.last()? };
        let slope = (last.ns - from.ns) / (last.size - from.size);
        let cost = from.ns - slope * from.size;
        let linear = !matches!(self.by, By::Field) && slope > 0.0 && cost > 0.0;
        let per = |what: &str| format!("{} {what}, at {}", digits(self.throughput(best)), best.name);
        let (best, unit) = match self.by {
            By::Length => (format!("{}, at {}", rate(self.throughput(best)), best.name), "bytes"),
            By::Batch => (per("hashes/ns"), "hashes"),
            By::Shares => (format!("{} of shares, at {}", rate(self.throughput(best)), best.name), "shares"),
            By::Field => (per("bit products/ns"), "bits"),
        };
        let comma = if self.prefix.is_empty() { "" } else { ", " };
        Some(Knee {
            work: format!("{}{comma}{}", self.group, self.prefix),
            at: knee.name.clone(),
            best,
            overhead: linear.then(|| (cost, cost / slope)),
            unit,
            why: self.why,
        })
    }
}
