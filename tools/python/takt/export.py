"""Recorded signals for other programs. Each format needs its own library, named where it is missing."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .errors import PlantError
from .table import Table


def library(name: str, package: str, what: str) -> Any:
    """@raise PlantError: it is not installed"""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise PlantError(f"{what} needs the package {package}: pip install {package}") from None


def to_parquet(table: Table, file: Path) -> None:
    """Columns "time [s]" and "PATH [UNIT]"."""
    library("pandas", "pandas", "a Parquet file")
    frame = table.frame()
    frame.columns = [f"{path} [{table.units.get(path, '1')}]" for path in table.paths]
    frame.attrs = {}
    try:
        frame.reset_index().to_parquet(file, index=False)
    except ImportError:
        raise PlantError("a Parquet file needs the package pyarrow, or fastparquet: pip install pyarrow") from None


def to_mat(tables: Sequence[Table], file: Path) -> None:
    """For MATLAB and Octave: of each rate a struct `rate1`, `rate2` ... of `time`, `values` [rows x signals], `paths` and `units`."""
    scipy = library("scipy.io", "scipy", "a MAT file")
    content = {
        f"rate{number}": {
            "time": table.time_s[:, np.newaxis],
            "values": table.values,
            "paths": np.array(table.paths, dtype=object)[:, np.newaxis],
            "units": np.array([table.units.get(path, "1") for path in table.paths], dtype=object)[:, np.newaxis],
        }
        for number, table in enumerate(tables, 1)
    }
    scipy.savemat(file, content, appendmat=False, do_compression=True)


def to_hdf5(tables: Sequence[Table], file: Path) -> None:
    """Of each rate a group with `time` and a dataset for each signal, by its path, with the attribute `unit`."""
    h5py = library("h5py", "h5py", "an HDF5 file")
    with h5py.File(file, "w") as out:
        for number, table in enumerate(tables, 1):
            group = out.create_group(f"rate{number}")
            group.create_dataset("time", data=table.time_s).attrs["unit"] = "s"
            for path in table.paths:
                group.create_dataset(path, data=table[path], compression="gzip").attrs["unit"] = table.units.get(path, "1")


def to_mcap(tables: Sequence[Table], file: Path) -> None:
    """For Foxglove: of each rate a topic of JSON messages, their time that of the simulation, one number for each path.

    JSON has no NaN and no infinity: such a value is left out of its message."""
    writer = library("mcap.writer", "mcap", "an MCAP file").Writer(str(file))
    writer.start(profile="", library="takt")
    for number, table in enumerate(tables, 1):
        numbers = {path: {"type": "number", "description": table.units.get(path, "1")} for path in table.paths}
        schema = json.dumps({"type": "object", "properties": numbers}).encode()
        schema_id = writer.register_schema(name=f"takt.rate{number}", encoding="jsonschema", data=schema)
        channel = writer.register_channel(schema_id=schema_id, topic=f"/takt/rate{number}", message_encoding="json")
        for time_ns, row in zip(table.time_ns.tolist(), table.values, strict=True):
            finite = {path: float(value) for path, value in zip(table.paths, row, strict=True) if np.isfinite(value)}
            writer.add_message(channel_id=channel, log_time=time_ns, publish_time=time_ns, data=json.dumps(finite).encode())
    writer.finish()


def whole(file: Path, write: Callable[[Path], object]) -> Path:
    """Beside it first: what was there stays until the new one is whole."""
    part = file.with_name(f".{file.name}.part")
    try:
        write(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return file
