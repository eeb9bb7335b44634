#!/bin/bash
# service_unit_test.sh OUT   systemd understands every line of targets/service/takt-rig@.service, and would not take a wrong one
set -euo pipefail
unit=$(cd "$(dirname "$0")/../.." && pwd)/targets/service/takt-rig@.service
out=$1
command -v systemd-analyze >/dev/null || { echo "skipped: systemd-analyze is not installed"; exit 77; }
mkdir -p "$out"
sed 's#/opt/takt/%i#/bin/true#' "$unit" >"$out/takt-rig@.service"
found=$(systemd-analyze verify "$out/takt-rig@.service" 2>&1) || { echo "FAIL $found"; exit 1; }
[ -z "$found" ] || { echo "FAIL $found"; exit 1; }
sed 's#^LimitRTPRIO=#LimitRealTime=#' "$out/takt-rig@.service" >"$out/wrong@.service"
systemd-analyze verify "$out/wrong@.service" 2>&1 | grep -q LimitRealTime || { echo "FAIL a wrong line is not seen"; exit 1; }
echo "ok   $unit"
