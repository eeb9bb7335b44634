#!/bin/bash
# alone_test.sh EXECUTABLE [OPTION...]   a built plant, copied alone into an empty root, runs there and leaves its results
set -euo pipefail
executable=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$executable" "$root/plant"

if [ "$(id -u)" = 0 ]; then
  enter=(chroot "$root")
elif unshare --user --map-root-user true 2>/dev/null; then
  enter=(unshare --user --map-root-user chroot "$root")
else
  echo "skipped: changing the root needs root or user namespaces"
  exit 77
fi

# A file with an interpreter or a needed library could not start here.
"${enter[@]}" /plant --pace free --for 2s --quiet --out /results "$@"
"${enter[@]}" /plant --pace real --late any --for 1s --quiet --out /results-paced "$@"

for results in results results-paced; do
  for file in summary.json signals.csv report.html; do
    [ -s "$root/$results/$file" ] || { echo "FAIL: $results/$file is missing"; ls -R "$root"; exit 1; }
  done
done
python3 - "$root/results/summary.json" "$root/results-paced/summary.json" <<'PYTHON'
import json, sys
for path, pace, seconds in zip(sys.argv[1:], ("free", "real"), (2.0, 1.0)):
    summary = json.load(open(path))
    assert summary["pace"] == pace, summary["pace"]
    assert abs(summary["simulated_s"] - seconds) < 1e-9, summary["simulated_s"]
    assert summary["equations"] > 0
PYTHON
echo "ok: $(basename "$executable") runs alone"
