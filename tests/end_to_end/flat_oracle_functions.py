"""Functions of flat Modelica models for flat_oracle_values.py: those of the language, and those of the model, run statement by statement."""
import math

import casadi as ca
import numpy as np

UNARY = {"Sin": "sin", "Cos": "cos", "Tan": "tan", "Asin": "asin", "Acos": "acos", "Atan": "atan", "Exp": "exp", "Log": "log", "Sqrt": "sqrt", "Tanh": "tanh",
         "Sinh": "sinh", "Cosh": "cosh", "Floor": "floor", "Ceil": "ceil", "Sign": "sign"}
RELATION = {"Lt": lambda a, b: a < b, "Le": lambda a, b: a <= b, "Gt": lambda a, b: a > b, "Ge": lambda a, b: a >= b, "Eq": lambda a, b: a == b, "Neq": lambda a, b: a != b}
LIBRARY = "Modelica.Math."


def tagged(json):
    return (json, {}) if isinstance(json, str) else next(iter(json.items()))


def name_of(json):
    return json if isinstance(json, str) else json["name"]


def symbolic(value):
    return isinstance(value, ca.SX) and not value.is_constant()


def plain(value):
    """A number where it is one."""
    return float(value) if isinstance(value, ca.SX) and value.is_constant() else value


def array(values):
    made = np.empty(len(values), dtype=object)
    for k, each in enumerate(values):
        made[k] = each
    if len(values) and all(isinstance(each, np.ndarray) and each.shape == values[0].shape for each in values):
        full = np.empty((len(values), *values[0].shape), dtype=object)
        for k, each in enumerate(values):
            full[k] = each
        return full
    return made


def filled(value, sizes):
    return array([filled(value, sizes[1:]) for _ in range(int(sizes[0]))]) if sizes else value


def flat_list(value):
    if isinstance(value, np.ndarray):
        return [part for each in value for part in flat_list(each)]
    if isinstance(value, dict):
        return [part for each in value.values() for part in flat_list(each)]
    return [value]


def each(function, *values):
    if any(isinstance(value, np.ndarray) for value in values):
        size = next(len(value) for value in values if isinstance(value, np.ndarray))
        return array([each(function, *[value[k] if isinstance(value, np.ndarray) else value for value in values]) for k in range(size)])
    return plain(function(*values))


def chosen(condition, a, b):
    if isinstance(a, np.ndarray):
        return array([chosen(condition, x, y) for x, y in zip(a, b)])
    if isinstance(a, dict):
        return {name: chosen(condition, a[name], b[name]) for name in a}
    return a if a is b else ca.if_else(condition, a, b)


class Return(Exception):
    pass


