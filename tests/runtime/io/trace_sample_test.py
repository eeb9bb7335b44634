#!/usr/bin/env python3
"""MF4 files of frames, a classic bus and one with CAN FD, as asammdf and python-can read them: every channel, every frame.

    trace_sample_test.py TRACE_SAMPLE      Ends with 0, 1 or 77 (asammdf or python-can is missing)"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import asammdf
    import can
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

BEGIN = 1700000000.123456
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400])
    if not condition:
        failures.append(what)


def check(folder, bus, written):
    data = [one for one in written if not one["remote"]]
    remote = [one for one in written if one["remote"]]
    with asammdf.MDF(folder / f"{bus}.mf4") as mdf:
        expect(f"{bus}: the beginning in UTC", abs(mdf.header.start_time.timestamp() - BEGIN) < 1e-6, mdf.header.start_time)
        expect(f"{bus}: found as a log of bus 5", list(mdf.bus_logging_map["CAN"]) == [5] and set(mdf.bus_logging_map["CAN"][5]) == {one["id"] for one in data}, mdf.bus_logging_map)
        for group, frames, parts in (("CAN_DataFrame", data, ("ID", "IDE", "DLC", "DataLength", "Dir", "EDL", "BRS", "ESI", "BusChannel")), ("CAN_RemoteFrame", remote, ("ID", "IDE", "DLC", "DataLength", "Dir", "BusChannel"))):
            for part in parts:
                signal = mdf.get(f"{group}.{part}")
                expect(f"{bus}: {group}.{part}", list(signal.samples) == [one[part] for one in frames], signal.samples[:10])
                expect(f"{bus}: {group}.{part}: stamps", np.allclose(signal.timestamps, [one["time"] for one in frames], rtol=0, atol=1e-9))
        samples = mdf.get("CAN_DataFrame.DataBytes").samples
        room = 64 if bus == "fd" else 8
        expect(f"{bus}: room for {room} bytes, zeros behind the data", samples.shape == (len(data), room) and all(bytes(row) == one["data"].ljust(room, b"\0") for row, one in zip(samples, data)), samples.shape)
    with can.LogReader(folder / f"{bus}.mf4") as log:
        found = [(round((m.timestamp - BEGIN) * 1e6), m.arbitration_id, m.is_extended_id, m.is_remote_frame, m.is_rx, m.is_fd, m.bitrate_switch, m.error_state_indicator, bytes(m.data), m.channel) for m in log]
    wanted = [(round(one["time"] * 1e6), one["id"], bool(one["IDE"]), one["remote"], not one["Dir"], bool(one["EDL"]), bool(one["BRS"]), bool(one["ESI"]), one["data"], 5) for one in written]
    expect(f"{bus}: python-can reads all frames in their order", found == wanted and len(found) == 500, next((k for k in zip(found, wanted) if k[0] != k[1]), len(found)))


def main():
    with tempfile.TemporaryDirectory() as name:
        out = subprocess.run([sys.argv[1], name], check=True, capture_output=True, text=True).stdout
        by_bus = {}
        for line in out.splitlines():
            bus, time_us, ide, number, sent, remote, fd, brs, esi, dlc, data = line.split()
            data = bytes.fromhex(data[:-1])
            one = {"time": int(time_us) / 1e6, "id": int(number), "remote": remote == "1", "data": data}
            one.update(ID=int(number), IDE=int(ide), DLC=int(dlc), DataLength=len(data), Dir=int(sent), EDL=int(fd), BRS=int(brs), ESI=int(esi), BusChannel=5)
            by_bus.setdefault(bus, []).append(one)
        for bus, written in by_bus.items():
            check(pathlib.Path(name), bus, written)
        expect("both were written", set(by_bus) == {"classic", "fd"}, set(by_bus))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
