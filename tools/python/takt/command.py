"""The command `takt`: where it is, and how it is called."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import CommandFailed, CommandMissing, PlantError, diagnostics_in
from .units import option_text

OK, FAILED, USAGE = 0, 1, 2
BESIDE = ("build/release/bin/takt", "bin/takt")  # a checkout, an installation


def find_command(given: str | os.PathLike[str] | None = None) -> Path:
    """What is given, the environment variable TAKT, PATH, or the checkout that this package stands in."""
    named = given or os.environ.get("TAKT")
    if named:
        found = shutil.which(os.fspath(named))
        if found is None:
            raise CommandMissing(f"there is no takt command at {named}" + ("" if given else ", which the environment variable TAKT names"))
        return Path(found).resolve()
    in_path = shutil.which("takt")
    if in_path is not None:
        return Path(in_path).resolve()
    for above in Path(__file__).resolve().parents:
        for beside in BESIDE:
            if os.access(above / beside, os.X_OK):
                return above / beside
    raise CommandMissing("there is no takt command: set the environment variable TAKT to its path, or put its folder into PATH")


def call(command: Path, arguments: Sequence[str], accepted: Sequence[int] = (OK,)) -> subprocess.CompletedProcess[str]:
    """@raise PlantError, CommandFailed: with the exit code and what was found"""
    done = subprocess.run([str(command), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode in accepted:
        return done
    diagnostics = diagnostics_in(done.stderr)
    kind = PlantError if diagnostics or done.returncode == USAGE else CommandFailed
    text = done.stderr.strip() or done.stdout.strip()
    raise kind(f"takt {arguments[0]}: exit code {done.returncode}\n{text}", exit_code=done.returncode, diagnostics=diagnostics)


def call_json(command: Path, arguments: Sequence[str], accepted: Sequence[int] = (OK,)) -> Any:
    done = call(command, arguments, accepted)
    try:
        return json.loads(done.stdout)
    except ValueError:
        message = f"takt {arguments[0]}: exit code {done.returncode}\n{done.stderr.strip()}"
        raise CommandFailed(message, exit_code=done.returncode, diagnostics=diagnostics_in(done.stderr)) from None


def settings(name: str, values: Mapping[str, float | str]) -> list[str]:
    """`--set a=1 V`, as often as there are values"""
    return [word for key, value in values.items() for word in (name, f"{key}={option_text(value)}")]
