//! `noise`: generators at points of a grid, also through `dyn`, maps and closures.

use super::subject::utils::{NoiseMapBuilder as _, PlaneMapBuilder};
use super::subject::{Fbm, NoiseFn, OpenSimplex, Perlin, Select, Worley};
use crate::harness::Row;

/// Calls of a generator in one of a row.
const POINTS: usize = 100;

fn sum<const N: usize>(get: impl Fn([f64; N]) -> f64) -> f64 {
    (0..POINTS).map(|i| get(core::array::from_fn(|axis| i as f64 * 0.37 + axis as f64 * 5.3))).sum()
}

pub fn rows() -> Vec<Row> {
    let dynamic = |name, generator: Box<dyn NoiseFn<f64, 2>>| {
        Row::new(name, POINTS, (), move |()| sum(|point| generator.get(point)))
    };
    vec![
        Row::new("Perlin, 2d", POINTS, Perlin::new(7), |noise| sum::<2>(|point| noise.get(point))),
        Row::new("Perlin, 3d", POINTS, Perlin::new(7), |noise| sum::<3>(|point| noise.get(point))),
        Row::new("Fbm<Perlin>, 2d", POINTS, Fbm::<Perlin>::new(7), |noise| sum::<2>(|point| noise.get(point))),
        Row::new("OpenSimplex, 2d", POINTS, OpenSimplex::new(7), |noise| sum::<2>(|point| noise.get(point))),
        Row::new("OpenSimplex, 3d", POINTS, OpenSimplex::new(7), |noise| sum::<3>(|point| noise.get(point))),
        Row::new("Worley, 2d", POINTS, (), {
            let noise = Worley::new(7);
            move |()| sum::<2>(|point| noise.get(point))
        }),
        Row::new("Select, 2d", POINTS, (), {
            let select = Select::new(Perlin::new(7), OpenSimplex::new(8), Perlin::new(9));
            let noise = select.set_bounds(0.0, 0.5).set_falloff(0.2);
            move |()| sum::<2>(|point| noise.get(point))
        }),
        dynamic("dyn Perlin, 2d", Box::new(Perlin::new(7))),
        dynamic("dyn Fbm<Perlin>, 2d", Box::new(Fbm::<Perlin>::new(7))),
        Row::new("map of Fbm<Perlin>", POINTS, (), {
            let map = PlaneMapBuilder::new(Fbm::<Perlin>::new(7)).set_size(10, 10);
            move |()| map.build().get_value(3, 3)
        }),
        Row::new("map of a closure", POINTS, (), {
            let perlin = Perlin::new(7);
            let map = PlaneMapBuilder::new_fn(move |point: [f64; 3]| perlin.get(point) * 2.0).set_size(10, 10);
            move |()| map.build().get_value(3, 3)
        }),
    ]
}
