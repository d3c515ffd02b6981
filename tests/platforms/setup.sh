#!/usr/bin/env bash
# Sets up what it takes to build and run the tests for other architectures, on an amd64 Debian:
#
#   tests/platforms/setup.sh [--rustup] [ARCH...]       ARCH: aarch64 armv7 i686 riscv64gc s390x wasm32 windows src
#   . target/cross/env.sh
#   cargo test --target aarch64-unknown-linux-gnu
#
# No ARCH means all of them. `src` is the source of the standard library, for `-Zbuild-std`.
# Linkers and emulators are installed on the system (with sudo, if there is any). The compiler and the standard libraries
# are Debian's `rustc-web`, unpacked under `target/cross`, so that no other Rust of this machine changes. With `--rustup`,
# `rustup target add` is tried first, and what it adds belongs to your own toolchain; Debian's packages serve if it fails.
# Running this again is quick: only what is missing is fetched.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cross=$root/target/cross
prefix=$cross/rust
all=(aarch64 armv7 i686 riscv64gc s390x wasm32 windows src)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

die() { echo "setup.sh: $*" >&2; exit 1; }

# ARCH -> Rust triple, Debian's architecture, GNU triple, emulator; empty where there is none.
triple() { case $1 in
  aarch64) echo aarch64-unknown-linux-gnu ;; armv7) echo armv7-unknown-linux-gnueabihf ;; i686) echo i686-unknown-linux-gnu ;;
  riscv64gc) echo riscv64gc-unknown-linux-gnu ;; s390x) echo s390x-unknown-linux-gnu ;; wasm32) echo wasm32-wasip1 ;;
  windows) echo x86_64-pc-windows-gnu ;; esac; }
debian() { case $1 in
  aarch64) echo arm64 ;; armv7) echo armhf ;; i686) echo i386 ;; riscv64gc) echo riscv64 ;; s390x) echo s390x ;; esac; }
gnu() { case $1 in
  aarch64) echo aarch64-linux-gnu ;; armv7) echo arm-linux-gnueabihf ;; i686) echo i686-linux-gnu ;;
  riscv64gc) echo riscv64-linux-gnu ;; s390x) echo s390x-linux-gnu ;; esac; }
emulator() { case $1 in
  aarch64) echo qemu-aarch64 ;; armv7) echo qemu-arm ;; riscv64gc) echo qemu-riscv64 ;; s390x) echo qemu-s390x ;; esac; }

rustup=0 arches=()
for arg in "$@"; do
  case $arg in
    --rustup) rustup=1 ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) arch=${arg%%-*} # a whole triple will do, and so will Debian's names
      case $arch in arm64) arch=aarch64 ;; armhf) arch=armv7 ;; i386) arch=i686 ;; riscv64) arch=riscv64gc ;; esac
      case " ${all[*]} " in *" $arch "*) arches+=("$arch") ;; *) die "unknown architecture \`$arg\`; known: ${all[*]}" ;; esac ;;
  esac
done
[ ${#arches[@]} -gt 0 ] || arches=("${all[@]}")
wants() { case " ${arches[*]} " in *" $1 "*) true ;; *) false ;; esac; }
if ! command -v dpkg >/dev/null || [ "$(dpkg --print-architecture)" != amd64 ]; then die "this needs an amd64 Debian"; fi

mkdir -p "$cross/bin"
exec 9>"$cross/.lock"
flock 9 # two runs at once must not unpack over each other
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- packages of the system ---------------------------------------------------------------------------------------------
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
refreshed=0
refresh() {
  [ $refreshed = 0 ] || return 0
  as_root apt-get update -qq >/dev/null 2>&1 || true # a source that is down need not be one we use: the installation decides
  refreshed=1
}
need() { # PACKAGE... : installs those that are missing
  local missing=() p
  for p in "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  refresh
  echo "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; die "could not install ${missing[*]}"; }
}
newest_lld() { # the C library for wasm wants a recent one; the package is called lld-N
  apt-cache search --names-only '^lld-[0-9]+$' | cut -d' ' -f1 | sort -V | tail -n 1
}

