//! Names that are in another file than the code: where that can be, and whether it is of the same build.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use object::Object;

use crate::load::names::{self, Names};
use crate::load::{dwarf, pdb};

/// Where names were looked for, and why there are none, in words.
pub(super) type Tried = Vec<String>;

/// The names of a program in its separate debug file, and that file. `file` is the program.
pub(super) fn find(object: &object::File<'_>, file: &Path) -> Result<(Names, PathBuf), Tried> {
    let candidates = match object.format() {
        object::BinaryFormat::MachO => bundle(file),
        object::BinaryFormat::Pe => pdbs(object, file),
        _ => debug_files(object, file),
    };
    let mut tried = Tried::new();
    for candidate in candidates {
        match read(object, &candidate) {
            Ok(names) if !names.functions.is_empty() => return Ok((names, candidate)),
            Ok(_) => tried.push(format!("{}: it names no function", candidate.display())),
            Err(why) => tried.push(format!("{}: {why}", candidate.display())),
        }
    }
    Err(tried)
}

fn read(object: &object::File<'_>, candidate: &Path) -> Result<Names, String> {
    const OTHER: &str = "of another build than the program";
    if !candidate.is_file() {
        return Err("not there".to_owned());
    }
    if candidate.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdb")) {
        return pdb::of(object, candidate)?.ok_or_else(|| OTHER.to_owned());
    }
    let bytes = std::fs::read(candidate).map_err(|reason| reason.to_string())?;
    let other = object::File::parse(&*bytes).map_err(|reason| reason.to_string())?;
    if !same_build(object, &other) {
        return Err(OTHER.to_owned());
    }
    let names = names::of(&other);
    Ok(if names.functions.is_empty() { dwarf::of(&other) } else { names })
}

/// By the number that the linker gave the build, or else by the sections of code.
fn same_build(object: &object::File<'_>, other: &object::File<'_>) -> bool {
    if object.format() != other.format() || object.architecture() != other.architecture() {
        return false;
    }
    let id = |file: &object::File<'_>| {
        let uuid = file.mach_uuid().ok().flatten().map(|uuid| uuid.to_vec());
        uuid.or_else(|| file.build_id().ok().flatten().map(<[u8]>::to_vec))
    };
    match (id(object), id(other)) {
        (None, None) => names::ranges(object, names::is_code) == names::ranges(other, names::is_code),
        (have, want) => have == want,
    }
}

fn beside(file: &Path, name: impl AsRef<Path>) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(name)
}

/// `prog` with something behind its whole name.
fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    beside(file, name)
}

/// The places where gdb looks: by the build's number, by the name that the program holds; and `prog.debug`.
fn debug_files(object: &object::File<'_>, file: &Path) -> Vec<PathBuf> {
    const SYSTEM: &str = "/usr/lib/debug";
    let mut out = vec![with_suffix(file, ".debug")];
    if let Some(name) = object.gnu_debuglink().ok().flatten().and_then(|(name, _)| str::from_utf8(name).ok()) {
        out.extend([beside(file, name), beside(file, Path::new(".debug").join(name))]);
        if let Ok(full) = file.canonicalize()
            && let Some(directory) = full.parent().and_then(|parent| parent.strip_prefix("/").ok())
        {
            out.push(Path::new(SYSTEM).join(directory).join(name));
        }
    }
    if let Ok(Some([first, rest @ ..])) = object.build_id() {
        let rest: Vec<String> = rest.iter().map(|byte| format!("{byte:02x}")).collect();
        out.push(Path::new(SYSTEM).join(format!(".build-id/{first:02x}/{}.debug", rest.concat())));
    }
    unique(out)
}

/// The files in `prog.dSYM`; the name of the one that belongs here can have cargo's hash.
fn bundle(file: &Path) -> Vec<PathBuf> {
    let directory = with_suffix(file, ".dSYM").join("Contents/Resources/DWARF");
    let Ok(entries) = std::fs::read_dir(&directory) else { return vec![directory] };
    let mut out: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    out.sort_by_key(|path| (path.file_name() != file.file_name(), path.clone()));
    out
}

/// By the name that the program holds, next to it and where it was built; and by the program's own name.
fn pdbs(object: &object::File<'_>, file: &Path) -> Vec<PathBuf> {
    let info = object.pdb_info().ok().flatten();
    let built = info.as_ref().and_then(|info| str::from_utf8(info.path()).ok());
    let mut out: Vec<PathBuf> = built
        .and_then(|path| path.rsplit(['/', '\\']).next())
        .map(|name| beside(file, name))
        .into_iter()
        .chain([file.with_extension("pdb")])
        .collect();
    // Cargo gives the file the crate's name, with underscores.
    if let Some(stem) = file.file_stem().and_then(OsStr::to_str) {
        out.push(beside(file, format!("{}.pdb", stem.replace('-', "_"))));
    }
    out.extend(built.map(PathBuf::from));
    unique(out)
}

fn unique(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !out.contains(&path) {
            out.push(path);
        }
    }
    out
}
