//! `kurbo`: a path of curves.

use super::subject::simplify::{SimplifyOptions, simplify_bezpath};
use super::subject::{Affine, BezPath, CubicBez, ParamCurveArclen as _, ParamCurveNearest as _, Point, Shape as _};
use super::subject::{Stroke, StrokeOpts, common, flatten, stroke};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let mut points = bytes(600).chunks(2).map(|pair| Point::new(f64::from(pair[0]), f64::from(pair[1])));
    let mut path = BezPath::new();
    path.move_to((0.0, 0.0));
    while let (Some(a), Some(b), Some(c)) = (points.next(), points.next(), points.next()) {
        path.curve_to(a, b, c);
    }
    let len = path.elements().len();
    let curve = CubicBez::new((0.0, 0.0), (30.0, 0.0), (70.0, 100.0), (100.0, 100.0));
    vec![
        Row::new("area of a path", len, path.clone(), |path| path.area()),
        Row::new("bounding_box of a path", len, path.clone(), |path| path.bounding_box()),
        Row::new("perimeter of a path", len, path.clone(), |path| path.perimeter(1e-3)),
        Row::new("winding of a path", len, path.clone(), |path| path.winding(Point::new(100.0, 100.0))),
        Row::new("Affine of a path", len, path.clone(), |path| Affine::rotate(0.5) * &*path),
        Row::new("flatten", len, path.clone(), |path| {
            let mut count = 0;
            flatten(&*path, 0.1, |_| count += 1);
            count
        }),
        Row::new("stroke", len, path.clone(), |path| {
            stroke(&*path, &Stroke::new(3.0), &StrokeOpts::default(), 0.1).elements().len()
        }),
        Row::new("simplify_bezpath", len, path, |path| {
            simplify_bezpath(&*path, 1.0, &SimplifyOptions::default()).elements().len()
        }),
        Row::new("arclen of a cubic", 1, curve, |curve| curve.arclen(1e-6)),
        Row::new("nearest on a cubic", 1, curve, |curve| curve.nearest(Point::new(10.0, 60.0), 1e-6).t),
        Row::new("solve_quartic", 1, 1.0, |c| common::solve_quartic(-24.0, 50.0, -35.0, 10.0, *c)),
    ]
}
