#!/usr/bin/env python3
"""10,000 random messages per E2E profile, protected and checked by ours and by other implementations.

    protection_oracles.py PROBE        PROBE: protection_probe.cpp

Oracles: autosar-e2e (profiles 1, 2, 4, 5, 6, 7, 11), cantools (2, 5), and for every profile a second one in this file: the layout
by the standard, the sum by crccheck; of profiles 4, 5, 6, 7, 11 and 22 stored frames of the crate autosar-e2e. Profile 22 has the bytes of profile 2 where its offset is 0. The plain form against
crccheck with random polynomials of random width. Then one bit of every message is flipped, or it is checked with another data id,
another counter: ours must judge as the oracle does.

Ends with 0, 1 or 77 (a package of tools/requirements.txt is missing)."""
import pathlib
import random
import subprocess
import sys

try:
    import crccheck
    import e2e
    from cantools.autosar import end_to_end as cantools_e2e
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MESSAGES, MOVED = 10_000, 3_000  # header at the first byte, anywhere
LENGTHS = (8, 12, 16, 20, 24, 32, 48, 64)
TAKEN, WRONG = 1, 3  # Verdict::initial, Verdict::wrong_checksum
failures = []


def crc(width, polynomial, start=0, xor=0, reflected=False):
    return lambda data: crccheck.crc.Crc(width, polynomial, start, reflected, reflected, xor).calc(bytes(data))


J1850, H2F = crc(8, 0x1D), crc(8, 0x2F, 0xFF, 0xFF)
CCITT, P4 = crc(16, 0x1021, 0xFFFF), crc(32, 0xF4ACFB13, 0xFFFFFFFF, 0xFFFFFFFF, True)
ECMA = crc(64, 0x42F0E1EBA9EA3693, (1 << 64) - 1, (1 << 64) - 1, True)


def by_standard(m):
    """The protected bytes, from the description of the profile."""
    d, at, identity, n = bytearray(m["data"]), m["offset"], m["id"], len(m["data"])
    low, high = identity & 0xFF, identity >> 8 & 0xFF
    profile, counter = m["profile"], m["counter"]
    if profile in (1, 11):
        d[at + 1] = d[at + 1] & 0xF0 | counter
        if m["mode"] == 3:
            d[at + 1] = d[at + 1] & 0x0F | (high & 0xF) << 4
        head = {0: [low, high], 1: [high if counter % 2 else low], 2: [low], 3: [low, 0]}[m["mode"]]
        d[at] = J1850(bytes(head) + d[:at] + d[at + 1:])
    elif profile in (2, 22):
        d[at + 1] = d[at + 1] & 0xF0 | counter
        d[at] = H2F(d[:at] + d[at + 1:] + bytes([m["list"][counter]]))
    elif profile == 4:
        d[at:at + 8] = n.to_bytes(2, "big") + counter.to_bytes(2, "big") + identity.to_bytes(4, "big")
        d[at + 8:at + 12] = P4(d[:at + 8] + d[at + 12:]).to_bytes(4, "big")
    elif profile == 5:
        d[at + 2] = counter
        d[at:at + 2] = CCITT(d[:at] + d[at + 2:] + bytes([low, high])).to_bytes(2, "little")
    elif profile == 6:
        d[at + 2:at + 5] = n.to_bytes(2, "big") + bytes([counter])
        d[at:at + 2] = CCITT(d[:at] + d[at + 2:] + bytes([high, low])).to_bytes(2, "big")
    elif profile == 7:
        d[at + 8:at + 20] = n.to_bytes(4, "big") + counter.to_bytes(4, "big") + identity.to_bytes(4, "big")
        d[at:at + 8] = ECMA(d[:at] + d[at + 8:]).to_bytes(8, "big")
    return bytes(d)


def arguments(m, data):
    """Of autosar-e2e, for protect and check."""
    profile = m["profile"]
    if profile in (2, 22):
        return (data, m["list"]), {}
    keywords = {"offset": m["offset"]} | ({"data_id_mode": m["mode"]} if profile in (1, 11) else {})
    return (data, m["id"]), keywords


def module(m):
    return getattr(e2e, f"p{2 if m['profile'] == 22 else m['profile']:02}", None) if m["profile"] not in (2, 22) or m["offset"] == 0 else None


COUNTER_BYTES = {4: (2, 2), 5: (2, 1), 6: (4, 1), 7: (12, 4)}  # behind the offset: where, how many


def by_autosar_e2e(m):
    profile, at = m["profile"], m["offset"]
    if module(m) is None:
        return None
    data = bytearray(m["data"])
    if profile in COUNTER_BYTES:
        where, size = COUNTER_BYTES[profile]
        data[at + where:at + where + size] = m["counter"].to_bytes(size, "big")
    else:
        data[at + 1] = data[at + 1] & 0xF0 | m["counter"]
    positional, keywords = arguments(m, data)
    getattr(module(m), f"e2e_p{2 if profile == 22 else profile:02}_protect")(*positional, increment_counter=False, **keywords)
    return bytes(data)


