//! The pointers that the loader writes, and the names of those that lead out of the file.

use core::ops::Range;
use std::collections::{BTreeMap, HashMap};

use object::macho::{MachHeader64, S_LAZY_SYMBOL_POINTERS, S_NON_LAZY_SYMBOL_POINTERS};
use object::pe::{ImageNtHeaders32, ImageNtHeaders64};
use object::read::macho::{Fixup, MachHeader, MachOFile, Nlist, Section as _, Segment};
use object::read::pe::{ImageNtHeaders, Import, PeFile};
use object::{Endianness, LittleEndian, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget};

use crate::image::Value;
use crate::load::names::unprefixed;

/// Sections whose pointers the loader writes once: tables of addresses, and data that is read-only from then on.
const SECTIONS: &[&str] =
    &[".got", ".data.rel.ro", "__got", "__auth_got", "__const", "__la_symbol_ptr", ".rdata", ".idata"];

/// Pointers by their addresses, and the imports by their numbers.
pub(super) struct Pointers {
    pub(super) slots: HashMap<u64, Value>,
    /// All that lead into the file, those that can be written afterwards included.
    pub(super) all: BTreeMap<u64, u64>,
    pub(super) imports: Vec<String>,
}

impl Pointers {
    fn import(&mut self, address: u64, name: &str) {
        self.slots.insert(address, Value::Import(self.imports.len()));
        self.imports.push(name.to_owned());
    }
}

/// `more` are the addresses of further pointers that nothing changes.
pub(super) fn of(object: &object::File<'_>, more: &[u64]) -> Pointers {
    let held = held(object, more);
    let mapped: Vec<Range<u64>> =
        object.sections().filter(|s| s.address() != 0).map(|s| s.address()..s.address() + s.size()).collect();
    let mapped = |address: u64| mapped.iter().any(|range| range.contains(&address));
    let own = held.iter().filter(|&(_, &to)| mapped(to)).map(|(&at, &to)| (at, Value::Address(to)));
    let mut pointers = Pointers { slots: own.collect(), all: BTreeMap::new(), imports: Vec::new() };
    // A damaged table leaves callees without names.
    _ = match object {
        object::File::MachO64(file) => macho::<MachHeader64<Endianness>>(object, file, &mut pointers),
        object::File::Pe64(file) => pe::<ImageNtHeaders64>(object, file, &mut pointers),
        object::File::Pe32(file) => pe::<ImageNtHeaders32>(object, file, &mut pointers),
        _ => {
            relocations(object, &held, &mut pointers);
            Ok(())
        }
    };
    pointers
}

/// The file's own bytes there: final in a program that is not moved, and the addend in some others.
fn held(object: &object::File<'_>, more: &[u64]) -> HashMap<u64, u64> {
    let width = if object.is_64() { 8 } else { 4 };
    let mut held = HashMap::new();
    let mut keep = |address: u64, word: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(word);
        held.insert(address, u64::from_le_bytes(bytes));
    };
    for section in object.sections() {
        let start = section.address();
        if section.name().is_ok_and(|name| SECTIONS.iter().any(|prefix| name.starts_with(prefix))) {
            let words = section.data().unwrap_or_default().chunks_exact(width);
            words.zip((start..).step_by(width)).for_each(|(word, address)| keep(address, word));
        } else {
            let here = more.iter().filter(|address| (start..start + section.size()).contains(address));
            for &address in here {
                if let Ok(Some(word)) = section.data_range(address, width as u64) {
                    keep(address, word);
                }
            }
        }
    }
    held
}

fn word(object: &object::File<'_>, address: u64) -> Option<u64> {
    let width = if object.is_64() { 8 } else { 4 };
    let data = object.sections().find_map(|section| section.data_range(address, width).ok().flatten())?;
    let mut bytes = [0; 8];
    bytes[..data.len()].copy_from_slice(data);
    Some(u64::from_le_bytes(bytes))
}

/// ELF: each relocation names its place.
fn relocations(object: &object::File<'_>, held: &HashMap<u64, u64>, pointers: &mut Pointers) {
    let table = object.dynamic_symbol_table();
    for (address, relocation) in object.dynamic_relocations().into_iter().flatten() {
        let there = held.get(&address).copied();
        let base = match relocation.target() {
            RelocationTarget::Symbol(index) => {
                let Some(symbol) = table.as_ref().and_then(|table| table.symbol_by_index(index).ok()) else { continue };
                if symbol.is_undefined() {
                    if there.is_some() {
                        pointers.import(address, symbol.name().unwrap_or_default());
                    }
                    continue;
                }
                symbol.address()
            }
            _ => 0,
        };
        let addend = if relocation.has_implicit_addend() && base == 0 {
            there.or_else(|| word(object, address)).unwrap_or_default()
        } else {
            relocation.addend().cast_unsigned()
        };
        let to = base.wrapping_add(addend);
        pointers.all.insert(address, to);
        if there.is_some() {
            pointers.slots.insert(address, Value::Address(to));
        }
    }
}

