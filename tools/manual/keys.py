"""Reference of the keys of rig files and scenarios: which there are is asked of their readers, what they mean is taken from the chapters.

A rig with a wrong key in each table makes `takt check` name the keys that it knows; those of scenarios stand in calls of allow_keys(). A key
that its chapter does not name is a mistake of the manual, which ends it."""
import re
import subprocess

from markdown import table

WRONG = "not_a_key"
RIG = f"""
{WRONG} = 1
[rig]
{WRONG} = 1
limits = {{ {WRONG} = 1 }}
[bus.can0]
kind = "can"
dbc = "DBC"
simulate = ["BMS"]
{WRONG} = 1
[bus.can0.receive]
"VCU_Torque.torque_request" = {{ to = "torque_request", {WRONG} = 1 }}
[bus.can0.send]
"BMS_State.soc" = {{ from = "control.pack_soc", {WRONG} = 1 }}
[bus.can0.protect]
"BMS_State" = {{ profile = "P01", data_id = 1, {WRONG} = 1 }}
[bus.can1]
kind = "can"
dbc = "DBC"
[bus.lab]
kind = "udp"
port = 5005
peer = "127.0.0.1:5006"
{WRONG} = 1
[bus.lab.receive.Command]
fields = [{{ counter = "u32" }}, {{ name = "fan", type = "f32", {WRONG} = 1 }}]
{WRONG} = 1
[bus.lab.send.State]
period = "1 s"
fields = [{{ name = "soc", type = "f32", from = "control.pack_soc", {WRONG} = 1 }}]
{WRONG} = 1
[supervisor]
{WRONG} = 1
[hosts]
{WRONG} = 1
[host.a]
{WRONG} = 1
[[start]]
{WRONG} = 1
[gateway]
a = {{ from = "can0", to = "can1", messages = ["BMS_State"], {WRONG} = 1 }}
"""
# what `takt check` calls a table: its title and chapter
TABLES = {"[rig]": ("`[rig]`", "rig"), "[rig] limits": ("`limits` of `[rig]`", "rig"),
          "[bus.can0]": ("`[bus.NAME]`", "buses"), "[bus.lab]": ("`[bus.NAME]` of UDP", "udp"),
          "the UDP frame 'Command'": ("`[bus.NAME.receive.FRAME]` of UDP", "udp"), "the UDP frame 'State'": ("`[bus.NAME.send.FRAME]` of UDP", "udp"),
          "a field of the UDP frame 'Command'": ("A received value of UDP", "udp"), "a field of the UDP frame 'State'": ("A sent value of UDP", "udp"),
          "[supervisor]": ("`[supervisor]`", "steps_and_supervisor"), "[hosts]": ("`[hosts]`", "hosts"),
          "[host.a]": ("`[host.NAME]`", "hosts"), "[[start]]": ("`[[start]]`, `[[stop]]`", "steps_and_supervisor"),
          "[gateway] a": ("A gateway of `[gateway]`", "gateway"), "the map of torque_request": ("A signal of `[bus.NAME.receive]`", "bus_signals"),
          "the map of soc": ("A signal of `[bus.NAME.send]`", "bus_signals"),
          "the protection of BMS_State": ("A message of `[bus.NAME.protect]`, by profile", "bus_signals")}
KINDS = {"text": "text", "whole": "whole number", "flag": "true or false", "duration": "time", "choice": "word", "number": "number", "texts": "list of texts"}
# allow_keys() by what it is given
SCENARIO = {"root": "The file", "head->value": "`[scenario]`", "judge.value": "`[judge]`", "loop": "`[[step]]` with `repeat`", "table, name": "`[[step]]`",
            "table, signal": "`band`", "values, to": "`ramp`", "values, mean": "`sine`", "table, points": "`table`"}


def asked(takt, root, work):
    """{what the reader calls a table: its keys}"""
    rig = work / "keys.toml"
    rig.write_text(RIG.replace("DBC", str(root / "config/can/ev.dbc")))
    run = subprocess.run([takt, "check", str(root / "config/plants/ev"), "--rig", str(rig)], capture_output=True, text=True)
    found = re.findall(rf"unknown key '{WRONG}' in (.*)\n(?:.*\n){{2}} *hint: known here: (.*)", run.stdout + run.stderr)
    return {name: list(dict.fromkeys(keys.split(", "))) for name, keys in found}


