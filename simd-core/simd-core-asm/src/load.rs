//! Reads a file with the `object` crate, and keeps what the analyses need.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use object::read::macho::{FatArch, MachOFatFile};
use object::{BinaryFormat, ExportTarget, FileKind, Object, ObjectKind, ObjectSection, ObjectSymbol, SectionKind};

use crate::architecture::Architecture;
use crate::error::Error;
use crate::format::Format;
use crate::image::{Image, Section};
use crate::program::{Program, Symbol};

mod dwarf;
mod names;
mod pdb;
mod pointers;
mod separate;
mod starts;

pub(crate) fn load(path: &Path) -> Result<Program, Error> {
    let file = path.to_path_buf();
    let bytes = std::fs::read(path).map_err(|reason| Error::Read { file: file.clone(), reason: reason.to_string() })?;
    let unreadable = |reason: String| Error::Format { file: file.clone(), reason };
    let bytes = one_architecture(bytes).map_err(unreadable)?;
    let object = object::File::parse(&*bytes).map_err(|reason| unreadable(not_a_program(&bytes, &reason)))?;
    let Some(architecture) = architecture(object.architecture()) else {
        return Err(Error::Architecture { file, found: format!("{:?}", object.architecture()) });
    };
    let format = match object.format() {
        BinaryFormat::Elf => Format::Elf,
        BinaryFormat::MachO => Format::MachO,
        BinaryFormat::Pe => Format::Pe,
        other => return Err(unreadable(format!("{other:?} files are not read"))),
    };
    let sections = sections(&object, bytes.len());
    if object.kind() == ObjectKind::Relocatable {
        return Err(unreadable(NO_LINK.to_owned()));
    }
    if !sections.iter().any(|section| section.code) {
        return Err(unreadable("it holds no code; of a program and its debug file, open the program".to_owned()));
    }
    let mut names = names::of(&object);
    if names.functions.is_empty() {
        names = dwarf::of(&object);
    }
    // A symbol table of ELF is there or not; the others can hold what is exported and nothing else.
    let mut names_file = None;
    if names.functions.is_empty() || format != Format::Elf {
        match separate::find(&object, path) {
            Ok((more, from)) => {
                names.add(more);
                names_file = Some(from);
            }
            Err(tried) if names.functions.is_empty() => return Err(Error::Stripped { file, tried }),
            Err(_) => {}
        }
    }
    let symbols = extents(&object, names.functions);
    let pointers = pointers::of(&object, &names.imported);
    names.data.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    let exported = object.exports().into_iter().flatten().flatten().filter_map(|export| match export.target() {
        ExportTarget::Address { address } => Some(address),
        _ => None,
    });
    let exports = exported.chain([object.entry()]).chain(called(&object)).collect();
    let image = Image {
        architecture,
        format,
        fixed: object.kind() == ObjectKind::Executable && format == Format::Elf,
        sections,
        slots: pointers.slots,
        pointers: pointers.all,
        imports: pointers.imports,
        bytes: Vec::new(),
    };
    drop(object);
    let (data, words) = (names.data, names.words);
    let (image, callers) = (Image { bytes, ..image }, OnceLock::new());
    Ok(Program { file, names_file, image, symbols, data, exports, words, callers })
}

/// The functions that ELF's loader calls by their addresses: `DT_INIT` and `DT_FINI`.
fn called(object: &object::File<'_>) -> Vec<u64> {
    let dynamic = object.section_by_name(".dynamic").filter(|_| object.format() == BinaryFormat::Elf);
    let data = dynamic.as_ref().and_then(|section| section.data().ok()).unwrap_or_default();
    let width = if object.is_64() { 8 } else { 4 };
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let entries = data.chunks_exact(2 * width).map(|entry| (word(&entry[..width]), word(&entry[width..])));
    entries.filter(|(tag, _)| matches!(tag, 12 | 13)).map(|(_, address)| address).collect()
}

const NO_LINK: &str = "it is not linked: clones are in the programs that use a library, not in its .rlib or .o files";

