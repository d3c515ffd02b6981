#!/usr/bin/env bash
# Runs the tests on other architectures, on x86_64 CPUs with fewer features and on Windows, all emulated, and type-checks the
# platforms that cannot run here:
#
#   tests/platforms/matrix.sh [RUN...]      no RUN: all of them; `list` prints their names
#
# With SIMD_CORE_TEST_FILES="behaviour features", these files of tests alone run, and the tests within the packages.
#
# SIMD_CORE_EXPECT tells each run which path the dispatchers must take there, so that a wrong choice fails. What a run leaves
# out, and why, is in tests/platforms/skipped.txt.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
shopt -s extglob
# shellcheck source-path=SCRIPTDIR source=sections.sh
. tests/platforms/sections.sh

# An emulated Arm CPU without AES. On paper it has no vector unit either, but the emulator keeps that, and Linux programs count on
# it. What is missing is the instructions of AES, PMULL and SHA; the run `emulators` makes sure of it.
no_aes=cortex-a72,neon=off,vfp=off
x86_64=(qemu64 Nehalem Westmere Haswell max "max,-aes" "max,-aes,-vaes")
runs=(emulators aarch64 aarch64-no-aes aarch64-asm armv7 i686 riscv64gc s390x wasm32 wasm32-simd128 windows windows-asm)
for cpu in "${x86_64[@]}"; do runs+=("x86_64:$cpu"); done
runs+=(vectors ledger miri-cfg no-detection no-std platforms)

if [ "${1:-}" = list ]; then
  printf '%s\n' "${runs[@]}"
  exit 0
fi
for run in "$@"; do
  case " ${runs[*]} " in
    *" $run "*) ;;
    *) echo "matrix.sh: unknown run \`$run\`; known: ${runs[*]}" >&2; exit 2 ;;
  esac
done
[ $# -gt 0 ] || set -- "${runs[@]}"

arches=(src)
for run in "$@"; do
  case $run in
    emulators) arches+=(aarch64) ;;
    vectors) arches+=(aarch64 riscv64gc) ;;
    aarch64* | armv7 | i686 | riscv64gc | s390x | wasm32* | windows*) arches+=("${run%%-*}") ;;
  esac
done
section "set up" tests/platforms/setup.sh "${arches[@]}"
[ ${#sections_failed[@]} -eq 0 ] || exit 1
# shellcheck source=/dev/null
. target/cross/env.sh
export CARGO_TARGET_DIR=$root/target/cross/build
export PROPTEST_DISABLE_FAILURE_PERSISTENCE=true # what fails is printed, and the tree stays as it is
export PROPTEST_CASES=64 # emulation is slow, and the host runs more
program_limit=600 # seconds; the longest takes two minutes
ulimit -c 0 # an illegal instruction is expected now and then

packages=("${tested_everywhere[@]}"
  --features "simd-core/default,simd-crypto/default,simd-crypto/rustcrypto,simd-crypto-cli/baseline")

# A file of tests cannot be left out by name; the others are named instead.
test_files() { # the files of tests in the packages that are built
  cargo metadata --no-deps --format-version 1 | node -e '
    const { packages } = JSON.parse(require("fs").readFileSync(0));
    const targets = packages.filter(({ name }) => !process.argv.includes(name)).flatMap((p) => p.targets);
    const wanted = (target) => target.kind.includes("test") && !target["required-features"]?.includes("host");
    console.log(targets.filter(wanted).map(({ name }) => name).join("\n"));' -- "${packages[@]}"
}

left_out() { # RUN : says what skipped.txt leaves out there, and puts it into `skipped_files` and `skipped_tests`
  local pattern kind name reason
  skipped_files=' ' skipped_tests=()
  while read -r pattern kind name reason; do
    # shellcheck disable=SC2053 # a pattern on purpose
    if [ -z "$pattern" ] || [[ $pattern == '#'* || $1 != $pattern ]]; then continue; fi
    echo "not run here: $kind $name: $reason"
    case $kind in
      file) skipped_files+="$name " ;;
      test) skipped_tests+=("$name") ;;
      *) echo "skipped.txt: unknown kind \`$kind\`" >&2; return 1 ;;
    esac
  done <tests/platforms/skipped.txt
}

