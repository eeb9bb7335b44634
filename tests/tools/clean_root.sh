#!/bin/bash
# clean_root.sh [COMMAND]   proves that a stranger's machine is enough: a new root by debootstrap, Debian 12 unless told, a fresh
# clone of the committed state in it, and COMMAND (tools/demo.sh unless told) run there. By hand, as root; not part of
# ctest: it takes its time and the network.
#   SUITE=bookworm              any suite of Debian that debootstrap knows, and noble, Ubuntu 24.04. trixie (30 November 2026): packages
#                               install, but for the group dev; configuring stops at SUNDIALS 7, which Debian builds with MPI
#   ROOT=/var/tmp/takt-root     where the root is made (removed first, left behind for a look)
#   CACHE=/var/cache/takt       downloaded packages are kept here; CACHE= downloads everything anew
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
suite=${SUITE:-bookworm}
root=${ROOT:-/var/tmp/takt-root}
cache=${CACHE-/var/cache/takt}
command=${1:-tools/demo.sh}
[ "$(id -u)" = 0 ] || { echo "needs root (chroot)" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "needs the package debootstrap" >&2; exit 2; }
# The debootstrap of Debian 12 is older than Ubuntu 24.04, whose script is that of every Ubuntu; its packages are in universe.
scripts=/usr/share/debootstrap/scripts options=(--variant=minbase --include=ca-certificates) from=()
if [ "$suite" = noble ]; then
  options+=(--components=main,universe)
  from=(http://archive.ubuntu.com/ubuntu "$scripts/gutsy")
elif ! [ -e "$scripts/$suite" ]; then
  echo "this debootstrap knows no suite '$suite'" >&2
  exit 2
fi

unmount() {
  for at in dev/shm dev proc sys var/cache/apt/archives; do
    ! mountpoint -q "$root/$at" || umount -l "$root/$at"
  done
}
trap unmount EXIT

if [ -e "$root" ]; then
  unmount
  rm -rf --one-file-system "$root"
fi
start=$SECONDS
mkdir -p "$root"
if [ -n "$cache" ]; then
  mkdir -p "$cache/debootstrap" "$cache/archives/partial"
  options+=(--cache-dir="$cache/debootstrap")
fi
debootstrap "${options[@]}" "$suite" "$root" "${from[@]}" >"$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
# How this machine reaches its mirror is not part of what is proven.
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp -r /etc/ssl/certs "$root/etc/ssl/" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount -t sysfs sys "$root/sys"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
if [ -n "$cache" ]; then
  mkdir -p "$root/var/cache/apt/archives"
  mount --bind "$cache/archives" "$root/var/cache/apt/archives"
fi
git clone -q "$repository" "$root/root/takt"
echo "== clean root of $suite ready after $((SECONDS - start)) s; commit $(git -C "$root/root/takt" rev-parse --short HEAD)"

start=$SECONDS
code=0
chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
  ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} \
  bash -c "cd /root/takt && $command" || code=$?
echo "== $command ended with $code after $((SECONDS - start)) s"
exit $code
