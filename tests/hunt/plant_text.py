"""A random plant on its way to a plant file, and the small words that the generators share."""
import dataclasses
import math


def spread(rng, low, high):
    """Equal chances for every decade."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def nice(value, digits=2):
    """Rounded to so many significant digits, as people type numbers."""
    return float(f"{value:.{digits - 1}e}")


def some(rng, low, high):
    return nice(spread(rng, low, high))


def quantity(value, unit):
    return f"{value:.12g} {unit}" if unit else f"{value:.12g}"


def one_two_five(value):
    """The largest 1, 2 or 5 times a power of ten that is not above the value."""
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    return next(float(f"{factor * power:.6g}") for factor in (5, 2, 1) if factor * power <= value * (1 + 1e-9))


PROPOSED_EVERY = 1e-3


@dataclasses.dataclass
class Oracle:
    """Something that knows the answer and not our laws. `answer(times)` gives {signal: values} at the recorded times."""
    kind: str            # "ngspice", "equations", "closed form"
    answer: object
    tolerance: float = 1e-2


@dataclasses.dataclass
class Cycle:
    """A limit cycle: judged by the number of rising crossings of `level` in `signal`, its period and averages."""
    signal: str
    level: float


class Plant:
    def __init__(self, domain, duration, samples=200):
        """The record period is 1, 2 or 5 times a power of ten, about duration/samples; the duration a multiple of it. Where that is below the
        synchronisation time that is proposed (1 ms) and 20 samples of 1 ms do not do, [sync] stands in the default plan too."""
        self.domain = domain
        self.period = max(one_two_five(duration / samples), 1e-7)
        if self.period < PROPOSED_EVERY <= duration / 20 and samples <= 200:
            self.period = PROPOSED_EVERY
        self.duration = self.period * max(20, math.ceil(duration / self.period))
        self.lines = {}                  # section -> lines
        self.definitions = []            # own elements and media, whole tables
        self.media = {}                  # section -> medium
        self.records, self.jumping = [], set()
        self.tau = {}                    # domain of [solve] -> fastest time constant that a user would see, s
        self.traits = set()
        self.cycle, self.oracle = None, None
        self.bounds = {}                 # signal -> (low, high)
        self.sampled_every = None

    def add(self, section, name, kind, at=None, **values):
        """One element. A value that is a string stands in quotes, others are written as TOML."""
        parts = [f'is = "{kind}"']
        if at is not None:
            parts.append("at = [" + ", ".join(f'"{node}"' for node in at) + "]")
        parts += [f"{key} = {written(value)}" for key, value in values.items()]
        self.lines.setdefault(section, []).append(f"{name} = {{ {', '.join(parts)} }}")
        return name

    def define(self, text):
        if text not in self.definitions:
            self.definitions.append(text)

    def record(self, *signals, jumping=False):
        self.records += [signal for signal in signals if signal not in self.records]
        if jumping:
            self.jumping.update(signals)

    def time_constant(self, domain, seconds):
        self.tau[domain] = min(seconds, self.tau.get(domain, math.inf))

    def every(self, seconds):
        """A control period: a multiple or a divisor of the record period, near the one asked for."""
        if seconds >= self.period:
            period = self.period * max(1, round(seconds / self.period))
        else:
            period = self.period / min((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)), key=lambda n: abs(math.log(self.period / n / seconds)))
        self.sampled_every = min(period, self.sampled_every or math.inf)
        self.traits.add("sampled")
        return quantity(period, "s")

    def default_plan(self):
        return [] if self.period >= PROPOSED_EVERY else ["[sync]", f'plant = {{ members = ["*"], every = "{quantity(self.period, "s")}" }}']

    def text(self, solve=None, title=""):
        text = [f"# {title}"] if title else []
        text += ["[plant]", f'duration = "{quantity(self.duration, "s")}"']
        text += [line for definition in self.definitions if definition.startswith("[medium") for line in definition.splitlines()]
        for section, lines in self.lines.items():
            text.append(f"[{section}]")
            if section in self.media:
                text.append(f'medium = "{self.media[section]}"')
            text += lines
        text += [line for definition in self.definitions if not definition.startswith("[medium") for line in definition.splitlines()]
        text += self.default_plan() if solve is None else solve
        text += ["[record]", f'"{quantity(self.period, "s")}" = [' + ", ".join(f'"{signal}"' for signal in self.records) + "]"]
        return "\n".join(text) + "\n"

    def hand_typed(self, rng):
        """[solve] and [sync] as a user types them: a twentieth or a half of the fastest time constant, or twice it."""
        part = rng.choice([0.05, 0.05, 0.5, 2.0])
        steps = {}
        for domain, tau in self.tau.items():
            wanted = min(tau * part, self.period)
            steps[domain] = self.period / max(1, round_up_125(self.period / wanted))
        longest = max(steps.values(), default=self.period)
        exchange = min(self.period, longest * rng.choice([1, 1, 2, 10]), self.sampled_every or math.inf)
        every = self.period / max(1, round_up_125(self.period / exchange))
        lines = ["[solve]"]
        for domain, step in steps.items():
            step = min(step, every)
            method = "" if domain == "electric" and "switches" in self.traits else rng.choice(["", ', method = "heun"', ', method = "rk4"', ', method = "rk4"', ', method = "ros2"', ', method = "auto"'])
            lines.append(f'{domain} = {{ step = "{quantity(float(f"{step:.9g}"), "s")}"{method} }}')
        lines += ["[sync]", f'plant = {{ members = ["*"], every = "{quantity(float(f"{every:.9g}"), "s")}" }}']
        return lines, part


def round_up_125(ratio):
    """The smallest 1, 2 or 5 times a power of ten at or above the ratio: steps that divide periods."""
    power = 10 ** math.floor(math.log10(max(ratio, 1.0)) + 1e-9)
    return next(int(factor * power) for factor in (1, 2, 5, 10) if factor * power >= ratio * (1 - 1e-9))


def written(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {written(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(written(inner) for inner in value) + "]"
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:.12g}"
