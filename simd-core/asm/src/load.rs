//! Reads a file with the `object` crate, and keeps what the analyses need.

use std::collections::HashMap;
use std::path::Path;

use object::{
    BinaryFormat, Object, ObjectKind, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget, SectionKind,
    SymbolKind,
};

use crate::architecture::Architecture;
use crate::error::Error;
use crate::image::{Image, Section, Value};
use crate::program::{Program, Symbol};
use crate::runtime::WORDS;

/// Sections whose pointers the loader writes once: tables of addresses, and data that is read-only from then on.
const POINTERS: &[&str] =
    &[".got", ".data.rel.ro", "__got", "__auth_got", "__const", "__la_symbol_ptr", ".rdata", ".idata"];

pub(crate) fn load(path: &Path) -> Result<Program, Error> {
    let file = path.to_path_buf();
    let bytes = std::fs::read(path).map_err(|reason| Error::Read { file: file.clone(), reason: reason.to_string() })?;
    let object = object::File::parse(&*bytes)
        .map_err(|reason| Error::Format { file: file.clone(), reason: reason.to_string() })?;
    let architecture = match object.architecture() {
        object::Architecture::I386 => Architecture::X86,
        object::Architecture::X86_64 => Architecture::X86_64,
        object::Architecture::Aarch64 => Architecture::Aarch64,
        other => return Err(Error::Architecture { file, found: format!("{other:?}") }),
    };
    let symbols = functions(&object);
    if symbols.is_empty() {
        return Err(Error::Stripped { file });
    }
    let words = object.symbols().filter(|symbol| !symbol.is_undefined()).find_map(|symbol| {
        let name = unprefixed(&object, symbol.name().ok()?);
        let is_words = name.contains("WORDS") && format!("{:#}", rustc_demangle::demangle(name)) == WORDS;
        is_words.then(|| symbol.address()..symbol.address() + symbol.size().max(1))
    });
    let (slots, imports) = slots(&object);
    let sections = object
        .sections()
        .filter_map(|section| {
            let (offset, size) = section.file_range()?;
            Some(Section {
                memory: section.address()..section.address() + section.size(),
                file: usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(size)?).ok()?,
                code: section.kind() == SectionKind::Text,
            })
        })
        .filter(|section| !section.memory.is_empty() && section.file.end <= bytes.len())
        .filter(|section| section.memory.start != 0 || section.code)
        .collect();
    let image = Image {
        architecture,
        windows: object.format() == BinaryFormat::Pe,
        fixed: object.kind() == ObjectKind::Executable && object.format() == BinaryFormat::Elf,
        sections,
        slots,
        imports,
        bytes: Vec::new(),
    };
    drop(object);
    Ok(Program { file, image: Image { bytes, ..image }, symbols, words })
}

/// A symbol without the underscore that Mach-O puts before each.
fn unprefixed<'a>(object: &object::File<'_>, name: &'a str) -> &'a str {
    if object.format() == BinaryFormat::MachO { name.strip_prefix('_').unwrap_or(name) } else { name }
}

/// The functions, by address. Where the format has no sizes, a function ends where the next one starts.
fn functions(object: &object::File<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = object
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && !symbol.is_undefined())
        .filter_map(|symbol| {
            let name = unprefixed(object, symbol.name().ok().filter(|name| !name.is_empty())?).to_owned();
            Some(Symbol { address: symbol.address(), size: symbol.size(), name })
        })
        .collect();
    symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    let mut end = u64::MAX;
    let mut next = u64::MAX;
    for symbol in symbols.iter_mut().rev() {
        if symbol.address < next {
            end = next;
            next = symbol.address;
        }
        if symbol.size == 0 {
            let section = object.sections().find(|s| (s.address()..s.address() + s.size()).contains(&symbol.address));
            let limit = section.map_or(symbol.address, |s| s.address() + s.size());
            symbol.size = end.min(limit) - symbol.address;
        }
    }
    symbols
}

/// The pointers that the loader writes for good, and the names of those that lead out of the file.
fn slots(object: &object::File<'_>) -> (HashMap<u64, Value>, Vec<String>) {
    let (mut slots, mut imports) = (HashMap::new(), Vec::new());
    let width = if object.is_64() { 8 } else { 4 };
    let tables: Vec<_> = object
        .sections()
        .filter(|s| s.name().is_ok_and(|name| POINTERS.iter().any(|prefix| name.starts_with(prefix))))
        .collect();
    // What the file itself holds there: final in a program that is not moved, and the addend in some others.
    let mut held = HashMap::new();
    for section in &tables {
        for (word, address) in
            section.data().unwrap_or_default().chunks_exact(width).zip((section.address()..).step_by(width))
        {
            let mut bytes = [0; 8];
            bytes[..width].copy_from_slice(word);
            held.insert(address, u64::from_le_bytes(bytes));
        }
    }
    let mapped = |address: u64| {
        object.sections().any(|s| s.address() != 0 && (s.address()..s.address() + s.size()).contains(&address))
    };
    slots.extend(held.iter().filter(|&(_, &to)| mapped(to)).map(|(&at, &to)| (at, Value::Address(to))));
    let table = object.dynamic_symbol_table();
    for (address, relocation) in object.dynamic_relocations().into_iter().flatten() {
        let Some(&there) = held.get(&address) else { continue };
        let base = match relocation.target() {
            RelocationTarget::Symbol(index) => {
                let Some(symbol) = table.as_ref().and_then(|table| table.symbol_by_index(index).ok()) else { continue };
                if symbol.is_undefined() {
                    imports.push(symbol.name().unwrap_or_default().to_owned());
                    slots.insert(address, Value::Import(imports.len() - 1));
                    continue;
                }
                symbol.address()
            }
            _ => 0,
        };
        let addend =
            if relocation.has_implicit_addend() && base == 0 { there } else { relocation.addend().cast_unsigned() };
        slots.insert(address, Value::Address(base.wrapping_add(addend)));
    }
    (slots, imports)
}
