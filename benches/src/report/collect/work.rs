//! A case as the report sees it: of this program, or of one that was built around another project's sources.

use benchmarks::case::Case;

/// The name by which a worker is asked for the case, and the meaning of its answers.
pub(crate) struct Work {
    pub(crate) group: String,
    pub(crate) work: String,
    pub(crate) by: String,
    pub(crate) operations: u64,
    pub(crate) bytes: Option<u64>,
}

impl From<&Case> for Work {
    fn from(case: &Case) -> Self {
        let (group, work, by) = (case.group.to_owned(), case.work.clone(), case.by.to_owned());
        Self { group, work, by, operations: case.operations, bytes: case.bytes }
    }
}

impl Work {
    pub(crate) fn id(&self) -> String {
        format!("{}/{}/{}", self.group, self.work, self.by)
    }
}