def autosar_e2e_takes(m, data):
    positional, keywords = arguments(m, data)
    return getattr(module(m), f"e2e_p{2 if m['profile'] == 22 else m['profile']:02}_check")(*positional, **keywords)


def by_cantools(m):
    data = bytearray(m["data"])
    if m["offset"] != 0 or len(data) < 4:
        return None
    if m["profile"] in (2, 22):
        data[1] = data[1] & 0xF0 | m["counter"]
        return bytes(cantools_e2e.apply_profile2_crc(data, m["list"][m["counter"]]))
    if m["profile"] == 5:
        data[2] = m["counter"]
        return bytes(cantools_e2e.apply_profile5_crc(data, m["id"]))
    return None


def random_message(profile, dice, moved):
    header = {1: 2, 2: 4, 4: 12, 5: 4, 6: 5, 7: 20, 11: 2, 22: 4}[profile]
    longest = 30 if profile in (1, 11) else 64
    length = dice.choice([n for n in (*range(header, 9), *LENGTHS) if header <= n <= longest])
    counters = {1: 15, 2: 16, 4: 1 << 16, 5: 256, 6: 256, 7: 1 << 32, 11: 15, 22: 16}[profile]
    return {"profile": profile, "data": dice.randbytes(length), "counter": dice.choice([0, counters - 1, dice.randrange(counters)]),
            "offset": dice.randrange(length - header + 1) if moved else 0, "id": dice.getrandbits(32 if profile in (4, 7) else 16),
            "mode": dice.choice([0, 3] if profile == 11 else [0, 1, 2, 3]) if profile in (1, 11) else 0, "list": dice.randbytes(16)}


def line(m, do, data):
    """For the probe: the whole message but for its data."""
    at = 8 * m["offset"]
    text = f"do={do} profile={m['profile']} id={m['id']} mode={m['mode']} counter={m['counter']} list={m['list'].hex()} data={bytes(data).hex()}"
    return text + (f" crc={at} at={at + 8} nibble={at + 12}" if m["profile"] in (1, 11) else f" offset={at}")


