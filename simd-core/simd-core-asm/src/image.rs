//! The parts of a file that the analyses ask for.

use core::ops::Range;
use std::collections::{BTreeMap, HashMap};

use crate::architecture::Architecture;
use crate::format::Format;

/// The content of a register, or of a pointer in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Unknown,
    /// A number: the bits that are zero, and those that are one.
    Bits(u64, u64),
    /// An address in this file.
    Address(u64),
    /// An address that no call takes for an argument: that of a page, or one that a selection did not choose.
    AddressUnused(u64),
    /// The address of a symbol of another file, by its number in [`Image`].
    Import(usize),
}

/// Code, constant data and pointers, by their addresses.
pub(crate) struct Image {
    pub(crate) architecture: Architecture,
    pub(crate) format: Format,
    /// Whether it is loaded at the addresses that it names, so that a number in the code can be an address.
    pub(crate) fixed: bool,
    /// Where code and constant data lie in memory, and where in `bytes`.
    pub(crate) sections: Vec<Section>,
    pub(crate) bytes: Vec<u8>,
    /// Pointers that the loader writes, and that nothing writes afterwards.
    pub(crate) slots: HashMap<u64, Value>,
    /// All pointers that the loader writes, by their addresses, with the addresses in this file that they hold.
    pub(crate) pointers: BTreeMap<u64, u64>,
    pub(crate) imports: Vec<String>,
}

pub(crate) struct Section {
    pub(crate) memory: Range<u64>,
    pub(crate) file: Range<usize>,
    pub(crate) code: bool,
}

impl Image {
    /// The bytes that the file holds for these addresses.
    pub(crate) fn read(&self, addresses: Range<u64>) -> Option<&[u8]> {
        let section = self.sections.iter().find(|s| s.memory.contains(&addresses.start))?;
        let start = section.file.start + usize::try_from(addresses.start - section.memory.start).ok()?;
        let end = start.checked_add(usize::try_from(addresses.end.checked_sub(addresses.start)?).ok()?)?;
        (end <= section.file.end).then(|| &self.bytes[start..end])
    }

    /// The number of so many bytes that the file holds at this address.
    pub(crate) fn number(&self, address: u64, bytes: u64) -> Option<u64> {
        let bytes = self.read(address..address.checked_add(bytes)?)?;
        Some(bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
    }

    /// The bytes of a pointer.
    pub(crate) fn width(&self) -> u64 {
        if self.is_64() { 8 } else { 4 }
    }

    /// The address that is as far from this one as the four bytes at `at` say.
    pub(crate) fn distant(&self, from: u64, at: u64) -> Option<u64> {
        let distance = (self.number(at, 4)? as u32).cast_signed();
        Some(self.wrap(from.wrapping_add_signed(distance.into())))
    }

    /// Whether it is an address in this file.
    pub(crate) fn holds(&self, address: u64) -> bool {
        self.sections.iter().any(|section| section.memory.contains(&address))
    }

    pub(crate) fn is_code(&self, address: u64) -> bool {
        self.sections.iter().any(|s| s.code && s.memory.contains(&address))
    }

    /// The pointer at this address, if the loader writes it there for good.
    pub(crate) fn slot(&self, address: u64) -> Value {
        self.slots.get(&address).copied().unwrap_or(Value::Unknown)
    }

    /// One with nothing in it but pointers.
    #[cfg(test)]
    pub(crate) fn of_slots(architecture: Architecture, slots: HashMap<u64, Value>) -> Self {
        let (sections, bytes, pointers, imports) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        Self { architecture, format: Format::Elf, fixed: false, sections, bytes, slots, pointers, imports }
    }

    /// An address computed in 64 bits, as the CPU computes it.
    pub(crate) fn wrap(&self, address: u64) -> u64 {
        if self.architecture == Architecture::X86 { address & 0xffff_ffff } else { address }
    }

    pub(crate) fn is_64(&self) -> bool {
        self.architecture != Architecture::X86
    }

    pub(crate) fn import_path(&self, number: usize) -> String {
        format!("{:#}", rustc_demangle::demangle(&self.imports[number]))
    }

    pub(crate) fn import(&self, number: usize) -> &str {
        &self.imports[number]
    }
}
