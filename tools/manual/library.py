"""Reference of the element library, as `takt explain` tells it, with a picture of each element's terminals."""
import re
import subprocess

from markdown import table

COLOURS = {"electric": "#c0392b", "solid": "#b8860b", "rotational": "#6c3483", "translational": "#1e8449", "fluid": "#1f618d",
           "gas": "#5d6d7e", "control": "#34495e"}
TABLES = {"terminals": ["terminal", "domain"], "inputs": ["input", "unit"], "parameters": ["parameter", "unit", "limits, default"]}
WORDS = {"control": "Control blocks", "medium": "Media"}


def explain(takt, name):
    return subprocess.run([takt, "explain", name], check=True, capture_output=True, text=True).stdout


def entries(takt):
    """Names of the library: SECTION.NAME."""
    listed = subprocess.run([takt, "explain", "--list"], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines() if re.match(r"[a-z]+\.\w+ ", line)]


def parts(text):
    """-> what it is, source, [(head, lines)], how it is written in a plant file"""
    lines = text.splitlines()[1:]
    blocks, current = [], []
    for line in lines + [""]:
        if line.strip():
            current.append(line)
        elif current:
            blocks.append(current)
            current = []
    about = " ".join(line.strip() for line in blocks[0])
    what, _, source = about.partition(" source: ")
    usage = next((block for block in blocks[1:] if block[0].startswith("[")), [])
    return what, source, [(block[0], block[1:]) for block in blocks[1:] if block is not usage], usage


def rows(lines, columns):
    """Columns are 2, 17, 32, as `takt explain` sets them; further lines of an entry are indented deeper."""
    out = []
    for line in lines:
        fields = [field.strip() for field in re.split(r" {2,}", line.strip(), maxsplit=columns - 1)]
        if re.match(r"  \S", line):
            fields[0] = f"`{fields[0]}`"
            out.append(fields + [""] * (columns - len(fields)))
        elif out:
            out[-1][-1] = (out[-1][-1] + " " + line.strip()).strip()
    return out


def terminals(lines):
    """(name, domain) of the terminals; of a heat port the domain is solid."""
    return [(row[0].strip("`"), "solid" if row[1].startswith("heat port") else row[1].split(" ")[0]) for row in rows(lines, 2)]


def picture(name, ends):
    """A box with its terminals: alternately left and right, in the colours of their domains."""
    sides = [ends[0::2], ends[1::2]]
    height = 28 + 24 * max(len(side) for side in sides)
    text = [f'<svg class="terminals" viewBox="0 0 420 {height}" width="420" height="{height}" role="img" aria-label="terminals of {name}">',
            f'<rect x="110" y="6" width="200" height="{height - 12}" rx="4" fill="none" stroke="currentColor" stroke-width="1.5"/>',
            f'<text x="210" y="{height / 2 + 5}" text-anchor="middle" fill="currentColor">{name}</text>']
    for side, (edge, end, anchor) in zip(sides, ((110, 80, "end"), (310, 340, "start"))):
        for number, (terminal, domain) in enumerate(side):
            y, colour = 26 + 24 * number, COLOURS.get(domain, "currentColor")
            label = end - 6 if anchor == "end" else end + 6
            text += [f'<line x1="{edge}" y1="{y}" x2="{end}" y2="{y}" stroke="{colour}" stroke-width="2"/>',
                     f'<circle cx="{end}" cy="{y}" r="3.5" fill="{colour}"/>',
                     f'<text x="{label}" y="{y + 4}" text-anchor="{anchor}" fill="{colour}">{terminal}</text>']
    return "".join(text + ["</svg>"])


def section_of(head, lines):
    """One part of what is said of an element, in Markdown."""
    title = head.split(" (")[0]
    note = head[len(title):].strip()
    if title in TABLES:
        return [f"**{title.capitalize()}**", "", table(TABLES[title], rows(lines, len(TABLES[title])))]
    if title == "faults":
        return ["**Faults** " + note, "", table(["fault", "what it changes"], rows(lines, 2))]
    return [f"**{title.capitalize()}** {note}".rstrip(), "", "```text", *[line[2:] for line in lines], "```", ""]


def element(takt, name):
    what, source, sections, usage = parts(explain(takt, name))
    short = name.split(".")[1]
    text = [f"## {short}", "", what.rstrip(".") + ".", ""]
    for head, lines in sections:
        if head == "terminals":
            text += [picture(short, terminals(lines)), ""]
        text += section_of(head, lines)
    if usage:
        text += ["**In a plant file**", "", "```toml", *usage, "```", ""]
    return text + ([f"*Source:* {source}", ""] if source else [])


def pages(takt, folder):
    folder.mkdir(parents=True, exist_ok=True)
    by_section = {}
    for name in entries(takt):
        by_section.setdefault(name.split(".")[0], []).append(name)
    for section, names in by_section.items():
        title = WORDS.get(section, section.capitalize() + " elements")
        text = [f"# {title}", "", f"What `takt explain {section}.NAME` tells.", ""]
        for name in names:
            text += element(takt, name)
        (folder / f"{section}.md").write_text("\n".join(text))