def ask(probe, lines):
    answer = subprocess.run([probe], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout.split()
    assert len(answer) == len(lines), (len(answer), len(lines))
    return answer


def expect(what, wrong):
    """wrong: what differs."""
    print("ok  " if not wrong else "FAIL", what, str(wrong[:2])[:600] if wrong else "", flush=True)
    if wrong:
        failures.append(what)


def flipped(data, bit):
    wrong = bytearray(data)
    wrong[bit // 8] ^= 1 << bit % 8
    return wrong


def test_profile(probe, profile, dice):
    messages = [random_message(profile, dice, k >= MESSAGES) for k in range(MESSAGES + MOVED)]
    ours = [bytes.fromhex(answer) for answer in ask(probe, [line(m, "protect", m["data"]) for m in messages])]
    for name, oracle in (("the standard with crccheck", by_standard), ("autosar-e2e", by_autosar_e2e), ("cantools", by_cantools)):
        pairs = [(m, own, oracle(m)) for m, own in zip(messages, ours)]
        judged = [(m, own, other) for m, own, other in pairs if other is not None]
        if judged:
            expect(f"profile {profile}: {len(judged)} messages as by {name}", [(m, own.hex(), other.hex()) for m, own, other in judged if own != other])
    expect(f"profile {profile}: all are taken", [m for m, verdict in zip(messages, ask(probe, [line(m, "check", d) for m, d in zip(messages, ours)])) if int(verdict) != TAKEN])

    # A bit that is wrong; a counter of which the sum knows nothing; another data id.
    injected = [(m, flipped(d, dice.randrange(8 * len(d)))) for m, d in zip(messages, ours)]
    injected += [(m | {"id": m["id"] ^ 1 << dice.randrange(8), "list": bytes(16)}, d) for m, d in zip(messages[:1000], ours)]
    verdicts = [int(verdict) == TAKEN for verdict in ask(probe, [line(m, "check", d) for m, d in injected])]
    found = [(m, d, taken) for (m, d), taken in zip(injected, verdicts) if not taken]
    if profile not in (1, 2, 11, 22):  # a counter of these may lead to another data id, or not be one
        expect(f"profile {profile}: each of {len(injected)} faults is found", [(m, d.hex()) for (m, d), taken in zip(injected, verdicts) if taken])
    # Another counter nibble with the same sum: the data id it chooses makes up for it, by one chance in 256.
    share = len(found) / len(injected)
    expect(f"profile {profile}: {100 * share:.2f} % of {len(injected)} faults are found", [] if share > 0.99 else [share])
    judged = [(m, d, taken, autosar_e2e_takes(m, bytearray(d))) for (m, d), taken in zip(injected, verdicts) if module(m)]
    if profile in (1, 11):  # autosar-e2e leaves the counter 15 to its caller
        judged = [row for row in judged if row[1][row[0]["offset"] + 1] & 0xF != 15]
    expect(f"profile {profile}: of {len(judged)} faults autosar-e2e says the same", [(m, d.hex(), taken, other) for m, d, taken, other in judged if taken != other])


def pieces(start, length, big):
    """As `bit_pieces()` of the DBC reader: bytes with their bits, of a field that begins at a DBC bit."""
    bits = []  # (byte, bit), from the least significant on
    position = start
    for _ in range(length):
        bits.append((position // 8, position % 8))
        position = (position + 15 if position % 8 == 0 else position - 1) if big else position + 1
    if big:
        bits.reverse()
    runs = []
    for raw, (byte, bit) in enumerate(bits):
        if runs and runs[-1][0] == byte:
            runs[-1][2] += 1
        else:
            runs.append([byte, bit, 1, raw])
    return bits, ",".join(".".join(map(str, run)) for run in runs)


def put(data, bits, value):
    for raw, (byte, bit) in enumerate(bits):
        data[byte] = data[byte] & ~(1 << bit) | (value >> raw & 1) << bit


def random_place(dice, length, width):
    """A field inside the message, of either byte order."""
    while True:
        big, start = dice.random() < 0.5, dice.randrange(8 * length)
        bits, text = pieces(start, width, big)
        if all(byte < length for byte, _ in bits):
            return bits, text


def test_plain(probe, dice):
    lines, wanted = [], []
    while len(lines) < MESSAGES:
        length = dice.choice((2, 4, 8, 8, 8, 16, 64))
        width = dice.choice((4, 8, 8, 8, 12, 15, 16, 24, 32, 64))
        if width > 8 * length - 8:
            continue
        sum_bits, sum_text = random_place(dice, length, width)
        counter_bits, counter_text = random_place(dice, length, dice.choice((2, 4, 4, 8)))
        if set(sum_bits) & set(counter_bits):
            continue
        counters = 1 << len(counter_bits)
        counter, first = dice.randrange(counters), dice.randrange(length)
        last = dice.randrange(first, length)
        parameters = {"width": width, "polynomial": dice.getrandbits(width) | 1, "start": dice.getrandbits(width), "xor": dice.getrandbits(width), "reflected": dice.random() < 0.5}
        ids, in_front = dice.randbytes(dice.choice((0, 1, 2, 16))), dice.random() < 0.5
        data = bytearray(dice.randbytes(length))
        lines.append(f"do=protect profile=0 counter={counter} counters={counters} counter_field={counter_text} checksum_field={sum_text} from={first} to={last} first={int(in_front)} "
                     + f"data={data.hex()} list={ids.hex()} " + " ".join(f"{key}={int(value)}" for key, value in parameters.items()))
        put(data, counter_bits, counter)
        put(data, sum_bits, 0)
        inside = bytes(data[byte] for byte in range(first, last + 1) if not all((byte, bit) in sum_bits for bit in range(8)))
        chosen = ids[counter % len(ids):][:1] if ids else b""
        put(data, sum_bits, crc(**parameters)(chosen + inside if in_front else inside + chosen))
        wanted.append(data.hex())
    expect(f"plain: {len(lines)} messages as by crccheck", [(said, own, other) for said, own, other in zip(lines, ask(probe, lines), wanted) if own != other])


def test_crate(probe):
    """A second implementation of profiles 4, 5, 6, 7, 11 and 22, by stored frames."""
    lines, wanted = [], []
    for row in (pathlib.Path(__file__).parent / "crate_frames.txt").read_text().splitlines():
        if row.startswith("#"):
            continue
        profile, identity, mode, offset, ids, before, after = row.split()
        m = {"profile": int(profile), "id": int(identity), "mode": int(mode), "offset": int(offset), "list": bytes.fromhex(ids)}
        data, at = bytes.fromhex(after), int(offset)
        where, size = COUNTER_BYTES.get(int(profile), (1, 1))
        counter = int.from_bytes(data[at + where:at + where + size], "big")
        lines.append(line(m | {"counter": counter if int(profile) in COUNTER_BYTES else counter & 0xF}, "protect", bytes.fromhex(before)))
        wanted.append(after)
    expect(f"{len(lines)} frames as by the crate autosar-e2e", [(said, own, other) for said, own, other in zip(lines, ask(probe, lines), wanted) if own != other] if lines else ["no frames"])


def main():
    dice = random.Random(20_22)
    for profile in (1, 2, 4, 5, 6, 7, 11, 22):
        test_profile(sys.argv[1], profile, dice)
    test_plain(sys.argv[1], dice)
    test_crate(sys.argv[1])
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
