//! The discrete Fourier transform of complex numbers, real and imaginary parts apart.

/// Butterflies that are computed together.
const LANES: usize = 16;

/// Numbers, and room for as many.
#[derive(Clone)]
pub struct Transform {
    /// The real parts: what goes in and what comes out.
    pub real: Vec<f32>,
    /// The imaginary parts.
    pub imaginary: Vec<f32>,
    other: [Vec<f32>; 2],
    /// For each pass the root of unity of each butterfly, real and imaginary parts.
    roots: Vec<[Vec<f32>; 2]>,
}

impl Transform {
    /// Of so many numbers, a power of two from 32 on, which are zero.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        #[allow(clippy::cast_precision_loss, reason = "sizes are far below 2^24")]
        let angle = |i: usize| i as f32 * -core::f32::consts::TAU / size as f32;
        let root =
            |stride: usize, part: fn(f32) -> f32| (0..size / 2).map(|i| part(angle(i / stride * stride))).collect();
        let strides = (0..size.ilog2()).map(|pass| 1 << pass);
        let roots = strides.map(|stride| [root(stride, f32::cos), root(stride, f32::sin)]).collect();
        Self { real: zeros(), imaginary: zeros(), other: [zeros(), zeros()], roots }
    }
}

twice! {
    /// Stockham's algorithm: as many passes of butterflies as the size has bits, from one buffer to the other.
    pub fn forward(transform: &mut Transform) {
        let Transform { real, imaginary, other: [other_real, other_imaginary], roots } = transform;
        for (pass, roots) in roots.iter().enumerate() {
            let (from, to) = ([&real[..], &imaginary[..]], [&mut other_real[..], &mut other_imaginary[..]]);
            // The strides of the first passes are shorter than vectors, and known so that shuffles can be compiled for them.
            match pass {
                0 => butterflies::<1>(from, roots, to, 1),
                1 => butterflies::<2>(from, roots, to, 2),
                2 => butterflies::<4>(from, roots, to, 4),
                3 => butterflies::<8>(from, roots, to, 8),
                _ => butterflies::<LANES>(from, roots, to, 1 << pass),
            }
            core::mem::swap(real, other_real);
            core::mem::swap(imaginary, other_imaginary);
        }
    }

    /// Sums, and differences times a root of unity, each `stride` of them side by side: a multiple of `RUN`, of which 16 is one.
    #[inline]
    fn butterflies<const RUN: usize>(from: [&[f32]; 2], roots: &[Vec<f32>; 2], to: [&mut [f32]; 2], stride: usize) {
        let half = from[0].len() / 2;
        let [real, imaginary] = from.map(|part| part.split_at(half));
        let [to_real, to_imaginary] = to;
        for start in (0..half).step_by(LANES) {
            let lanes = |part: &[f32]| -> [f32; LANES] { *part[start..].first_chunk().expect("a multiple of 16") };
            let (a, b) = ([lanes(real.0), lanes(imaginary.0)], [lanes(real.1), lanes(imaginary.1)]);
            let root = [lanes(&roots[0]), lanes(&roots[1])];
            let [mut sum, mut product] = [[[0.0; LANES]; 2]; 2];
            for i in 0..LANES {
                sum[0][i] = a[0][i] + b[0][i];
                sum[1][i] = a[1][i] + b[1][i];
                let (real, imaginary) = (a[0][i] - b[0][i], a[1][i] - b[1][i]);
                product[0][i] = real * root[0][i] - imaginary * root[1][i];
                product[1][i] = real * root[1][i] + imaginary * root[0][i];
            }
            // Where the sums go, and the products `stride` further on.
            let place = start / stride * 2 * stride + start % stride;
            for (to, (sum, product)) in [&mut *to_real, &mut *to_imaginary].into_iter().zip(sum.iter().zip(&product)) {
                let runs = sum.as_chunks::<RUN>().0.iter().zip(product.as_chunks::<RUN>().0);
                for (i, (sum, product)) in runs.enumerate() {
                    let place = place + i * 2 * RUN;
                    to[place..][..RUN].copy_from_slice(sum);
                    to[place + stride..][..RUN].copy_from_slice(product);
                }
            }
        }
    }
}
