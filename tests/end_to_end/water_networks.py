"""Water networks in EPANET's .inp format as plants: pipes by Hazen and Williams without inertia, pumps by their curves, check valves, closed links;
and what EPANET itself finds for time 0, by its library.

Left out, because time 0 does not ask for it: water quality, energy, rules, schedules after time 0. Which links are closed, and how fast pumps run, is
taken from EPANET, whose controls decide it. A pressure valve that is active is replaced by what EPANET found: a known pressure behind it and its flow as
a demand before it."""
import ctypes
import math
import os
import pathlib

RHO, G = 1000.0, 9.80665
FOOT, INCH = 0.3048, 0.0254
FLOW_UNIT = {"CFS": FOOT**3, "GPM": FOOT**3 / 448.831, "LPS": 1e-3, "LPM": 1e-3 / 60, "CMH": 1 / 3600, "CMD": 1 / 86400}   # m^3/s, as EPANET counts
US = ("CFS", "GPM", "MGD", "IMGD", "AFD")
EXPONENT = 1.852
CLOSED, OPEN = 1e8, 1e-6   # ft of head at 1 ft^3/s: EPANET's closed link and its open valve

ELEMENTS = """[element.fluid.hazen_williams]
doc       = "Pipe by Hazen and Williams with fittings: head*q^1.852 + minor*q^2; a slope of 1e-7 where it stands still"
source    = "EPANET 2.2 users manual, table 3.1"
terminals = ["a", "b"]
param     = { head = "1 >= 0", minor = "1 >= 0 = 0" }             # Pa at 1 kg/s
branch    = { kind = "R", law = "p = 1 Pa*(head*(sign(q)*(abs(q)/(1 kg/s))^1.852 + 1e-7*q/(1 kg/s)) + minor*(q/(1 kg/s))*abs(q/(1 kg/s)))" }
stream    = { q = "q" }
[element.fluid.check_pipe]
doc       = "The same with a check valve"
source    = "EPANET 2.2 users manual"
terminals = ["a", "b"]
param     = { head = "1 >= 0", minor = "1 >= 0 = 0", closed = "1 > 0" }
branch    = { kind = "R", law = "p = 1 Pa*if(q >= 0 kg/s, head*(max(q, 0 kg/s)/(1 kg/s))^1.852 + minor*(q/(1 kg/s))^2, closed*q/(1 kg/s))" }
stream    = { q = "q" }
[element.fluid.power_pump]
doc       = "Pump by h0 - r*q^n that lets nothing back"
source    = "EPANET 2.2 users manual, section 3.1"
terminals = ["a", "b"]
param     = { h0 = "1 > 0", r = "1 > 0", power = "1 > 0", closed = "1 > 0" }
branch    = { kind = "R", law = "p = 1 Pa*if(q >= 0 kg/s, r*(max(q, 0 kg/s)/(1 kg/s))^power - h0, closed*q/(1 kg/s) - h0)" }
stream    = { q = "q" }
[element.fluid.constant_power]
doc       = "Pump of constant power: power/q"
source    = "EPANET 2.2 users manual, section 3.1"
terminals = ["a", "b"]
param     = { power = "1 > 0" }                                   # Pa*kg/s
branch    = { kind = "R", law = "p = -1 Pa*power/max(q/(1 kg/s), 1e-6)" }
stream    = { q = "q" }
[element.fluid.link]
doc       = "Linear resistance: an open valve, a closed link"
source    = "EPANET 2.2: 1e-6 and 1e8 ft of head at 1 ft^3/s"
terminals = ["a", "b"]
param     = { r = "1 > 0" }
branch    = { kind = "R", law = "p = 1 Pa*s/kg*r*q" }
stream    = { q = "q" }
"""


def sections(path):
    parts, name = {}, ""
    for line in path.read_text(errors="replace").splitlines():
        line = line.split(";")[0].strip()
        if line.startswith("["):
            name = line.strip("[]").upper()
        elif line:
            parts.setdefault(name, []).append(line.split())
    return parts


def engine_library():
    """EPANET's library: TAKT_EPANET, or that of tools/install_packages.sh; nothing where there is none."""
    given = os.environ.get("TAKT_EPANET")
    path = pathlib.Path(given) if given else pathlib.Path(__file__).resolve().parents[2] / "build" / "epanet" / "libepanet2.so"
    return ctypes.CDLL(str(path)) if path.is_file() else None


