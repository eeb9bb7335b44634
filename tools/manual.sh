#!/bin/bash
# tools/manual.sh [mkdocs options]   build the manual: build/manual/index.html, which needs neither network nor server, search included
#   tools/manual.sh                  installs the builder where it is missing; takt must be built (TAKT names another than build/release/bin/takt)
#   tools/manual.sh --strict         ends with 1 where MkDocs warns, of a link to nothing for instance
# The benchmarks' page is made of the newest file in build/bench_all/history, which tools/bench_all.sh leaves.
set -euo pipefail
cd "$(dirname "$0")/.."
takt=${TAKT:-build/release/bin/takt}
[ -x "$takt" ] || { echo "$takt is missing: tools/install_packages.sh build && cmake --preset release && cmake --build --preset release" >&2; exit 1; }
# MkDocs and its theme tell about their successors otherwise.
export NO_MKDOCS_2_WARNING=1
export TAKT_MANUAL_PAGES=${TAKT_MANUAL_PAGES:-$PWD/build/manual_source} TAKT_MANUAL_SITE=${TAKT_MANUAL_SITE:-$PWD/build/manual}
tools/install_packages.sh manual
build/venv/bin/python3 tools/manual/make.py "$takt" . "$TAKT_MANUAL_PAGES"
build/venv/bin/python3 -m mkdocs build --quiet --clean --config-file config/manual/mkdocs.yml "$@"
echo "manual: $TAKT_MANUAL_SITE/index.html, $(find "$TAKT_MANUAL_SITE" -name '*.html' | wc -l) pages"
