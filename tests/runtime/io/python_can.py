"""Two python-can clients on the virtual bus of the sample rig. Usage: python_can.py CAN_SERVER"""
import json
import subprocess
import sys
import threading
import time

try:
    import can
except ImportError:
    print("python-can is missing")
    sys.exit(77)

server = subprocess.Popen([sys.argv[1], "8"], stdout=subprocess.PIPE, text=True)
port = int(server.stdout.readline().split()[1])
lines = []
reader = threading.Thread(target=lambda: lines.extend(server.stdout), daemon=True)
reader.start()


def connect():
    return can.Bus(interface="socketcand", host="127.0.0.1", port=port, channel="can0")


def wait_for(bus, good, seconds=5.0):
    until = time.time() + seconds
    while time.time() < until:
        message = bus.recv(0.5)
        if message is not None and good(message):
            return message
    sys.exit("nothing heard")


# Connecting again and again: the handshake must never be mixed with frames, though the bus is busy.
for _ in range(20):
    connect().shutdown()

first, second = connect(), connect()

# 1. the plant's frames arrive, decoded by hand: Status.temperature, 0.1 degC, little-endian signed
status = wait_for(first, lambda m: m.arbitration_id == 200 and not m.is_extended_id)
assert status.dlc == 8 and status.data[2] == 100 and status.data[3] == 17, status
one = int.from_bytes(status.data[0:2], "little", signed=True)
later = wait_for(second, lambda m: m.arbitration_id == 200 and int.from_bytes(m.data[0:2], "little", signed=True) > one)
assert abs(later.timestamp - time.time()) < 60

# 2. a client's frame reaches the plant and the other client, not itself
first.send(can.Message(arbitration_id=100, is_extended_id=False, data=[0x00, 0x64, 1, 0, 0, 0, 0, 0]))
echo = wait_for(second, lambda m: m.arbitration_id == 100)
assert list(echo.data) == [0x00, 0x64, 1, 0, 0, 0, 0, 0]
extended = can.Message(arbitration_id=2566844672 & 0x1FFFFFFF, is_extended_id=True, data=[0, 60, 0, 0, 0, 0, 0, 0])
second.send(extended)
heard = wait_for(first, lambda m: m.is_extended_id)
assert heard.arbitration_id == extended.arbitration_id and heard.data == extended.data
until = time.time() + 0.3
while time.time() < until:
    message = first.recv(0.05)
    assert message is None or message.arbitration_id != 100, "own frame came back"

# 3. what python-can can send but the protocol cannot carry harms nobody
first.send(can.Message(arbitration_id=5, is_extended_id=False, is_remote_frame=True, dlc=4))
first.send(can.Message(arbitration_id=6, is_extended_id=False, data=[]))
wait_for(second, lambda m: m.arbitration_id == 6 and m.dlc == 0)

# 4. a notifier and cyclic sending, as scripts do
first.send_periodic(can.Message(arbitration_id=100, is_extended_id=False, data=[0, 2, 1, 0, 0, 0, 0, 0]), 0.01)
listener = can.BufferedReader()
notifier = can.Notifier(second, [listener])
count, until = 0, time.time() + 5
while count < 20 and time.time() < until:
    message = listener.get_message(0.1)
    count += message is not None and message.arbitration_id == 100
assert count == 20, count
notifier.stop()
first.shutdown()
second.shutdown()

server.wait(timeout=30)
reader.join(timeout=5)
inputs = [list(map(float, line.split())) for line in lines if not line.startswith("{")]
# order: cooling, enable, gain, speed_limit, torque; torque = 0x64 * 0.5
assert any(values[4] == 50.0 and values[1] == 1.0 for values in inputs), inputs
assert any(abs(values[3] - 6.283185307) < 1e-6 for values in inputs), inputs
assert inputs[-1][4] == -1.0, "the silent bus did not lead to safe values"
statistics = json.loads(next(line for line in lines if line.startswith("{")))["buses"][0]
assert statistics["client_connections"] == 22 and statistics["dropped_receive_ring"] == 0, statistics
print("python-can", can.__version__, ":", len(inputs), "changes of the inputs,", statistics["frames_received"], "frames received")
