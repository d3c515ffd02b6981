use super::*;

impl Errors {
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.0.iter().map(|(_, message)| message.as_str()).collect()
    }
}
