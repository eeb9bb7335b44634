"""`takt can encode` and `decode` to the last bit: whole numbers of 64 bits; a database made at random and every one in
TAKT_SHARED_DATA/can_dbc, random frames there and back, against a reader of bits written here from the format alone.
Usage: can_codec_test.py TAKT"""
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "codegen" / "dbc"))
from random_dbc import places, random_database

takt = sys.argv[1]
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def can(*arguments, given=None):
    return subprocess.run([takt, "can", *map(str, arguments)], input=given, capture_output=True, text=True)


# ---------------------------------------------------------------- the reference: a database by its text, bit by bit

SIGNAL = re.compile(r'^\s*SG_\s+(\w+)\s*(M|m\d*M?)?\s*:\s*(\d+)\|(\d+)@([01])([+-])\s*\(([^,]+),([^)]+)\)')


def read_database(text):
    messages, order, current = {}, [], None
    for line in text.splitlines():
        head = re.match(r'^BO_\s+(\d+)\s+(\w+)\s*:\s*(\d+)', line)
        if head:
            key = int(head[1])
            if key <= 0x7FF or key & 0x80000000 or key > 0x1FFFFFFF:
                identity = (key & 0x7FFFFFFF, bool(key & 0x80000000))
            else:
                identity = (key, True)  # above 0x7FF without bit 31
            current = None
            if head[2] != "VECTOR__INDEPENDENT_SIG_MSG" and identity not in {m["identity"] for m in order}:
                current = {"identity": identity, "name": head[2], "length": int(head[3]), "signals": {}}
                messages[key] = current
                order.append(current)
            continue
        found = SIGNAL.match(line)
        if found and current is not None and found[1] not in current["signals"]:
            name, mark, start, length, little, sign, factor, offset = found.groups()
            mark = "M" if mark == "m" else mark  # one file forgets the number
            current["signals"][name] = {
                "start": int(start), "length": int(length), "little": little == "1", "signed": sign == "-",
                "factor": Fraction(factor.strip()) or Fraction(1), "offset": Fraction(offset.strip()), "kind": "whole",
                "multiplexer": bool(mark and mark.endswith("M")), "by": None,
                "value": int(re.sub(r"\D", "", mark)) if mark and mark != "M" else None, "ranges": None, "usable": True}
        rule = re.match(r'^SG_MUL_VAL_\s+(\d+)\s+(\w+)\s+(\w+)\s+([^;]+);', line)
        if rule:
            signal = messages[int(rule[1])]["signals"][rule[2]]
            signal["by"] = rule[3]
            signal["ranges"] = [tuple(map(int, part.split("-"))) for part in rule[4].replace(" ", "").split(",")]
        kind = re.match(r'^SIG_VALTYPE_\s+(\d+)\s+(\w+)\s*:?\s*([12])\s*;', line)
        if kind:
            messages[int(kind[1])]["signals"][kind[2]]["kind"] = "float" if kind[3] == "1" else "double"
        long_name = re.match(r'^BA_\s+"System(Message|Signal)LongSymbol"\s+(?:BO_|SG_)\s+(\d+)\s*(\w*)\s*"([^"]+)"', line)
        if long_name and int(long_name[2]) in messages:
            message = messages[int(long_name[2])]
            if long_name[1] == "Message":
                message["name"] = long_name[4]
            else:
                message["signals"][long_name[3]]["name"] = long_name[4]
    for message in order:
        roots = [n for n, s in message["signals"].items() if s["multiplexer"] and s["value"] is None]
        for name, signal in message["signals"].items():
            signal["bits"] = places(signal["start"], signal["length"], signal["little"])
            signal["usable"] = max(signal["bits"]) < 8 * message["length"]
            if signal["value"] is not None and signal["by"] is None:
                signal["usable"] = signal["usable"] and len(roots) == 1
                signal["by"] = roots[0] if roots else None
                signal["ranges"] = [(signal["value"], signal["value"])]
    return order


