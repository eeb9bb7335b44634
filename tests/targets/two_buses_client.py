#!/usr/bin/env python3
"""two_buses_client.py FILE   an ECU on the virtual bus of two_buses_guest.sh: answers alive = 7 and listens, until the bus is closed."""

import json
import logging
import pathlib
import sys
import time

import can

logging.getLogger("can").setLevel(logging.CRITICAL + 1)  # attempts before the plant has opened its port
pathlib.Path("/tmp/client_is_there").touch()
until = time.time() + 60
while True:
    try:
        bus = can.Bus(interface="socketcand", host="127.0.0.1", port=29600, channel="inner")
        break
    except (OSError, can.CanError):
        if time.time() > until:
            raise
        time.sleep(0.05)
seen = []
try:
    while time.time() < until:
        bus.send(can.Message(arbitration_id=0x200, is_extended_id=False, data=[7, 0]))
        message = bus.recv(timeout=0.02)
        if message is not None:
            seen.append([message.arbitration_id, message.data.hex()])
except (OSError, can.CanError):
    pass  # the plant has ended
finally:
    with open(sys.argv[1], "w") as file:
        json.dump(seen, file)
