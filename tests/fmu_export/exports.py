"""What the tests of exported FMUs share: exports, runs to compare with, FMUs opened by FMPy."""
import csv
import os
import shutil
import subprocess

from fmpy import calloc, extract, free, read_model_description
from fmpy.fmi2 import (FMU2Slave, fmi2CallbackAllocateMemoryTYPE, fmi2CallbackFreeMemoryTYPE, fmi2CallbackFunctions,
                       fmi2CallbackLoggerTYPE)
from fmpy.fmi3 import FMU3Slave, fmi3LogMessageCallback


def run_takt(takt, *arguments):
    done = subprocess.run([takt, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"takt {' '.join(arguments)}:\n{done.stdout}{done.stderr}")
    return done


def export(takt, plant, version, folder, *more):
    """The file of an FMU."""
    name = os.path.basename(plant)
    file = os.path.join(folder, f"{name}-{version}.fmu")
    run_takt(takt, "fmu", "export", plant, "--fmi", str(version), "--out", file,
             "--build-dir", os.path.join(folder, name), *more)
    return file


def recorded(takt, plant, folder, *more):
    """Times and {signal: values} of a run as fast as possible; the text of a value reads back as the same bits."""
    name = os.path.basename(plant)
    out = os.path.join(folder, name + "-results")
    shutil.rmtree(out, ignore_errors=True)
    run_takt(takt, "run", plant, "--out", out, "--build-dir", os.path.join(folder, name + "-run"), *more)
    with open(os.path.join(out, "signals.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [title.rsplit(" [", 1)[0] for title in rows[0]]
    columns = {name: [row[i] for row in rows[1:]] for i, name in enumerate(names)}
    return [float(time) for time in columns.pop("time")], columns


class Opened:
    """An instance of an FMU, by FMPy. Messages that are not OK are in `messages`."""

    def __init__(self, file, folder, name="one"):
        self.description = read_model_description(file)
        self.messages = []
        self.unzipped = os.path.join(folder, os.path.basename(file) + "-" + name)
        shutil.rmtree(self.unzipped, ignore_errors=True)
        extract(file, unzipdir=self.unzipped)
        self.version = 2 if self.description.fmiVersion.startswith("2") else 3
        common = dict(guid=self.description.guid if self.version == 2 else self.description.instantiationToken,
                      unzipDirectory=self.unzipped, instanceName=name,
                      modelIdentifier=self.description.coSimulation.modelIdentifier)
        self.reference = {v.name: v.valueReference for v in self.description.modelVariables}
        self.h = float(self.description.defaultExperiment.stepSize)
        if self.version == 2:
            self.fmu = FMU2Slave(**common)
            self.callbacks = fmi2CallbackFunctions()
            self.callbacks.logger = fmi2CallbackLoggerTYPE(self._log2)
            self.callbacks.allocateMemory = fmi2CallbackAllocateMemoryTYPE(calloc)
            self.callbacks.freeMemory = fmi2CallbackFreeMemoryTYPE(free)
            self.fmu.instantiate(callbacks=self.callbacks)
        else:
            self.fmu = FMU3Slave(**common)
            self.log = fmi3LogMessageCallback(self._log3)
            self.fmu.instantiate(logMessage=self.log)

    def _log2(self, _environment, _name, status, _category, message, *_more):
        self.messages.append((status, message.decode("utf-8")))

    def _log3(self, _environment, status, _category, message):
        self.messages.append((status, message.decode("utf-8")))

    def begin(self, **start):
        if self.version == 2:
            self.fmu.setupExperiment(startTime=0.0)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=0.0)
        for name, value in start.items():
            self.set(name.replace("__", "."), value)
        self.fmu.exitInitializationMode()
        self.done = 0
        return self

    def get(self, *names):
        references = [self.reference[name] for name in names]
        return self.fmu.getReal(references) if self.version == 2 else self.fmu.getFloat64(references)

    def set(self, name, value):
        if self.version == 2:
            self.fmu.setReal([self.reference[name]], [value])
        else:
            self.fmu.setFloat64([self.reference[name]], [value])

    def step(self, times=1):
        now = self.done * self.h
        self.fmu.doStep(currentCommunicationPoint=now, communicationStepSize=times * self.h)
        self.done += times

    def state(self):
        return self.fmu.getFMUState() if self.version == 3 else self.fmu.getFMUstate()

    def restore(self, state):
        return self.fmu.setFMUState(state) if self.version == 3 else self.fmu.setFMUstate(state)

    def close(self):
        self.fmu.freeInstance()
