"""Databases made at random for the tests of the codecs: both byte orders, 1 to 64 bits, classic and CAN FD, whole and
broken factors, floats, multiplexers within multiplexers with ranges of values."""
import random


def places(start, length, little):
    """Bit numbers, 8 * byte + bit, from the least significant bit of the signal on."""
    if little:
        return list(range(start, start + length))
    out, at = [], start
    for _ in range(length):
        out.append(at)
        at = at + 15 if at % 8 == 0 else at - 1
    return out[::-1]


class Message:
    def __init__(self, number, dice):
        self.dice = dice
        self.fd = dice.random() < 0.3
        self.length = dice.choice((12, 24, 32, 64) if self.fd else range(3, 9))
        self.identity = number if dice.random() < 0.5 else number | 0x80000000 | dice.randrange(1 << 17) << 11
        self.lines, self.rules, self.types, self.count = [], [], [], 0
        self.fill(set(range(8 * self.length)), None, 0)

    def place(self, free, length):
        """A free place for a signal, taken from `free`; None where none is found."""
        for _ in range(20):
            little = self.dice.random() < 0.5
            bits = places(self.dice.randrange(8 * self.length), length, little)
            if set(bits) <= free:
                free -= set(bits)
                return bits[0] if little else bits[-1], little
        return None

    def add(self, free, kind, by, multiplexer):
        length = {"float": 32, "double": 64}.get(kind) or self.dice.choice(
            (1, 3, 8) if multiplexer else (1, 2, 7, 8, 12, 16, 31, 32, 40, 53, 54, 63, 64))
        found = self.place(free, length)
        if found is None:
            return None
        start, little = found
        name = f"s{self.count}"
        self.count += 1
        signed = kind != "whole" or (not multiplexer and self.dice.random() < 0.5)
        factors = ("1", "1", "2", "3", "-5", "1000000") + (("0.1", "0.5", "-0.01", "1E-3") if length <= 40 else ())
        factor = "1" if multiplexer or kind != "whole" else self.dice.choice(factors)
        offset = "0" if multiplexer or kind != "whole" else self.dice.choice(("0", "0", "-40", "7", "1000000007"))
        mark = "" if by is None else f"m{by[1][0][0]}"
        mark += "M" if multiplexer else ""
        self.lines.append(f' SG_ {name} {mark}{" " if mark else ""}: {start}|{length}@{int(little)}{"-" if signed else "+"} '
                          f'({factor},{offset}) [0|0] "" N')
        if by is not None:
            ranges = ", ".join(f"{a}-{b}" for a, b in by[1])
            self.rules.append((name, by[0], ranges))
        if kind != "whole":
            self.types.append((name, 1 if kind == "float" else 2))
        return name, length

    def fill(self, free, by, depth):
        """Signals on one page; below a multiplexer each page has the same bits to fill."""
        for _ in range(self.dice.randrange(1, 5)):
            self.add(free, self.dice.choice(("whole",) * 8 + ("float", "double")), by, False)
        if depth >= 4 or self.dice.random() < (0.5 if depth == 0 else 0.3):
            return
        added = self.add(free, "whole", by, True)
        if added is None:
            return
        name, length = added
        first = 0
        while first < 1 << length and self.dice.random() < 0.8:
            last = min(first + self.dice.randrange(3), (1 << length) - 1)
            self.fill(set(free), (name, [(first, last)]), depth + 1)
            first = last + 1 + self.dice.randrange(2)

    def text(self):
        return "\n".join([f"BO_ {self.identity} Msg{self.identity & 0x7FF}: {self.length} N"] + self.lines)

    def tail(self):
        out = [f"SG_MUL_VAL_ {self.identity} {name} {by} {ranges};" for name, by, ranges in self.rules]
        out += [f"SIG_VALTYPE_ {self.identity} {name} : {kind};" for name, kind in self.types]
        return out + [f'BA_ "VFrameFormat" BO_ {self.identity} {14 if self.fd else 0};']


def random_database(seed, messages):
    dice = random.Random(seed)
    all_messages = [Message(k + 1, dice) for k in range(messages)]
    text = ["VERSION \"\"", "BU_: N", ""] + [m.text() + "\n" for m in all_messages]
    text += ['BA_DEF_ BO_ "VFrameFormat" INT 0 15;', 'BA_DEF_DEF_ "VFrameFormat" 0;']
    for message in all_messages:
        text += message.tail()
    return "\n".join(text) + "\n"
