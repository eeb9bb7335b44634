"""What clients of the virtual bus need that speak their protocol by themselves, over a plain socket."""
import socket
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connected(port):
    """As soon as the plant listens there, within 20 s."""
    until = time.time() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            if time.time() > until:
                raise
            time.sleep(0.02)
