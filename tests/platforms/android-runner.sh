#!/usr/bin/env bash
# Runs a program on an Android device, as cargo's runner for it (in .cargo/config.toml or the environment):
#
#   [target.aarch64-linux-android]
#   runner = "tests/platforms/android-runner.sh"
#   [target.armv7-linux-androideabi]          # runs on the same device
#   runner = "tests/platforms/android-runner.sh"
#
# Then `cargo test --target aarch64-linux-android -- some_test` and `cargo bench` work as they do at home: the program is
# pushed, made executable and run in a directory of its own with all its arguments, its output and its exit status are this
# script's, and the directory is removed whatever happens. SIMD_CORE_*, RUST_BACKTRACE and RUST_TEST_* are handed on.
#
# ANDROID_SERIAL chooses among several devices (adb's own variable), ADB names another adb, and SIMD_CORE_ANDROID_DIR another
# place on the device than /data/local/tmp. Exit status 125: the program could not be run, or adb lost the device.
set -euo pipefail

adb=${ADB:-adb}
fail() { echo "android-runner.sh: $*" >&2; exit 125; }
[ $# -ge 1 ] || fail "usage: android-runner.sh PROGRAM [ARGUMENT...]"
program=$1
shift
[ -f "$program" ] || fail "there is no program \`$program\`"
command -v "$adb" >/dev/null || fail "\`$adb\` is not there; it comes with the platform tools of the Android SDK"

# `adb shell` joins its arguments with spaces and hands the result to the device's shell, so each word is quoted for that.
quote() {
  local word result=''
  for word in "$@"; do result+=" '${word//\'/\'\\\'\'}'"; done
  printf '%s' "${result# }"
}
on_device() { "$adb" shell "$1" </dev/null; } # adb would eat the standard input of whoever calls this script

name=$(basename "$program")
dir=${SIMD_CORE_ANDROID_DIR:-/data/local/tmp}/simd-core.$$.$RANDOM
quoted=$(quote "$dir")
# shellcheck disable=SC2317,SC2329 # called by the trap
clean_up() { on_device "rm -rf $quoted" >/dev/null || echo "android-runner.sh: could not remove $dir" >&2; }
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

on_device "mkdir $quoted" >&2 || fail "could not make $dir on the device"
"$adb" push "$program" "$dir/$name" </dev/null >/dev/null || fail "could not push $program"
variables=()
for variable in $(compgen -e); do
  case $variable in
    SIMD_CORE_ANDROID_DIR) ;;
    SIMD_CORE_* | RUST_BACKTRACE | RUST_TEST_*) variables+=("$variable=${!variable}") ;;
  esac
done
# The status goes through a file: adb before Android 7 does not return it, and one of adb's own cannot be told from it.
run="cd $quoted && chmod 755 $(quote "$name") && { $(quote env "${variables[@]}" "./$name" "$@"); echo \$? >.status; }"
on_device "$run" || true
status=$(on_device "cat $quoted/.status" | tr -d '\r') || true
[[ $status =~ ^[0-9]+$ ]] || fail "$name did not run to its end"
exit "$status"
