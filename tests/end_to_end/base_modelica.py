"""The flat models of flat_models.py as Base Modelica text, as OpenModelica writes it."""

SIGNS = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Exp": "^", "Lt": "<", "Le": "<=", "Gt": ">", "Ge": ">=", "Eq": "==", "Neq": "<>", "And": "and", "Or": "or"}
WORDS = {"NoEvent": "noEvent", "SemiLinear": "semiLinear"}


def quoted(name):
    return "'" + name + "'" if name != "time" else name


def tagged(json):
    return next(iter(json.items()))


def subscripts(json):
    if not json:
        return ""
    parts = [":" if kind == "Colon" else str(content["value"]) if kind == "Index" else expression(content["expr"]) for kind, content in map(tagged, json)]
    return "[" + ", ".join(parts) + "]"


def literal(json):
    kind, value = tagged(json)
    return str(value).lower() if kind == "Boolean" else f'"{value}"' if kind == "String" else repr(value)


def expression(json):
    kind, content = tagged(json)
    if kind == "Literal":
        return literal(content["value"])
    if kind == "VarRef":
        return quoted(content["name"]["name"]) + subscripts(content["subscripts"])
    if kind == "Binary":
        return f"({expression(content['lhs'])} {SIGNS[content['op']]} {expression(content['rhs'])})"
    if kind == "Unary":
        return f"({'not' if content['op'] == 'Not' else '-'} {expression(content['rhs'])})"
    if kind == "If":
        (condition, value), = content["branches"]
        return f"(if {expression(condition)} then {expression(value)} else {expression(content['else_branch'])})"
    if kind == "Array":
        return "{" + ", ".join(map(expression, content["elements"])) + "}"
    if kind == "ArrayComprehension":
        loops = ", ".join(f"{quoted(each['name'])} in {expression(each['range'])}" for each in content["indices"])
        return "{" + expression(content["expr"]) + " for " + loops + "}"
    if kind == "Range":
        return f"{expression(content['start'])}:{expression(content['end'])}"
    if kind == "BuiltinCall":
        name = content["function"]
        return WORDS.get(name, name.lower()) + "(" + ", ".join(map(expression, content["args"])) + ")"
    if kind == "FunctionCall":
        return quoted(content["name"]["name"]) + "(" + ", ".join(map(expression, content["args"])) + ")"
    raise ValueError(kind)


def equation(json):
    sides = json["residual"]["Binary"]
    return f"    {expression(sides['lhs'])} = {expression(sides['rhs'])};\n"


def target(json):
    return ".".join(quoted(part["ident"]) + subscripts(part["subs"]) for part in json["parts"])


def statement(json):
    kind, content = tagged(json)
    if kind == "Assignment":
        return f"{target(content['comp'])} := {expression(content['value'])};\n"
    if kind == "If":
        block, = content["cond_blocks"]
        return f"if {expression(block['cond'])} then\n{statements(block['stmts'])}else\n{statements(content['else_block'])}end if;\n"
    if kind == "For":
        index, = content["indices"]
        return f"for {quoted(index['ident'])} in {expression(index['range'])} loop\n{statements(content['equations'])}end for;\n"
    if kind == "While":
        return f"while {expression(content['block']['cond'])} loop\nend while;\n"
    raise ValueError(kind)


def statements(json):
    return "".join(map(statement, json))


def declaration(name, json, final):
    words = ["final"] if final else []
    variability = tagged(json["variability"])[0] if isinstance(json["variability"], dict) else ""
    causality = tagged(json["causality"])[0] if isinstance(json["causality"], dict) else ""
    words += [word.lower() for word in (variability, causality) if word]
    kind = "Real"
    if json["is_discrete_type"]:
        kind = "Integer" if json.get("type_id") == 1 or json["binding"] and "Integer" in str(json["binding"]) else "Boolean"
    kind = "Clock" if json.get("type_id") == 4 else kind
    dims = "[" + ", ".join(map(str, json["dims"])) + "]" if json["dims"] else ""
    attributes = [f"{key} = {expression(json[key])}" for key in ("start", "min", "max", "nominal") if json[key] is not None]
    attributes += [f"fixed = {str(json['fixed'][0]).lower()}"] if json["fixed"] else []
    attributes += [f'unit = "{json["unit"]}"'] if json["unit"] else []
    attributes += [f"stateSelect = StateSelect.{json['state_select'].lower()}"] if json["state_select"] != "Default" else []
    modification = "(" + ", ".join(attributes) + ")" if attributes else ""
    binding = f" = {expression(json['binding'])}" if json["binding"] is not None else ""
    return f"    {' '.join([*words, kind + dims, quoted(name)])}{modification}{binding};\n"


def function(name, json):
    made = f"  function {quoted(name)}\n"
    for prefix, key in (("input ", "inputs"), ("output ", "outputs"), ("protected ", "locals")):
        for each in json[key]:
            dims = each["effective_type"]["dimensions"]
            made += f"    {prefix}Real{'[' + ', '.join(map(str, dims)) + ']' if dims else ''} {quoted(each['name'])};\n"
    if json["body"]:
        made += "  algorithm\n" + statements(json["body"])
    if json["external"]:
        external = json["external"]
        given = f"{external['output_name']} = " if "args" in external else ""
        made += f"  external \"{external.get('language', 'C')}\" {given}{external['function_name']}({', '.join(expression(each) for each in external.get('args', []))});\n"
    return made + f"  end {quoted(name)};\n"


def when_equation(json):
    kind, content = next(iter(json.items()))
    if kind == "Assign":
        return f"      {quoted(content['target'])} = {expression(content['value'])};\n"
    return f"      reinit({quoted(content['state'])}, {expression(content['value'])});\n" if kind == "Reinit" else "      terminate(\"\");\n"


def base_modelica(flat, name="model"):
    made = f"//! base 0.1.0\npackage {quoted(name)}\n"
    made += "".join(function(each, json) for each, json in flat["functions"].items())
    made += f"  model {quoted(name)} \"{flat['model_description']}\"\n"
    made += "".join(declaration(each, json, each in flat["variable_final_flags"]) for each, json in flat["variables"].items())
    if flat["initial_equations"]:
        made += "  initial equation\n" + "".join(map(equation, flat["initial_equations"]))
    made += "  equation\n" + "".join(map(equation, flat["equations"]))
    for chain in flat["when_chains"]:
        for word, branch in [("when", chain["first"])] + [("elsewhen", each) for each in chain["else_when"]]:
            made += f"    {word} {expression(branch['condition'])} then\n" + "".join(map(when_equation, branch["equations"]))
        made += "    end when;\n"
    for each in flat["assert_equations"]:
        made += f"    assert(time >= 0, {literal(each['message']['Literal']['value'])});\n"
    for each in flat["initial_algorithms"]:
        made += "  initial algorithm\n" + statements(each["statements"])
    for each in flat["algorithms"]:
        made += "  algorithm\n" + statements(each["statements"])
    return made + f"  end {quoted(name)};\nend {quoted(name)};\n"