# ---- packages of Rust, unpacked under target/cross ----------------------------------------------------------------------
# The machine's own mirrors. Its suites come first; the std of some architectures is only in Debian's later suites.
mirror() { # RELEASE -> URI
  # shellcheck disable=SC2016 # apt-get expands these
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$1" '$1 == release && $2 == "main" { print $3; exit }'
}
# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
suites=("$codename-security" "$codename-updates" "$codename" stable testing)
index() { # ARCH SUITE -> name of an apt configuration that sees that suite only; fails if there is none
  local name=$1-$2 uri dir=$work/$1-$2
  if [ ! -e "$work/$name.conf" ]; then
    uri=$(mirror "$2")
    [ -n "$uri" ] || case $2 in stable | testing) uri=$(mirror "$codename") ;; esac
    [ -n "$uri" ] || return 1
    mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
    echo "deb [signed-by=$keyring] $uri $2 main" >"$dir/sources.list"
    cat >"$work/$name.conf" <<CONF
APT::Architecture "amd64";
APT::Architectures { "$1"; };
APT::Sandbox::User "root";
Dir::State::Lists "$dir/lists";
Dir::Cache "$dir/cache";
Dir::Etc::sourcelist "$dir/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
    APT_CONFIG=$work/$name.conf apt-get update -qq >"$work/$name.log" 2>&1 || echo "setup.sh: no index of $2 for $1" >&2
  fi
  echo "$name"
}
version() { # CONF PACKAGE [UPSTREAM] -> the newest version there, of that upstream version
  APT_CONFIG=$work/$1.conf apt-cache madison "$2" 2>/dev/null |
    awk -v upstream="${3:-}" 'upstream == "" || index($3, upstream "+") == 1 { print $3; exit }'
}
unpack() { # CONF PACKAGE[=VERSION]... : downloads and unpacks, or leaves no trace
  local conf=$1 deb
  shift
  mkdir "$work/debs"
  (cd "$work/debs" && APT_CONFIG=$work/$conf.conf apt-get download -qq "$@") || die "could not download $*"
  for deb in "$work"/debs/*.deb; do
    dpkg -x "$deb" "$prefix"
    dpkg-deb -f "$deb" Depends >>"$work/depends"
  done
  rm -rf "$work/debs"
}
libraries() { # the libraries that the packages unpacked so far want, LLVM's and Rust's own left out
  sed 's/[,|]/\n/g' "$work/depends" | awk '$1 ~ /^lib/ && $1 !~ /^lib(std-rust|llvm|c-dev)/ { print $1 }' | sort -u
}

debian_compiler() {
  local suite conf v=''
  if [ -e "$prefix/.version" ] && "$prefix/usr/bin/rustc" -V >/dev/null 2>&1; then return; fi
  for suite in "${suites[@]}"; do
    conf=$(index amd64 "$suite") || continue
    v=$(version "$conf" rustc-web)
    [ -z "$v" ] || break
  done
  [ -n "$v" ] || die "none of ${suites[*]} has rustc-web; with rustup, \`--rustup\` does without"
  echo "unpacking rustc $v from $suite into target/cross"
  rm -rf "$prefix"
  mkdir -p "$prefix"
  : >"$work/depends"
  unpack "$conf" "rustc-web=$v" "cargo-web=$v" "rust-web-clippy=$v" "rustfmt-web=$v" "libstd-rust-web-dev=$v" \
    "libstd-rust-web-$(cut -d. -f1-2 <<<"$v")=$v"
  unpack "$conf" "$(grep -o 'libllvm[0-9]*' "$work/depends" | head -n 1)" # private like the compiler; the rest are common libraries
  # shellcheck disable=SC2046 # one word for each package
  need patchelf gcc libc6-dev ca-certificates $(libraries)
  local file
  for file in "$prefix"/usr/bin/* "$prefix"/usr/lib/x86_64-linux-gnu/librustc_driver*.so; do # so that no LD_LIBRARY_PATH is needed
    # shellcheck disable=SC2016 # the dynamic linker expands $ORIGIN
    case $file in
      */bin/*) patchelf --force-rpath --set-rpath '$ORIGIN/../lib/x86_64-linux-gnu' "$file" 2>/dev/null || true ;;
      *) patchelf --force-rpath --set-rpath '$ORIGIN' "$file" ;;
    esac
  done
  "$prefix/usr/bin/rustc" -V
  echo "$suite $v" >"$prefix/.version"
}
debian_std() { # ARCH : the std of the compiler's upstream version, whichever suite built it
  local arch suite conf home have v=''
  arch=$(debian "$1")
  [ ! -e "$prefix/.std-$1" ] || return 0
  read -r home have <"$prefix/.version"
  for suite in "$home" "${suites[@]}"; do
    conf=$(index "$arch" "$suite") || continue
    v=$(version "$conf" "libstd-rust-web-dev:$arch" "${have%%+*}")
    [ -z "$v" ] || break
  done
  [ -n "$v" ] ||
    die "none of ${suites[*]} has the standard library ${have%%+*} for $arch;" \
      "to start afresh with a newer compiler, remove target/cross"
  echo "unpacking the standard library for $1 from $suite"
  unpack "$conf" "libstd-rust-web-dev:$arch=$v"
  touch "$prefix/.std-$1"
}
debian_src() {
  local suite v conf
  [ ! -e "$prefix/.src" ] || return 0
  read -r suite v <"$prefix/.version"
  echo "unpacking the source of the standard library from $suite"
  conf=$(index amd64 "$suite")
  unpack "$conf" "rust-web-src=$v"
  touch "$prefix/.src"
}
build_std() { # TRIPLE CRATES : where no package has a std for the compiler, it is built once and put next to the others
  local lib=$prefix/usr/lib/rustlib/$1/lib
  echo "building the standard library for $1"
  rm -rf "$work/std"
  mkdir -p "$work/std/src" "$lib/self-contained"
  : >"$work/std/src/lib.rs"
  printf '[package]\nname = "empty"\nedition = "2024"\n' >"$work/std/Cargo.toml"
  (cd "$work/std" && PATH=$prefix/usr/bin:$PATH RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=target cargo build --quiet --release \
    -Zbuild-std="$2" --target "$1")
  cp "$work"/std/target/"$1"/release/deps/lib*.rlib "$lib"
  rm -f "$lib"/libempty-*
}
debian_wasm() {
  local lib=$prefix/usr/lib/rustlib/wasm32-wasip1/lib libc=$prefix/usr/lib/wasm32-wasi suite conf
  [ ! -e "$prefix/.std-wasm32" ] || return 0
  for suite in stable testing; do # the C library of older suites lacks what std calls
    if conf=$(index amd64 "$suite") && [ -n "$(version "$conf" wasi-libc)" ]; then break; fi
  done
  unpack "$conf" wasi-libc
  [ -e "$libc/libwasi-emulated-pthread.a" ] || die "wasi-libc of $suite has no thread stubs"
  build_std wasm32-wasip1 std,panic_abort,test
  cp "$libc"/{libc.a,libwasi-emulated-pthread.a,crt1-command.o,crt1-reactor.o} "$lib/self-contained"
  touch "$prefix/.std-wasm32"
}
debian_windows() {
  local lib=$prefix/usr/lib/rustlib/x86_64-pc-windows-gnu/lib source object
  [ ! -e "$prefix/.std-windows" ] || return 0
  mkdir -p "$lib"
  for object in rsbegin rsend; do # each program is linked between the two
    source=$(echo "$prefix"/usr/src/rustc-*/library/rtstartup/$object.rs)
    RUSTC_BOOTSTRAP=1 "$prefix/usr/bin/rustc" --target x86_64-pc-windows-gnu --emit obj -o "$lib/$object.o" "$source"
  done
  build_std x86_64-pc-windows-gnu std,panic_unwind,panic_abort,test
  touch "$prefix/.std-windows"
}
rustup_has_all() {
  local a
  for a in "${arches[@]}"; do
    if [ "$a" = src ]; then timeout 300 rustup component add rust-src; else timeout 300 rustup target add "$(triple "$a")"; fi || return 1
  done
}

