#!/usr/bin/env bash
# The packages that are published, built and used as their users do: from the package files, in a folder outside of this one.
#
#   .ci/package.sh            what is committed
#   .ci/package.sh --dirty    the working tree as well
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

libraries=(simd-core-expand simd-core-macros simd-core-asm simd-core)
packages=("${libraries[@]}" cargo-dispatch)
# `--no-verify`, since cargo keeps what it unpacked for an earlier run. Below, the files are built without that.
options=(--no-verify)
case "${1:-}" in
  "") ;;
  --dirty) options+=(--allow-dirty) ;;
  *) echo "usage: .ci/package.sh [--dirty]" >&2; exit 2 ;;
esac

cargo package "${packages[@]/#/-p}" "${options[@]}"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
built=$(realpath "${CARGO_TARGET_DIR:-target}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in "${packages[@]}"; do
  tar -xzf "$built/package/$package-$version.crate" -C "$folder"
  for file in README.md LICENSE-APACHE LICENSE-MIT; do
    [ -s "$folder/$package-$version/$file" ] || { echo "error: the package $package has no $file" >&2; exit 1; }
  done
done

# A crate that depends on them by version, as the README says.
mkdir -p "$folder/user/src"
cat >"$folder/user/Cargo.toml" <<TOML
[package]
name = "user"
edition = "2024"

[dependencies]
simd-core = "${version%.*}"

[dev-dependencies]
simd-core = { version = "${version%.*}", features = ["asm", "testing"] }
TOML
cat >"$folder/user/src/lib.rs" <<'RUST'
#[simd_core::dispatch(targets = "avx2 | sse4.1 | sve2", list = TARGETS)]
pub fn sum(xs: &[u32]) -> u32 {
    xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
}

#[cfg(test)]
mod tests {
    #[test]
    #[simd_core::testing::each_target(crate::TARGETS)]
    fn clones_agree() {
        simd_core::testing::agree(|| super::sum(&[1, 2, 3]));
        assert!(!simd_core::asm::clones("user::sum").unwrap().is_empty());
    }
}
RUST
{
  echo "[workspace]"
  echo "resolver = \"3\""
  echo "members = [\"user\", $(printf "\"%s-$version\", " "${packages[@]}")]"
  echo "[patch.crates-io]"
  for library in "${libraries[@]}"; do echo "$library.path = \"$library-$version\""; done
} >"$folder/Cargo.toml"

export CARGO_TARGET_DIR=$built/packaged
cd "$folder"
cargo build --workspace --exclude user
cargo test -p user
cargo test --workspace --exclude user --lib --bins
# As docs.rs does. The compiler of the toolchain at hand takes nightly's features with this variable.
RUSTC_BOOTSTRAP=1 RUSTDOCFLAGS="--cfg docsrs -D warnings" cargo doc --workspace --no-deps \
  --features simd-core/asm,simd-core/environment,simd-core/testing
# The oldest versions that the manifests of the libraries allow.
sed -i 's/, "cargo-dispatch-[^"]*"//' Cargo.toml
RUSTC_BOOTSTRAP=1 cargo -Z direct-minimal-versions update
cargo check --workspace --all-features
