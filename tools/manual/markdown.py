"""What Markdown of the tree (as GitHub shows it) needs before MkDocs shows the same: Python-Markdown wants an empty line before
lists and tables, four columns for each level of a list, and a language beside a block."""
import re

ITEM = re.compile(r"( *)(?:[-*]|\d+\.) ")


def language(lines):
    """Of an indented block: toml, console or text."""
    first = next(line.strip() for line in lines if line.strip())
    if re.match(r"(?:\[\[?[\w.\"-]+\]\]?(?:\s|$)|[\w.\"-]+ *= )", first):
        return "toml"
    if re.match(r"(?:[A-Z_]+=\S* )?(?:takt|takt-dds|tools/|tests/|cmake|ctest|PATH=|cp |build/|export |\.\./|cd )", first):
        return "sh"
    return "python" if re.match(r"(?:import|from|def) ", first) else "text"


def fenced(lines):
    return ["```" + language(lines)] + [line[4:] for line in lines] + ["```"]


def for_mkdocs(text):
    out, index, in_list, goes_on = [], 0, False, False
    lines = [line for line in text.splitlines() if not line.startswith("<!--")]
    while index < len(lines):
        line = lines[index]
        before = out[-1] if out else ""
        item = ITEM.match(line)
        if line.startswith("    ") and not in_list and not before.strip():
            end = index
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            out += fenced(lines[index:end])
            index = end
            continue
        if item and before.strip() and (not in_list or goes_on):
            out.append("")
        if line.startswith("|") and before.strip() and not before.startswith("|"):
            out.append("")
        if line.strip() and not before.strip():
            goes_on = in_list and not item  # a further paragraph of an item
        if item:
            in_list, goes_on = True, False
        elif line.strip() and not line.startswith(" "):
            in_list = in_list and bool(before.strip())  # a line that goes on lazily
        indent = len(line) - len(line.lstrip(" "))
        out.append(" " * (4 * ((indent + 1) // 2)) + line.lstrip(" ") if in_list and indent else line)
        index += 1
    return "\n".join(out) + "\n"


def cell(text):
    return text.replace("|", "\\|")


def table(heads, rows):
    """A table in Markdown; an empty text where there are no rows."""
    if not rows:
        return ""
    lines = [heads, ["---"] * len(heads)] + [[cell(value) for value in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
