"""Flat Modelica models of our own in the JSON that the front end rumoca writes, from a few lines of text.

    model(x="real start=1 fixed", k="parameter=2", equations=["der(x) == -k*x"])

Expressions are written in Python's grammar: == for =, ** for ^, `a if c else b`, lists for arrays, subscripts from 1.
"""
import ast
import re

BINARY = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div", ast.Pow: "Exp"}
RELATION = {ast.Lt: "Lt", ast.LtE: "Le", ast.Gt: "Gt", ast.GtE: "Ge", ast.Eq: "Eq", ast.NotEq: "Neq"}
BUILTIN = {"der": "Der", "abs": "Abs", "sqrt": "Sqrt", "sin": "Sin", "cos": "Cos", "tan": "Tan", "exp": "Exp", "log": "Log", "log10": "Log10", "sinh": "Sinh",
           "cosh": "Cosh", "tanh": "Tanh", "asin": "Asin", "acos": "Acos", "atan": "Atan", "atan2": "Atan2", "min": "Min", "max": "Max", "sum": "Sum", "size": "Size",
           "noEvent": "NoEvent", "smooth": "Smooth", "pre": "Pre", "sample": "Sample", "sign": "Sign", "floor": "Floor", "integer": "Integer", "mod": "Mod",
           "semiLinear": "SemiLinear", "homotopy": "Homotopy", "cross": "Cross", "transpose": "Transpose", "zeros": "Zeros", "fill": "Fill", "identity": "Identity",
           "delay": "Delay", "initial": "Initial", "edge": "Edge", "linspace": "Linspace", "product": "Product", "Clock": "Clock", "hold": "Hold", "previous": "Previous", "interval": "Interval", "firstTick": "FirstTick",
           "noClock": "NoClock", "subSample": "SubSample", "superSample": "SuperSample", "shiftSample": "ShiftSample", "backSample": "BackSample"}


def name_of(node):
    return node.id if isinstance(node, ast.Name) else name_of(node.value) + "." + node.attr


def reference(name, subscripts=()):
    return {"VarRef": {"name": {"name": name, "resolved_function": None}, "subscripts": list(subscripts)}}


def literal(value):
    kind = "Boolean" if isinstance(value, bool) else "Integer" if isinstance(value, int) else "Real" if isinstance(value, float) else "String"
    return {"Literal": {"value": {kind: value}}}


def subscripts_of(node):
    made = []
    for part in node.elts if isinstance(node, ast.Tuple) else [node]:
        made.append({"Colon": {}} if isinstance(part, ast.Slice) else {"Expr": {"expr": tree(part)}})
    return made


def tree(node):
    if isinstance(node, ast.Constant):
        return literal(node.value)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return reference(name_of(node))
    if isinstance(node, ast.Subscript):
        return reference(name_of(node.value), subscripts_of(node.slice))
    if isinstance(node, ast.BinOp):
        return {"Binary": {"op": BINARY[type(node.op)], "lhs": tree(node.left), "rhs": tree(node.right)}}
    if isinstance(node, ast.UnaryOp):
        return {"Unary": {"op": "Not" if isinstance(node.op, ast.Not) else "Minus", "rhs": tree(node.operand)}}
    if isinstance(node, ast.Compare):
        return {"Binary": {"op": RELATION[type(node.ops[0])], "lhs": tree(node.left), "rhs": tree(node.comparators[0])}}
    if isinstance(node, ast.BoolOp):
        made = tree(node.values[0])
        for value in node.values[1:]:
            made = {"Binary": {"op": "And" if isinstance(node.op, ast.And) else "Or", "lhs": made, "rhs": tree(value)}}
        return made
    if isinstance(node, ast.IfExp):
        return {"If": {"branches": [[tree(node.test), tree(node.body)]], "else_branch": tree(node.orelse)}}
    if isinstance(node, ast.List):
        return {"Array": {"elements": [tree(each) for each in node.elts], "kind": "Array"}}
    if isinstance(node, ast.ListComp):
        indices = [{"name": each.target.id, "range": tree(each.iter)} for each in node.generators]
        return {"ArrayComprehension": {"expr": tree(node.elt), "indices": indices, "filter": None}}
    if isinstance(node, ast.Call):
        name, arguments = name_of(node.func), [tree(each) for each in node.args]
        if name == "range":
            return {"Range": {"start": arguments[0], "step": None, "end": arguments[1]}}
        if name in BUILTIN:
            return {"BuiltinCall": {"function": BUILTIN[name], "args": arguments}}
        return {"FunctionCall": {"name": {"name": name, "resolved_function": None}, "args": arguments, "is_constructor": name.rsplit(".", 1)[-1][0].isupper()}}
    raise ValueError(ast.dump(node))


def expression(text):
    return tree(ast.parse(str(text), mode="eval").body)


def equation(text, count=1):
    sides = ast.parse(text, mode="eval").body
    left, right = tree(sides.left), tree(sides.comparators[0])
    return {"residual": {"Binary": {"op": "Sub", "lhs": left, "rhs": right}}, "origin": {"ComponentEquation": {"component": ""}}, "scalar_count": count}


