"""A python-can client of a plant's virtual bus. Ends the test with 77 where python-can or cantools is missing."""
import logging
import sys
import time

from raw_client import free_port  # noqa: F401: tests with a python-can client take it from here

try:
    import can
    import cantools
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

logging.getLogger("can").setLevel(logging.CRITICAL + 1)  # attempts before the plant has opened its port


FD_TIMING = can.BitTimingFd.from_sample_point(f_clock=80_000_000, nom_bitrate=500_000, nom_sample_point=80, data_bitrate=2_000_000, data_sample_point=80)


def frames_until_end(bus, plant):
    """Every frame that comes until the process has ended and its bus is empty."""
    while True:
        try:
            message = bus.recv(0.2)
        except (OSError, can.CanError):
            return
        if message is not None:
            yield message
        elif plant.poll() is not None:
            return


def connect(port, **options):
    """By socketcand, or by slcan with interface="slcan"."""
    slcan = options.get("interface") == "slcan"
    where = {"channel": f"socket://127.0.0.1:{port}", "sleep_after_open": 0} if slcan else {"interface": "socketcand", "host": "127.0.0.1", "port": port, "channel": "can0"}
    until = time.time() + 20
    while True:
        try:
            return can.Bus(**{**where, **options})
        except (OSError, can.CanError):
            if time.time() > until:
                raise
            time.sleep(0.05)
