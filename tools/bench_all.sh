#!/bin/sh
# What every piece of work costs beside its peers, as ratios over time; whether this version is slower than an earlier one.
# --help has the options. Needs a built takt; with valgrind, instructions are counted, too.
exec python3 "$(dirname "$0")/bench/all/bench_all.py" "$@"
