#!/usr/bin/env python3
"""The pages of the manual: documents of the tree, and the reference, which is made of what takt and the sources say.

    make.py TAKT ROOT OUT [HISTORY]    OUT is emptied; HISTORY: files of tools/bench_all.sh

Then mkdocs makes the site of OUT; tools/manual.sh does both."""
import pathlib
import shutil
import sys

import benchmarks
import codes
import commands
import documents
import keys
import library
import python_api


def main():
    takt, root, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    history = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else root / "build/bench_all/history"
    shutil.rmtree(out, ignore_errors=True)
    reference = out / "reference"
    reference.mkdir(parents=True)
    documents.collect(root, out)
    shutil.copytree(root / "tools/manual/theme", out / "theme")
    commands.page(takt, reference / "commands.md")
    library.pages(takt, reference / "elements")
    keys.rig_page(takt, root, reference, reference / "rig_keys.md")
    keys.scenario_page(root, reference / "scenario_keys.md")
    codes.pages(takt, root, reference / "codes")
    python_api.page(root, reference / "python.md")
    benchmarks.page(history, reference / "measured.md")
    (reference / "keys.toml").unlink()


if __name__ == "__main__":
    main()
