#!/usr/bin/env python3
"""derivatives_test.py TAKT PLANTS FOLDER NAME...: directional and adjoint derivatives of exported plants are those of
finite differences, and what has a derivative is declared as a dependency.

Differences of fourth order with a step h of 1e-5 of a value's size are off by h^4 of the fifth derivative and by rounding,
1e-12 of the value over h; the bound is 1e-5 of the row's largest derivative plus that rounding, each derivative weighted by the
size of what it is by."""
import os
import shutil
import sys

import numpy as np
from exports import export
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Model
from fmpy.fmi3 import FMU3Model


class Model:
    """An instance in Continuous-Time Mode."""

    def __init__(self, file, folder):
        self.description = d = read_model_description(file)
        unzipped = os.path.join(folder, os.path.basename(file) + "-unzipped")
        shutil.rmtree(unzipped, ignore_errors=True)
        extract(file, unzipdir=unzipped)
        self.version = 2 if d.fmiVersion.startswith("2") else 3
        make = FMU2Model if self.version == 2 else FMU3Model
        self.fmu = fmu = make(guid=d.guid if self.version == 2 else d.instantiationToken, unzipDirectory=unzipped,
                              instanceName="one", modelIdentifier=d.modelExchange.modelIdentifier)
        fmu.instantiate()
        if self.version == 2:
            fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        (fmu.newDiscreteStates if self.version == 2 else fmu.updateDiscreteStates)()
        fmu.enterContinuousTimeMode()
        self.count = d.numberOfContinuousStates
        self.states = [u.variable.derivative.valueReference for u in d.derivatives]
        self.inputs = [v.valueReference for v in d.modelVariables if v.causality == "input" and v.variability == "continuous"]
        self.unknowns = d.derivatives + [u for u in d.outputs if u.variable.variability == "continuous"]
        self.references = [u.variable.valueReference for u in self.unknowns]

    def get(self, references):
        return np.array((self.fmu.getReal if self.version == 2 else self.fmu.getFloat64)(references))

    def set_states(self, x):
        import ctypes
        self.fmu.setContinuousStates((ctypes.c_double * len(x))(*x), len(x))

    def set_input(self, reference, value):
        (self.fmu.setReal if self.version == 2 else self.fmu.setFloat64)([reference], [value])

    def directional(self, known):
        return np.array(self.fmu.getDirectionalDerivative(self.references, [known], [1.0]))


def check(file, folder):
    model = Model(file, folder)
    random = np.random.default_rng(7)
    nominal = np.array([abs(float(v.nominal or 1.0)) for v in model.description.modelVariables
                        if v.valueReference in model.states])
    base = model.get(model.states)
    base = base + 1e-3 * (np.abs(base) + nominal) * random.uniform(-1.0, 1.0, len(base))
    model.set_states(base)
    values = np.abs(model.get(model.references))
    knowns = model.states + model.inputs
    exact, differences, sizes = [], [], []
    for k, known in enumerate(knowns):
        exact.append(model.directional(known))
        at = base[k] if k < model.count else model.get([known])[0]
        size = abs(at) + (nominal[k] if k < model.count else 1.0)
        sides = []
        for sign in (1.0, -1.0, 2.0, -2.0):
            if k < model.count:
                moved = base.copy()
                moved[k] += sign * 1e-5 * size
                model.set_states(moved)
            else:
                model.set_input(known, at + sign * 1e-5 * size)
            sides.append(model.get(model.references))
        if k < model.count:
            model.set_states(base)
        else:
            model.set_input(known, at)
        differences.append((8.0 * (sides[0] - sides[1]) - (sides[2] - sides[3])) / (12e-5 * size))
        sizes.append(size)
    exact, differences, sizes = np.array(exact), np.array(differences), np.array(sizes)
    weighted, off = np.abs(exact) * sizes[:, None], np.abs(exact - differences) * sizes[:, None]
    bound = 1e-5 * weighted.max(axis=0) + 1e-7 * values + 1e-9
    wrong = np.argwhere(off > bound)
    names = {v.valueReference: v.name for v in model.description.modelVariables}
    assert not len(wrong), [(names[model.references[u]], names[knowns[k]], exact[k, u], differences[k, u]) for k, u in wrong[:5]]
    assert (exact != 0.0).any(axis=0).sum() > 0
    for u, unknown in enumerate(model.unknowns):
        declared = {v.valueReference for v in unknown.dependencies}
        for k, known in enumerate(knowns):
            assert exact[k, u] == 0.0 or known in declared, f"{unknown.variable.name} depends on {names[known]}, undeclared"
    if model.version == 3:
        weights = random.uniform(-1.0, 1.0, len(model.references))
        back = np.array(model.fmu.getAdjointDerivative(model.references, knowns, list(weights), len(knowns)))
        wanted = exact @ weights
        scale = np.abs(exact) @ np.abs(weights)
        assert (np.abs(back - wanted) <= 1e-9 * scale + 1e-12).all(), (back, wanted)
    model.fmu.terminate()
    model.fmu.freeInstance()
    return len(model.references), len(knowns), int((exact != 0.0).sum())


def main():
    takt, plants, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    for name in sys.argv[4:]:
        for version in (2, 3):
            file = export(takt, os.path.join(plants, name), version, folder, "--kind", "me")
            unknowns, knowns, nonzero = check(file, folder)
            print(f"{name}: FMI {version}: {nonzero} derivatives of {unknowns} unknowns by {knowns} knowns", flush=True)


if __name__ == "__main__":
    main()