# ---- what cargo calls ----------------------------------------------------------------------------------------------------
# i686 programs run on an amd64 kernel, given the dynamic linker of the cross packages: no emulator, and they can run themselves.
i686_linker() {
  cat >"$cross/bin/i686-linker" <<'SH'
#!/bin/sh
lib=/usr/i686-linux-gnu/lib
exec i686-linux-gnu-gcc "$@" -Wl,--dynamic-linker=$lib/ld-linux.so.2 -Wl,-rpath,$lib
SH
  chmod +x "$cross/bin/i686-linker"
}

wasi_linker() {
  local lld
  lld=$(newest_lld)
  cat >"$cross/bin/wasi-linker" <<SH
#!/bin/sh
exec wasm-ld${lld#lld} "\$@" -lwasi-emulated-pthread
SH
  chmod +x "$cross/bin/wasi-linker"
}

# Wine has no bcryptprimitives.dll, which the standard library imports. A program that runs under Wine starts itself again
# without the runner, which is no program for Windows.
wine_runner() {
  local wine=/usr/lib/wine/wine64 # Debian's package for 64 bits only puts no link into the path
  command -v $wine >/dev/null || wine=wine64
  cat >"$cross/bin/wine-runner" <<SH
#!/bin/sh
unset CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER
WINEPREFIX=$cross/wine WINEDEBUG=-all exec $wine "\$@"
SH
  chmod +x "$cross/bin/wine-runner"
  [ ! -e "$cross/wine/drive_c/windows/system32/bcryptprimitives.dll" ] || return 0
  # The first start makes the prefix. Its servers would keep pipes open.
  "$cross/bin/wine-runner" cmd /c exit >/dev/null 2>&1 </dev/null
  cat >"$work/random.c" <<'C'
#include <stddef.h>
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int __stdcall ProcessPrng(void *to, size_t size) { return SystemFunction036(to, size); }
C
  x86_64-w64-mingw32-gcc -shared -o "$cross/wine/drive_c/windows/system32/bcryptprimitives.dll" "$work/random.c" -ladvapi32
}

# ---- all of it ------------------------------------------------------------------------------------------------------------
packages=(qemu-user)
if wants wasm32 && [ -z "$(newest_lld)" ]; then refresh; fi
for a in "${arches[@]}"; do
  [ -z "$(gnu "$a")" ] || packages+=("gcc-$(gnu "$a")" "libc6-dev-$(debian "$a")-cross")
done
if wants wasm32; then
  packages+=("$(newest_lld)")
  command -v node >/dev/null || packages+=(nodejs)
fi
if wants windows; then packages+=(gcc-mingw-w64-x86-64 wine64); fi
need "${packages[@]}"

own=0
if [ $rustup = 1 ]; then
  if command -v rustup >/dev/null && rustup_has_all; then own=1; else echo "rustup cannot add these: Debian's packages it is"; fi
fi
if [ $own = 0 ]; then
  debian_compiler
  for a in "${arches[@]}"; do [ -z "$(debian "$a")" ] || debian_std "$a"; done
  if wants src || wants wasm32 || wants windows; then debian_src; fi
  if wants windows; then debian_windows; fi
fi
if wants wasm32; then
  if [ $own = 0 ]; then
    debian_wasm
    wasi_linker
  fi
  ln -sf "$root/tests/platforms/wasi-runner" "$cross/bin/wasi-runner"
fi
if wants i686; then i686_linker; fi
if wants windows; then wine_runner; fi

# What is there by now, of this run or an earlier one: env.sh serves all of it.
{
  echo "# Written by tests/platforms/setup.sh; to be sourced."
  echo "export PATH=\"$cross/bin:\$PATH\""
  [ $own = 1 ] || echo "export PATH=\"$prefix/usr/bin:\$PATH\""
  for a in "${all[@]}"; do
    triple=$(triple "$a")
    if [ -z "$triple" ] || { [ ! -e "$prefix/.std-$a" ] && ! wants "$a"; }; then continue; fi
    name=${triple^^}
    name=CARGO_TARGET_${name//-/_}
    case $a in
      wasm32)
        echo "export ${name}_RUNNER=wasi-runner"
        [ $own = 1 ] || echo "export ${name}_LINKER=wasi-linker"
        ;;
      windows)
        echo "export ${name}_LINKER=x86_64-w64-mingw32-gcc"
        echo "export ${name}_RUNNER=wine-runner"
        ;;
      i686) echo "export ${name}_LINKER=i686-linker" ;; # its programs run as they are
      *)
        echo "export ${name}_LINKER=$(gnu "$a")-gcc"
        echo "export ${name}_RUNNER=\"$(emulator "$a") -L /usr/$(gnu "$a")\"" # the CPU is $QEMU_CPU at run time, else all features
        ;;
    esac
  done
} >"$work/env.sh"
cp "$work/env.sh" "$cross/env.sh"
