//! Options that name a target of the package.

use crate::built::Kind;

#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct Selection {
    /// A binary of the package
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    bin: Option<String>,
    /// An example
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    example: Option<String>,
    /// A test program
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    test: Option<String>,
    /// A benchmark
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    bench: Option<String>,
    /// The unit tests of the library, which hold the clones of all functions that they use
    #[arg(long)]
    lib: bool,
}

impl Selection {
    pub(crate) fn kind(&self) -> Option<(Kind, Option<&str>)> {
        let named = [
            (Kind::Bin, &self.bin),
            (Kind::Example, &self.example),
            (Kind::Test, &self.test),
            (Kind::Bench, &self.bench),
        ];
        let named = named.into_iter().find_map(|(kind, name)| Some((kind, name.as_deref()?)));
        let named = named.map(|(kind, name)| (kind, Some(name).filter(|name| !name.is_empty())));
        named.or(self.lib.then_some((Kind::Lib, None)))
    }
}
