//! `tiny-skia`: filling and blending.

use super::subject::{
    BlendMode, Color, FillRule, GradientStop, LinearGradient, Paint, PathBuilder, Pixmap, PixmapPaint, Point, Rect,
    SpreadMode, Transform,
};
use crate::harness::Row;

const SIDE: u32 = 500;

struct Canvas(Pixmap);

impl std::fmt::Debug for Canvas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.data().fmt(f)
    }
}

fn row(name: &str, mut draw: impl FnMut(&mut Pixmap) + 'static) -> Row {
    let canvas = Canvas(Pixmap::new(SIDE, SIDE).expect("the size is valid"));
    Row::new(name, (SIDE * SIDE * 4) as usize, canvas, move |canvas| draw(&mut canvas.0))
}

fn paint(blend_mode: BlendMode) -> Paint<'static> {
    let mut paint = Paint { blend_mode, ..Paint::default() };
    paint.set_color_rgba8(50, 127, 150, 200);
    paint
}

pub fn rows() -> Vec<Row> {
    let rect = Rect::from_xywh(10.0, 10.0, 480.0, 480.0).expect("not empty");
    let fill = |name: &str, paint: Paint<'static>| {
        row(name, move |canvas| canvas.fill_rect(rect, &paint, Transform::identity(), None))
    };
    let stops = vec![
        GradientStop::new(0.25, Color::from_rgba8(50, 127, 150, 200)),
        GradientStop::new(1.0, Color::from_rgba8(220, 140, 75, 180)),
    ];
    let (start, end) = (Point::from_xy(0.0, 0.0), Point::from_xy(500.0, 500.0));
    let gradient = LinearGradient::new(start, end, stops, SpreadMode::Pad, Transform::identity()).expect("two stops");
    let circle = PathBuilder::from_circle(250.0, 250.0, 200.0).expect("finite");
    let mut picture = Pixmap::new(300, 300).expect("the size is valid");
    picture.fill(Color::from_rgba8(9, 99, 200, 128));
    vec![
        fill("rectangle, source over", paint(BlendMode::SourceOver)),
        fill("rectangle, plus", paint(BlendMode::Plus)),
        fill("rectangle, multiply", paint(BlendMode::Multiply)),
        fill("rectangle, overlay", paint(BlendMode::Overlay)),
        fill("rectangle, linear gradient", Paint { shader: gradient, ..Paint::default() }),
        row("circle, anti-aliased", move |canvas| {
            canvas.fill_path(&circle, &paint(BlendMode::SourceOver), FillRule::Winding, Transform::identity(), None);
        }),
        row("picture on picture", move |canvas| {
            canvas.draw_pixmap(20, 20, picture.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
        }),
    ]
}