class Engine:
    """What EPANET finds at time 0, in SI: heads and demands of nodes, flows, settings and states of links."""
    DEMAND, HEAD, FLOW, STATUS, SETTING = 9, 10, 8, 11, 12
    ACCURACY, DEMAND_MULTIPLIER = 1, 4

    def __init__(self, library, inp, work):
        self.library, self.project = library, ctypes.c_void_p()
        call = self.call
        call("EN_createproject", ctypes.byref(self.project), own=False)
        call("EN_open", self.project, str(inp).encode(), str(work / "epanet.rpt").encode(), b"", own=False)
        call("EN_setoption", self.project, self.ACCURACY, ctypes.c_double(1e-8), own=False)
        call("EN_openH", self.project, own=False)
        call("EN_initH", self.project, 0, own=False)
        call("EN_runH", self.project, ctypes.byref(ctypes.c_long()), own=False)
        nodes, links, unit = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        call("EN_getcount", self.project, 0, ctypes.byref(nodes), own=False)
        call("EN_getcount", self.project, 2, ctypes.byref(links), own=False)
        call("EN_getflowunits", self.project, ctypes.byref(unit), own=False)
        name = ("CFS", "GPM", "MGD", "IMGD", "AFD", "LPS", "LPM", "MLD", "CMH", "CMD")[unit.value]
        flow, length = FLOW_UNIT[name], FOOT if name in US else 1.0
        self.head = {self.name("EN_getnodeid", k): self.value("EN_getnodevalue", k, self.HEAD) * length for k in range(1, nodes.value + 1)}
        self.demand = {self.name("EN_getnodeid", k): self.value("EN_getnodevalue", k, self.DEMAND) * flow for k in range(1, nodes.value + 1)}
        each = range(1, links.value + 1)
        self.flow = {self.name("EN_getlinkid", k): self.value("EN_getlinkvalue", k, self.FLOW) * flow for k in each}
        self.open = {self.name("EN_getlinkid", k): self.value("EN_getlinkvalue", k, self.STATUS) > 0 for k in each}
        self.setting = {self.name("EN_getlinkid", k): self.value("EN_getlinkvalue", k, self.SETTING) for k in each}
        call("EN_deleteproject", self.project, own=False)

    def call(self, function, *arguments, own=True):
        code = getattr(self.library, function)(*arguments)
        if code > 100:
            raise RuntimeError(f"{function} ended with {code}")

    def name(self, function, index):
        text = ctypes.create_string_buffer(64)
        self.call(function, self.project, index, text)
        return text.value.decode()

    def value(self, function, index, what):
        number = ctypes.c_double()
        self.call(function, self.project, index, what, ctypes.byref(number))
        return number.value


def power_curve(points, speed):
    """(h0, r, n) of h0 - r*q^n, as EPANET fits one point or three; nothing for other curves."""
    if len(points) == 1:
        (q1, h1), = points
        h0, q2, h2 = 1.33334 * h1, 2.0 * q1, 0.0
    elif len(points) == 3 and points[0][0] == 0.0:
        (_, h0), (q1, h1), (q2, h2) = points
    else:
        return None
    n = math.log((h0 - h2) / (h0 - h1)) / math.log(q2 / q1)
    return h0 * speed**2, (h0 - h1) / q1**n * speed ** (2.0 - n), n


