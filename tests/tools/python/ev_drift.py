"""The temperature sensor of a battery module drifts: the ECU has to switch the fan on within 15 s. The ECU is python-can and cantools."""
import can
import cantools

DB = cantools.database.load_file("config/can/ev.dbc")

def ecu(bus, seen, frame):
    seen |= DB.decode_message(frame.arbitration_id, frame.data)
    if frame.arbitration_id == 256 and len(seen) > 12:  # the driver's command, every 10 ms, once all have been heard
        charged = seen["link_voltage"] > 0.95 * seen["pack_voltage"]
        for name, values in (("VCU_Torque", {"torque_request": seen["accelerator"] * 2.5 * charged, "enable": charged, "alive": 0}),
                             ("VCU_Contactors", {"main": charged, "precharge": not charged}),
                             ("VCU_Cooling", {"fan_duty": 100 if seen["temperature_max"] > 33 else 0})):
            bus.send(can.Message(arbitration_id=DB.get_message_by_name(name).frame_id, is_extended_id=False, data=DB.encode_message(name, values)))

def test_the_fan_comes_on(takt_plant, takt_run, takt_port):
    port, seen = takt_port(), {}
    run = takt_run(takt_plant("config/plants/ev", rig="config/rigs/ev.toml"), pace="real", late="any", duration="60 s", buses={"can0.port": port})
    with can.Bus(interface="socketcand", host="127.0.0.1", port=port, channel="can0") as bus, can.Notifier(bus, [lambda frame: ecu(bus, seen, frame)]):
        run.wait_until("translational.car.speed > 5 km/h", timeout="20 s")
        run.inject("solid.pack[0].core.t", "drift 1 K/s")
        run.wait_until("fan_duty > 0.5", timeout="15 s")
    run.stop().plot(["control.pack_temperature.out", "solid.pack[0].core.t"]).save("drift.svg")