build() { # TRIPLE PROGRAMS : builds the tests; lines of `test` or `bin`, the package's directory and the program go to the file PROGRAMS
  local targets=(--lib --bins) name
  for name in ${SIMD_CORE_TEST_FILES:-$(test_files)}; do
    [[ $skipped_files == *" $name "* ]] || targets+=(--test "$name")
  done
  cargo test --no-run --quiet --profile emulated "${packages[@]}" "${targets[@]}" --target "$1" \
    --message-format json-render-diagnostics | node -e '
      const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
      for (const { executable, profile, manifest_path } of lines.filter(({ executable }) => executable)) {
        console.log(profile.test ? "test" : "bin", require("path").dirname(manifest_path), executable);
      }' >"$2"
}

skipped_exist() { # PROGRAMS [RUNNER...] : each skipped test has to exist, so that a renamed one is noticed
  local kind directory program name tests=$1.list missing=0
  [ ${#skipped_tests[@]} -gt 0 ] && [ -z "${SIMD_CORE_TEST_FILES:-}" ] || return 0
  while read -r kind directory program; do
    [ "$kind" != test ] || (cd "$directory" && timeout 60 "${@:2}" "$program" --list --format terse 2>/dev/null </dev/null)
  done <"$1" >"$tests"
  for name in "${skipped_tests[@]}"; do
    grep -qxF "$name: test" "$tests" || { echo "skipped.txt: no test is called \`$name\`" >&2; missing=1; }
  done
  return $missing
}

start() { # LOG DIRECTORY COMMAND... : leaves the output, the status and the time in LOG, LOG.status and LOG.time
  local log=$1 start=$SECONDS status=0 try why
  # QEMU can deadlock where a program with several threads starts a process, and Wine may start none ("Internal error").
  # What that happens to once is printed; twice, it fails.
  for try in first second; do
    status=0
    (cd "$2" && exec timeout --kill-after 10 $program_limit "${@:3}") >"$log" 2>&1 </dev/null || status=$?
    if [ $status = 124 ]; then
      why="did not end within $program_limit s"
    elif [ $status != 0 ] && grep -q 'Internal error. (os error 1359)' "$log"; then
      why="could not start a process"
    else
      break
    fi
    { echo "the $try time, $(basename "$log" .log) $why:"; tail -n 20 "$log"; } >>"$log.hung"
  done
  echo $status >"$log.status"
  echo $((SECONDS - start)) >"$log.time"
}

tests_on() { # RUN EXPECT TRIPLE : all tests but those in skipped.txt
  local run=$1 expect=$2 triple=$3 start=$SECONDS kind directory program name log runner failed=0 logs
  logs=$CARGO_TARGET_DIR/logs/$run
  rm -rf "$logs"
  mkdir -p "$logs"
  left_out "$run"
  build "$triple" "$logs/programs"
  echo "built in $((SECONDS - start)) s"
  name=CARGO_TARGET_${triple^^}_RUNNER
  name=${name//-/_}
  read -ra runner <<<"${!name:-}"
  skipped_exist "$logs/programs" "${runner[@]}"
  # Each program by itself, as cargo would; but several at a time, for many start processes and wait for them.
  while read -r kind directory program; do
    [ "$kind" = test ] || continue
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    SIMD_CORE_EXPECT=$expect start "$logs/$(basename "$program").log" "$directory" \
      "${runner[@]}" "$program" --exact "${skipped_tests[@]/#/--skip=}" &
  done <"$logs/programs"
  wait
  cat "$logs"/*.hung 2>/dev/null || true
  for log in "$logs"/*.log; do
    if [ "$(cat "$log.status")" != 0 ]; then
      failed=1
      echo "----- $(basename "$log" .log) failed ($(cat "$log.status")):"
      grep -v "warning: TCG doesn't support" "$log"
    elif [ "$(cat "$log.time")" -ge 5 ]; then
      echo "$(basename "$log" .log) took $(cat "$log.time") s"
    fi
  done
  [ $failed = 0 ]
  awk '/^test result: ok/ { programs++; passed += $4; ignored += $8 } END {
    print passed " tests of " programs " programs passed, " ignored + 0 " are ignored" }' "$logs"/*.log
  # `TEST: skipped for TARGET: this CPU lacks FEATURES`
  sed -nE 's/^.*: skipped for .*: (this CPU lacks .*)$/\1/p' "$logs"/*.log | sort | uniq -c |
    sed -E 's/^ *([0-9]+) (.*)$/\2: \1 runs of tests skipped/'
  demo "$run" "$expect" "$(awk '$1 == "bin" && /simd-crypto[^\/]*$/ { print $3 }' "$logs/programs")" "${runner[@]}"
}

demo() { # RUN EXPECT PROGRAM [RUNNER...] : the results are right, and the targets are those that have to be taken
  local out others
  case " ${packages[*]} " in
    *" --exclude simd-crypto-cli "*) echo "not run here: the demo: the libraries are built alone"; return ;;
  esac
  # Cargo builds it for the tests of its package.
  [ -n "$3" ] || { echo "the demo was not built: skipped.txt leaves out all test files of simd-crypto-cli" >&2; return 1; }
  out=$(timeout $program_limit "${@:4}" "$3" demo)
  echo "$out"
  # The others have targets that every CPU of an architecture may have, such as `ssse3`.
  others=$(grep -E '^(AES|Haraka)' <<<"$out" | grep ' matches ' | grep -vc ' baseline  *matches ') || true
  case $1:$2 in
    wasm32-simd128:*) ;; # the kernels name no such target
    *:baseline) [ "$others" = 0 ] ;;
    *:hardware) [ "$others" != 0 ] ;;
  esac || { echo "the demo takes other targets than $2" >&2; return 1; }
}

expected_on() { case $1 in Westmere | Haswell | max) echo hardware ;; *) echo baseline ;; esac; } # x86_64 CPU

traps() { # COMMAND... : must die of an illegal instruction
  local status=0
  "$@" >/dev/null 2>&1 || status=$?
  [ $status = 132 ] || { echo "\`$*\` ended with $status; an illegal instruction would be 132" >&2; return 1; }
  echo "an AES instruction traps on $QEMU_CPU"
}

vaes_works() { # is the emulator's arithmetic right? That of version 7.2 is not.
  rustc --edition 2024 -O tests/platforms/vaes.rs -o target/cross/vaes
  qemu-x86_64 target/cross/vaes 2>/dev/null
}

emulators() { # do the CPUs of these runs lack what they should lack?
  local arm=target/cross/traps-aarch64 x86=target/cross/traps-x86_64 cpu
  rustc --edition 2024 -O tests/platforms/traps.rs -o $x86
  rustc --edition 2024 -O tests/platforms/traps.rs -o $arm --target aarch64-unknown-linux-gnu -C linker=aarch64-linux-gnu-gcc
  QEMU_CPU=max qemu-aarch64 -L /usr/aarch64-linux-gnu $arm
  QEMU_CPU=$no_aes traps qemu-aarch64 -L /usr/aarch64-linux-gnu $arm
  for cpu in "${x86_64[@]}"; do
    case $(expected_on "$cpu") in
      hardware) QEMU_CPU=$cpu qemu-x86_64 $x86 2>/dev/null ;;
      baseline) QEMU_CPU=$cpu traps qemu-x86_64 $x86 ;;
    esac
  done
}

with_cfg() { # CFG COMMAND... : builds the workspace with `--cfg CFG`, and leaves the other crates as they are
  export RUSTC_WORKSPACE_WRAPPER=$root/target/cross/bin/cfg-$1
  # Not sh, which may be dash: that loses variables such as CARGO_BIN_EXE_simd-crypto.
  printf '#!/usr/bin/env bash\nexec "$@" --cfg %s\n' "$1" >"$RUSTC_WORKSPACE_WRAPPER"
  chmod +x "$RUSTC_WORKSPACE_WRAPPER"
  # Only the libraries: build scripts of what the program depends on try the compiler through the wrapper.
  packages[-1]="simd-core/default,simd-crypto/default,simd-crypto/rustcrypto"
  packages+=(--exclude simd-crypto-cli)
  "${@:2}"
}

check() { # CRATES-OF-STD CARGO-ARGUMENT... : type-checks on platforms for which there is no compiled std here
  local std=$1
  shift
  # The compiler's own version of the std sources needs the compiler's own permission. Where expansions are shown, they have
  # all clones in a check too.
  SIMD_CORE_EXPANSIONS=/dev/null RUSTC_BOOTSTRAP=1 cargo check --quiet --profile emulated -Zbuild-std="$std" "$@"
}

no_std() {
  local targets=(--target x86_64-unknown-none --target thumbv7em-none-eabihf --target riscv32imac-unknown-none-elf
    --target wasm32-unknown-unknown)
  check core,alloc -p simd-core --no-default-features "${targets[@]}"
  check core,alloc -p simd-crypto --no-default-features "${targets[@]}"
}

platforms() {
  local targets=(--target aarch64-apple-darwin --target aarch64-linux-android --target aarch64-pc-windows-msvc
    --target powerpc64le-unknown-linux-gnu --target loongarch64-unknown-linux-gnu)
  check std,panic_abort -p simd-core -p simd-crypto -p simd-crypto-cli -p quickstart --lib --bins "${targets[@]}"
  check std,panic_abort -p simd-core --no-default-features "${targets[@]}" # its detection differs
  # Where the object files of Apple's systems and of Windows have the initialiser. The program is that of `cargo test
  # --workspace`, and is there already if the workspace was tested before.
  CARGO_TARGET_DIR=$root/target INTEGRATION_TESTS_BUILD_STD=1 cargo test --quiet --workspace --test host -- the_section
}

vectors_on() { # BITS QEMU_CPU REQUIRE CARGO-ARGUMENT... : the tests of loops whose vectors have the CPU's length
  echo "vectors of $1 bits:"
  SIMD_CORE_TEST_VECTOR_BITS=$1 QEMU_CPU=$2 SIMD_CORE_REQUIRE=$3 cargo test --quiet --release -p vectors --lib "${@:4}"
}

vectors() { # the same results at every length; LLVM vectorises in release builds only
  local bits riscv=(--features nightly --target riscv64gc-unknown-linux-gnu)
  for bits in 128 256 512 1024 2048; do
    vectors_on $bits "max,sve-default-vector-length=$((bits / 8))" sve2 --target aarch64-unknown-linux-gnu
  done
  # RISC-V's vectors are not stable: the compiler has to take feature gates.
  export RUSTC_BOOTSTRAP=1
  for bits in 128 256 512 1024; do
    vectors_on $bits "rv64,v=true,vext_spec=v1.0,vlen=$bits" v "${riscv[@]}"
  done
  # GNU's disassembler prints what it does not know as words; 0x57 is the opcode of vectors.
  cargo test --quiet --no-run --release -p vectors --lib "${riscv[@]}" --message-format json-render-diagnostics |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | xargs riscv64-linux-gnu-objdump -d | awk '
      /^[0-9a-f]+ </ { function_name = $2 }
      /\.4byte.*57$/ { words[function_name]++ }
      END { for (name in words) if (name ~ /__v>:$/) clones++; else others = others " " name
        print clones + 0 " clones for RISC-V have instructions for vectors"
        if (clones < 10 || others != "") { print "others that have some:" others; exit 1 } }'
}

kernels_recorded() { # ARGUMENT... : the tests of the kernels, in the build with the ledger
  RUSTFLAGS="--cfg simd_core_ledger" SIMD_CORE_LEDGER=$root/target/cross/ledgers PROPTEST_CASES=4 \
    cargo test --quiet --profile emulated --target-dir target/cross/ledger --target x86_64-unknown-linux-gnu -p simd-crypto \
    --features simd-core/default,simd-crypto/rustcrypto --test kernels --test rustcrypto -- "$@"
}

ledger() { # has each clone of the kernels run on some CPU of x86-64?
  local cpu
  rm -rf target/cross/ledgers
  mkdir -p target/cross/ledgers
  kernels_recorded
  left_out x86_64:ledger
  for cpu in Nehalem Westmere Haswell; do
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=qemu-x86_64 QEMU_CPU=$cpu \
      kernels_recorded --exact "${skipped_tests[@]/#/--skip=}"
  done
  cargo run --quiet -p cargo-dispatch -- ledger target/cross/ledgers --require-all --allow tests/platforms/never_run.txt
}

one() { # RUN
  case $1 in
    emulators) emulators ;;
    aarch64) QEMU_CPU=max tests_on "$1" hardware aarch64-unknown-linux-gnu ;;
    aarch64-no-aes) QEMU_CPU=$no_aes tests_on "$1" baseline aarch64-unknown-linux-gnu ;;
    # What the compiler makes of the kernels shows in release builds only.
    aarch64-asm)
      QEMU_CPU=max cargo test --quiet --release -p simd-core-asm --test asm --target aarch64-unknown-linux-gnu
      SIMD_CORE_PROMISES_ARCH=aarch64 cargo test --quiet -p tests --test host codegen::promises::
      ;;
    armv7) tests_on "$1" baseline armv7-unknown-linux-gnueabihf ;;
    i686) tests_on "$1" "$(grep -qw aes /proc/cpuinfo && echo hardware || echo baseline)" i686-unknown-linux-gnu ;;
    riscv64gc) tests_on "$1" baseline riscv64gc-unknown-linux-gnu ;;
    s390x) tests_on "$1" baseline s390x-unknown-linux-gnu ;;
    wasm32) tests_on "$1" baseline wasm32-wasip1 ;;
    wasm32-simd128) RUSTFLAGS='-C target-feature=+simd128' tests_on "$1" hardware wasm32-wasip1 ;;
    windows) tests_on "$1" "$(grep -qw aes /proc/cpuinfo && echo hardware || echo baseline)" x86_64-pc-windows-gnu ;;
    windows-asm) cargo test --quiet --release -p simd-core-asm --test asm --target x86_64-pc-windows-gnu ;;
    x86_64:*)
      export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=qemu-x86_64 QEMU_CPU=${1#*:}
      if [ "$QEMU_CPU" = max ] && ! vaes_works; then
        echo "not run here: this emulator's VAES computes both halves of a vector from the lower one: VAES is left to real CPUs"
        QEMU_CPU=max,-vaes
      fi
      tests_on "$1" "$(expected_on "${1#*:}")" x86_64-unknown-linux-gnu
      ;;
    vectors) vectors ;;
    ledger) ledger ;;
    # No detection in either; no assembly in the first.
    miri-cfg) with_cfg miri tests_on "$1" baseline x86_64-unknown-linux-gnu ;;
    no-detection) with_cfg simd_core_no_detect tests_on "$1" baseline x86_64-unknown-linux-gnu ;;
    no-std) no_std ;;
    platforms) platforms ;;
  esac
}

for run in "$@"; do section "$run" one "$run"; done
sections_end
