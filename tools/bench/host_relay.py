"""Two hosts that see each other through a relay that loses, delays and reorders what it carries: a network namespace each, a TUN interface each,
a process of ours between them. Needs root."""
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def tun(name):
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return file


class Relay:
    """The own namespace has `here` (10.77.0.1), another one, in which self.other is a prefix of commands, has `there` (10.77.0.2)."""

    def __init__(self, loss, delay_s, seed, here="near", there="far"):
        self.loss, self.delay_s, self.random = loss, delay_s, random.Random(seed)
        self.carried = self.lost = self.overtaken = 0
        self.files = [tun(here), tun(there)]
        self.holder = subprocess.Popen(["unshare", "-n", "sleep", "infinity"])
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)
        self.other = ["nsenter", "-t", str(self.holder.pid), "-n"]
        subprocess.run(["ip", "link", "set", there, "netns", str(self.holder.pid)], check=True)
        for prefix, name, address in (([], here, "10.77.0.1/24"), (self.other, there, "10.77.0.2/24")):
            subprocess.run([*prefix, "ip", "address", "add", address, "dev", name], check=True)
            subprocess.run([*prefix, "ip", "link", "set", name, "up"], check=True)
            subprocess.run([*prefix, "ip", "route", "add", "224.0.0.0/4", "dev", name], check=True)
        self.ends = False
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()

    def carry(self):
        waiting, number, newest = [], 0, [0, 0]  # (due, number, to, packet)
        while not self.ends:
            patience = max(0.0, min(0.05, waiting[0][0] - time.monotonic())) if waiting else 0.05
            ready, _, _ = select.select(self.files, [], [], patience)
            for file in ready:
                to = 1 - self.files.index(file)
                packet = os.read(file, 65536)
                if self.random.random() < self.loss:
                    self.lost += 1
                    continue
                number += 1
                heapq.heappush(waiting, (time.monotonic() + self.delay_s * self.random.uniform(0.5, 1.0), number, to, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, which, to, packet = heapq.heappop(waiting)
                self.overtaken += which < newest[to]
                newest[to] = max(newest[to], which)
                self.carried += 1
                try:
                    os.write(self.files[to], packet)
                except OSError:  # the interface is gone, or full: lost, too
                    self.lost += 1

    def close(self):
        self.ends = True
        self.thread.join()
        self.holder.kill()
        self.holder.wait()
        for file in self.files:
            os.close(file)
