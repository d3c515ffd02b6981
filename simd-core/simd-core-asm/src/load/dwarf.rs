//! The functions of a file and the feature words, by DWARF debug information.

use core::ops::Range;
use std::borrow::Cow;

use gimli::{AttributeValue, DwAt, EndianSlice, LittleEndian, Operation};
use object::{Object, ObjectSection};

use crate::format::NameSource;
use crate::load::names::{self, Names};
use crate::program::Symbol;

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Unit<'a> = gimli::Unit<Reader<'a>>;
type Entry<'a> = gimli::DebuggingInformationEntry<Reader<'a>>;

/// The names in a file's debug information; none if there is none. What is damaged is left out.
pub(super) fn of(object: &object::File<'_>) -> Names {
    let section = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let section = object.section_by_name(id.name());
        Ok(section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let Ok(sections) = gimli::DwarfSections::load(section) else { return Names::default() };
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        units.extend(dwarf.unit(header));
    }
    let dwarf = Dwarf { dwarf, units };
    let mut names = Names::default();
    for unit in &dwarf.units {
        _ = dwarf.read(object, unit, &mut names);
    }
    names
}

struct Dwarf<'a> {
    dwarf: gimli::Dwarf<Reader<'a>>,
    units: Vec<Unit<'a>>,
}

impl<'a> Dwarf<'a> {
    fn read(&self, object: &object::File<'_>, unit: &Unit<'a>, names: &mut Names) -> gimli::Result<()> {
        /// An entry for code can refer to that of its declaration, and this to another.
        const HOPS: u32 = 3;
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let Some(code) = self.code(unit, entry)? else { continue };
                    if let Some(name) = self.name(unit, entry, HOPS)? {
                        let size = code.end - code.start;
                        names.functions.push(Symbol {
                            address: code.start,
                            size,
                            name,
                            source: NameSource::Dwarf,
                            is_typed: true,
                        });
                    }
                }
                gimli::DW_TAG_variable => {
                    let Some(AttributeValue::Exprloc(place)) = entry.attr_value(gimli::DW_AT_location) else {
                        continue;
                    };
                    if let Ok(Some(Operation::Address { address })) = place.operations(unit.encoding()).next()
                        && let Some(name) = self.name(unit, entry, HOPS)?
                    {
                        if names.words.is_none() && names::is_words(&name) {
                            names.words = names::words_at(object, address, 0);
                        }
                        names.data.push(Symbol { address, size: 0, name, source: NameSource::Dwarf, is_typed: true });
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Where the code of a function is, unless it has none or the linker left it out.
    fn code(&self, unit: &Unit<'a>, entry: &Entry<'a>) -> gimli::Result<Option<Range<u64>>> {
        let Some(low) = entry.attr_value(gimli::DW_AT_low_pc) else { return Ok(None) };
        let Some(high) = entry.attr_value(gimli::DW_AT_high_pc) else { return Ok(None) };
        let Some(start) = self.dwarf.attr_address(unit, low)?.filter(|&start| start != 0) else { return Ok(None) };
        let end = match high.udata_value() {
            Some(size) => start.checked_add(size),
            None => self.dwarf.attr_address(unit, high)?,
        };
        Ok(end.filter(|&end| end > start).map(|end| start..end))
    }

    /// The name for the linker, or else the plain one, of this entry or the one that it refers to.
    fn name(&self, unit: &Unit<'a>, entry: &Entry<'a>, hops: u32) -> gimli::Result<Option<String>> {
        let text = |attribute: DwAt| match entry.attr_value(attribute) {
            Some(value) => self.dwarf.attr_string(unit, value).map(|text| Some(text.to_string_lossy().into_owned())),
            None => Ok(None),
        };
        if let Some(name) = text(gimli::DW_AT_linkage_name)? {
            return Ok(Some(name));
        }
        let other = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
        let named = match other.into_iter().find_map(|attribute| entry.attr_value(attribute)) {
            Some(AttributeValue::UnitRef(offset)) if hops > 0 => self.name(unit, &unit.entry(offset)?, hops - 1)?,
            // After link-time optimisation the other entry can be another unit's.
            Some(AttributeValue::DebugInfoRef(offset)) if hops > 0 => {
                let after = self.units.partition_point(|unit| unit.header.offset().0 <= offset.0);
                let unit = after.checked_sub(1).map(|at| &self.units[at]);
                match unit.and_then(|unit| Some((unit, offset.to_unit_offset(&unit.header)?))) {
                    Some((unit, offset)) => self.name(unit, &unit.entry(offset)?, hops - 1)?,
                    None => None,
                }
            }
            _ => None,
        };
        named.map_or_else(|| text(gimli::DW_AT_name), |name| Ok(Some(name)))
    }
}
