"""The first use of a term of the glossary in a chapter is a link to it."""
import os
import pathlib
import re

GLOSSARY = pathlib.Path("config/GLOSSARY.md")
ENTRY = re.compile(r"^- \*\*([^*]+)\*\*", re.M)
# words that mean in most places what they mean everywhere
EVERYDAY = {"order", "cut", "cell", "node", "edge", "loop", "event", "step", "group", "mode", "port", "history", "version", "reference", "finding",
            "free", "plan", "plant", "rig", "fault", "release", "potential", "medium", "circuit", "element", "slot", "gate", "domain"}
KEPT = re.compile(r"(`[^`]*`|!?\[[^]]*\]\([^)]*\)|<[^>]*>)")


def anchor(term):
    return re.sub(r"\W+", "-", term.lower()).strip("-")


def terms(root):
    """{a word or words: anchor of its entry}"""
    found = {}
    for entry in ENTRY.findall((root / GLOSSARY).read_text()):
        for term in entry.split(", "):
            if term not in EVERYDAY and not term.startswith("branch kinds") and len(term) > 2:
                found[term] = anchor(entry)
    return found


def with_anchors(text):
    return ENTRY.sub(lambda entry: f'- <a id="{anchor(entry[1])}"></a>**{entry[1]}**', text)


def with_links(text, known, document):
    """Only in plain paragraphs: not in headings, tables, blocks, code and links."""
    there = os.path.relpath(GLOSSARY, document.parent)
    left, out, in_block = dict(known), [], False
    for line in text.splitlines():
        in_block ^= line.lstrip().startswith("```")
        plain = not in_block and not re.match(r"[#|<!?]|```| {4,}[^-\s]", line) and line.count("`") % 2 == 0 and line.count("[") == line.count("](")
        out.append(linked(line, left, there) if plain else line)
    return "\n".join(out) + "\n"


def linked(line, left, there):
    parts = KEPT.split(line)
    for term in list(left):
        for number in range(0, len(parts), 2):  # what lies between is kept
            use = re.search(rf"(?<![\w./*-]){re.escape(term)}s?(?![\w/*-]|\.\w)", parts[number])
            if use:
                link = f"[{use[0]}]({there}#{left.pop(term)})"
                parts[number:number + 1] = [parts[number][:use.start()], link, parts[number][use.end():]]
                break
    return "".join(parts)
