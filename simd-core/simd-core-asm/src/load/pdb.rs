//! The functions of a Windows program and the feature words, by its PDB file.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;

use object::Object;
use pdb2::{AddressMap, FallibleIterator, PDB, PdbInternalSectionOffset, SymbolData};

use crate::format::NameSource;
use crate::load::names::{self, Names};
use crate::program::Symbol;

/// The names in a PDB file; `None` if it is of another build than the program.
pub(super) fn of(object: &object::File<'_>, file: &Path) -> Result<Option<Names>, String> {
    let info = object.pdb_info().ok().flatten();
    let id = info.map(|info| (info.guid(), info.age()));
    read(object, file, id).map_err(|reason| reason.to_string())
}

fn read(object: &object::File<'_>, file: &Path, id: Option<([u8; 16], u32)>) -> pdb2::Result<Option<Names>> {
    let mut pdb = PDB::open(File::open(file)?)?;
    let guid = pdb.pdb_information()?.guid.to_bytes_le();
    let debug = pdb.debug_information()?;
    if id.is_some_and(|(wanted, age)| guid != wanted || debug.age().is_some_and(|have| have != age)) {
        return Ok(None);
    }
    let map = pdb.address_map()?;
    // Where the linker's name is known it comes first: it can be demangled, and holds the types of an `impl`.
    let mut public = Vec::new();
    let (mut words, mut data, mut imported) = (None, Vec::new(), Vec::new());
    let mut variable = |offset: PdbInternalSectionOffset, name: &str| {
        let Some(address) = address(object, &map, offset) else { return };
        if names::is_words(name) {
            words = names::words_at(object, address, 0);
        } else if names::is_imported(name) {
            imported.push(address);
        }
        data.push(Symbol { address, size: 0, name: name.to_owned(), source: NameSource::Pdb, is_typed: true });
    };
    let symbols = pdb.global_symbols()?;
    let mut symbols = symbols.iter();
    while let Some(symbol) = symbols.next()? {
        let symbol = match symbol.parse() {
            Ok(SymbolData::Public(symbol)) => symbol,
            Ok(SymbolData::Data(symbol)) => {
                variable(symbol.offset, &symbol.name.to_string());
                continue;
            }
            _ => continue,
        };
        let Some(address) = address(object, &map, symbol.offset) else { continue };
        let name = names::unprefixed(object, &symbol.name.to_string()).to_owned();
        if symbol.function {
            public.push((address, name));
        } else {
            variable(symbol.offset, &name);
        }
    }
    let named: HashSet<u64> = public.iter().map(|&(address, _)| address).collect();
    let mut sizes = HashMap::new();
    let mut private = Vec::new();
    let mut modules = debug.modules()?;
    while let Some(module) = modules.next()? {
        let Some(module) = pdb.module_info(&module)? else { continue };
        let mut symbols = module.symbols()?;
        while let Some(symbol) = symbols.next()? {
            let (offset, size, name) = match symbol.parse() {
                Ok(SymbolData::Procedure(it)) => (it.offset, it.len, it.name),
                Ok(SymbolData::Thunk(it)) => (it.offset, it.len.into(), it.name),
                Ok(SymbolData::Data(it)) => {
                    variable(it.offset, &it.name.to_string());
                    continue;
                }
                _ => continue,
            };
            let Some(address) = address(object, &map, offset) else { continue };
            sizes.insert(address, u64::from(size));
            if !named.contains(&address) {
                private.push((address, name.to_string().into_owned()));
            }
        }
    }
    let symbol = |(address, name)| {
        let size = sizes.get(&address).copied().unwrap_or_default();
        Symbol { address, size, name, source: NameSource::Pdb, is_typed: true }
    };
    let functions = public.into_iter().chain(private).map(symbol).collect();
    Ok(Some(Names { functions, data, words, imported }))
}

fn address(object: &object::File<'_>, map: &AddressMap<'_>, offset: PdbInternalSectionOffset) -> Option<u64> {
    Some(object.relative_address_base() + u64::from(offset.to_rva(map)?.0))
}
