//! Sums and products of floats.

/// Partial sums, whose order the source has to give: the compiler may not change it.
const PARTS: usize = 64;

with_peers! {
    /// The sum.
    #[must_use]
    pub fn sum(values: &[f32]) -> f32 {
        let mut parts = [0.0; PARTS];
        let (chunks, rest) = values.as_chunks::<PARTS>();
        for chunk in chunks {
            for (part, value) in parts.iter_mut().zip(chunk) {
                *part += value;
            }
        }
        parts.iter().chain(rest).sum()
    }

    /// The sum of the products.
    #[must_use]
    pub fn dot(a: &[f32], b: &[f32]) -> f32 {
        let mut parts = [0.0; PARTS];
        let ((a, rest_of_a), (b, rest_of_b)) = (a.as_chunks::<PARTS>(), b.as_chunks::<PARTS>());
        for (a, b) in a.iter().zip(b) {
            for (part, (a, b)) in parts.iter_mut().zip(a.iter().zip(b)) {
                *part += a * b;
            }
        }
        let rest: f32 = rest_of_a.iter().zip(rest_of_b).map(|(a, b)| a * b).sum();
        parts.iter().sum::<f32>() + rest
    }

    /// Adds `a` times `x` to `y`.
    pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }
}
