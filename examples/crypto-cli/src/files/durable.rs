//! What has been written stays, also when the power goes.
use std::fs;
use std::io;
use std::path::Path;

/// Makes a directory that only its owner can read, where there are owners.
#[cfg(unix)]
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Makes a file that only its owner can read, where there are owners.
pub(crate) fn create_private(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Has the names in a directory written to the disk.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    // Elsewhere directories cannot be opened.
    if !cfg!(unix) {
        return Ok(());
    }
    match fs::File::open(path)?.sync_all() {
        // There are file systems that write names at once, and have nothing to be asked for.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// The directory that a path is in.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
