#!/bin/bash
# install_test.sh BUILD_DIR   installs into an empty prefix, then builds and runs an outside project and a plant with
# what is there.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
# The consumer sees neither this source tree nor this build tree.
cp -r "$here/consumer" "$work/consumer"
cmake -G Ninja -S "$work/consumer" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log" ||
  { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build"
"$work/build/consumer"
! ldd "$work/build/consumer" >/dev/null 2>&1 || { echo "the consumer is not static"; exit 1; }
! grep -rlF "$build" "$work/prefix/lib/cmake" || { echo "the exported package names the build tree"; exit 1; }


# What shells and man read, and a folder to begin with.
share=$work/prefix/share
test -s "$share/man/man1/takt-run.1" && test -s "$share/zsh/site-functions/_takt" && test -s "$share/fish/vendor_completions.d/takt.fish"
bash -n "$share/bash-completion/completions/takt"
"$work/prefix/bin/takt" new "$work/first" --like ev >/dev/null
"$work/prefix/bin/takt" check "$work/first" --rig "$work/first/rig.toml" >/dev/null

# The installed command builds a plant against the installed runtime; the executable runs alone.
"$work/prefix/bin/takt" --version
plant=$("$work/prefix/bin/takt" build "$work/prefix/share/takt/plants/rc" --out "$work/plant")
! grep -F "$build" "$work/plant/build/CMakeCache.txt" || { echo "the plant was built against the build tree"; exit 1; }

# An outside project adds a format of recorded signals to that plant.
cp -r "$here/added_format" "$work/added_format"
cmake -G Ninja -S "$work/added_format" -B "$work/added" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" -DPLANT="$work/plant" \
  -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$work/added/bin" >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/added"
added=$work/added/bin/rc
"$added" --help | tr -s ' \n' ' ' | grep -qF 'hex (signals.hex, hexadecimal)'
"$added" --pace free --quiet --out "$work/added_run" --record csv,hex
python3 "$work/added_format/check.py" "$work/added_run"
"$added" --pace free --quiet --out "$work/added_run"
! test -e "$work/added_run/signals.hex" || { echo "a file of an added format outlives the next run"; exit 1; }

mkdir "$work/alone"
cp "$plant" "$work/alone/"
rm -rf "$work/prefix" "$work/plant"
cd "$work/alone"
./rc --pace free --out results
test -s results/summary.json && test -s results/signals.csv && test -s results/report.html
