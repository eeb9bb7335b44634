"""Expressions of a flat Modelica model (JSON of rumoca) as expressions of CasADi. Arrays are object arrays of numpy, records are dictionaries."""
import math

import casadi as ca
import numpy as np

from flat_oracle_functions import RELATION, Functions, array, chosen, each, filled, flat_list, name_of, plain, symbolic, tagged

class Reader(Functions):
    def __init__(self, json):
        self.json, self.time = json, ca.SX.sym("time")
        self.symbols, self.dots, self.starts, self.fixed = {}, {}, {}, set()
        self.held, self.held_values, self.relations = [], [], {}
        self.parameters, self.discrete, self.under_way = {}, {}, set()
        self.literals = json.get("enum_literal_ordinals", {})
        for name, declared in json["variables"].items():
            if not self.is_parameter(declared) and not declared["is_discrete_type"]:
                self.parameters[name] = self.symbols_of(name, declared["dims"], ())
        self.initial_phase = False
        for name, declared in json["variables"].items():
            if name in self.parameters and not self.is_parameter(declared):
                self.read_start(name, declared)

    @staticmethod
    def is_parameter(declared):
        return tagged(declared["variability"])[0] in ("Parameter", "Constant")

    def symbols_of(self, name, dims, subscripts):
        if not dims:
            full = name + (f"[{','.join(map(str, subscripts))}]" if subscripts else "")
            self.symbols[full] = ca.SX.sym(full)
            return self.symbols[full]
        return array([self.symbols_of(name, dims[1:], (*subscripts, k + 1)) for k in range(dims[0])])

    def read_start(self, name, declared):
        symbols = flat_list(self.parameters[name])
        if declared["start"] is not None:
            start = declared["start"][0] if isinstance(declared["start"], list) and len(declared["start"]) == 1 else declared["start"]
            values = flat_list(self.value(start)) if not isinstance(start, list) else [self.value(part) for part in start]
            values = values * len(symbols) if len(values) == 1 else values
            for symbol, value in zip(symbols, values):
                if not symbolic(value) and not isinstance(value, str):
                    self.starts[symbol.name()] = float(value)
        fixed = declared["fixed"]
        fixed = fixed if isinstance(fixed, list) else [fixed] if fixed is not None else []
        fixed = [part if isinstance(part, bool) else bool(self.value(part)) for part in fixed]
        fixed = fixed * len(symbols) if len(fixed) == 1 else fixed
        for symbol, held in zip(symbols, fixed):
            if held:
                self.fixed.add(symbol.name())
                self.starts.setdefault(symbol.name(), 0.0)

    # --- equations
    def residuals(self):
        made = []
        for name, declared in self.json["variables"].items():
            if declared["binding"] is not None and not self.is_parameter(declared) and not declared["is_discrete_type"]:
                made += flat_list(each(lambda a, b: a - b, self.parameters[name], self.value(declared["binding"])))
        for equation in self.json["equations"]:
            made += self.residual(equation["residual"])
        return made

    def initial_residuals(self):
        self.initial_phase = True
        made = []
        for equation in self.json["initial_equations"]:
            made += self.residual(equation["residual"])
        for algorithm in self.json["initial_algorithms"]:
            for kind, content in map(tagged, algorithm["statements"]):
                if kind == "Assignment":
                    target = ".".join(part["ident"] for part in content["comp"]["parts"])
                    made += flat_list(each(lambda a, b: a - b, self.named(target, None), self.value(content["value"])))
        self.initial_phase = False
        return made

    def residual(self, json):
        kind, content = tagged(json)
        if kind == "Binary" and content["op"] == "Sub":
            if any(self.is_discrete(side) for side in (content["lhs"], content["rhs"])):
                return []
            left, right = self.value(content["lhs"]), self.value(content["rhs"])
            if isinstance(left, dict):
                return [part for name in left for part in flat_list(each(lambda a, b: a - b, left[name], right[name]))]
            if isinstance(left, str) or isinstance(right, str):
                return []
            return flat_list(each(lambda a, b: a - b, left, right))
        return flat_list(self.value(json))

    def is_discrete(self, json):
        kind, content = tagged(json)
        name = name_of(content["name"]) if kind == "VarRef" else None
        declared = self.json["variables"].get(name) or self.json["variables"].get(name.split("[")[0]) if name else None
        return declared is not None and declared["is_discrete_type"] and not self.is_parameter(declared)

    def discrete_value(self, name):
        """Truth values and whole numbers: what an equation says they are."""
        if name in self.under_way:
            raise LookupError(name)
        self.under_way.add(name)
        try:
            declared = self.json["variables"].get(name)
            if declared is not None and declared["binding"] is not None:
                return self.value(declared["binding"])
            for equation in self.json["equations"]:
                kind, content = tagged(equation["residual"])
                if kind != "Binary" or content["op"] != "Sub":
                    continue
                for one, other in (("lhs", "rhs"), ("rhs", "lhs")):
                    side, reference = tagged(content[one])
                    if side == "VarRef" and name_of(reference["name"]) == name and not reference["subscripts"]:
                        try:
                            return self.value(content[other])
                        except LookupError:
                            pass
            raise LookupError(name)
        finally:
            self.under_way.discard(name)

    # --- the time
    def relation(self, op, a, b):
        if not symbolic(a) and not symbolic(b):
            return RELATION[op](plain(a), plain(b))
        text = f"{op} {a} {b}"
        if text not in self.relations:
            self.relations[text] = [ca.SX.sym(f"relation{len(self.relations)}"), op, ca.SX(a), ca.SX(b)]
        return self.relations[text][0]

    def resolve_relations(self, expressions):
        """Puts relations in place of their symbols: those of the time alone are held between instants."""
        old, new = [], []
        for symbol, op, a, b in self.relations.values():
            if old:
                a, b = ca.substitute([a, b], old, new)
            value = ca.SX(RELATION[op](a, b))
            names = {each.name() for each in ca.symvar(value)}
            if not names:
                value = ca.SX(ca.Function("holds", [], [value])()["o0"])
            elif names == {"time"}:
                holds = ca.Function("holds", [self.time], [value])
                value = ca.SX.sym(f"held{len(self.held)}")
                self.held.append(value)
                self.held_values.append(lambda t, holds=holds: float(holds(t)) > 0.5)
            old.append(symbol)
            new.append(ca.SX(value))
        return ca.substitute(expressions, old, new) if old and expressions else expressions

    def instants(self, stop):
        """Where a relation of the time changes."""
        made, grid = [], np.linspace(0.0, stop, 4001)
        for holds in self.held_values:
            seen = [holds(t) for t in grid]
            for k in range(len(grid) - 1):
                if seen[k] == seen[k + 1]:
                    continue
                low, high = grid[k], grid[k + 1]
                while high - low > 1e-15 * max(1.0, stop):
                    middle = 0.5 * (low + high)
                    if middle in (low, high):
                        break
                    low, high = (middle, high) if holds(middle) == seen[k] else (low, middle)
                made.append(high)
        return made

    def dot(self, symbol):
        name = symbol.name()
        if name not in self.dots:
            self.dots[name] = ca.SX.sym(f"der({name})")
        return self.dots[name]

    def derivative(self, value):
        if not symbolic(value):
            return 0.0
        total = 0.0
        for symbol in ca.symvar(value):
            slope = ca.jacobian(value, symbol)
            total = total + (slope if symbol.name() == "time" else slope * self.dot(symbol))
        return total

    # --- names
    def named(self, name, frame):
        if frame is not None:
            parts = name.split(".")
            for count in range(len(parts), 0, -1):
                if ".".join(parts[:count]) in frame:
                    value = frame[".".join(parts[:count])]
                    for field in parts[count:]:
                        value = value[field]
                    return value
        if name == "time":
            return self.time
        value = self.of_model(name)
        if value is None and name in self.literals:
            return float(self.literals[name])
        if value is None:
            raise KeyError(name)
        return value

    def of_model(self, name):
        if name in self.parameters:
            return self.parameters[name]
        declared = self.json["variables"].get(name)
        if declared is not None and self.is_parameter(declared):
            self.parameters[name] = made = self.parameter(declared)
            return made
        if declared is not None:
            return self.discrete_value(name)
        below = [each for each in self.json["variables"] if each.startswith(name + ".")]
        if below:
            instance = self.json["record_instances"].get(name)
            types = {each["name"]: each for each in self.json["record_types"].values()}
            if instance and instance["type_name"] in types:
                fields = [field["name"] for field in types[instance["type_name"]]["fields"]]
            else:
                fields = list(dict.fromkeys(each[len(name) + 1:].split(".")[0].split("[")[0] for each in below))
            return {field: self.of_model(f"{name}.{field}") for field in fields}
        if any(each.startswith(name + "[1].") for each in self.json["variables"]):
            members = []
            while any(each.startswith(f"{name}[{len(members) + 1}].") for each in self.json["variables"]):
                members.append(self.of_model(f"{name}[{len(members) + 1}]"))
            return array(members)
        if name.endswith("]"):
            value = self.of_model(name[:name.rindex("[")])
            if value is None:
                raise LookupError(name)
            for index in name[name.rindex("[") + 1:-1].split(","):
                value = value[int(index) - 1]
            return value
        return None

    def parameter(self, declared):
        value = declared["binding"] if declared["binding"] is not None else declared["start"]
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        made = array([self.value(part) for part in value]) if isinstance(value, list) else self.value(value)
        if declared["dims"] and not isinstance(made, np.ndarray):
            made = filled(made, declared["dims"])
        return made

    # --- expressions
    def value(self, json, frame=None):
        kind, content = tagged(json)
        return getattr(self, "of_" + kind)(content, frame)

    def of_Literal(self, json, _):
        kind, value = tagged(json["value"])
        return value if kind in ("String", "Boolean") else float(value)

    def of_VarRef(self, json, frame):
        value = self.named(name_of(json["name"]), frame)
        return self.indexed(value, json["subscripts"], frame) if json["subscripts"] else value

    def of_Index(self, json, frame):
        return self.indexed(self.value(json["base"], frame), json["subscripts"], frame)

    def of_FieldAccess(self, json, frame):
        base = self.value(json["base"], frame)
        return array([part[json["field"]] for part in base]) if isinstance(base, np.ndarray) else base[json["field"]]

    def indexed(self, value, subscripts, frame):
        keys = []
        for subscript in subscripts:
            kind, content = tagged(subscript)
            if kind == "Colon":
                keys.append(slice(None))
                continue
            index = content["value"] if kind == "Index" else self.value(content.get("expr", content), frame)
            keys.append([int(part) - 1 for part in index] if isinstance(index, np.ndarray) else int(index) - 1)
        return value[tuple(keys)]

    def of_Unary(self, json, frame):
        op, value = tagged(json["op"])[0], self.value(json["rhs"], frame)
        if op in ("Plus", "DotPlus"):
            return value
        if op == "Not":
            return each(lambda a: ca.logic_not(a) if symbolic(a) else not a, value)
        return each(lambda a: -a, value)

    def of_Binary(self, json, frame):
        op = tagged(json["op"])[0]
        a = self.value(json["lhs"], frame)
        if op in ("And", "Or") and not symbolic(a) and bool(a) == (op == "Or"):
            return a
        b = self.value(json["rhs"], frame)
        if op in RELATION:
            return RELATION[op](a, b) if isinstance(a, str) else each(lambda x, y: self.relation(op, x, y), a, b)
        if op in ("And", "Or"):
            both = ca.logic_and if op == "And" else ca.logic_or
            return both(a, b) if symbolic(a) or symbolic(b) else (a and b if op == "And" else a or b)
        if op == "Mul" and isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            return a.dot(b)
        if op == "Add" and isinstance(a, str):
            return a + b
        base = op.removesuffix("Elem")
        do = {"Add": lambda x, y: x + y, "Sub": lambda x, y: x - y, "Mul": lambda x, y: x * y, "Div": lambda x, y: x / y, "Exp": lambda x, y: x**y}[base]
        return each(do, a, b)

    def of_If(self, json, frame):
        branches = list(json["branches"])
        while branches:
            condition = plain(self.value(branches[0][0], frame))
            if symbolic(condition):
                rest = {"If": {"branches": branches[1:], "else_branch": json["else_branch"]}}
                return chosen(condition, self.value(branches[0][1], frame), self.value(rest, frame))
            if condition:
                return self.value(branches[0][1], frame)
            branches.pop(0)
        return self.value(json["else_branch"], frame)

    def of_Array(self, json, frame):
        parts = [self.value(part, frame) for part in json["elements"]]
        if json.get("kind", "Array") == "Array":
            return parts[0] if len(parts) == 1 and "ArrayComprehension" in json["elements"][0] else array(parts)
        matrices = [part if isinstance(part, np.ndarray) and part.ndim == 2 else
                    np.reshape(part, (-1, 1)) if isinstance(part, np.ndarray) else np.array([[part]], dtype=object) for part in parts]
        return np.concatenate(matrices, axis=1 if json["kind"] == "Horizontal" else 0)

    def of_Tuple(self, json, frame):
        return array([self.value(part, frame) for part in json["elements"]])

    def of_Range(self, json, frame):
        step = 1.0 if json["step"] is None else self.value(json["step"], frame)
        first, last = self.value(json["start"], frame), self.value(json["end"], frame)
        return array([first + k * step for k in range(int(math.floor((last - first) / step + 1e-9)) + 1)])

    def of_ArrayComprehension(self, json, frame):
        def made(indices, inner):
            if not indices:
                return self.value(json["expr"], inner)
            return array([made(indices[1:], {**inner, indices[0]["name"]: each}) for each in self.value(indices[0]["range"], inner)])
        return made(json["indices"], dict(frame or {}))

    def of_StringConversion(self, _json, _frame):
        return ""