class WaterNetwork:
    def __init__(self, path, engine):
        self.parts, self.engine = sections(path), engine
        options = {" ".join(row[:-1]).upper(): row[-1].upper() for row in self.parts["OPTIONS"]}
        if options.get("HEADLOSS", "H-W") != "H-W" or self.parts.get("EMITTERS"):
            raise NotImplementedError("pipes by another law than that of Hazen and Williams, or emitters")
        self.us = options["UNITS"] in US
        self.flow = FLOW_UNIT[options["UNITS"]]
        self.length, self.diameter = (FOOT, INCH) if self.us else (1.0, 1e-3)
        self.multiplier = float(options.get("DEMAND MULTIPLIER", 1.0))
        self.patterns = {}
        for row in self.parts.get("PATTERNS", []):
            self.patterns.setdefault(row[0].upper(), []).extend(float(value) for value in row[1:])
        self.pattern = options.get("PATTERN", "1")
        self.curves = {}
        for row in self.parts.get("CURVES", []):
            self.curves.setdefault(row[0], []).append((float(row[1]) * self.flow * RHO, float(row[2]) * self.length * RHO * G))
        self.lines, self.replaced, self.signals, self.heads = [], [], {}, {}
        self.convert()

    def factor(self, name):
        values = self.patterns.get(name.upper())
        return values[0] if values else 1.0

    def demands(self):
        """kg/s by junction, at time 0."""
        listed = {}
        for row in self.parts.get("DEMANDS", []):
            listed.setdefault(row[0], []).append(row)
        found = {}
        for row in self.parts["JUNCTIONS"]:
            given = listed.get(row[0], [[row[0], *row[2:4]]] if len(row) > 2 else [])
            found[row[0]] = RHO * self.flow * self.multiplier * sum(float(each[1]) * self.factor(each[2] if len(each) > 2 else self.pattern) for each in given)
        return found

    def resistance(self, feet_at_one_cubic_foot):
        """Pa at 1 kg/s, linear."""
        return feet_at_one_cubic_foot * FOOT * RHO * G / (RHO * FOOT**3)

    def convert(self):
        index = {}
        for kind in ("JUNCTIONS", "RESERVOIRS", "TANKS"):
            for row in self.parts.get(kind, []):
                index[row[0]] = len(index)
        for name, flow in self.demands().items():
            self.heads[name] = f"fluid.n{index[name]}.p"
            if flow:
                self.lines.append(f'd{index[name]} = {{ is = "demand", at = ["n{index[name]}"], flow = "{flow:.17g} kg/s" }}')
        for kind in ("RESERVOIRS", "TANKS"):
            for row in self.parts.get(kind, []):
                head = float(row[1]) * (self.factor(row[2]) if kind == "RESERVOIRS" and len(row) > 2 else 1.0) + (float(row[2]) if kind == "TANKS" else 0.0)
                self.lines.append(f'n{index[row[0]]} = {{ is = "reservoir", p = "{RHO * G * self.length * head:.17g} Pa" }}')
        for number, row in enumerate(self.parts["PIPES"] + self.parts.get("PUMPS", []) + self.parts.get("VALVES", [])):
            self.link(number, row, f'at = ["n{index[row[1]]}", "n{index[row[2]]}"]', index)

    def link(self, number, row, at, index):
        name, is_pipe, is_pump = row[0], number < len(self.parts["PIPES"]), row in self.parts.get("PUMPS", [])
        closed = self.resistance(CLOSED)
        checks = is_pipe and row[-1].upper() == "CV"
        self.signals[name] = f"fluid.p{number}.q"
        if not self.engine.open[name] and not checks:
            self.lines.append(f'p{number} = {{ is = "link", {at}, r = "{closed:.17g}" }}')
        elif is_pipe:
            length, d, c = float(row[3]) * self.length, float(row[4]) * self.diameter, float(row[5])
            head = 4.727 * c**-EXPONENT * (d / FOOT) ** -4.871 * (length / FOOT) * FOOT * RHO * G / (RHO * FOOT**3) ** EXPONENT
            fittings = float(row[6]) if len(row) > 6 and row[6].replace(".", "").isdigit() else 0.0
            minor = 0.02517 * fittings / (d / FOOT) ** 4 * FOOT * RHO * G / (RHO * FOOT**3) ** 2
            extra = f', closed = "{closed:.17g}"' if checks else ""
            self.lines.append(f'p{number} = {{ is = "{"check_pipe" if checks else "hazen_williams"}", {at}, head = "{head:.17g}", minor = "{minor:.17g}"{extra} }}')
        elif is_pump:
            words = [word.upper() for word in row]
            if "POWER" in words:
                horses = float(row[words.index("POWER") + 1]) / (1.0 if self.us else 0.7457)
                self.lines.append(f'p{number} = {{ is = "constant_power", {at}, power = "{8.814 * horses * FOOT * RHO * G * RHO * FOOT**3:.17g}" }}')
                return
            points, speed = self.curves[row[words.index("HEAD") + 1]], self.engine.setting[name]
            fitted = power_curve(points, speed)
            if fitted:
                h0, r, n = fitted
                self.lines.append(f'p{number} = {{ is = "power_pump", {at}, h0 = "{h0:.17g}", r = "{r:.17g}", power = "{n:.17g}", closed = "{closed:.17g}" }}')
            else:
                table = ", ".join(f'["{q:.17g} kg/s", "{h:.17g} Pa"]' for q, h in points)
                self.lines.append(f'p{number} = {{ is = "pump_curve", {at}, curve = [{table}], speed = "{speed:.17g}" }}')
        elif abs(self.engine.head[row[1]] - self.engine.head[row[2]]) > 1e-3 and self.engine.flow[name] > 0.0:   # active
            del self.signals[name]
            self.replaced.append(name)
            flow = RHO * self.engine.flow[name]
            self.lines.append(f'p{number}a = {{ is = "demand", at = ["n{index[row[1]]}"], flow = "{flow:.17g} kg/s" }}')
            del self.heads[row[2]]
            self.lines = [line for line in self.lines if not line.startswith(f"d{index[row[2]]} ")]
            self.lines.append(f'n{index[row[2]]} = {{ is = "reservoir", p = "{RHO * G * self.engine.head[row[2]]:.17g} Pa" }}')
        else:
            self.lines.append(f'p{number} = {{ is = "link", {at}, r = "{self.resistance(OPEN):.17g}" }}')

    def text(self):
        return ('[plant]\ntitle = "Water network"\nduration = "2 s"\n[medium.cold_water]\ndoc = "constant"\ncp = "4186 J/kg/K"\nrho = "1000 kg/m^3"\n' + ELEMENTS
                + '[fluid]\nmedium = "cold_water"\n' + "\n".join(self.lines)
                + '\n[solve]\nfluid = { step = "1 s", method = "euler" }\n[sync]\nplant = { members = ["fluid"], every = "1 s" }\n'
                  '[record]\n"1 s" = ["fluid.*.p", "fluid.*.q"]\n')
