#!/usr/bin/env python3
"""takt_target_test.py NINJA BUILD: `cmake --build --target takt` builds every library that the package names for plants.

On a machine where everything is built a missing one is there by chance; on a new one the first plant does not link."""
import pathlib
import re
import subprocess
import sys

ninja, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
package = build / "lib/cmake/takt/taktTargets.cmake"
named = set(re.findall(r'IMPORTED_LOCATION\w* "([^"]+\.a)"', package.read_text()))
if len(named) < 20:
    sys.exit(f"{package}: {len(named)} libraries found; plants link more than 20")
built = {str(build / line) for line in subprocess.run([ninja, "-C", build, "-t", "inputs", "takt"], check=True, capture_output=True, text=True).stdout.split()}
missing = sorted(named - built)
for library in missing:
    print(f"{library}: plants link it, and the target takt does not build it (tools/install.cmake: add_dependencies)")
print(f"{len(named)} libraries of the package, {len(missing)} not built by the target takt")
sys.exit(1 if missing else 0)
