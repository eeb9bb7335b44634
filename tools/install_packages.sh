#!/bin/bash
# tools/install_packages.sh GROUP...   install what is missing on Debian 12, as root or with sudo
#   build   compiler, CMake, libraries: what building the takt command and plants needs, all of it; SUNDIALS and DDS among them; the headers of
#           FMI 2 and 3, out of a wheel of PyPI
#   python  build/venv with python-can, cantools, fmpy and others, pinned in tools/requirements.txt
#   test    ngspice, strace, can-utils, OpenSSH: partners and watchers of the tests; graphviz: reads what `takt check --graph` writes for it;
#           libtbb12 and unzip: ecospy, which runs FMUs; EPANET's library, out of a wheel of PyPI
#   guest   QEMU and what its guests are made of
#   cross   compiler and emulator for aarch64
#   modelica  build/modelica with rumoca, the front end for classes in Modelica
#   package dpkg-dev, file, gnupg: what tools/release.sh makes packages with
#   manual  MkDocs and its theme Material, pinned in tools/manual/requirements.txt, into build/venv
#   dev     clang, its sanitizers, clang-tidy, clang-format: presets tidy and fuzz
# tools/install_packages.sh --list GROUP...   only names the Debian packages of the groups, one a line
# Installs nothing and touches no network where everything is there already.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A packages=(
  [build]="g++ cmake ninja-build ccache git libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev libpugixml-dev
           libzip-dev libexpected-dev libboost-dev libeigen3-dev libsocketcan-dev zlib1g-dev catch2 python3 python3-venv
           libsundials-dev libsuitesparse-dev cyclonedds-dev cyclonedds-tools"
  [python]="python3 python3-venv"
  [manual]="python3 python3-venv"
  [modelica]="python3 python3-venv"
  [test]="ngspice strace can-utils rt-tests python3-numpy procps iproute2 graphviz openssh-server openssh-client libtbb12 unzip"
  [guest]="qemu-system-x86 qemu-system-arm busybox-static cpio xz-utils kmod iproute2 can-utils rt-tests systemd udev"
  [package]="dpkg-dev file gnupg"
  [cross]="g++-aarch64-linux-gnu qemu-user-static"
  [dev]="clang libclang-rt-14-dev clang-tidy clang-format"
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
wheels=${XDG_CACHE_HOME:-$HOME/.cache}/takt/wheels

# Debian has no headers of FMI, without which Takt is not configured.
fmpy=0.3.32
install_fmi_headers() {
  local version=$fmpy pip=build/pip
  [ -f build/fmi/fmi3Functions.h ] && return
  echo "   unpacking the headers of FMI from fmpy $version"
  mkdir -p "$wheels"
  if ! [ -f "$wheels/fmpy-$version-py3-none-any.whl" ]; then
    python3 -m venv "$pip" && "$pip/bin/pip" -q --disable-pip-version-check download --no-deps -d "$wheels" "fmpy==$version" || return 1
    rm -rf "$pip"
  fi
  python3 - "$wheels/fmpy-$version-py3-none-any.whl" build/fmi <<'PYTHON'
import pathlib
import sys
import zipfile

wheel, folder = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
for name in wheel.namelist():
    if name.startswith(("fmpy/c-code/fmi2", "fmpy/c-code/fmi3")) and name.endswith(".h"):
        (folder / pathlib.PurePath(name).name).write_bytes(wheel.read(name))
PYTHON
}

no_fmi_headers() {
  echo "no headers of FMI, which Takt needs: fmpy $fmpy could not be downloaded from PyPI or unpacked into build/fmi" >&2
  echo "   run this again with a network, or first put fmpy-$fmpy-py3-none-any.whl into $wheels" >&2
  exit 1
}

# The library alone: what calls it asks for much more.
install_epanet() {
  local version=2.3.5.3 pip=build/pip
  [ -f build/epanet/libepanet2.so ] && return
  echo "   unpacking EPANET from epyt $version"
  mkdir -p "$wheels" build/epanet
  if ! ls "$wheels/epyt-$version"-*.whl >/dev/null 2>&1; then
    python3 -m venv "$pip" && "$pip/bin/pip" -q --disable-pip-version-check download --no-deps -d "$wheels" "epyt==$version" || return 1
    rm -rf "$pip"
  fi
  python3 -c 'import pathlib, sys, zipfile
pathlib.Path("build/epanet/libepanet2.so").write_bytes(zipfile.ZipFile(sys.argv[1]).read("epyt/libraries/glnx/libepanet2.so"))' "$wheels/epyt-$version"-*.whl
}

install_python() {
  cmp -s tools/requirements.txt build/venv/requirements.txt && return
  echo "   making build/venv: $(grep -c == tools/requirements.txt) packages"
  rm -rf build/venv
  python3 -m venv --system-site-packages build/venv
  install_pinned tools/requirements.txt
  cp tools/requirements.txt build/venv/requirements.txt
}

install_pinned() {
  local pip=(build/venv/bin/pip -q --disable-pip-version-check)
  mkdir -p "$wheels"
  "${pip[@]}" install --no-index --find-links "$wheels" -r "$1" 2>/dev/null ||
    { "${pip[@]}" download -d "$wheels" -r "$1"
      "${pip[@]}" install --no-index --find-links "$wheels" -r "$1"; }
}

# Of this version, with whose flat form the import is written (tools/takt/modelica_front_end.cpp).
install_modelica() {
  local version=0.10.2 python=build/modelica/bin/python
  [ "$("$python" -c 'import rumoca; print(rumoca.version())' 2>/dev/null)" = "$version" ] && return
  echo "   making build/modelica: rumoca $version"
  rm -rf build/modelica
  python3 -m venv build/modelica
  mkdir -p "$wheels"
  ls "$wheels/rumoca-$version"-*.whl >/dev/null 2>&1 ||
    "$python" -m pip -q --disable-pip-version-check download --no-deps -d "$wheels" "rumoca==$version" || return 1
  "$python" -m pip -q --disable-pip-version-check install --no-index --no-deps "$wheels/rumoca-$version"-*.whl
}

no_front_end() {
  echo "   no rumoca (network?): classes in Modelica cannot be read, flat models can" >&2
  rm -rf build/modelica
}

install_manual() {
  install_python
  cmp -s tools/manual/requirements.txt build/venv/manual_requirements.txt && return
  echo "   adding to build/venv: $(grep -c == tools/manual/requirements.txt) packages of the manual"
  install_pinned tools/manual/requirements.txt
  cp tools/manual/requirements.txt build/venv/manual_requirements.txt
}

list=false
[ "${1:-}" != --list ] || { list=true; shift; }
for group in "$@"; do
  [ -n "${packages[$group]:-}" ] || { echo "unknown group '$group'; see the head of $0" >&2; exit 2; }
done
wanted=
for group in "$@"; do wanted+=" ${packages[$group]}"; done
wanted=$(tr -s ' \n' '\n' <<<"${wanted# }" | sort -u)
$list && { echo "$wanted"; exit; }
mkdir -p build
# Words on purpose: the lists are package names.
# shellcheck disable=SC2086
install_debian $wanted
for group in "$@"; do
  [ "$group" != build ] || install_fmi_headers || no_fmi_headers
  [ "$group" != python ] || install_python
  [ "$group" != manual ] || install_manual
  [ "$group" != modelica ] || install_modelica || no_front_end
  [ "$group" != test ] || install_epanet || echo "   no EPANET (network?): its networks are not compared" >&2
done