def raw(signal, payload):
    return sum((payload[bit // 8] >> (bit % 8) & 1) << k for k, bit in enumerate(signal["bits"]))


def present(message, name, payload):
    signal = message["signals"][name]
    if not signal["usable"]:
        return False
    if signal["by"] is None:
        return True
    value = raw(message["signals"][signal["by"]], payload)
    return any(a <= value <= b for a, b in signal["ranges"]) and present(message, signal["by"], payload)


def value(signal, payload):
    bits = raw(signal, payload)
    if signal["kind"] == "float":
        number = struct.unpack("<f", struct.pack("<I", bits))[0]
    elif signal["kind"] == "double":
        number = struct.unpack("<d", struct.pack("<Q", bits))[0]
    else:
        number = bits - (1 << signal["length"]) if signal["signed"] and bits >> (signal["length"] - 1) else bits
        exact = number * signal["factor"] + signal["offset"]
        return int(exact) if is_whole(signal) else float(exact)
    return number * float(signal["factor"]) + float(signal["offset"])


def is_whole(signal):
    return signal["kind"] == "whole" and signal["factor"].denominator == 1 and signal["offset"].denominator == 1


def same(want, got):
    if isinstance(want, int):
        return want == got if abs(want) < 1 << 63 else got is not None and math.isclose(want, got, rel_tol=1e-15)
    if not math.isfinite(want):
        return got is None
    return got is not None and math.isclose(want, got, rel_tol=1e-12, abs_tol=1e-12)


def compare_database(path, folder):
    """@return messages compared"""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    messages = [m for m in read_database(text) if 0 < m["length"] <= 64 and m["signals"]]
    if not messages:
        return 0
    lines, frames = [], []
    for message in messages:
        number, extended = message["identity"]
        identity = f"{number:08X}" if extended else f"{number:03X}"
        for _ in range(8):
            payload = bytes(random.choice((0, 0xFF, random.randrange(256))) for _ in range(message["length"]))
            for name, signal in message["signals"].items():  # a value that its multiplexer has
                if signal["by"] and signal["usable"] and random.random() < 0.5:
                    wanted = random.choice(signal["ranges"])[0]
                    changed = bytearray(payload)
                    for k, bit in enumerate(message["signals"][signal["by"]]["bits"]):
                        changed[bit // 8] &= ~(1 << bit % 8)
                        changed[bit // 8] |= (wanted >> k & 1) << bit % 8
                    payload = bytes(changed)
            lines.append(f"({len(lines)}.0) can0 {identity}{'##1' if message['length'] > 8 else '#'}{payload.hex()}")
            frames.append((message, payload))
    log = folder / "log"
    log.write_text("\n".join(lines) + "\n")
    run = can("decode", log, "--dbc", path, "--json")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    check(run.returncode == 0 and len(rows) == len(frames), f"{path.name}: {run.stderr}")
    all_names = [m["name"] for m in messages]
    can_fd = {line.split("  id ")[0] for line in can("show", path).stdout.splitlines() if "  CAN FD" in line}
    back, wanted = [], []
    for (message, payload), row in zip(frames, rows):
        names = [n for n in message["signals"] if present(message, n, payload)]
        expected = {message["signals"][n].get("name", n): value(message["signals"][n], payload) for n in names}
        got = row.get("signals")
        good = got is not None and set(got) == set(expected) and all(same(expected[n], got[n]) for n in expected)
        check(good, f"{path.name} {message['name']} {payload.hex()}: want {expected}, got {row}")
        coded = [message["signals"][n] for n in names]
        exact = all(is_whole(s) or (s["kind"] == "whole" and s["length"] <= 48) for s in coded)
        fits = all(not isinstance(v, int) or abs(v) < 1 << 63 for v in expected.values())
        if all_names.count(message["name"]) > 1:
            continue  # the name means the first
        # A classic message of more than 8 bytes is read where one frame has it, but is no frame to be sent.
        if not exact or not fits or (message["length"] > 8 and message["name"] not in can_fd):
            continue
        mask = bytearray(message["length"])
        for signal in coded:
            for bit in signal["bits"]:
                mask[bit // 8] |= 1 << bit % 8
        back.append(json.dumps({k: v for k, v in row.items() if k != "frame"}))
        wanted.append((message, bytes(a & b for a, b in zip(payload, mask))))
    run = can("encode", "--dbc", path, "--from", "-", given="\n".join(back) + "\n")
    sent = run.stdout.splitlines()
    check(run.returncode == 0 and len(sent) == len(wanted), f"{path.name}: encode: {run.stderr}")
    for (message, payload), line in zip(wanted, sent):
        check(line.split("#")[-1][1 if "##" in line else 0:].lower() == payload.hex(),
              f"{path.name} {message['name']}: want {payload.hex()}, sent {line}")
    return len(messages)


# ---------------------------------------------------------------- whole numbers of 64 bits

WIDE = '''BU_: N
BO_ 1 Wide: 8 N
 SG_ u : 0|64@1+ (1,0) [0|0] "" N
BO_ 2 Signed: 8 N
 SG_ s : 0|64@1- (1,0) [0|0] "" N
BO_ 3 Scaled: 8 N
 SG_ x : 7|64@0+ (3,-7) [0|0] "" N
BO_ 4 Field: 8 N
 SG_ f : 3|53@1+ (1,0) [0|0] "" N
BO_ 5 Parts: 18 N
 SG_ p : 72|8@1+ (1,0) [0|0] "" N
BO_ 6 Fd: 12 N
 SG_ d : 64|16@1+ (0.5,0) [0|0] "" N
BO_ 7 Named: 8 N
 SG_ n : 0|8@1- (2,1) [0|0] "" N
VAL_ 7 n -1 "fault" 1 "on" ;
BA_DEF_ BO_ "VFrameFormat" INT 0 15;
BA_DEF_DEF_ "VFrameFormat" 0;
BA_ "VFrameFormat" BO_ 6 14;
'''


def exact(folder):
    dbc = folder / "wide.dbc"
    dbc.write_text(WIDE)
    for what, frame in {
            ("Wide", "u=1311768467463790321"): "001#F1DEBC9A78563412",
            ("Wide", "u=18446744073709551615"): "001#FFFFFFFFFFFFFFFF",
            ("Signed", "s=-9223372036854775807"): "002#0100000000000080",
            ("Signed", "s=-9223372036854775808"): "002#0000000000000080",
            ("Signed", "s=9223372036854775807"): "002#FFFFFFFFFFFFFF7F",
            ("Scaled", "x=55340232221128654838"): "003#FFFFFFFFFFFFFFFF",
            ("Field", "f=4503599627370497"): f"004#{(4503599627370497 << 3).to_bytes(8, 'little').hex().upper()}",
            ("Fd", "d=2.5"): "006##1000000000000000005000000",
            ("Named", "n=fault"): "007#FF00000000000000",
            ("Named", "n=3"): "007#0100000000000000"}.items():
        run = can("encode", *what, "--dbc", dbc)
        check(run.stdout.strip() == frame, f"encode {what}: want {frame}, got {run.stdout}{run.stderr}")
    log = folder / "wide.log"
    log.write_text("(1.0) can0 001#F1DEBC9A78563412\n(1.0) can0 002#0100000000000080\n(1.0) can0 003#FFFFFFFFFFFFFFFF\n"
                   "(1.0) can0 005#0102030405060708\n(1.0) can0 007#FF00000000000000\n(1.0) can0 001#0102\n")
    text = can("decode", log, "--dbc", dbc)
    for part in ("Wide  u=1311768467463790321\n", "Signed  s=-9223372036854775807\n", "Scaled  x=55340232221128654838\n",
                 "Parts  (8 of 18 bytes: a transport protocol sends it in parts)\n", "Named  n=-1 fault\n",
                 "Wide  (2 of 8 bytes)\n"):
        check(part in text.stdout, f"no {part!r} in\n{text.stdout}")
    check("6 of messages in the database (2 of them shorter than their message)" in text.stderr, text.stderr)
    rows = [json.loads(line) for line in can("decode", log, "--dbc", dbc, "--json").stdout.splitlines()]
    check(rows[0]["signals"] == {"u": 1311768467463790321}, str(rows[0]))
    check(rows[1]["signals"] == {"s": -9223372036854775807}, str(rows[1]))
    check("signals" not in rows[3] and "not_decoded" in rows[3], str(rows[3]))
    for what, said in {("Parts", "p=1"): "transport protocol", ("Wide", "u=x"): "u=NUMBER", ("Wide", "v=1"): "no signal 'v'",
                       ("Wyde", "u=1"): 'did you mean "Wide"'}.items():
        run = can("encode", *what, "--dbc", dbc)
        check(run.returncode == 2 and said in run.stderr and not run.stdout, f"encode {what}: {run.stderr}")


# ---------------------------------------------------------------- what a frame does not hold is refused by name

CHOSEN = '''BU_: N
BO_ 1 Page: 8 N
 SG_ page M : 0|8@1+ (1,0) [0|0] "" N
 SG_ inner m1M : 8|4@1+ (1,0) [0|0] "" N
 SG_ first m0 : 8|16@1+ (0.025,0) [0|0] "V" N
 SG_ deep m3 : 16|8@1+ (1,0) [0|0] "" N
 SG_ wide m5 : 16|8@1- (-0.5,0) [0|0] "" N
SG_MUL_VAL_ 1 inner page 1-1;
SG_MUL_VAL_ 1 first page 0-0;
SG_MUL_VAL_ 1 deep inner 3-3, 5-6;
SG_MUL_VAL_ 1 wide page 5-7, 9-9;
BO_ 2 Float: 8 N
 SG_ f : 0|32@1- (1,0) [0|0] "" N
BO_ 3 Bits: 8 N
 SG_ on : 0|1@1+ (1,0) [0|0] "" N
 SG_ v : 8|16@1+ (0.025,0) [0|0] "V" N
SIG_VALTYPE_ 2 f : 1;
'''


def fd(folder):
    """Without VFrameFormat a length above 8 is CAN FD; --fd says it of all messages; J1939 sends in parts."""
    dbc = folder / "fd.dbc"
    text = ('BU_: N\nBO_ 1 Short: 8 N\n SG_ s : 0|8@1+ (1,0) [0|0] "" N\nBO_ 2 Long: 32 N\n SG_ l : 248|8@1+ (1,0) [0|0] "" N\n'
            'BO_ 3 Longer: 65 N\n SG_ l : 512|8@1+ (1,0) [0|0] "" N\n')
    dbc.write_text(text)
    long = "002##1" + "00" * 31 + "07"
    for words, frame in {("Long", "l=7"): long, ("Short", "s=7"): "001#0700000000000000", ("Short", "s=7", "--fd"): "001##10700000000000000"}.items():
        run = can("encode", *words, "--dbc", dbc)
        check(run.stdout.strip() == frame, f"encode {words}: want {frame}, got {run.stdout}{run.stderr}")
    run = can("encode", "Longer", "l=7", "--fd", "--dbc", dbc)
    check(run.returncode == 2 and "transport protocol" in run.stderr, run.stderr)
    dbc.write_text(text + 'BA_DEF_ BO_ "VFrameFormat" INT 0 15;\nBA_DEF_DEF_ "VFrameFormat" 0;\n')
    run = can("encode", "Long", "l=7", "--dbc", dbc)
    check(run.returncode == 2 and "--fd says so" in run.stderr, run.stderr)
    check(can("encode", "Long", "l=7", "--fd", "--dbc", dbc).stdout.strip() == long, "--fd of a long message")
    check(can("send", "123#00", "--fd").returncode == 2, "--fd without --dbc")


def j1939(folder):
    """Frames are told by parameter group where the database says J1939 or --j1939 does."""
    dbc, log = folder / "j1939.dbc", folder / "j1939.log"
    text = ('BU_: N\nBO_ 2364540158 EEC1: 8 N\n SG_ EngSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" N\n'
            'BO_ 2364539907 Three: 8 N\n SG_ s : 24|16@1+ (1,0) [0|0] "" N\nBO_ 2364541696 Torque: 20 N\n')
    log.write_text("(1.0) can0 0CF00400#000000401F000000\n(1.1) can0 18F00427#000000401F000000\n(1.2) can0 0CF00403#0000000100000000\n"
                   "(1.3) can0 0CF00500#0000000000000000\n(1.4) can0 0CF00B01#0000000000000000\n")
    exact = [None, None, "Three", None, None]
    grouped = ["EEC1", "EEC1", "Three", None, "Torque"]
    for extra, flags, wanted in (("", (), exact), ("", ("--j1939",), grouped), ('BA_DEF_DEF_ "ProtocolType" "J1939";\n', (), grouped)):
        dbc.write_text(text + extra)
        run = can("decode", log, "--dbc", dbc, "--json", *flags)
        rows = [json.loads(line) for line in run.stdout.splitlines()]
        check([row.get("message") for row in rows] == wanted, f"{extra} {flags}: {run.stdout}")
        check(("3 more frames have the parameter groups" in run.stderr) == (wanted == exact), run.stderr)
        if wanted == grouped:
            check(rows[0]["signals"] == rows[1]["signals"] == {"EngSpeed": 1000} and "transport protocol" in rows[4]["not_decoded"], rows)
        rows = [json.loads(line) for line in can("stats", log, "--dbc", dbc, "--json", *flags).stdout.splitlines()]
        check(sum(row.get("message") is not None for row in rows) == sum(name is not None for name in wanted), rows)


def refused(folder):
    dbc = folder / "chosen.dbc"
    dbc.write_text(CHOSEN)
    wide = folder / "wide.dbc"
    holds = "does not hold this value; it holds raw values"
    for database, words, said in (
            (dbc, "Bits v=1700", f"Bits.v {holds} 0 to 65535 (16 bits), that is 0 to 1638.375 V"),
            (dbc, "Bits v=1638.3875", holds), (dbc, "Bits v=-0.0125", holds), (dbc, "Bits v=nan", holds), (dbc, "Bits v=inf", holds),
            (dbc, "Bits on=2", f"{holds} 0 to 1 (1 bit), that is 0 to 1"), (dbc, "Bits on=1 on=0", "Bits.on is given twice"),
            (wide, "Wide u=99999999999999999999", holds), (wide, "Wide u=-1", holds), (wide, "Signed s=-9223372036854775809", holds),
            (wide, "Signed s=9223372036854775808", holds), (wide, "Wide u=18446744073709551616", holds), (wide, "Named n=259", holds),
            (dbc, "Float f=1e39", "it holds numbers of 32 bits"),
            (dbc, "Page first=2", "Page.first is in a frame only where page is 0, and page is not given: write page=0"),
            (dbc, "Page first=2 page=1", "page is 0, and page is given as 1"),
            (dbc, "Page page=1 deep=2", "only where inner is 3 or 5 to 6, and inner is not given: write inner=3"),
            (dbc, "Page deep=2 inner=5", "Page.inner is in a frame only where page is 1, and page is not given"),
            (dbc, "Page page=1 deep=2 inner=4", "inner is given as 4"),
            (dbc, "Page page=5 wide=64.5", f"{holds} -128 to 127 (8 bits), that is -63.5 to 64"),
            (dbc, "Page page=8 wide=1", "only where page is 5 to 7 or 9")):
        run = can("encode", *words.split(), "--dbc", database)
        check(run.returncode == 2 and said in run.stderr and not run.stdout, f"encode {words}: {run.stderr}{run.stdout}")
        # Nobody is asked for the bus: the frame is refused before.
        run = can("send", *words.split(), "--dbc", database, "--bus", "socketcand:127.0.0.1:1/can0")
        check(run.returncode == 2 and said in run.stderr, f"send {words}: {run.stderr}")
    for words, frame in {"Bits v=1638.387": "003#00FFFF0000000000", "Bits v=-0.0124": "003#0000000000000000",
                         "Float f=nan": "002#0000C07F00000000", "Page page=1 deep=2 inner=5": "001#0105020000000000",
                         "Page page=7 wide=64": "001#0700800000000000", "Page page=3": "001#0300000000000000"}.items():
        run = can("encode", *words.split(), "--dbc", dbc)
        check(run.stdout.strip() == frame, f"encode {words}: want {frame}, got {run.stdout}{run.stderr}")
    lines = ['{"message":"Bits","signals":{"v":1700}}', '{"message":"Bits","signals":{"v":1}}', "", "no JSON",
             '{"message":"Page","signals":{"first":1}}', '{"message":"Bits","signals":{"on":1}}']
    run = can("encode", "--dbc", dbc, "--from", "-", given="\n".join(lines) + "\n")
    check(run.returncode == 1 and [row.split()[-1] for row in run.stdout.splitlines()] == ["003#0028000000000000", "003#0100000000000000"]
          and all(part in run.stderr for part in ("-:1: 'v=1700'", "-:4: no JSON", "-:5: signal Page.first", "3 of 5 lines were refused")),
          f"encode --from goes on: {run.returncode} {run.stderr}{run.stdout}")


# ---------------------------------------------------------------- logs

def logs(folder):
    dbc = folder / "wide.dbc"
    for name, content in {"BLF": b"LOGG\x90\0\0\0", "TRC": b";$FILEVERSION=2.1\n", "CSV": b"timestamp,arbitration_id\n",
                          "no log": b"once upon a time\n", "empty": b""}.items():
        (folder / "foreign").write_bytes(content)
        for command in (("decode", "--dbc", dbc), ("stats",)):
            run = can(command[0], folder / "foreign", *command[1:])
            said = "no log of a format that I know" if name in ("no log", "empty") else name
            check(run.returncode != 0 and said in run.stderr and not run.stdout, f"{name}: {run.stderr}{run.stdout}")
    log = folder / "mixed.log"
    log.write_text("(1.000000) can0 001#01\n(1.010000) can0 001#0102\n(1.030000) can0 001#01\n(1.5) can1 001#R2\n(1.5) can0 zz#\n")
    first = can("decode", log, "--dbc", dbc)
    (folder / "again.log").write_text(first.stdout)
    again = can("decode", folder / "again.log", "--dbc", dbc)
    check(again.stdout == first.stdout and "4 frames" in again.stderr and "0 lines not" in again.stderr, again.stderr)
    (folder / "again.json").write_text(can("decode", log, "--dbc", dbc, "--json").stdout)
    check(can("decode", folder / "again.json", "--dbc", dbc).stdout == first.stdout, "JSON lines are not read again")
    rows = [json.loads(line) for line in can("stats", log, "--json", "--dbc", dbc).stdout.splitlines()]
    check(len(rows) == 2 and rows[0]["frames"] == 3 and rows[0]["lengths"] == {"1": 2, "2": 1} and
          rows[0]["period_ms"] == {"min": 10, "mean": 15, "p50": 10, "p99": 20, "max": 20} and rows[0]["message"] == "Wide"
          and rows[1] == {"channel": "can1", "id": "001", "frames": 1, "lengths": {}, "message": "Wide", "remote": 1}, rows)
    text = can("stats", log).stdout.splitlines()
    check(text[1].split()[:5] == ["can0", "001", "3", "1,2", "10.000"], text)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    random.seed(20261125)
    exact(folder)
    refused(folder)
    fd(folder)
    j1939(folder)
    logs(folder)
    data = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "can_dbc"
    files = sorted(data.glob("*/*.dbc")) if os.environ.get("TAKT_SHARED_DATA") else []
    made = folder / "made.dbc"
    made.write_text(random_database(20261125, 300))
    check(compare_database(made, folder) > 250, "the database made at random is not read")
    count = sum(compare_database(path, folder) for path in files)
for text in failures[:20]:
    print("FAILED", text)
print(f"{len(files)} databases, {count} messages, {len(failures)} failures")
if not files:
    print(f"the databases are not compared: there are none in {data}")
sys.exit(1 if failures or (files and count < 850) else 0)
