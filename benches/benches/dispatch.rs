//! The cost of a call, and of the place of the attribute.

mod shared;

fn main() {
    shared::run(|group| group.starts_with("dispatch") || group == "strategies");
}
