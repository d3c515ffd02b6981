//! The changes that a [`Journal`](super::Journal) makes. Tests stop it before any of them.
use std::io;
use std::path::Path;

macro_rules! changes {
    ($(fn $name:ident($($path:ident),*) = $change:expr;)*) => {
        $(pub(super) fn $name($($path: &Path),*) -> io::Result<()> {
            #[cfg(test)]
            super::tests::before_change(stringify!($name), &[$($path),*])?;
            $change($($path),*)
        })*
    };
}

changes! {
    fn rename(from, to) = std::fs::rename;
    fn hard_link(file, to) = std::fs::hard_link;
    fn remove_file(path) = std::fs::remove_file;
    fn remove_dir(path) = std::fs::remove_dir;
    fn sync_directory(path) = sync;
}

/// Tests do not wait for the disk.
fn sync(path: &Path) -> io::Result<()> {
    if cfg!(test) { std::fs::metadata(path).map(drop) } else { crate::files::durable::sync_directory(path) }
}

/// Makes a file with this content, which is on the disk then.
pub(super) fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    super::tests::before_change("create", &[path])?;
    let mut file = crate::files::durable::create_private(path)?;
    #[cfg(test)]
    super::tests::before_change("write", &[path])?;
    io::Write::write_all(&mut file, content)?;
    if cfg!(test) { Ok(()) } else { file.sync_all() }
}
