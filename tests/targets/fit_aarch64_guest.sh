#!/bin/sh
# fit_aarch64_guest.sh KEY   runs inside an aarch64 guest, under busybox: a board that is reached by ssh with this public key, until /tmp/done is there
set -eu
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
mkdir -p /root/.ssh /etc/dropbear
cp "$1" /root/.ssh/authorized_keys
chmod 700 /root /root/.ssh
chmod 600 /root/.ssh/authorized_keys
dropbear -R -s -F -E -p 22 &
while [ ! -e /tmp/done ]; do sleep 1; done
ls -d /tmp/takt-fit* 2>/dev/null | tee "$TAKT_OUT/left"
