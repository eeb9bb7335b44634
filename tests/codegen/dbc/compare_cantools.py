"""Codecs against cantools: random values of every message of a database made at random, and of every one in
TAKT_SHARED_DATA/can_dbc, both ways, by the emitted C++ and by walking the database. Usage: compare_cantools.py RIG_PROBE CXX SOURCE_DIR [ROUNDS]"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from random_dbc import random_database

try:
    import cantools
except ImportError:
    print("cantools is missing")
    sys.exit(77)

probe, compiler, source = sys.argv[1:4]
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 20
data = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "can_dbc"
made = pathlib.Path(tempfile.mkdtemp()) / "made.dbc"
made.write_text(random_database(20240229, 100))
files = [made] + sorted(data.glob("*/*.dbc"))
random.seed(20240229)


def load_cantools(path):
    for encoding in ("utf-8", "cp1252"):
        try:
            return cantools.database.load_file(str(path), database_format="dbc", encoding=encoding, strict=False)
        except UnicodeDecodeError:
            continue
        except Exception as error:  # cantools refuses some databases that can be read with a warning
            return str(error).splitlines()[0]


def driver(described):
    """A program that codes like `rig_probe walk`, by the emitted codecs of all databases."""
    text = "#include <cstdio>\n#include <iostream>\n#include <sstream>\n#include <string>\n#include <vector>\n"
    for k in range(len(described)):
        text += f'#include "db{k}.hpp"\n'
    text += """namespace can = takt::can;
