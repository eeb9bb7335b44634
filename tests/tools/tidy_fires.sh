#!/bin/bash
# tidy_fires.sh   proves that .clang-tidy is read and that its checks fire: a file with one known mistake is refused.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v clang-tidy >/dev/null || exit 77
work=$(mktemp -d -p . .tidy_fires.XXXX)
trap 'rm -rf "$work"' EXIT

cat >"$work/mistake.cpp" <<'CODE'
#include <utility>
#include <vector>
std::vector<int> twice(std::vector<int> values) {
  std::vector<int> taken = std::move(values);
  taken.push_back(static_cast<int>(values.size()));
  return taken;
}
CODE
if clang-tidy --quiet "$work/mistake.cpp" -- -std=c++20 >"$work/out" 2>&1; then
  echo "a use after move passed"; exit 1
fi
grep -q 'bugprone-use-after-move' "$work/out" || { cat "$work/out"; exit 1; }
sed -i 's/values.size()/taken.size()/' "$work/mistake.cpp"
clang-tidy --quiet "$work/mistake.cpp" -- -std=c++20
