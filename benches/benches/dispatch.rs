//! What a call costs, and where to dispatch.

mod shared;

fn main() {
    shared::run(|group| group.starts_with("dispatch") || group == "strategies");
}
