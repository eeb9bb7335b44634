#!/usr/bin/env python3
"""A vehicle control unit, as your ECU would be one: it knows the bus and its database, and nothing of the plant.

    ecu.py [PORT]     # the port of the virtual bus; it waits until the bus is there

Key on: it precharges the link, closes the main contactor, then turns the pedals into torque. Hot parts take torque away and call the fan;
messages that are missing take all of it."""
import math
import pathlib
import socket
import sys
import time

import can
import cantools

CYCLE, FRESH = 0.01, 0.2  # s; how old a message may be
database = cantools.database.load_file(pathlib.Path(__file__).with_name("ev.dbc"))
messages = {message.frame_id: message for message in database.messages if "VCU" not in message.senders}


def connect(port):
    while socket.socket().connect_ex(("127.0.0.1", port)) != 0:  # the plant is compiled first; python-can would try without a pause
        time.sleep(0.2)
    return can.Bus(interface="socketcand", host="127.0.0.1", port=port, channel="can0")


def derated(temperature, first, last):
    return min(max((last - temperature) / (last - first), 0.0), 1.0)


def torque(seen):
    """N*m: the accelerator's share of what the motor can give at this speed, less what the brake pedal recuperates."""
    limit = min(360.0, 150e3 / max(abs(seen["MCU_State"]["speed"]) * 2.0 * math.pi / 60.0, 1.0))
    fade = min(max((seen["VEH_State"]["speed"] / 3.6 - 1.5) / 3.0, 0.0), 1.0)  # towards standstill
    regenerated = min(seen["DRIVER_Command"]["brake"] / 100.0 * 660.0, 150.0, limit) * fade
    share = min(derated(seen["MCU_State"]["motor_temperature"], 140.0, 160.0), derated(seen["MCU_State"]["inverter_temperature"], 110.0, 130.0),
                derated(seen["BMS_State"]["temperature_max"], 48.0, 58.0))
    return share * (seen["DRIVER_Command"]["accelerator"] / 100.0 * limit - regenerated)


def fan(seen):
    """%: with the hottest of its parts."""
    above = max((seen["MCU_State"]["motor_temperature"] - 60.0) / 40.0, (seen["MCU_State"]["inverter_temperature"] - 55.0) / 30.0,
                (seen["BMS_State"]["temperature_max"] - 32.0) / 10.0)
    return 100.0 * min(max(above, 0.0), 1.0)


def commands(seen, fresh, main):
    """-> values of each message that the ECU sends"""
    key = "DRIVER_Command" in fresh and str(seen["DRIVER_Command"]["key"]) == "on"
    charged = "BMS_State" in fresh and "BMS_Contactors" in fresh and seen["BMS_Contactors"]["link_voltage"] > 0.95 * seen["BMS_State"]["pack_voltage"] > 95.0
    main = key and (main or charged)
    closed = main and "BMS_Contactors" in fresh and str(seen["BMS_Contactors"]["main_closed"]) == "closed"
    ready = closed and len(fresh) == len(messages)
    return main, {
        "VCU_Torque": {"torque_request": torque(seen) if ready else 0.0, "enable": int(ready)},
        "VCU_Contactors": {"main": int(main), "precharge": int(key and not closed)},
        "VCU_Cooling": {"fan_duty": fan(seen) if {"MCU_State", "BMS_State"} <= fresh else 100.0},
    }


def drive(bus):
    """Until nothing comes any more."""
    seen, heard, main_on, alive, due = {}, {}, False, 0, time.monotonic()
    while heard == {} or time.monotonic() - max(heard.values()) < 2.0:
        frame = bus.recv(timeout=max(due - time.monotonic(), 0.0))
        if frame is not None and frame.arbitration_id in messages:
            message = messages[frame.arbitration_id]
            seen[message.name], heard[message.name] = message.decode(frame.data), time.monotonic()
        if time.monotonic() < due:
            continue
        due, alive = max(due + CYCLE, time.monotonic()), (alive + 1) % 16
        fresh = {name for name, when in heard.items() if time.monotonic() - when < FRESH}
        main_on, values = commands(seen, fresh, main_on)
        values["VCU_Torque"]["alive"] = alive
        for name, signals in values.items():
            known = database.get_message_by_name(name)
            bus.send(can.Message(arbitration_id=known.frame_id, is_extended_id=False, data=known.encode(signals)))


def main():
    bus = connect(int(sys.argv[1]) if len(sys.argv) > 1 else 29536)
    try:
        drive(bus)
    except (OSError, can.CanError):
        pass  # the plant has ended, and its bus with it
    bus.shutdown()


if __name__ == "__main__":
    main()
