#!/usr/bin/env bash
# Builds the programs in this directory, which `tests/asm/files.rs` reads. They are checked in, so that the tests need no
# compiler for other systems. To build them again, on a new version of Rust or after a change of program/:
#
#   rustup target add x86_64-pc-windows-{msvc,gnu} aarch64-pc-windows-msvc {x86_64,aarch64}-apple-darwin
#   rustup component add llvm-tools
#   simd-core/simd-core-asm/tests/formats/build.sh        # needs Debian's packages llvm-19 or later and gcc-mingw-w64-x86-64
#
# There is no system's library here: what a program needs of one is declared below, and a loader would find it by name.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=/tmp/simd-core-formats # the same on every machine: debug information holds the paths
rm -rf $work
mkdir -p $work/lib $work/source
(cd "$here/../../../.." && git ls-files -z --cached --others --exclude-standard | tar -c --null -T -) | tar -x -C $work/source
ln -s "$(rustc --print sysroot)" $work/rust
tools=$work/rust/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin
trap 'rm -rf $work' EXIT

cat >$work/lib/libSystem.tbd <<'TBD'
--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos, x86_64-macos ]
install-name: /usr/lib/libSystem.B.dylib
exports:
  - targets: [ arm64-macos, x86_64-macos ]
    symbols: [ _exit, _memcpy, _memset, _memmove, _memcmp, _bzero, _sysctlbyname, dyld_stub_binder ]
...
TBD
for name in c m iconv; do cp $work/lib/libSystem.tbd $work/lib/lib$name.tbd; done

build() { # TARGET FLAVOR LINK-ARGUMENT... : leaves the program in $built
  local flags=("--sysroot=$work/rust" "-Clinker=${linker:-$tools/rust-lld}" "-Clinker-flavor=$2" "${@:3}" "--remap-path-prefix=$HOME=/home")
  built=$work/$1/release
  SDKROOT=$work CARGO_TARGET_DIR=$work RUSTFLAGS="${flags[*]}" CARGO_INCREMENTAL=0 \
    cargo build --quiet --release --manifest-path $work/source/simd-core/simd-core-asm/tests/formats/program/Cargo.toml --target "$1"
}
windows=(-Clink-arg=/nodefaultlib -Clink-arg=/entry:main -Clink-arg=/subsystem:console)
macos=("-Clink-arg=-L$work/lib" -Clink-arg=-lSystem)

# A PDB file has the names.
build x86_64-pc-windows-msvc lld-link "${windows[@]}"
cp "$built/formats.exe" "$built/formats.pdb" "$here/windows-x86_64"

# The symbol table of COFF has them, which GNU's linker writes.
gnu=(-Clink-self-contained=no -Clink-arg=-nostdlib -Clink-arg=-Wl,--defsym=rust_eh_personality=main -Clink-arg=-Wl,--entry=main -Cstrip=debuginfo)
# Without optimisation of the whole program its sections for unwinding keep all of Rust's library.
CARGO_PROFILE_RELEASE_LTO=fat linker=x86_64-w64-mingw32-gcc build x86_64-pc-windows-gnu gcc "${gnu[@]}"
cp "$built/formats.exe" "$here/windows-gnu-x86_64"

# Microsoft's linker writes one as well, if it is asked to.
build aarch64-pc-windows-msvc lld-link "${windows[@]}" -Clink-arg=/debug:symtab
cp "$built/formats.exe" "$here/windows-aarch64"

# The program's own symbol table has them, and pointers are rebased one by one.
build x86_64-apple-darwin ld64.lld "${macos[@]}" -Clink-arg=-S
cp "$built/formats" "$here/macos-x86_64"

# A bundle next to the program has them, and pointers are chained.
build aarch64-apple-darwin ld64.lld "${macos[@]}" -Clink-arg=-fixup_chains
rm -rf "$here/macos-aarch64/formats.dSYM"
dsymutil --out "$here/macos-aarch64/formats.dSYM" "$built/formats"
rm -r "$here/macos-aarch64/formats.dSYM/Contents/Resources/Relocations"
"$tools/llvm-strip" --strip-all -o "$here/macos-aarch64/formats" "$built/formats"

ls -l "$here"/*/formats*
