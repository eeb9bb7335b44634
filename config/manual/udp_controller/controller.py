#!/usr/bin/env python3
"""A controller of the pump's speed over UDP: it answers every frame of the plant with a voltage.

    controller.py [OWN_PORT PLANT_PORT]     # it waits for the plant, and ends 2 s after its last frame"""
import socket
import struct
import sys
import time

WISH, KP, KI, PERIOD = 150.0, 0.05, 0.5, 0.01  # rad/s, V per rad/s, V per rad, s
STATE, COMMAND = struct.Struct("<Iqdf"), struct.Struct("<Iqd")  # as the rig lays them out: counter, time, values

own_port, plant_port = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (5006, 5005)
bus = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
bus.bind(("127.0.0.1", own_port))
bus.settimeout(60.0)

integral, sent, newest = 0.0, 0, None
try:
    while True:
        frame, sender = bus.recvfrom(2048)
        if sender != ("127.0.0.1", plant_port) or len(frame) != STATE.size:
            continue
        bus.settimeout(2.0)
        counter, _, speed, temperature = STATE.unpack(frame)
        if newest is not None and (counter - newest) % 2**32 > 2**31:
            continue  # an older one
        newest = counter
        hot = temperature > 90.0  # the controller protects the motor
        error = WISH - speed
        integral = 0.0 if hot else min(max(integral + KI * error * PERIOD, -24.0), 24.0)
        voltage = 0.0 if hot else min(max(KP * error + integral, -24.0), 24.0)
        bus.sendto(COMMAND.pack(sent, time.monotonic_ns(), voltage), ("127.0.0.1", plant_port))
        sent = (sent + 1) % 2**32
except TimeoutError:
    print(f"{sent} commands sent")
