use super::*;
/// Whether the compiler has a standard library for `target`.
pub(super) fn has_std(target: &str) -> bool {
    let directory = run(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
    let found = Path::new(directory.trim()).exists();
    if !found {
        report(format_args!("skipped: this toolchain has no standard library for {target}"));
    }
    found
}
