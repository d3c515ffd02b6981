//! The kernels against what a user would take instead.

mod shared;

fn main() {
    shared::run(|group| !group.starts_with("dispatch") && group != "strategies");
}
