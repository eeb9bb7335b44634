"""Reference of diagnostics: what `takt explain CODE` says, and the smallest plant of the tests that causes it, with what is said then."""
import re
import subprocess

AREAS = {"B": "Rig files and buses", "C": "Control blocks", "D": "Models in Modelica", "E": "Expressions", "F": "References and export of FMUs", "L": "Element definitions",
         "M": "Plant files", "N": "Peers", "R": "Rules of networks", "S": "Steps, methods and plans", "T": "Circuits", "U": "Units and values",
         "W": "Circuits with switches", "X": "Runs", "Y": "FMUs and packages"}
LONGEST = 40  # lines of an example that are shown


def output(*command):
    return subprocess.run(command, capture_output=True, text=True)


def codes(takt):
    listed = output(takt, "explain", "--list").stdout
    return re.findall(r"^([A-Z]\d{3}) +(.*)$", listed, re.M)


def examples(root):
    """code -> the smallest file with `# expect: CODE LINE:COLUMN` as the only one; codes of rig files are caused beside a plant, and not here."""
    found = {}
    for path in sorted((root / "tests/codegen").glob("*/wrong/*.toml")):
        text = path.read_text()
        expected = re.match(r"# expect: (?:warning )?([A-Z]\d{3}) \d+:\d+\n", text)
        if not expected or path.parts[-3] == "rig" or len(text.splitlines()) > LONGEST:
            continue
        if expected[1] not in found or len(text) < len(found[expected[1]].read_text()):
            found[expected[1]] = path
    return found


def example(takt, path, code):
    """The plant and what is said of it; nothing where `takt check` alone does not say it."""
    run = output(takt, "check", str(path))
    said = (run.stdout + run.stderr).replace(str(path), path.name)
    message = re.search(rf"^\S+: (?:error|warning|note)\[{code}\].*\n(?:[ ].*\n)*", said, re.M)
    if message is None:
        return []
    plant = ["    " + line for line in path.read_text().splitlines()[1:]]
    return ['??? example "The smallest plant that causes it"', "", "    ```toml", *plant, "    ```", "", "    ```text",
            *["    " + line[:160] for line in shifted(message[0]).splitlines()], "    ```", ""]


def shifted(message):
    """Lines count from the second of the file, because the first is left out."""
    message = re.sub(r":(\d+):(\d+): ", lambda m: f":{int(m[1]) - 1}:{m[2]}: ", message)
    return re.sub(r"^( *)(\d+) \|", lambda m: f"{m[1]}{int(m[2]) - 1:{len(m[2])}} |", message, flags=re.M)


def paragraphs(text):
    """What `takt explain` says under the head, lines joined; what is indented deeper stays as it is."""
    out = []
    for block in re.split(r"\n\s*\n", text.split("\n", 1)[1].strip("\n")):
        lines = block.splitlines()
        if all(line.startswith("    ") for line in lines):
            out += ["```text", *[line[4:] for line in lines], "```", ""]
        else:
            out += [" ".join(line.strip() for line in lines).replace("<", "&lt;"), ""]
    return out


def pages(takt, root, folder):
    folder.mkdir(parents=True, exist_ok=True)
    caused, texts = examples(root), {}
    for code, title in codes(takt):
        text = texts.setdefault(code[0], [f"# {AREAS[code[0]]} ({code[0]})", "", f"What `takt explain {code}` and its siblings say.", ""])
        text += [f"## {code}: {title}", "", *paragraphs(output(takt, "explain", code).stdout)]
        if code in caused:
            text += example(takt, caused[code], code)
    for letter, text in texts.items():
        (folder / f"{letter}.md").write_text("\n".join(text))
