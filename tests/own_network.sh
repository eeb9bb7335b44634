#!/bin/sh
# own_network.sh COMMAND...   in a network of its own where that may be had: ports of tests that run side by side never meet.
if [ -z "$TAKT_OWN_NETWORK" ] && unshare -n true 2>/dev/null; then
  TAKT_OWN_NETWORK=1 exec unshare -n sh -c 'ip link set lo up && exec "$@"' sh "$@"
fi
exec "$@"
