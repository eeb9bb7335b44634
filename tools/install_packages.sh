#!/bin/bash
# tools/install_packages.sh GROUP...   install what is missing on Debian 12, as root or with sudo
#   build   compiler, CMake, libraries: what building the takt command and plants needs
#   python  build/venv with python-can and cantools, pinned in tools/requirements.txt
#   test    ngspice, strace, can-utils: partners and watchers of the tests; graphviz: pictures of `takt check --graph`;
#           SUNDIALS: `takt reference`
#   guest   QEMU and what its guests are made of
#   cross   compiler and emulator for aarch64
#   dev     clang, clang-tidy, clang-format: presets tidy and fuzz
# Installs nothing and touches no network where everything is there already.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A packages=(
  [build]="g++ cmake ninja-build ccache git libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev libpugixml-dev
           libexpected-dev libboost-dev libeigen3-dev libsocketcan-dev zlib1g-dev catch2 python3"
  [python]="python3 python3-venv"
  [test]="ngspice strace can-utils rt-tests python3-numpy procps iproute2 graphviz
          libsundials-dev libsuitesparse-dev"
  [guest]="qemu-system-x86 busybox-static cpio xz-utils kmod iproute2 can-utils"
  [cross]="g++-aarch64-linux-gnu qemu-user-static"
  [dev]="clang clang-tidy clang-format"
)

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install_debian() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -Wf '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  echo "   installing: ${missing[*]}"
  as_root apt-get -qq update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -o Dpkg::Use-Pty=0 \
    "${missing[@]}" >build/apt.log 2>&1 || { tail -20 build/apt.log >&2; return 1; }
}

# Wheels are kept outside the clone, so that the next clone needs no network.
install_python() {
  local wheels=${XDG_CACHE_HOME:-$HOME/.cache}/takt/wheels
  cmp -s tools/requirements.txt build/venv/requirements.txt && return
  echo "   making build/venv: $(grep -c == tools/requirements.txt) packages"
  rm -rf build/venv
  python3 -m venv --system-site-packages build/venv
  local pip=(build/venv/bin/pip -q --disable-pip-version-check)
  mkdir -p "$wheels"
  "${pip[@]}" install --no-index --find-links "$wheels" -r tools/requirements.txt 2>/dev/null ||
    { "${pip[@]}" download -d "$wheels" -r tools/requirements.txt
      "${pip[@]}" install --no-index --find-links "$wheels" -r tools/requirements.txt; }
  cp tools/requirements.txt build/venv/requirements.txt
}

mkdir -p build
for group in "$@"; do
  [ -n "${packages[$group]:-}" ] || { echo "unknown group '$group'; see the head of $0" >&2; exit 2; }
done
wanted=
for group in "$@"; do wanted+=" ${packages[$group]}"; done
# Words on purpose: the lists are package names.
# shellcheck disable=SC2086
install_debian $(tr -s ' \n' '\n' <<<"$wanted" | sort -u)
for group in "$@"; do [ "$group" != python ] || install_python; done
