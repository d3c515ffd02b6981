//! The product of two matrices of floats, row after row.

/// Rows and columns of a tile of the result, which stays in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 16;

twice! {
    /// `c = a b` for square matrices.
    ///
    /// # Panics
    /// If the size is no multiple of 16.
    pub fn product(size: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for row in (0..size).step_by(ROWS) {
            for column in (0..size).step_by(COLUMNS) {
                let mut tile = [[0.0; COLUMNS]; ROWS];
                let mut rows = [&a[..0]; ROWS];
                for (i, of_tile) in rows.iter_mut().enumerate() {
                    *of_tile = &a[(row + i) * size..][..size];
                }
                for (k, b) in b.chunks_exact(size).enumerate() {
                    let b: &[f32; COLUMNS] = b[column..].first_chunk().expect("a whole tile");
                    for (tile, a) in tile.iter_mut().zip(rows) {
                        for (tile, b) in tile.iter_mut().zip(b) {
                            *tile += a[k] * b;
                        }
                    }
                }
                for (i, tile) in tile.iter().enumerate() {
                    c[(row + i) * size + column..][..COLUMNS].copy_from_slice(tile);
                }
            }
        }
    }
}
