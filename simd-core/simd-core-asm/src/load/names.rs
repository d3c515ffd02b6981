//! The functions of a file and the feature words, by a symbol table.

use core::ops::Range;

use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

use crate::format::NameSource;
use crate::program::Symbol;
use crate::runtime::WORDS;

/// The names in a file.
#[derive(Default)]
pub(super) struct Names {
    pub(super) functions: Vec<Symbol>,
    /// Variables and constants.
    pub(super) data: Vec<Symbol>,
    /// The feature words; until their section's end if the format has no sizes.
    pub(super) words: Option<Range<u64>>,
    /// Pointers to what the program itself holds, which Windows' linkers make for code that could also be in a library.
    pub(super) imported: Vec<u64>,
}

impl Names {
    /// Adds what `other` knows of addresses of which this says nothing.
    pub(super) fn add(&mut self, other: Self) {
        self.functions.sort_by_key(|symbol| symbol.address);
        let known = self.functions.len();
        for symbol in other.functions {
            if self.functions[..known].binary_search_by_key(&symbol.address, |known| known.address).is_err() {
                self.functions.push(symbol);
            }
        }
        self.data.extend(other.data);
        self.words = self.words.take().or(other.words);
        self.imported.extend(other.imported);
    }
}

/// The names in a file's symbol table.
pub(super) fn of(object: &object::File<'_>) -> Names {
    let code = ranges(object, is_code);
    let in_code = |address: u64| code.iter().any(|range| range.contains(&address));
    let (mut functions, mut data) = (Vec::new(), Vec::new());
    for symbol in object.symbols().filter(|symbol| !symbol.is_undefined()) {
        // Assembly can leave out the type. AArch64's `$d` and `$x` say what follows, `.text` names a section, and `__fu0_f` an
        // operand that the linker of Windows programs fills in.
        let is_named =
            || symbol.name().is_ok_and(|name| !["$", ".text", "__fu"].iter().any(|other| name.starts_with(other)));
        let is_typed = symbol.kind() == SymbolKind::Text;
        let is_function = match symbol.kind() {
            SymbolKind::Unknown => is_named(),
            SymbolKind::Data => object.format() == object::BinaryFormat::Pe && is_named(),
            _ => is_typed,
        };
        let list = match symbol.kind() {
            _ if is_function && in_code(symbol.address()) => &mut functions,
            SymbolKind::Data | SymbolKind::Unknown if !in_code(symbol.address()) => &mut data,
            _ => continue,
        };
        let Some(name) = symbol.name().ok().filter(|name| !name.is_empty()) else { continue };
        let name = unprefixed(object, name).to_owned();
        let (address, size, source) = (symbol.address(), symbol.size(), NameSource::SymbolTable);
        list.push(Symbol { address, size, name, source, is_typed });
    }
    let words = object.symbols().filter(|symbol| !symbol.is_undefined()).find_map(|symbol| {
        let is_words = is_words(unprefixed(object, symbol.name().ok()?));
        is_words.then(|| words_at(object, symbol.address(), symbol.size()))?
    });
    let imported =
        object.symbols().filter(|symbol| symbol.name().is_ok_and(is_imported)).map(|symbol| symbol.address());
    Names { functions, data, words, imported: imported.collect() }
}

/// The prefix of an import's name in the symbol of its pointer.
pub(super) const IMPORTED: &str = "__imp_";

/// Whether this symbol is that of a pointer which a linker made.
pub(super) fn is_imported(name: &str) -> bool {
    name.starts_with(IMPORTED)
}

/// Whether this symbol is that of the feature words.
pub(super) fn is_words(name: &str) -> bool {
    name.contains("WORDS") && format!("{:#}", rustc_demangle::demangle(name)) == WORDS
}

/// The range of the words. Without a size: to the next symbol or the end of the section.
pub(super) fn words_at(object: &object::File<'_>, address: u64, size: u64) -> Option<Range<u64>> {
    if size > 0 {
        return Some(address..address.checked_add(size)?);
    }
    let section = ranges(object, |_| true).into_iter().find(|range| range.contains(&address))?;
    let later = object.symbols().map(|symbol| symbol.address()).filter(|&other| other > address).min();
    Some(address..later.map_or(section.end, |later| later.min(section.end)))
}

/// The addresses of some sections.
pub(super) fn ranges<'data: 'file, 'file>(
    object: &'file object::File<'data>,
    wanted: impl Fn(&object::Section<'data, 'file>) -> bool,
) -> Vec<Range<u64>> {
    let range =
        |section: object::Section<'data, 'file>| section.address()..section.address().saturating_add(section.size());
    object.sections().filter(|section| section.address() != 0 && wanted(section)).map(range).collect()
}

/// Without its bytes, a section of an ELF debug file is still one of code by its flags.
pub(super) fn is_code(section: &object::Section<'_, '_>) -> bool {
    let executable = matches!(
        section.flags(),
        object::SectionFlags::Elf { sh_flags, .. } if sh_flags.contains(object::elf::SHF_EXECINSTR)
    );
    executable || section.kind() == SectionKind::Text
}

/// A symbol without the underscore that Mach-O and 32-bit Windows put before each.
pub(super) fn unprefixed<'a>(object: &object::File<'_>, name: &'a str) -> &'a str {
    let prefixed = match object.format() {
        object::BinaryFormat::MachO => true,
        object::BinaryFormat::Pe => object.architecture() == object::Architecture::I386,
        _ => false,
    };
    if prefixed { name.strip_prefix('_').unwrap_or(name) } else { name }
}
