//! Matrices for `gf2p8affineqb`.

/// A matrix of eight by eight bits, the row for the highest bit being the lowest byte.
pub(crate) type Matrix = u64;

/// For every byte, the matrix that has it as its column for the lowest bit. Shifted by `n`, the column is that for bit `n`.
pub(crate) const COLUMN: [Matrix; 256] = {
    let mut matrices = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            matrices[byte] |= (byte as u64 >> bit & 1) << (8 * (7 - bit));
            bit += 1;
        }
        byte += 1;
    }
    matrices
};

/// The matrix of a linear map of bytes, from the images of the bits.
pub(crate) const fn matrix(images: [u8; 8]) -> Matrix {
    let mut matrix = 0;
    let mut bit = 0;
    while bit < 8 {
        matrix |= COLUMN[images[bit] as usize] << bit;
        bit += 1;
    }
    matrix
}
