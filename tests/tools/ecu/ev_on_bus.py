"""The electric vehicle, its ECU and a python-can client on one virtual bus; then the ECU is killed, and the run replayed.
Usage: ev_on_bus.py TAKT EV_ECU SOURCE_DIR WORK_DIR"""
import csv
import json
import pathlib
import socket
import subprocess
import sys
import time

try:
    import can
    import cantools
except ImportError as missing:
    print(missing)
    sys.exit(77)

takt, ecu_program, source, work = sys.argv[1:5]
work = pathlib.Path(work)
work.mkdir(parents=True, exist_ok=True)
database = cantools.database.load_file(source + "/config/can/ev.dbc")
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, found)
    if not condition:
        failures.append(what)


with socket.socket() as probe:  # a port nobody uses
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

subprocess.run([takt, "build", source + "/config/plants/ev", "--rig", source + "/config/rigs/ev.toml", "--out", str(work / "build")], check=True)
plant_program = str(work / "build/bin/ev")
plant = subprocess.Popen([plant_program, "--pace", "real", "--late", "any", "--for", "12s", "--quiet", "--out", str(work / "run"), "--bus", f"can0.port={port}"],
                         stdout=subprocess.DEVNULL)
ecu = subprocess.Popen([ecu_program, "--bus", f"socketcand:127.0.0.1:{port}/can0"])
try:
    bus = can.Bus(interface="socketcand", host="127.0.0.1", port=port, channel="can0")

    def listen(seconds, each=lambda name, signals: None):
        last, until = {}, time.time() + seconds
        while time.time() < until:
            message = bus.recv(0.05)
            if message is None:
                continue
            name = database.get_message_by_frame_id(message.arbitration_id).name
            last[name] = database.decode_message(message.arbitration_id, message.data, decode_choices=False)
            each(name, last[name])
        return last

    # 1. contactors: precharged, then closed, by the ECU
    last = {}
    until = time.time() + 6
    while time.time() < until and last.get("BMS_Contactors", {}).get("main_closed") != 1:
        last.update(listen(0.2))
    expect("eight messages are on the bus", len(last) == 8, sorted(last))
    expect("battery frames are plausible", 350 < last["BMS_State"]["pack_voltage"] < 420 and last["BMS_State"]["soc"] > 70, last["BMS_State"])
    expect("the ECU closed the main contactor on a charged link", last["BMS_Contactors"]["main_closed"] == 1
           and last["BMS_Contactors"]["link_voltage"] > 0.9 * last["BMS_State"]["pack_voltage"], last["BMS_Contactors"])
    expect("the car stands, the cycle has not begun", abs(last["MCU_State"]["torque"]) < 5, last["MCU_State"])

    # 2. a second plant on the same port
    second = subprocess.run([plant_program, "--pace", "real", "--late", "any", "--for", "1s", "--no-results", "--bus", f"can0.port={port}"], capture_output=True, text=True)
    expect("a second plant on the port is refused", second.returncode == 2 and "is taken" in second.stderr, second.stderr.strip()[-160:])

    # 3. pedal requests from here: the ECU believes them, the plant reacts
    pedal = database.get_message_by_name("DRIVER_Command")
    request = can.Message(arbitration_id=pedal.frame_id, is_extended_id=False, data=pedal.encode({"accelerator": 40, "brake": 0, "key": 1}))
    task = bus.send_periodic(request, 0.001)
    torques = []
    listen(2.0, lambda name, signals: torques.append(signals["torque"]) if name == "MCU_State" else None)
    task.stop()
    expect("the plant reacts to the injected pedal", torques and max(torques) > 60, max(torques, default=None))

    # 4. the ECU dies
    ecu.kill()
    ecu.wait()
    last = listen(1.5)
    expect("without the ECU the contactors open", last["BMS_Contactors"]["main_closed"] == 0, last["BMS_Contactors"])
    expect("and there is no torque", abs(last["MCU_State"]["torque"]) < 1, last["MCU_State"])
    bus.shutdown()
    expect("the run ends in order", plant.wait(timeout=60) == 0)
finally:
    for process in (plant, ecu):
        if process.poll() is None:
            process.kill()

summary = json.loads((work / "run/summary.json").read_text())
events = [event["text"] for event in summary["io"]["events"]]
for name in ("VCU_Torque", "VCU_Contactors", "VCU_Cooling"):
    expect(f"the report says that {name} stayed away", any(f"{name} timed out" in text and "safe" in text for text in events))
with open(work / "run/signals.csv", newline="") as file:
    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
fan = next(name for name in rows[0] if name.startswith("control.fan"))
expect("the fan runs at its safe value at the end", float(rows[-1][fan]) == 1.0, rows[-1][fan])

# 5. the same run again from its logged inputs
digests = []
for k in (1, 2):
    subprocess.run([plant_program, "--pace", "free", "--for", "12s", "--quiet", "--replay", str(work / "run"), "--out", str(work / f"replay{k}")],
                   check=True, stdout=subprocess.DEVNULL)
    digests.append(json.loads((work / f"replay{k}/summary.json").read_text())["digest"])
expect("replayed free, twice, the digest is the same", digests == [summary["digest"]] * 2, [summary["digest"], *digests])
sys.exit(1 if failures else 0)
