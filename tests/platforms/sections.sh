# shellcheck shell=bash
# Sourced by .ci/run and matrix.sh: runs commands under headings that say how long each took, and says at the end what failed.

# What is tested in more than one build, for cargo. The macro's own tests run where the compiler runs, the reader of machine code
# is tested in the run aarch64-asm, the loops of `vectors` in the run of that name, `cargo dispatch` runs cargo,
# the benchmarks compare with C libraries of the host, and `published` runs cargo on other crates. The feature `host` of the
# integration tests, which is left out, brings what their tests of compilation need.
# shellcheck disable=SC2034 # by those who source this
tested_everywhere=(--workspace --exclude simd-core-expand --exclude simd-core-macros --exclude simd-core-asm --exclude cargo-dispatch
  --exclude vectors --exclude benches --exclude published --no-default-features)

sections_failed=()
sections_report=()
section_limit=1800 # seconds; what has not ended then fails

overdue() { # GROUP : after `section_limit`, says what runs and ends the group of processes
  local rest=$section_limit
  # Short sleeps: one of half an hour would outlive the section.
  while [ $((rest -= 5)) -ge 0 ]; do
    sleep 5
    kill -0 -- "-$1" 2>/dev/null || return 0
  done
  printf 'not ended after %d s; what runs:\n' "$section_limit"
  ps -N --ppid 2 -o pid,stat,time,args --forest | cut -c 1-200 # all but the kernel's own
  kill -- "-$1"
}

section() { # NAME COMMAND [ARGUMENT...] : runs it; a failure is kept for `sections_end`, the next section runs all the same
  local name=$1 start=$SECONDS status=0 group watch
  shift
  printf '\n===== %s\n' "$name"
  # In a subshell of its own, so that `set -e` stops the command at its first failure; in a group of its own, for `overdue`.
  set -m
  (
    set +m -e
    "$@"
  ) </dev/null &
  group=$!
  set +m
  # Whoever ends this shell ends the section, too.
  trap 'kill -- "-$group" 2>/dev/null; exit 130' INT TERM
  overdue "$group" &
  watch=$!
  wait "$group" || status=$?
  trap - INT TERM
  kill "$watch" 2>/dev/null || true
  local line
  line=$(printf '%5d s  %s' $((SECONDS - start)) "$name")
  if [ $status -ne 0 ]; then
    sections_failed+=("$name")
    line+="  FAILED ($status)"
  fi
  sections_report+=("$line")
  printf -- '----- %s\n' "$line"
}

sections_end() { # prints all sections with their times; fails if one of them failed
  printf '\n===== %d sections in %d s\n' ${#sections_report[@]} "$SECONDS"
  printf '%s\n' "${sections_report[@]}"
  [ ${#sections_failed[@]} -eq 0 ] || { printf 'FAILED: %s\n' "${sections_failed[@]}"; return 1; }
}
