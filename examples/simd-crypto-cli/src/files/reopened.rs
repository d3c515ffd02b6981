//! Many files at once, with few of them open.
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// With more files than these, each is open only while it is used: some systems let a program have 256.
pub(crate) const MANY: usize = 64;

/// A file that is read or written from some place on.
pub(crate) struct ReopenedFile {
    path: PathBuf,
    position: u64,
    /// How it is opened again, if it is not kept open.
    options: OpenOptions,
    keep: bool,
    file: Option<File>,
}

impl ReopenedFile {
    /// An existing file, to be read from `position` on.
    pub(crate) fn read(path: PathBuf, position: u64, keep: bool) -> Self {
        let options = File::options().read(true).clone();
        Self { path, position, options, keep, file: None }
    }

    /// A new file, which only its owner can read, where there are owners.
    pub(crate) fn create(path: PathBuf, keep: bool) -> io::Result<Self> {
        let options = File::options().write(true).clone();
        let mut create = options.clone();
        create.create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut create, 0o600);
        let file = Some(create.open(&path)?).filter(|_| keep);
        Ok(Self { path, position: 0, options, keep, file })
    }

    fn with<T>(&mut self, work: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => {
                let mut file = self.options.open(&self.path)?;
                file.seek(SeekFrom::Start(self.position))?;
                file
            }
        };
        let done = work(&mut file)?;
        self.file = Some(file).filter(|_| self.keep);
        Ok(done)
    }

    pub(crate) fn sync(mut self) -> io::Result<()> {
        self.with(|file| file.sync_all())
    }
}

impl Read for ReopenedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.with(|file| file.read(buffer))?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Write for ReopenedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.with(|file| file.write(bytes))?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
