#!/bin/bash
# named_interface.sh PLANT OUT: the plant on one end of a pair of interfaces, its peer in a network of its own at the other. 77 where there is
# no such pair. Runs in a network of its own: unshare -n named_interface.sh ...
set -e
ip link set lo up
ip link add plant0 type veth peer name peer0 2>/dev/null || exit 77
unshare -n sleep 60 &
other=$!
trap 'kill $other' EXIT
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
ip link set peer0 netns $other
ip addr add 10.9.0.1/24 dev plant0
ip link set plant0 up
nsenter -t $other -n sh -c 'ip addr add 10.9.0.2/24 dev peer0; ip link set peer0 up; exec python3 -c "
import socket, struct, time
peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer.bind((\"10.9.0.2\", 5006))
peer.settimeout(0.002)
heard, end = 0, time.monotonic() + 30
for counter in range(2**32):
    peer.sendto(struct.pack(\">Iqd\", counter, time.monotonic_ns(), 4000.0), (\"10.9.0.1\", 5005))
    try:
        heard += struct.unpack(\">HHqddf\", peer.recv(64))[3] == 4.0
    except OSError:
        pass
    if heard > 20 or time.monotonic() > end:
        break
print(\"the peer has its numbers back:\", heard > 20)"' &
peer=$!
"$1" --for "1500 ms" --quiet --audit off --bus can0.port=0 --bus lab.interface=plant0 --bus lab.peer=10.9.0.2:5006 --out "$2"
wait $peer