fn not_a_program(bytes: &[u8], reason: &object::Error) -> String {
    if bytes.starts_with(b"!<arch>\n") {
        NO_LINK.to_owned()
    } else if bytes.starts_with(b"Microsoft C/C++ MSF 7.00") {
        "a PDB file holds names and no code; open the program next to it".to_owned()
    } else {
        reason.to_string()
    }
}

fn architecture(of: object::Architecture) -> Option<Architecture> {
    match of {
        object::Architecture::I386 => Some(Architecture::X86),
        object::Architecture::X86_64 => Some(Architecture::X86_64),
        object::Architecture::Aarch64 => Some(Architecture::Aarch64),
        _ => None,
    }
}

/// Of a universal Mach-O file the program for this architecture, or else the first that can be decoded.
fn one_architecture(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    fn pick<Arch: FatArch>(bytes: &[u8]) -> object::Result<Vec<u8>> {
        let file = MachOFatFile::<Arch>::parse(bytes)?;
        let known = |wanted: fn(Architecture) -> bool| {
            file.arches().iter().find(|arch| architecture(arch.architecture()).is_some_and(wanted))
        };
        let chosen = known(|found| Some(found) == Architecture::of_this_build()).or_else(|| known(|_| true));
        Ok(chosen.or(file.arches().first()).map_or(Ok(&[][..]), |arch| arch.data(bytes))?.to_vec())
    }
    match FileKind::parse(&*bytes) {
        Ok(FileKind::MachOFat32) => pick::<object::macho::FatArch32>(&bytes),
        Ok(FileKind::MachOFat64) => pick::<object::macho::FatArch64>(&bytes),
        _ => return Ok(bytes),
    }
    .map_err(|reason| reason.to_string())
}

/// The part of the file that is in memory.
fn sections(object: &object::File<'_>, size: usize) -> Vec<Section> {
    // Debug information of Windows programs has addresses, and the loader discards it.
    let discarded =
        |section: &object::Section<'_, '_>| object.format() == BinaryFormat::Pe && section.kind() == SectionKind::Other;
    object
        .sections()
        .filter(|section| !discarded(section))
        .filter_map(|section| {
            // What is zero at the start is not in the file.
            let (offset, size) = match section.kind() {
                SectionKind::UninitializedData => (1, 0),
                _ => section.file_range()?,
            };
            Some(Section {
                memory: section.address()..section.address() + section.size(),
                file: usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(size)?).ok()?,
                code: section.kind() == SectionKind::Text,
            })
        })
        // A debug file of Apple's has its program's sections, at the offset 0 of their headers.
        .filter(|section| !section.memory.is_empty() && section.file.start != 0 && section.file.end <= size)
        .filter(|section| section.memory.start != 0 || section.code)
        .collect()
}

/// The functions, by address. Where the format has no sizes, a function ends where the next one starts.
fn extents(object: &object::File<'_>, mut symbols: Vec<Symbol>) -> Vec<Symbol> {
    symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    symbols.dedup_by(|a, b| a.address == b.address && a.name == b.name);
    // A label of assembly inside of a function is none.
    let mut end = 0;
    symbols.retain(|symbol| {
        let inside = symbol.size == 0 && symbol.address < end;
        end = end.max(symbol.address + symbol.size);
        !inside
    });
    let mut starts: Vec<u64> = symbols.iter().map(|symbol| symbol.address).chain(starts::of(object)).collect();
    starts.extend(names::ranges(object, |_| true).into_iter().map(|section| section.end));
    if object.format() == BinaryFormat::Pe {
        // GNU's linker does not call the stubs for imports functions.
        let named: BTreeMap<&str, u64> =
            object.symbols().filter_map(|symbol| Some((symbol.name().ok()?, symbol.address()))).collect();
        let imported = named.keys().filter_map(|name| name.strip_prefix(names::IMPORTED));
        starts.extend(imported.filter_map(|name| named.get(name)));
    }
    starts.sort_unstable();
    for symbol in symbols.iter_mut().filter(|symbol| symbol.size == 0) {
        let next = starts.partition_point(|&start| start <= symbol.address);
        symbol.size = starts.get(next).map_or(0, |end| end - symbol.address);
    }
    symbols
}