def kinds(root):
    """key -> what the readers of rig files take; nothing where one word is the key of several tables that take different things"""
    found = {}
    for path in sorted((root / "codegen/rig").rglob("*.cpp")):
        for method, key in re.findall(r"\.(\w+)\(\"(\w+)\"", path.read_text()):
            if method in KINDS:
                found.setdefault(key, set()).add(KINDS[method])
    return {key: words.pop() for key, words in found.items() if len(words) == 1}


def meanings(text):
    """key -> what the chapter's list or table says of it"""
    found = {}
    for item in re.findall(r"^- (`.*(?:\n {2,}\S.*)*)", text, re.M):
        names, _, meaning = " ".join(line.strip() for line in item.splitlines()).partition(": ")
        for name in re.findall(r"`(\w+)(?: = [^`]*)?`", names):
            found.setdefault(name, meaning)
    for names, meaning in re.findall(r"^\| (`.*?) \| (.*?) \|", text, re.M):
        for name in re.findall(r"`(\w+)(?: = [^`]*)?`", names):
            found.setdefault(name, meaning)
    for line in re.findall(r"^    (\w+ *= .*? # .*)$", text, re.M):
        found.setdefault(line.split()[0], line.split(" # ", 1)[1].strip())
    return found


def section(text, title):
    """What stands under the heading that begins with a table's name, `[bus.NAME.send]` for instance; without such a heading the whole chapter."""
    name = re.search(r"`\[+[\w.]+\]+`", title)
    parts = re.split(r"^## ", text, flags=re.M)
    return next((part for part in parts if name and part.startswith(name[0])), text)


def rows(keys, chapter, title="", others="", kind=None):
    """@param others  chapters that may name a key, too"""
    text = chapter.read_text()
    unknown = [key for key in keys if not re.search(rf"\b{key}\b", text + others)]
    if unknown:
        raise SystemExit(f"{chapter} does not name {', '.join(unknown)}, which the reader knows")
    said = meanings(section(text, title))
    return [[f"`{key}`", (kind or {}).get(key, ""), said.get(key, "see the chapter")] for key in keys]


def rig_page(takt, root, work, out):
    chapters, kind = root / "config/manual/rig_files", kinds(root)
    whole = "".join(path.read_text() for path in sorted(chapters.glob("*.md")))
    text = ["# Keys of rig files", "", "Which keys there are is what the reader of rig files says; the chapters tell more.", ""]
    known = asked(takt, root, work)
    text += ["The file has the tables " + ", ".join(f"`{key}`" for key in known.pop("the rig file")) + ".", ""]
    if known.keys() != TABLES.keys():
        raise SystemExit(f"tools/manual/keys.py and `takt check` know different tables of rig files: {', '.join(sorted(known.keys() ^ TABLES.keys()))}")
    for name, keys in known.items():
        title, chapter = TABLES[name]
        text += [f"## {title}", "", f"Chapter: [{chapter}](../config/manual/rig_files/{chapter}.md)", "",
                 table(["key", "takes", "meaning"], rows(keys, chapters / f"{chapter}.md", title, whole, kind))]
    out.write_text("\n".join(text))


def scenario_page(root, out):
    chapter = root / "config/scenarios/README.md"
    text = ["# Keys of scenarios", "", "Which keys there are is what the reader of scenarios allows; [scenarios](../config/scenarios/README.md) tells more.", ""]
    for path in sorted((root / "runtime/scenario").glob("*.cpp")):
        for given, keys in re.findall(r"allow_keys\(([\w.>-]+), \{([^}]*)\}", path.read_text()):
            names = re.findall(r"\"(\w+)\"", keys)
            title = SCENARIO.get(given) or SCENARIO.get(f"{given}, {names[0]}")
            if title is None:
                raise SystemExit(f"tools/manual/keys.py does not know the table of {path} with the keys {', '.join(names)}")
            found = [[row[0], row[2]] for row in rows(names, chapter)]
            whole = title in ("`[scenario]`", "`[judge]`", "`[[step]]`")  # of the others the chapter's examples tell more
            text += [f"## {title}", "", table(["key", "meaning"], found) if whole else ", ".join(row[0] for row in found) + "\n"]
    out.write_text("\n".join(text))