class Functions:
    def of_BuiltinCall(self, json, frame):
        name, arguments = tagged(json["function"])[0], json["args"]
        if name in ("NoEvent", "Homotopy"):
            return self.value(arguments[0], frame)
        if name == "Smooth":
            return self.value(arguments[1], frame)
        return self.builtin(name, [self.value(part, frame) for part in arguments])

    def builtin(self, name, a):
        if name == "Der":
            return each(self.derivative, a[0])
        if name in UNARY:
            if name == "Sign":
                return each(lambda x: ca.sign(x) if symbolic(x) else float(np.sign(x)), a[0])
            return each(lambda x: getattr(ca, UNARY[name])(x), a[0])
        if name == "Abs":
            return each(ca.fabs, a[0])
        if name == "Log10":
            return each(ca.log10, a[0])
        if name == "Atan2":
            return each(ca.atan2, *a)
        if name in ("Min", "Max"):
            function = ca.fmin if name == "Min" else ca.fmax
            if len(a) == 2:
                return each(function, *a)
            made = flat_list(a[0])[0]
            for part in flat_list(a[0])[1:]:
                made = plain(function(made, part))
            return made
        if name in ("Sum", "Product"):
            made = 0.0 if name == "Sum" else 1.0
            for part in flat_list(a[0]):
                made = made + part if name == "Sum" else made * part
            return made
        if name == "SemiLinear":
            return each(lambda p, n: ca.if_else(a[0] >= 0, a[0] * p, a[0] * n), a[1], a[2])
        if name in ("Mod", "Div", "Rem"):
            turns = each(lambda x, y: math.floor(x / y) if name == "Mod" else math.trunc(x / y), *a)
            return turns if name == "Div" else each(lambda x, y, n: x - n * y, *a, turns)
        if name == "Initial":
            return self.initial_phase
        return self.of_arrays(name, a)

    def of_arrays(self, name, a):
        sizes = [int(part) for part in a[1:]] if name == "Fill" else [int(part) for part in a] if name in ("Zeros", "Ones") else []
        if name in ("Fill", "Zeros", "Ones"):
            return filled(a[0] if name == "Fill" else float(name == "Ones"), sizes)
        if name == "Size":
            shape = np.shape(a[0])
            return float(shape[int(a[1]) - 1]) if len(a) > 1 else array([float(size) for size in shape])
        if name == "Identity":
            return np.array([[float(i == j) for j in range(int(a[0]))] for i in range(int(a[0]))], dtype=object)
        if name == "Diagonal":
            return array([array([part if i == j else 0.0 for j in range(len(a[0]))]) for i, part in enumerate(a[0])])
        if name == "Transpose":
            return a[0].T
        if name in ("Vector", "Scalar"):
            return array(flat_list(a[0])) if name == "Vector" else flat_list(a[0])[0]
        if name == "Cross":
            x, y = a
            return array([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])
        if name == "Skew":
            x = a[0]
            return array([array([0.0, -x[2], x[1]]), array([x[2], 0.0, -x[0]]), array([-x[1], x[0], 0.0])])
        if name == "OuterProduct":
            return array([array([x * y for y in a[1]]) for x in a[0]])
        if name == "Linspace":
            return array([a[0] + (a[1] - a[0]) * k / (int(a[2]) - 1) for k in range(int(a[2]))])
        if name == "Cat":
            return np.concatenate(a[1:], axis=int(a[0]) - 1)
        raise NotImplementedError(name)

    # --- functions
    def of_FunctionCall(self, json, frame):
        name = name_of(json["name"])
        arguments = [self.value(part, frame) for part in json["args"]]
        if json.get("is_constructor"):
            return self.constructed(name, arguments)
        short = name.removeprefix(LIBRARY)
        if name.startswith(LIBRARY) and short.capitalize() in UNARY or short == "atan2":
            return self.builtin(short.capitalize(), arguments)
        return self.called(name, arguments)[0]

    def constructed(self, name, arguments):
        types = {each["name"]: each for each in self.json["record_types"].values()}
        fields = [each["name"] for each in (types[name]["fields"] if name in types else self.json["functions"][name]["inputs"])]
        return dict(zip(fields, arguments))

    def called(self, name, arguments):
        function = self.json["functions"][name]
        dims = lambda each: each["shape_expr"] or (each.get("effective_type") or {}).get("dimensions") or []
        spread = [isinstance(a, np.ndarray) and not dims(declared) for a, declared in zip(arguments, function["inputs"])]
        if any(spread):
            size = next(len(a) for a, over in zip(arguments, spread) if over)
            rows = [self.called(name, [a[k] if over else a for a, over in zip(arguments, spread)]) for k in range(size)]
            return [array([row[k] for row in rows]) for k in range(len(rows[0]))]
        frame = {declared["name"]: value for declared, value in zip(function["inputs"], arguments)}
        for declared in function["inputs"][len(arguments):]:
            frame[declared["name"]] = self.value(declared["default"], frame)
        for declared in function["outputs"] + function["locals"]:
            frame[declared["name"]] = self.value(declared["default"], frame) if declared.get("default") else self.blank(declared, frame)
        try:
            self.run(function["body"], frame)
        except Return:
            pass
        return [frame[declared["name"]] for declared in function["outputs"]]

    def blank(self, declared, frame):
        sizes = []
        for part in declared["shape_expr"]:
            kind, content = tagged(part)
            sizes.append(int(content["value"] if kind == "Index" else self.value(content.get("expr", content), frame)) if kind != "Colon" else 0)
        if declared.get("type_class") == "Record":
            types = {each["name"]: each for each in self.json["record_types"].values()}
            return {field["name"]: np.zeros(field["dims"], dtype=object) if field["dims"] else 0.0 for field in types[declared["type_name"]]["fields"]}
        return np.zeros(sizes, dtype=object) if sizes else 0.0

    def run(self, statements, frame):
        for kind, content in map(tagged, statements):
            if kind == "Assignment":
                self.assign(content["comp"]["parts"], self.value(content["value"], frame), frame)
            elif kind == "If":
                self.run_choice(content["cond_blocks"], content.get("else_block") or [], frame)
            elif kind == "For":
                self.run_loop(content["indices"], content["equations"], frame)
            elif kind == "FunctionCall" and content["outputs"]:
                name = ".".join(part["ident"] for part in content["comp"]["parts"]) if "parts" in content["comp"] else name_of(content["comp"])
                for output, value in zip(content["outputs"], self.called(name, [self.value(part, frame) for part in content["args"]])):
                    if output is not None:
                        self.assign(output["parts"], value, frame)
            elif kind == "Return":
                raise Return()
            elif kind not in ("FunctionCall", "Assert", "Empty"):
                raise NotImplementedError(kind)

    def run_choice(self, blocks, otherwise, frame):
        if not blocks:
            return self.run(otherwise, frame)
        condition = plain(self.value(blocks[0]["cond"], frame))
        if not symbolic(condition):
            return self.run(blocks[0]["stmts"], frame) if condition else self.run_choice(blocks[1:], otherwise, frame)
        other = {name: value.copy() if isinstance(value, (np.ndarray, dict)) else value for name, value in frame.items()}
        self.run(blocks[0]["stmts"], frame)
        self.run_choice(blocks[1:], otherwise, other)
        for name in frame:
            if name in other:
                frame[name] = chosen(condition, frame[name], other[name])

    def run_loop(self, indices, body, frame):
        if not indices:
            return self.run(body, frame)
        for value in self.value(indices[0]["range"], frame):
            ident = indices[0]["ident"]
            frame[ident if isinstance(ident, str) else ident["text"]] = value
            self.run_loop(indices[1:], body, frame)

    def assign(self, parts, value, frame):
        target = frame
        for part in parts[:-1]:
            target = target[part["ident"]]
        name, subscripts = parts[-1]["ident"], parts[-1]["subs"] or []
        if not subscripts:
            target[name] = value
            return
        keys = []
        for kind, content in map(tagged, subscripts):
            index = content["value"] if kind == "Index" else None if kind == "Colon" else self.value(content.get("expr", content), frame)
            keys.append(slice(None) if index is None else [int(each) - 1 for each in index] if isinstance(index, np.ndarray) else int(index) - 1)
        target[name] = target[name].copy()
        target[name][tuple(keys)] = value
