#!/bin/sh
# Runs a test script with the project's Python: $TAKT_PYTHON, build/venv (tools/install_packages.sh python), or python3.
here=$(cd "$(dirname "$0")/.." && pwd)
for python in "$TAKT_PYTHON" "$here/build/venv/bin/python" python3; do
  [ -n "$python" ] && command -v "$python" >/dev/null && exec "$python" "$@"
done
echo "no python"
exit 77
