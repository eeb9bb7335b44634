#!/bin/bash
# package_root.sh PACKAGE.deb   what somebody does who has no clone: a new Debian 12 root by debootstrap, `apt install ./PACKAGE.deb`, `takt new demo`,
# `takt run demo`; no recommended packages, no cache. As root; debootstrap and the network. Prints seconds. Part `package` of tools/test_long.sh.
#   ROOT=/var/tmp/takt-package-root    where the root is made (removed first and last)
set -euo pipefail
package=$(realpath "$1")
root=${ROOT:-/var/tmp/takt-package-root}
[ "$(id -u)" = 0 ] || { echo "needs root (chroot)" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "needs the package debootstrap" >&2; exit 2; }
clear_root() {
  for at in dev proc; do ! mountpoint -q "$root/$at" || umount -l "$root/$at"; done
  rm -rf --one-file-system "$root"
}
clear_root
trap clear_root EXIT
mkdir -p "$root"
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
rm "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp -r /etc/ssl/certs "$root/etc/ssl/" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
cp "$package" "$root/root/takt.deb"

inside() {
  chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} bash -euo pipefail -c "cd /root; $1"
}
begun=$SECONDS
inside "apt-get -qq update; apt-get -qq install --no-install-recommends ./takt.deb >/root/apt.log 2>&1 || { tail /root/apt.log; exit 1; }"
installed=$SECONDS
echo "ok   apt install ./takt.deb: $((installed - begun)) s, $(inside "dpkg-query -Wf '\${Installed-Size}' takt") KB of Takt, $(inside "grep -c '^Setting up' apt.log") packages"
inside "takt --version; takt new demo; takt run demo --for '1 s' --out run; test -s run/report.html"
echo "ok   takt new demo && takt run demo: $((SECONDS - installed)) s"
inside "takt fmu export /usr/share/takt/plants/rc --out rc.fmu >/dev/null; takt fmu check rc.fmu; takt run /usr/share/takt/plants/ev --rig /usr/share/takt/rigs/ev.toml --for '10 ms' --pace free --no-results --audit off >/dev/null"
echo "ok   an FMU is exported; a plant with a rig runs"