struct Codec { void (*encode)(const double*, can::Frame&); bool (*decode)(const can::Frame&, double*); std::size_t signals; can::MessageInfo info; };
template <typename T> const T start{};
"""
    tables = []
    for k, (_, messages) in enumerate(described):
        rows = []
        for m, message in enumerate(messages):
            if not message["one_frame"]:
                rows.append("{}")
                continue
            kind = f"db{k}::{message['type']}"
            enc = f"void encode_{k}_{m}([[maybe_unused]] const double* v, can::Frame& f) {{ {kind} m;"
            dec = f"bool decode_{k}_{m}(const can::Frame& f, [[maybe_unused]] double* v) {{ {kind} m;"
            tail = " if (!decode(f, m)) return false;"
            for s, signal in enumerate(message["signals"]):
                if not signal["usable"]:
                    continue
                enc += f" if (v[{s}] == v[{s}]) m.{signal['member']} = v[{s}];"
                dec += f" m.{signal['member']} = can::absent;"
                tail += f" v[{s}] = m.{signal['member']};"
            text += enc + " encode(m, f); }\n" + dec + tail + " return true; }\n"
            rows.append(f"{{encode_{k}_{m}, decode_{k}_{m}, {len(message['signals'])}, {kind}::info}}")
        tables.append(f"const std::vector<Codec> table{k}{{{', '.join(rows)}}};")
    text += "\n".join(tables)
    text += "\nint main(int, char** argv) {\n  const std::vector<const std::vector<Codec>*> all{"
    text += ", ".join(f"&table{k}" for k in range(len(described)))
    text += """};
  const auto& table = *all[std::stoul(argv[1])];
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    char what; std::size_t index; std::string word;
    in >> what >> index;
    const auto& codec = table[index];
    std::vector<double> values(codec.signals + 1, can::absent);
    can::Frame frame;
    if (what == 'E') {
      for (std::size_t s = 0; in >> word; ++s) values[s] = word == "-" ? can::absent : std::stod(word);
      codec.encode(values.data(), frame);
      for (int k = 0; k < frame.len; ++k) std::printf("%02x", frame.data[k]);
    } else {
      frame = can::make_frame(codec.info);
      in >> word;
      for (std::size_t k = 0; k + 1 < word.size(); k += 2) frame.data[k / 2] = static_cast<unsigned char>(std::stoi(word.substr(k, 2), nullptr, 16));
      if (!codec.decode(frame, values.data())) { std::printf("refused\\n"); continue; }
      for (std::size_t s = 0; s < codec.signals; ++s) values[s] == values[s] ? std::printf("%.17g ", values[s]) : std::printf("- ");
    }
    std::printf("\\n");
  }
}
"""
    return text


def raw_range(signal):
    if signal.is_signed:
        return -(1 << (signal.length - 1)), (1 << (signal.length - 1)) - 1
    return 0, (1 << signal.length) - 1


def random_value(signal):
    """A physical value whose raw value is whole and in the raw range."""
    if signal.is_float:
        number = random.choice([0.0, 1.5, -2.25, 1e6, random.uniform(-1e5, 1e5)])
        return number * signal.scale + signal.offset
    low, high = raw_range(signal)
    raw = random.choice([low, high, 0 if low <= 0 <= high else low, random.randint(low, high)])
    scaled = lambda: raw * signal.scale + signal.offset
    while isinstance(scaled(), int) and scaled() != int(float(scaled())):  # the codecs take doubles: those that a double holds; others are told by `takt can`
        raw = raw & (raw - 1) if raw > 0 else -(-raw & (-raw - 1))
    return scaled()


def request_values(message):
    """Values of the signals that are present for a random choice of multiplexers."""
    values = {}

    def fill(tree):
        for item in tree:
            if isinstance(item, str):
                values[item] = random_value(message.get_signal_by_name(item))
            else:
                (name, branches), = item.items()
                signal = message.get_signal_by_name(name)
                low, high = raw_range(signal)
                possible = [b for b in branches if low <= b <= high]  # 128 of a signed byte cannot be sent
                if not possible:
                    values[name] = random_value(signal)
                    continue
                chosen = random.choice(possible)
                values[name] = chosen * signal.scale + signal.offset
                fill(branches[chosen])

    fill(message.signal_tree)
    return values


def bits(signal):
    if signal.byte_order == "little_endian":
        return set(range(signal.start, signal.start + signal.length))
    first = 8 * (signal.start // 8) + 7 - signal.start % 8
    return {8 * (bit // 8) + 7 - bit % 8 for bit in range(first, first + signal.length)}


def share_bits(message, names):
    """cantools joins overlapping signals into one that is longer than the message."""
    sets = [bits(message.get_signal_by_name(name)) for name in names]
    return sum(map(len, sets)) != len(set().union(*sets))


def names_in(tree):
    for item in tree:
        if isinstance(item, str):
            yield item
        else:
            (name, branches), = item.items()
            yield name
            for branch in branches.values():
                yield from names_in(branch)


described, skipped = [], []
for path in files:
    output = subprocess.run([probe, "describe", str(path)], capture_output=True, text=True)
    if output.returncode != 0:
        sys.exit(f"{path}: refused\n{output.stderr}")
    described.append((path, json.loads(output.stdout)))

with tempfile.TemporaryDirectory() as folder:
    for k, (path, _) in enumerate(described):
        header = subprocess.run([probe, "codecs", str(path), f"db{k}"], capture_output=True, text=True, check=True).stdout
        (pathlib.Path(folder) / f"db{k}.hpp").write_text(header)
    (pathlib.Path(folder) / "driver.cpp").write_text(driver(described))
    emitted = str(pathlib.Path(folder) / "driver")
    subprocess.run([compiler, "-std=c++20", "-O0", "-w", "-ffp-contract=off", f"-I{source}", f"-I{folder}", "-o", emitted, folder + "/driver.cpp"], check=True)

    failures = messages = codings = 0
    for k, (path, ours) in enumerate(described):
        database = load_cantools(path)
        if isinstance(database, str):
            skipped.append(f"{path.name}: {database}")
            continue
        requests, expected = [], []
        knows_formats = b'"VFrameFormat"' in path.read_bytes()
        for m, message in enumerate(ours):
            theirs = next((x for x in database.messages if x.frame_id == message["id"] and x.is_extended_frame == bool(message["extended"])), None)
            if theirs is None or not message["one_frame"]:
                continue
            names = [s["name"] for s in message["signals"]]
            problems = []
            # cantools has CAN FD from VFrameFormat alone; in a database without it the length says so.
            is_fd = theirs.is_fd or (8 < theirs.length <= 64 and not knows_formats)
            if theirs.length != message["length"] or is_fd != bool(message["fd"]):
                problems.append(f"length or FD differs: {theirs.length}, {theirs.is_fd}")
            if (theirs.cycle_time or 0) != message["cycle_ms"]:
                problems.append(f"cycle time differs: {theirs.cycle_time}")
            if {s.name for s in theirs.signals} != set(names):
                problems.append("signals differ: " + str({s.name for s in theirs.signals} ^ set(names)))
            for problem in problems:
                print(f"{path.name} {message['name']}: {problem}")
                failures += 1
            if problems or not all(s["usable"] for s in message["signals"]):
                continue
            if set(names_in(theirs.signal_tree)) != set(names):
                skipped.append(f"{path.name} {message['name']}: a multiplexer we mend and cantools does not know")
                continue
            messages += 1
            for _ in range(rounds):
                payload = bytes(random.randrange(256) for _ in range(theirs.length))
                try:
                    decoded = theirs.decode(payload, decode_choices=False)
                except Exception:  # a multiplexer value without signals: cantools refuses, we have nothing to say
                    decoded = None
                if decoded is not None:
                    requests.append(f"D {m} {payload.hex() or '00'}")
                    expected.append([decoded.get(name) for name in names])
                values = request_values(theirs)
                if values and not share_bits(theirs, values):
                    frame = theirs.encode(values, scaling=True, strict=False, padding=False)
                    requests.append(f"E {m} " + " ".join(repr(float(values[n])) if n in values else "-" for n in names))
                    expected.append(frame.hex())
        for command in ([emitted, str(k)], [probe, "walk", str(path)]):
            answers = subprocess.run(command, input="\n".join(requests) + "\n", capture_output=True, text=True, check=True).stdout.split("\n")
            for request, want, got in zip(requests, expected, answers):
                codings += 1
                if isinstance(want, str):
                    same = want == got.strip()
                else:
                    numbers = [None if g == "-" else float(g) for g in got.split()]
                    same = len(numbers) == len(want) and all(
                        (w is None and g is None) or (isinstance(w, int) and g == float(w)) or (isinstance(w, float) and w is not None and g is not None and (math.isclose(float(w), g, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(float(w)))))
                        or (w is not None and math.isnan(float(w)) and g is None)
                        for w, g in zip(want, numbers))
                if not same:
                    failures += 1
                    if failures < 20:
                        print(f"{path.name} {ours[int(request.split()[1])]['name']}: {request}\n  want {want}\n  got  {got}")
made.unlink()
made.parent.rmdir()
if len(files) == 1:
    print("only the database made at random: there are none below", data)
print(f"{len(files)} databases, {messages} messages, {codings} codings, {failures} failures")
for line in skipped:
    print("not compared:", line)
sys.exit(1 if failures or codings < 1000 else 0)
