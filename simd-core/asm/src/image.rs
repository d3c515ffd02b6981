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
    /// An address that a selection did not choose: no call takes it for an argument.
    AddressNotSelected(u64),
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

    pub(crate) fn import(&self, number: usize) -> &str {
        &self.imports[number]
    }
}
