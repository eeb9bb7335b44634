#!/usr/bin/env python3
"""Documents can be read: anchors of links exist, and those of config have no line above 120 columns and no paragraph above six lines.

manual_text_test.py ROOT    1 where a document is otherwise; documents_test.py looks at files, commands and codes that are named

Anchors are those of GitHub, which the manual takes, too. Every chapter of config/manual has its place in config/manual/mkdocs.yml."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
TOP = ("codegen", "config", "runtime", "targets", "tests", "tools")
WIDEST, LONGEST = 120, 6


def documents():
    found = [path for folder in TOP for path in (root / folder).rglob("*.md")]
    return sorted(found + list(root.glob("*.md")))


def slug(title):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    found, count = set(), {}
    for title in re.findall(r"^#+ +(.*)$", text, re.M):
        name = slug(title)
        found.add(f"{name}-{count[name]}" if name in count else name)
        count[name] = count.get(name, 0) + 1
    return found


def wrong_anchors(path, text):
    for link, anchor in re.findall(r"\]\(([^)#\s]*)#([^)]*)\)", text):
        there = path if not link else path.parent / link
        if not link.startswith("http") and there.suffix == ".md" and there.is_file() and anchor not in anchors(there.read_text()):
            yield f"{link}#{anchor}: there is no such heading"


def begins(line):
    """A line with which a paragraph, an item of a list or something else begins."""
    return re.match(r" *(?:[-*]|\d+\.) |[|#]| {4}|<!--", line) is not None


def wrong_text(text):
    """Lines that are too wide, paragraphs and items that are too long."""
    lines, made = 0, False
    for number, line in enumerate(text.splitlines(), 1):
        made = line.startswith("<!-- begin") or made and not line.startswith("<!-- end")
        if made:  # by another test
            continue
        if len(line) > WIDEST:
            yield f"line {number} has {len(line)} columns"
        lines = 0 if not line.strip() or re.match(r"[|#]| {4,}\S|<!--", line) else 1 if begins(line) else lines + 1
        if lines == LONGEST + 1:
            yield f"line {number}: a paragraph above {LONGEST} lines"


def without_place():
    """Chapters that the manual does not show. Those of plants have no place of their own, those of config/new are copied by `takt new`."""
    shown = (root / "config/manual/mkdocs.yml").read_text()
    for path in sorted((root / "config").rglob("*.md")):
        name = path.relative_to(root)
        if name.parts[1] not in ("plants", "new") and f" {name}\n" not in shown:
            yield f"{name}: has no place in config/manual/mkdocs.yml"


def self_test():
    """What must be found is found."""
    assert list(wrong_text("word " * 30)) and list(wrong_text("line\n" * 7)) and list(wrong_text("- item\n" + "  more\n" * 6))
    assert not list(wrong_text("line\n" * 6 + "\n" + "- item\n" * 9 + "\n" + "    code\n" * 9 + "| row |\n" * 9))
    assert anchors("# `[rig]`: a *b*\n## Again\n## Again\n") == {"rig-a-b", "again", "again-1"}
    assert list(wrong_anchors(root / "README.md", "[x](README.md#nowhere)")) and not list(wrong_anchors(root / "README.md", "[x](README.md#licence)"))


def main():
    self_test()
    faults = [f"{path.relative_to(root)}: {what}" for path in documents() for what in wrong_anchors(path, path.read_text())]
    faults += [f"{path.relative_to(root)}: {what}" for path in documents() if path.is_relative_to(root / "config")
               for what in wrong_text(path.read_text())]
    faults += without_place()
    print("\n".join(faults) or "anchors exist, and documents of config can be read")
    return 1 if faults else 0


sys.exit(main())
