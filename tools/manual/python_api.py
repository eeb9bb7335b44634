"""The page of the Python package: names, signatures and docstrings, as they stand in its source."""
import dataclasses
import importlib
import inspect
import pathlib
import re
import sys

FIRST = ("Plant", "Run", "AttachedRun", "attach", "runs", "Results", "read", "Sweep", "Point", "Table", "Capture", "Row", "Do", "Acted", "Picture")
WIDTH = 100


def page(root, out):
    sys.path.insert(0, str(pathlib.Path(root) / "tools/python"))
    takt = importlib.import_module("takt")
    names = [*FIRST, *sorted(name for name in takt.__all__ if name not in FIRST)]
    missing = set(FIRST) - set(takt.__all__)
    if missing:
        sys.exit(f"the package takt has no {', '.join(sorted(missing))}: name others in FIRST of {__file__}")
    parts = ["# Python reference", "Everything of the package `takt`; how it is used: [Python](../python.md)."]
    for name in names:
        parts += described(name, getattr(takt, name))
    out.write_text("\n\n".join(parts) + "\n")


def described(name, thing):
    if inspect.isfunction(thing):
        return [f"## {name}", code(f"takt.{name}", thing), plain(inspect.getdoc(thing))]
    parts = [f"## {name}"]
    bases = [base.__name__ for base in thing.__mro__[1:] if issubclass(base, Exception)]
    if bases:
        parts.append(f"*An exception; also a {bases[0]}.*")
    elif dataclasses.is_dataclass(thing) or "__init__" in vars(thing):
        parts.append(code(f"takt.{name}", thing))
    parts.append(plain(own_text(thing)))
    for member, kind in members(thing):
        if isinstance(kind, property) or not callable(kind):
            getter = kind.fget if isinstance(kind, property) else kind.func
            parts += [f"### {name}.{member}", f"*{inspect.signature(getter).return_annotation}*", plain(inspect.getdoc(getter))]
        else:
            parts += [f"### {name}.{member}()", code(member, kind), plain(inspect.getdoc(kind))]
    return [part for part in parts if part]


def plain(text):
    """Markdown of a docstring: what is not between backquotes stands as it is."""
    parts = (text or "").split("`")
    parts[::2] = [re.sub(r"([*_<>\[\]|])", r"\\\1", part) for part in parts[::2]]
    whole = re.sub(r"(^|\. )-\\> ", r"\1Gives: ", "`".join(parts))
    return re.sub(r"\s*@raise ", "\n\n**Raises** ", whole).strip()


def own_text(thing):
    """Dataclasses have one that only repeats their fields."""
    found = thing.__doc__ or ""
    return "" if found.startswith(thing.__name__ + "(") else inspect.cleandoc(found)


def members(thing):
    """Public ones, those of its bases too, in the order of their sources: the class itself first."""
    seen = {}
    for base in thing.__mro__:
        if base.__module__.split(".")[0] != "takt":
            continue
        for name, kind in vars(base).items():
            is_one = inspect.isfunction(kind) or isinstance(kind, property) or hasattr(kind, "func")
            if not name.startswith("_") and is_one and name not in seen:
                seen[name] = kind
    return seen.items()


def word_of(parameter):
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    kind = "" if parameter.annotation is inspect.Parameter.empty else f": {parameter.annotation}"
    return stars + parameter.name + kind + ("" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}")


def code(name, thing):
    """Its signature, a parameter on each line where it is long."""
    signature = inspect.signature(thing)
    words = [word_of(one) for one in signature.parameters.values() if one.name != "self"]
    kinds = [one.kind for one in signature.parameters.values() if one.name != "self"]
    first = next((at for at, kind in enumerate(kinds) if kind is inspect.Parameter.KEYWORD_ONLY), None)
    if first is not None and inspect.Parameter.VAR_POSITIONAL not in kinds:
        words.insert(first, "*")
    gives = "" if signature.return_annotation is inspect.Signature.empty or inspect.isclass(thing) else f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(words)}){gives}"
    if len(line) > WIDTH:
        line = f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){gives}"
    return f"```python\n{line}\n```"
