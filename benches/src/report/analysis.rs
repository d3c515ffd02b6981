//! What is made of the figures.

pub(crate) mod losses;
pub(crate) mod native;
mod scaling;

mod goals;

use super::data::Report;

/// Adds all that follows from the figures.
pub(crate) fn add(report: &mut Report) {
    native::add(report);
    report.scaling = scaling::all(report);
    report.goals = goals::all(report);
    report.limits = goals::limits(report);
}
