"""Start, steer, measure and judge plants of Takt from Python. README.md beside this package, and the manual, tell more."""

from .attached import AttachedRun, attach, runs
from .errors import (
    CommandFailed,
    CommandMissing,
    Diagnostic,
    Event,
    Interrupted,
    NotTrusted,
    PlantError,
    Refused,
    RunEnded,
    RunError,
    RunFailed,
    ScenarioFailed,
    SweepFailed,
    TaktError,
    TapLost,
    TooLate,
    WaitTimeout,
)
from .picture import Picture
from .plant import Checked, Fault, Plant, Quantity
from .results import Results, read
from .run import Run
from .steering import Acted, Do, Row
from .sweep import Point, Sweep
from .table import Table
from .timing import Capture

__version__ = "0.1.0"

__all__ = [
    "Acted",
    "AttachedRun",
    "Capture",
    "Checked",
    "CommandFailed",
    "CommandMissing",
    "Diagnostic",
    "Do",
    "Event",
    "Fault",
    "Interrupted",
    "NotTrusted",
    "Picture",
    "Plant",
    "PlantError",
    "Point",
    "Quantity",
    "Refused",
    "Results",
    "Row",
    "Run",
    "RunEnded",
    "RunError",
    "RunFailed",
    "ScenarioFailed",
    "Sweep",
    "SweepFailed",
    "Table",
    "TaktError",
    "TapLost",
    "TooLate",
    "WaitTimeout",
    "attach",
    "read",
    "runs",
]