/// Mach-O: the table of indirect symbols has a symbol for each pointer that the linker made. Other pointers are held
/// as they are, or chained with one another.
fn macho<Header: MachHeader>(
    object: &object::File<'_>,
    file: &MachOFile<'_, Header>,
    pointers: &mut Pointers,
) -> object::Result<()> {
    let endian = file.endian();
    let symbols = file.macho_symbol_table();
    let (mut segments, mut sections, mut indirect, mut chains) =
        (Vec::<&Header::Segment>::new(), Vec::<&Header::Section>::new(), &[][..], None);
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        if let Some((segment, data)) = Header::Segment::from_command(command)? {
            segments.push(segment);
            sections.extend(segment.sections(endian, data)?);
        } else if let Some(table) = command.dysymtab()? {
            indirect = table.indirect_symbols(endian, file.data())?;
        } else if let Some(table) = command.dyld_chained_fixups()? {
            chains = Some(table.chained_fixups(endian, file.data())?);
        }
    }
    let base = segments.iter().find(|segment| segment.name() == b"__TEXT").map_or(0, |text| text.vmaddr(endian).into());
    if let Some(chains) = chains {
        // Nothing that such a file holds is an address.
        pointers.slots.clear();
        for chain in chains.segments(endian)? {
            let chain = chain?;
            let Some(segment) = segments.get(chain.index() as usize) else { continue };
            let start: u64 = segment.vmaddr(endian).into();
            let data = segment.data(endian, file.data()).unwrap_or_default();
            for fixup in chain.fixups(endian, base, data) {
                let (offset, fixup) = fixup?;
                if let Fixup::Rebase(to) = fixup {
                    pointers.slots.insert(start + offset, Value::Address(base + to.target_offset));
                    pointers.all.insert(start + offset, base + to.target_offset);
                }
            }
        }
    }
    for section in sections {
        if !matches!(section.section_type(endian), S_NON_LAZY_SYMBOL_POINTERS | S_LAZY_SYMBOL_POINTERS) {
            continue;
        }
        let first = section.reserved1(endian) as usize;
        let start: u64 = section.addr(endian).into();
        let size: u64 = section.size(endian).into();
        for (symbol, address) in indirect.get(first..).unwrap_or_default().iter().zip((start..start + size).step_by(8))
        {
            let Some(symbol) = symbol.get(endian).index() else { continue };
            let symbol = symbols.symbol(object::SymbolIndex(symbol as usize))?;
            if symbol.is_undefined() {
                let name = symbol.name(endian, symbols.strings())?;
                pointers.import(address, unprefixed(object, &String::from_utf8_lossy(name)));
            } else {
                pointers.slots.insert(address, Value::Address(symbol.n_value(endian).into()));
            }
        }
    }
    Ok(())
}

/// PE: two tables side by side for each library, of names and of pointers.
fn pe<Header: ImageNtHeaders>(
    object: &object::File<'_>,
    file: &PeFile<'_, Header>,
    pointers: &mut Pointers,
) -> object::Result<()> {
    let width = if file.is_64() { 8 } else { 4 };
    let Some(table) = file.import_table()? else { return Ok(()) };
    let mut libraries = table.descriptors()?;
    while let Some(library) = libraries.next()? {
        let slots = library.first_thunk.get(LittleEndian);
        let names = match library.original_first_thunk.get(LittleEndian) {
            0 => slots,
            names => names,
        };
        let from = String::from_utf8_lossy(table.name(library.name.get(LittleEndian))?).into_owned();
        let mut thunks = table.thunks(names)?;
        let mut address = object.relative_address_base() + u64::from(slots);
        while let Some(thunk) = thunks.next::<Header>()? {
            match table.import::<Header>(thunk)? {
                Import::Name(_, name) => pointers.import(address, &String::from_utf8_lossy(name)),
                Import::Ordinal(number) => pointers.import(address, &format!("{from}#{number}")),
            }
            address += width;
        }
    }
    Ok(())
}
