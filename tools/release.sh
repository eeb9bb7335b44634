#!/bin/bash
# tools/release.sh   makes the packages of a version, in build/packages: builds, runs all tests, packs, tries the package in a new root, lists what is in it
#   takt_VERSION_amd64.deb           the command, its runtime, plants, library, manual pages
#   takt-runtime_VERSION_arm64.deb   libraries and headers for boards
#   takt-VERSION.tar.xz              the sources of the commit
#   SHA256SUMS                       signed as SHA256SUMS.asc where KEY names a key of gpg
# The tree must be clean and config/manual/changes.md must have a date for the version. --packages-only: packs what is committed, without tests, date and
# root, to look at the packages.
set -euo pipefail
cd "$(dirname "$0")/.."
only=false
case "${1:-}" in
  "") ;;
  --packages-only) only=true ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
version=$(sed -n 's/^project(takt VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -z "$(git status --porcelain)" ] || { echo "the tree has changes that are not committed: commit or stash them" >&2; exit 1; }
$only || grep -qE "^## ${version//./\\.} \([0-9]{4}-[0-9]{2}-[0-9]{2}\)" config/manual/changes.md ||
  { echo "config/manual/changes.md has no line '## $version (YYYY-MM-DD)': say what the version brings" >&2; exit 1; }

out=$PWD/build/packages
rm -rf "$out"
mkdir -p "$out"
tools/install_packages.sh build package cross
echo "== tests"
$only || tools/test.sh
echo "== packages of $version at $(git rev-parse --short HEAD)"
cmake --preset release >"$out/log" && cmake --build --preset release >>"$out/log" || { tail -20 "$out/log"; exit 1; }
(cd build/release && cpack -G DEB -B "$out") >>"$out/log" || { tail -20 "$out/log"; exit 1; }
for step in "cmake -S tools/package/runtime -B build/arm64 -G Ninja --toolchain $PWD/targets/linux-aarch64/toolchain.cmake" "cmake --build build/arm64" \
  "cpack --config build/arm64/CPackConfig.cmake -B $out"; do
  $step >>"$out/log" 2>&1 || { tail -20 "$out/log"; exit 1; }
done
git archive --prefix="takt-$version/" HEAD | xz -T0 >"$out/takt-$version.tar.xz"
rm -rf "$out/_CPack_Packages" "$out/log"
echo "== the package in a new root"
$only || tests/tools/package_root.sh "$out/takt_${version}_amd64.deb"

cd "$out"
sha256sum -- *.deb *.tar.xz >SHA256SUMS
[ -z "${KEY:-}" ] || gpg --local-user "$KEY" --armor --detach-sign SHA256SUMS
for package in *.deb; do
  echo "== $package: $(dpkg-deb -f "$package" Depends)"
  dpkg-deb -c "$package" | awk '{ split($6, part, "/"); place = part[2] "/" part[3] "/" part[4]; bytes[place] += $3; if ($3 > 0) files[place] += 1 }
    END { for (place in bytes) if (files[place]) printf "   %7.1f MB %5d files  %s\n", bytes[place] / 1e6, files[place], place }' | sort -k4
done
echo "== in $out"
ls -l --block-size=K | awk 'NR > 1 { print "   " $5, $9 }'
$only && echo "not signed off: neither tests nor the new root were run" || echo "signed off: all tests and the new root passed at $(git rev-parse HEAD)"
