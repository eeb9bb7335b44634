"""What can go wrong, and what was found then."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Diagnostic:
    """One finding of a check, as `takt check --json` has it: `takt explain CODE` tells more."""

    code: str
    severity: str  # "error", "warning" or "note"
    file: str
    line: int  # 0: not of a line
    column: int
    message: str
    cure: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line or "", self.column or "") if part)
        code = f"[{self.code}]" if self.code else ""
        cure = f"\n  hint: {self.cure}" if self.cure else ""
        return f"{place}{': ' if place else ''}{self.severity}{code}: {self.message}{cure}"


@dataclass(frozen=True)
class Event:
    """Something that was done to a run, or that it has met."""

    time_s: float  # simulated
    text: str

    def __str__(self) -> str:
        return f"{self.time_s:14.6f} s  {self.text}"


class TaktError(Exception):
    """Every failure. What is not known is None or empty."""

    def __init__(
        self,
        message: str,
        *,
        exit_code: int | None = None,
        diagnostics: Iterable[Diagnostic] = (),
        events: Iterable[Event] = (),
        run_directory: Path | None = None,
    ) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # of the command or plant; negative: the number of the signal that ended it
        self.diagnostics = tuple(diagnostics)
        self.events = tuple(events)  # the last ones
        self.run_directory = run_directory

    def __str__(self) -> str:
        lines = [super().__str__()]
        if self.events:
            lines += ["last events:", *map(str, self.events)]
        if self.run_directory is not None:
            lines.append(f"run directory: {self.run_directory}")
        return "\n".join(lines)


class CommandMissing(TaktError):
    """There is no `takt` command."""


class PlantError(TaktError):
    """Plant, rig, scenario or options are wrong: nothing was run."""


class CommandFailed(TaktError):
    """A command of `takt` ended with an error that is not about a run."""


class Refused(TaktError):
    """The plant does not do what was asked for; the message says why, and what would do."""


class TapLost(TaktError):
    """The connection to the plant broke while it was asked, and the plant goes on: ask again."""


class WaitTimeout(TaktError, TimeoutError):
    """What was waited for did not happen in time."""

    def __init__(self, message: str, values: dict[str, float], **context: object) -> None:
        super().__init__(message, **context)  # type: ignore[arg-type]
        self.values = values  # the last ones that were seen


class RunError(TaktError):
    """A run did not end as asked for."""


class RunEnded(RunError):
    """The run ended, or its process died, while something was asked of it."""

    captured: object = None  # by capture(): the table of what had come


class RunFailed(RunError):
    """The run itself failed: exit code 1."""


class NotTrusted(RunFailed):
    """The run came to its end, but its results are not to be trusted."""


class ScenarioFailed(RunFailed):
    """A scenario failed, was not decided, or expects nothing."""


class TooLate(RunError):
    """The results are right, but more deadlines were missed than tolerated: exit code 3."""


class Interrupted(RunError):
    """Somebody else ended the run before its time: exit code 4."""


class SweepFailed(TaktError):
    """Runs of a sweep failed, or are not to be trusted."""

    sweep: object = None  # all that there is


FINDING = re.compile(r"^(?:(?P<place>\S.*?): )?(?P<severity>error|warning|note)(?:\[(?P<code>\w+)\])?: (?P<message>.*)$")
PLACE = re.compile(r"^(?P<file>.*?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?$")


def diagnostics_in(text: str) -> list[Diagnostic]:
    """Of what a command printed on standard error."""
    found: list[Diagnostic] = []
    cures: list[str] = []
    messages: list[str] = []
    inside = ""

    def close() -> None:
        if found and (cures or len(messages) > 1):
            last = found.pop()
            found.append(Diagnostic(last.code, last.severity, last.file, last.line, last.column, "\n".join(messages), "\n".join(cures)))

    for line in text.splitlines():
        finding = FINDING.match(line)
        if finding:
            close()
            place = PLACE.match(finding["place"] or "")
            assert place is not None  # it matches everything
            cures, messages, inside = [], [finding["message"]], "message"
            found.append(
                Diagnostic(
                    finding["code"] or "",
                    finding["severity"],
                    place["file"],
                    int(place["line"] or 0),
                    int(place["column"] or 0),
                    finding["message"],
                    "",
                )
            )
        elif line.startswith("  hint: ") and found:
            cures.append(line[8:])
            inside = "cure"
        elif re.match(r"^ *\d* \| ", line + " "):
            inside = "source"
        elif line.startswith("  ") and found and inside in ("message", "cure"):
            (messages if inside == "message" else cures).append(line.strip())
        else:
            inside = ""
    close()
    return found


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
