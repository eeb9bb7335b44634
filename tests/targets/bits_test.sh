#!/bin/bash
# bits_test.sh NATIVE_PROGRAM BUILD_FOLDER   elementary functions and methods give the same bits on other machines:
# built for aarch64 and run under user emulation, and built for every instruction this CPU has.
set -euo pipefail
native=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
"$native" >"$build.native.txt"

# compare NAME CMAKE_ARGUMENT...
compare() {
  local name=$1
  shift
  if ! { cmake -S "$here/cross" -B "$build/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" &&
    cmake --build "$build/$name"; } >"$build.$name.log" 2>&1; then
    cat "$build.$name.log"
    return 1
  fi
  (cd "$build/$name" && ctest --verbose) | sed -n 's/^[0-9]*: \([a-z0-9]* *[0-9a-f]\{16\}\)$/\1/p' >"$build.$name.txt"
  diff "$build.native.txt" "$build.$name.txt" || { echo "FAIL $name: bits differ"; return 1; }
  echo "ok   $name: $(wc -l <"$build.$name.txt") hashes equal"
}

compare all-instructions -DCMAKE_CXX_FLAGS=-march=native
for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$tool" >/dev/null || { echo "skipped for aarch64: $tool is not installed (tools/install_packages.sh cross)"; exit 77; }
done
compare aarch64 --toolchain "$root/targets/linux-aarch64/toolchain.cmake"
