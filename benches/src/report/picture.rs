//! The picture of the README: one call tree, with the attribute at three places.

use super::data::Run;
use super::format::{fill, time};
use core::fmt::Write as _;

/// The work, and for each place of the attribute the contender and its name in the picture.
const WORK: &str = "Haraka-512, independent";
const BARS: [(&str, &str); 3] = [("leaf", "the AES step only"), ("round", "one round"), ("root", "the whole hash")];

/// The lengths in pixels of a bar of the longest time, and of a row.
const LONGEST: f64 = 360.0;
const ROW: usize = 34;

const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" viewBox="0 0 640 {height}" role="img">
<style>
text { font: 15px sans-serif; fill: #1f2328 }
.other { fill: #8c959f }
.best { fill: #1a7f37 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .other { fill: #6e7681 } .best { fill: #3fb950 } }
</style>
<text x="8" y="22">Time for a Haraka-512 hash, with the attribute on</text>
<text x="8" y="{foot}">{cpu}</text>
"#;

/// An SVG of `run`, and its line for a page that stands in the repository's root; nothing without its figures.
pub(crate) fn tree(run: &Run) -> Option<(String, String)> {
    let times = BARS.map(|(by, _)| Some(run.figure("strategies", WORK, by)?.number()));
    let [Some(_), Some(_), Some(_)] = times else { return None };
    let times: Vec<f64> = times.into_iter().flatten().collect();
    let longest = times.iter().copied().fold(f64::MIN, f64::max);
    let cpu = &run.machine.name;
    let mut picture =
        fill(HEAD, &[("cpu", cpu), ("height", &(72 + ROW * BARS.len())), ("foot", &(60 + ROW * BARS.len()))]);
    let mut told = Vec::new();
    for (at, ((by, name), ns)) in BARS.iter().zip(times).enumerate() {
        let (top, length, kind) = (36 + ROW * at, LONGEST * ns / longest, if *by == "root" { "best" } else { "other" });
        let _ = writeln!(
            picture,
            "<text x=\"8\" y=\"{}\">{name}</text>\n<rect class=\"{kind}\" x=\"150\" y=\"{top}\" width=\"{length:.0}\" height=\"24\" rx=\"3\"/>\n\
             <text x=\"{:.0}\" y=\"{0}\">{}</text>",
            top + 18,
            158.0 + length,
            time(ns),
        );
        told.push(format!("on {name}: {}", time(ns)));
    }
    let line =
        format!("![Haraka-512 on {cpu}, time for a hash with the attribute {}.](docs/tree.svg)\n", told.join("; "));
    Some((picture + "</svg>\n", line))
}
