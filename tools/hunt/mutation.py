"""Texts with something changed in them: bytes, tokens, numbers, lines, pieces of other texts. All from one random generator, so a seed repeats a run."""
import re

TOKEN = re.compile(rb'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_.]*|[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|\s+|.', re.S)
NUMBER = re.compile(rb'[-+]?\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?')
EXTREMES = [b"0", b"-0.0", b"-1", b"1", b"1e308", b"-1e308", b"1e-308", b"5e-324", b"1e400", b"inf", b"nan", b"9223372036854775807", b"-9223372036854775808",
            b"18446744073709551616", b"4294967295", b"2147483648", b"65536", b"1e18", b"1e19", b"0.1", b"1_000_000", b"9" * 400, b"0." + b"0" * 400 + b"1", b"1e-15", b"0x7fffffffffffffff"]
NASTY = [b"\x00", b"\xff\xfe", b"\r\n", b"\xef\xbb\xbf", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b"#", b"$(x)", b"*/", b"\xf0\x9f\x98\x80", b"(" * 300, b"-" * 300, b".." * 50, b"[" * 300]
LONGEST = 200_000


class Mutator:
    def __init__(self, random, texts):
        """@param texts  all texts of the kind: where pieces and tokens come from"""
        self.random = random
        self.texts = texts
        self.tokens = sorted({token for text in texts for token in TOKEN.findall(text) if not token.isspace()}) or [b"x"]

    def __call__(self, text):
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 6])):
            text = self.random.choice([self.byte, self.token, self.token, self.swap, self.number, self.number, self.number, self.drop_line, self.double_line, self.move_line,
                                       self.splice, self.cut, self.nasty, self.repeat, self.value_of_other])(text)
        return text[:LONGEST]

    def place(self, text):
        return self.random.randrange(len(text) + 1)

    def byte(self, text):
        if not text:
            return b"\x00"
        at = self.random.randrange(len(text))
        return text[:at] + bytes([text[at] ^ (1 << self.random.randrange(8))]) + text[at + 1:]

    def spans(self, pattern, text):
        return [found.span() for found in pattern.finditer(text) if not found.group().isspace()]

    def replaced(self, pattern, text, new):
        spans = self.spans(pattern, text)
        if not spans:
            return text + new
        begin, end = self.random.choice(spans)
        return text[:begin] + new + text[end:]

    def token(self, text):
        return self.replaced(TOKEN, text, self.random.choice(self.tokens + [b""]))

    def swap(self, text):
        spans = self.spans(TOKEN, text)
        if len(spans) < 2:
            return text
        (a, b), (c, d) = sorted(self.random.sample(spans, 2))
        return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]

    def number(self, text):
        return self.replaced(NUMBER, text, self.random.choice(EXTREMES))

    def lines(self, text):
        return text.split(b"\n")

    def drop_line(self, text):
        lines = self.lines(text)
        del lines[self.random.randrange(len(lines))]
        return b"\n".join(lines)

    def double_line(self, text):
        lines = self.lines(text)
        line = self.random.choice(lines)
        lines[self.random.randrange(len(lines)):0] = [line] * self.random.choice([1, 1, 2, 50])
        return b"\n".join(lines)

    def move_line(self, text):
        lines = self.lines(text)
        line = lines.pop(self.random.randrange(len(lines)))
        lines.insert(self.random.randrange(len(lines) + 1), line)
        return b"\n".join(lines)

    def splice(self, text):
        other = self.lines(self.random.choice(self.texts))
        begin = self.random.randrange(len(other))
        piece = other[begin:begin + self.random.randrange(1, 12)]
        lines = self.lines(text)
        at = self.random.randrange(len(lines) + 1)
        return b"\n".join(lines[:at] + piece + lines[at:])

    def value_of_other(self, text):
        """Right side of one line replaced by that of another: keys meet values of other kinds."""
        lines, other = self.lines(text), self.lines(self.random.choice(self.texts))
        places = [k for k, line in enumerate(lines) if b"=" in line]
        values = [line.split(b"=", 1)[1] for line in other if b"=" in line]
        if places and values:
            at = self.random.choice(places)
            lines[at] = lines[at].split(b"=", 1)[0] + b"=" + self.random.choice(values)
        return b"\n".join(lines)

    def cut(self, text):
        begin, end = sorted((self.place(text), self.place(text)))
        return text[:begin] if self.random.random() < 0.3 else text[:begin] + text[min(end, begin + 200):]

    def nasty(self, text):
        at = self.place(text)
        return text[:at] + self.random.choice(NASTY) + text[at:]

    def repeat(self, text):
        begin = self.place(text)
        piece = text[begin:begin + self.random.randrange(1, 40)]
        return text[:begin] + piece * self.random.choice([2, 10, 300]) + text[begin:]
