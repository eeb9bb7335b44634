#!/usr/bin/env python3
"""A controller of the pump's speed, as your ECU would be one: it knows the bus and its database, and nothing of the plant.

    ecu.py [PORT]     # the port of the virtual bus; it waits until the bus is there"""
import pathlib
import socket
import sys
import time

import can
import cantools

WISH, KP, KI, PERIOD = 150.0, 0.05, 0.5, 0.01  # rad/s, V per rad/s, V per rad, s

database = cantools.database.load_file(pathlib.Path(__file__).with_name("pump.dbc"))
state, command = database.get_message_by_name("PUMP_State"), database.get_message_by_name("ECU_Command")
port = int(sys.argv[1]) if len(sys.argv) > 1 else 29536
while socket.socket().connect_ex(("127.0.0.1", port)) != 0:  # the plant is compiled first; python-can would try without a pause
    time.sleep(0.2)
bus = can.Bus(interface="socketcand", host="127.0.0.1", port=port, channel="can0")

integral, patience = 0.0, None  # the bus is there some time before the plant speaks; then its silence is the end
try:
    while frame := bus.recv(timeout=patience):
        patience = 2.0
        if frame.arbitration_id != state.frame_id:
            continue
        seen = state.decode(frame.data)
        error = WISH - seen["speed"]
        hot = seen["temperature"] > 90.0  # the ECU protects the motor
        integral = 0.0 if hot else min(max(integral + KI * error * PERIOD, -24.0), 24.0)
        voltage = 0.0 if hot else min(max(KP * error + integral, -24.0), 24.0)
        bus.send(can.Message(arbitration_id=command.frame_id, is_extended_id=False, data=command.encode({"voltage": voltage})))
except (OSError, can.CanError):
    pass  # the plant has ended, and its bus with it
bus.shutdown()
