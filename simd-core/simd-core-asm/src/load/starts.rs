//! Where functions begin, by what unwinders and loaders read: where symbols have no sizes, a function ends there at last.

use object::macho::{DataInCodeEntry, LC_DATA_IN_CODE, LC_FUNCTION_STARTS, LinkeditDataCommand, MachHeader64};
use object::pe::{ImageArm64RuntimeFunctionEntry, ImageRuntimeFunctionEntry};
use object::pod::slice_from_all_bytes;
use object::read::macho::{MachHeader, MachOFile, Segment};
use object::read::pe::{ImageNtHeaders, PeFile};
use object::{Architecture, Endianness, LittleEndian, Object};

/// The addresses that the file gives, and those of data between functions. A function can be missing: x86-64 Windows
/// knows those only that use the stack.
pub(super) fn of(object: &object::File<'_>) -> Vec<u64> {
    match object {
        object::File::MachO64(file) => macho::<MachHeader64<Endianness>>(file).unwrap_or_default(),
        object::File::Pe64(file) => pe(file).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn macho<Header: MachHeader>(file: &MachOFile<'_, Header>) -> object::Result<Vec<u64>> {
    let (endian, mut text, mut tables) = (file.endian(), 0, Vec::new());
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        if let Some((segment, _)) = Header::Segment::from_command(command)?
            && segment.name() == b"__TEXT"
        {
            text = segment.vmaddr(endian).into();
        }
        if [LC_FUNCTION_STARTS, LC_DATA_IN_CODE].contains(&command.cmd()) {
            tables.push(command.data::<LinkeditDataCommand<Header::Endian>>()?);
        }
    }
    let mut starts = Vec::new();
    for table in tables {
        if table.cmd.get(endian) == LC_FUNCTION_STARTS {
            starts.extend(table.function_starts(endian, file.data(), text)?.filter_map(Result::ok));
            continue;
        }
        let entries = slice_from_all_bytes::<DataInCodeEntry<Header::Endian>>(table.data(endian, file.data())?);
        let offsets = entries.unwrap_or_default().iter().map(|entry| u64::from(entry.offset.get(endian)));
        starts.extend(offsets.map(|offset| text + offset));
    }
    Ok(starts)
}

fn pe<Header: ImageNtHeaders>(file: &PeFile<'_, Header>) -> object::Result<Vec<u64>> {
    let Some(directory) = file.data_directory(object::pe::IMAGE_DIRECTORY_ENTRY_EXCEPTION) else {
        return Ok(Vec::new());
    };
    let table = directory.data(file.data(), &file.section_table())?;
    let starts: Vec<u32> = if file.architecture() == Architecture::Aarch64 {
        const FRAGMENT: u32 = 2;
        let entries = slice_from_all_bytes::<ImageArm64RuntimeFunctionEntry>(table).unwrap_or_default();
        let whole = entries.iter().filter(|entry| entry.unwind_data.get(LittleEndian) & 3 != FRAGMENT);
        whole.map(|entry| entry.begin_address.get(LittleEndian)).collect()
    } else {
        /// `UNW_FLAG_CHAININFO` in the byte of version and flags: a further part of a function.
        const CHAINED: u8 = 4 << 3;
        let entries = slice_from_all_bytes::<ImageRuntimeFunctionEntry>(table).unwrap_or_default();
        let first = |entry: &&ImageRuntimeFunctionEntry| {
            let unwind = entry.unwind_info_address_or_data.get(LittleEndian);
            let info = file.section_table().pe_data_at(file.data(), unwind);
            info.is_some_and(|info| info.first().is_some_and(|flags| flags & CHAINED == 0))
        };
        entries.iter().filter(first).map(|entry| entry.begin_address.get(LittleEndian)).collect()
    };
    Ok(starts.into_iter().map(|start| file.relative_address_base() + u64::from(start)).collect())
}
