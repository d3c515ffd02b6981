//! CRC-32 with the polynomial of Ethernet and gzip.

/// The remainder of a byte that is followed by so many others of its group.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let (mut crc, mut bit) = (i as u32, 0);
        while bit < 8 {
            crc = crc >> 1 ^ 0xedb8_8320 & 0u32.wrapping_sub(crc & 1);
            bit += 1;
        }
        tables[0][i] = crc;
        i += 1;
    }
    let mut i = 256;
    while i < 8 * 256 {
        let before = tables[i / 256 - 1][i % 256];
        tables[i / 256][i % 256] = before >> 8 ^ tables[0][(before & 0xff) as usize];
        i += 1;
    }
    tables
}

twice! {
    /// Eight bytes at a time, by a table for each of their places.
    #[must_use]
    pub fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = !0;
        let (groups, rest) = bytes.as_chunks::<8>();
        for group in groups {
            let mut group = *group;
            for (byte, of_crc) in group.iter_mut().zip(u32::to_le_bytes(crc)) {
                *byte ^= of_crc;
            }
            let places = group.iter().zip(TABLES.iter().rev());
            crc = places.fold(0, |crc, (byte, table)| crc ^ table[usize::from(*byte)]);
        }
        for byte in rest {
            crc = crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)];
        }
        !crc
    }
}