def variable(name, text):
    """text: words real, parameter, constant, boolean, integer, input, output; key=value for attributes, =value for the binding."""
    made = {"name": name, "variability": "Empty", "causality": "Empty", "dims": [], "start": None, "fixed": None, "min": None, "max": None, "nominal": None,
            "unit": None, "description": None, "state_select": "Default", "binding": None, "evaluate": False, "is_discrete_type": False}
    final = False
    for word in text.split():
        key, equals, value = word.partition("=")
        if key in ("parameter", "constant", "discrete"):
            made["variability"] = {key.capitalize(): {}}
            key = ""
        if key in ("input", "output"):
            made["causality"] = {key.capitalize(): {}}
        elif key in ("boolean", "integer"):
            made["is_discrete_type"] = True
            made["type_id"] = 2 if key == "boolean" else 1
        elif key == "clock":
            made["type_id"] = 4
        elif key == "fixed":
            made["fixed"] = [value != "false"]
        elif key == "final":
            final = True
        elif key == "unit":
            made["unit"] = value
        elif key == "select":
            made["state_select"] = value
        elif key == "dims":
            made["dims"] = [int(each) for each in value.split(",")]
        elif key in ("start", "min", "max", "nominal"):
            made[key] = expression(value)
        elif key not in ("", "real"):
            raise ValueError(word)
        if key == "" and equals:
            made["binding"] = expression(value)
    return made, final


def statement(text):
    node = ast.parse(text).body[0]
    return statement_of(node)


def statement_of(node):
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        name, subs = (name_of(target.value), subscripts_of(target.slice)) if isinstance(target, ast.Subscript) else (name_of(target), [])
        return {"Assignment": {"comp": {"local": False, "parts": [{"ident": name, "subs": subs}]}, "value": tree(node.value)}}
    if isinstance(node, ast.If):
        return {"If": {"cond_blocks": [{"cond": tree(node.test), "stmts": [statement_of(each) for each in node.body]}],
                       "else_block": [statement_of(each) for each in node.orelse]}}
    if isinstance(node, ast.For):
        return {"For": {"indices": [{"ident": node.target.id, "range": tree(node.iter)}], "equations": [statement_of(each) for each in node.body]}}
    if isinstance(node, ast.While):
        return {"While": {"block": {"cond": tree(node.test), "stmts": []}}}
    raise ValueError(ast.dump(node))


def external_of(text):
    """'name' or 'language output = name(arguments)'"""
    if text is None or "=" not in text:
        return text and {"function_name": text}
    language, output, call = re.fullmatch(r"(\w+) (\w+) = (.*)", text).groups()
    called = ast.parse(call, mode="eval").body
    return {"language": language, "function_name": called.func.id, "output_name": output, "args": [tree(each) for each in called.args]}


def function(inputs, outputs, body, local=(), external=None):
    def argument(text):
        name, _, dims = text.partition(":")
        return {"name": name, "type_name": "Real", "type_class": None, "default": None, "effective_type": {"dimensions": [int(d) for d in dims.split(",") if d]},
                "shape_expr": [{"Index": {"value": int(d)}} for d in dims.split(",") if d]}
    return {"inputs": [argument(each) for each in inputs], "outputs": [argument(each) for each in outputs], "locals": [argument(each) for each in local],
            "body": [statement_of(each) for each in ast.parse(body).body], "is_constructor": False, "external": external_of(external)}


def when_equation(text):
    """n = value, reinit(x, value)"""
    node = ast.parse(text).body[0]
    if isinstance(node, ast.Assign):
        return {"Assign": {"target": name_of(node.targets[0]), "value": tree(node.value)}}
    if node.value.func.id == "reinit":
        return {"Reinit": {"state": name_of(node.value.args[0]), "value": tree(node.value.args[1])}}
    return {"Terminate": {"message": tree(node.value.args[0])}}


def when_chain(branches):
    """[(condition, texts of equations), ...]: when, then each elsewhen"""
    made = [{"condition": expression(condition), "equations": [when_equation(each) for each in texts]} for condition, texts in branches]
    return {"first": made[0], "else_when": made[1:]}


def model(equations=(), initial=(), functions=None, whens=(), algorithms=(), initial_algorithms=(), counts=None, **variables):
    """whens: chains for when_chain"""
    made = {"variables": {}, "variable_final_flags": {}, "model_description": "made by a test", "is_partial": False, "enum_literal_ordinals": {}, "record_types": {},
            "record_instances": {}, "structured_equations": [], "initial_structured_equations": [], "assert_equations": [], "initial_assert_equations": [],
            "functions": functions or {}, "algorithms": [{"statements": [statement(s) for s in each], "origin": "algorithm"} for each in algorithms],
            "initial_algorithms": [{"statements": [statement(s) for s in each], "origin": "algorithm"} for each in initial_algorithms],
            "when_chains": [when_chain(each) for each in whens],
            "predefined_types": {"boolean": 2, "clock": 4}, "effective_types": {"2": {"canonical_type": 2}, "4": {"canonical_type": 4}},
            "equations": [equation(each, (counts or {}).get(index, 1)) for index, each in enumerate(equations)], "initial_equations": [equation(each) for each in initial]}
    for name, text in variables.items():
        name = name.replace("__", ".")
        made["variables"][name], final = variable(name, text)
        if final:
            made["variable_final_flags"][name] = True
    return made
