#!/usr/bin/env python3
"""importers_test.py TAKT PLANTS FOLDER: other importers run exported plants and see what `takt run` records.

libcosim (libcosimpy) and Ecos (ecospy) know co-simulation of FMI 2; Ecos that of FMI 3, too."""
import os
import sys

from exports import Opened, export, recorded

SIGNALS = ["electric.smooth.q", "electric.load.loss", "electric.source.v"]


def by_libcosim(file, steps, h):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave
    execution = CosimExecution.from_step_size(step_size=int(round(h * 1e9)))
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=file, instance_name="rc"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    assert execution.step(step_count=steps)
    references = {v.name.decode(): v.reference for v in execution.slave_variables(slave)}
    return list(observer.last_real_values(slave, [references[name] for name in SIGNALS]))


def by_ecos(file, steps, h):
    from ecospy import EcosSimulation, EcosSimulationStructure
    structure = EcosSimulationStructure()
    structure.add_model("rc", file)
    with EcosSimulation(structure=structure, step_size=h) as simulation:
        simulation.init()
        simulation.step(steps)
        values = [simulation.get_real(f"rc::{name}") for name in SIGNALS]
        simulation.terminate()
    return values


def main():
    takt, plants, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    plant = os.path.join(plants, "rc")
    times, signals = recorded(takt, plant, folder)
    row = 40
    for importer, version in ((by_libcosim, 2), (by_ecos, 2), (by_ecos, 3)):
        file = export(takt, plant, version, folder)
        h = Opened(file, folder).h
        expected = [float(signals[name][row]) for name in SIGNALS]
        seen = importer(file, round(times[row] / h), h)
        assert seen == expected, f"{importer.__name__} of FMI {version}: {seen}, not {expected}"
        print(f"{importer.__name__}: FMI {version}: the same bits")


if __name__ == "__main__":
    main()
