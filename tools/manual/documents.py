"""The documents of the tree that the manual shows: README.md, all of config but what `takt new` copies, and whatever these link to."""
import os
import pathlib
import re
import shutil

import glossary
from markdown import for_mkdocs

LINK = re.compile(r"\]\(([^)#\s]+)((?:#[^)]*)?)\)")
BEGIN = ("README.md", "config/manual/README.md")


def target(root, document, link):
    """The file that a link names, from the root of the tree; None where it leads out of it."""
    if re.match(r"[a-z]+:", link):
        return None
    path = pathlib.Path(os.path.normpath((root / document).parent / link))
    if path.is_dir():
        path /= "README.md"
    return path.relative_to(root) if path.is_file() and path.is_relative_to(root) else None


def reached(root):
    """All files that are reached by links, documents and others."""
    queue = [pathlib.Path(name) for name in BEGIN]
    queue += [path.relative_to(root) for path in sorted((root / "config").rglob("*.md")) if path.relative_to(root).parts[1] != "new"]
    seen = set()
    while queue:
        document = queue.pop()
        if document in seen:
            continue
        seen.add(document)
        if document.suffix == ".md":
            links = (target(root, document, link) for link, _ in LINK.findall((root / document).read_text()))
            queue += [link for link in links if link]
    return seen


def staged(root, document, terms):
    """The text of a document for MkDocs: links to folders lead to their README.md, first uses of terms to the glossary."""
    def whole(match):
        there = target(root, document, match[1])
        if there is None:
            return match[0]
        return "](" + os.path.relpath(there, document.parent) + match[2] + ")"

    text = LINK.sub(whole, (root / document).read_text())
    if document == glossary.GLOSSARY:
        return for_mkdocs(glossary.with_anchors(text))
    text = for_mkdocs(text)
    return glossary.with_links(text, terms, document) if document.parts[:2] == ("config", "manual") else text


def collect(root, out):
    terms = glossary.terms(root)
    for path in sorted(reached(root)):
        place = out / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            place.write_text(staged(root, path, terms))
        else:
            shutil.copyfile(root / path, place)
