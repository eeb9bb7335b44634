#!/usr/bin/env python3
"""instances_test.py TAKT PLANTS FOLDER: how instances of an exported plant behave, FMI 2 and 3."""
import os
import sys

from exports import Opened, export
from fmpy.fmi1 import FMICallException


def refused(call, opened, words):
    """The call fails, and the last message says why."""
    opened.messages.clear()
    try:
        call()
    except FMICallException as error:
        assert opened.messages, f"no message: {error}"
        assert words in opened.messages[-1][1], opened.messages[-1]
        return error.status
    raise AssertionError(f"not refused: {words}")


def values(opened):
    return opened.get("electric.smooth.q", "electric.load.loss", "electric.energy.dissipated")


def states_go_on(file, folder):
    opened = Opened(file, folder).begin(amplitude=3.0)
    opened.step(7)
    opened.set("offset", 1.5)
    opened.set("electric.load.r", 700.0)
    kept, done = opened.state(), opened.done
    opened.step(5)
    first = values(opened)
    opened.set("offset", -4.0)
    opened.step(3)
    assert values(opened) != first
    opened.restore(kept)
    opened.done = done
    assert opened.get("offset", "electric.load.r") == [1.5, 700.0]
    opened.step(5)
    assert values(opened) == first, "a state that was given back goes on with other bits"
    serialised = opened.fmu.serializeFMUState(kept) if opened.version == 3 else opened.fmu.serializeFMUstate(kept)
    opened.close()
    other = Opened(file, folder, "other").begin()
    state = (other.fmu.deserializeFMUState(serialised) if opened.version == 3
             else other.fmu.deSerializeFMUstate(serialised))
    other.restore(state)
    other.done = done
    other.step(5)
    assert values(other) == first, "a serialised state goes on with other bits in another instance"
    damaged = bytearray(serialised)
    damaged[len(damaged) // 2] ^= 1
    restore = other.fmu.deserializeFMUState if opened.version == 3 else other.fmu.deSerializeFMUstate
    refused(lambda: restore(bytes(damaged)), other, "damaged")
    other.close()


def two_at_once(file, folder):
    alone = Opened(file, folder, "alone").begin(amplitude=2.0)
    alone.step(20)
    expected = values(alone)
    one, two = Opened(file, folder, "one").begin(amplitude=2.0), Opened(file, folder, "two").begin(amplitude=9.0)
    for _ in range(20):
        one.step()
        two.step()
    assert values(one) == expected and values(two) != expected, "two instances share something"
    for opened in (alone, one, two):
        opened.close()


def in_one_library(file, folder):
    """Two instances of one loaded library."""
    first = Opened(file, folder, "first").begin()
    component = first.fmu.component
    if first.version == 2:
        first.fmu.instantiate(callbacks=first.callbacks)
    else:
        first.fmu.instantiate(logMessage=first.log)
    second_component = first.fmu.component
    first.begin(amplitude=1.0)
    first.step(9)
    second = values(first)
    first.fmu.component = component
    first.done = 0
    first.step(9)
    reference = Opened(file, folder, "reference").begin()
    reference.step(9)
    assert values(first) == values(reference) != second
    free = first.fmu.fmi2FreeInstance if first.version == 2 else first.fmu.fmi3FreeInstance
    free(second_component)
    first.close()
    reference.close()


def resets(file, folder):
    opened = Opened(file, folder).begin()
    opened.step(6)
    first = values(opened)
    opened.set("electric.load.r", 10.0)
    opened.step(2)
    opened.fmu.reset()
    opened.begin()
    opened.step(6)
    assert values(opened) == first, "reset leaves something"
    opened.close()


def is_tuned(file, folder):
    """What is tuned between steps is what a run with `--action` computes: the charge stays, the rest follows."""
    opened = Opened(file, folder).begin()
    opened.step(5)
    charge, voltage = opened.get("electric.smooth.q", "electric.smooth.v")
    opened.set("electric.smooth.c", 20e-6)
    after = opened.get("electric.smooth.q", "electric.smooth.v")
    assert after == [charge, charge / 20e-6] != [charge, voltage]
    opened.close()


def refuses(file, folder):
    opened = Opened(file, folder).begin()
    discard, error = 2, 3
    step = lambda now, length: opened.fmu.doStep(currentCommunicationPoint=now, communicationStepSize=length)
    assert refused(lambda: step(0.0, 1.5e-3), opened, "take 0.001") == discard
    assert refused(lambda: step(0.0, 0.0), opened, "no multiple") == discard
    assert refused(lambda: step(0.5, 1e-3), opened, "ended at 0 s") == error
    opened.reference["nothing"] = 99999
    assert refused(lambda: opened.set("nothing", 1.0), opened, "no variable with value reference 99999") == error
    assert refused(lambda: opened.get("nothing"), opened, "99999") == error
    assert refused(lambda: opened.set("electric.load.i", 1.0), opened, "electric.load.i") == error
    assert refused(lambda: opened.set("electric.load.r", -5.0), opened, "electric.load.r is out of range") == error
    assert refused(lambda: opened.set("electric.load.r", float("nan")), opened, "not finite") == error
    assert refused(lambda: opened.set("electric.load.alpha", 1.0), opened, "at the start only") == error
    assert opened.get("electric.load.r") == [1000.0], "what was refused stays"
    opened.step(3)  # and the instance goes on
    opened.set("offset", 1e308)
    opened.messages.clear()
    assert refused(lambda: opened.step(10), opened, "no longer finite") == error
    refused(lambda: opened.step(1), opened, "only an initialised instance")
    opened.fmu.reset()
    opened.begin()
    opened.step(1)
    opened.close()
    other = Opened(file, folder, "other")
    assert refused(lambda: other.begin(electric__load__r=-1.0), other, "electric.load.r is out of range") == error
    other.close()
    late = Opened(file, folder, "late")
    enter = ((lambda: (late.fmu.setupExperiment(startTime=1.0), late.fmu.enterInitializationMode()))
             if late.version == 2 else (lambda: late.fmu.enterInitializationMode(startTime=1.0)))
    assert refused(enter, late, "begins at 0 s") == error
    late.close()


def resident_kb():
    with open("/proc/self/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * (os.sysconf("SC_PAGE_SIZE") // 1024)


def does_not_grow(file, folder, steps=100_000):
    opened = Opened(file, folder).begin()
    for _ in range(steps // 10):
        opened.step()
    before = resident_kb()
    while opened.done < steps:
        opened.step()
    grown = resident_kb() - before
    opened.close()
    assert grown < 1024, f"{grown} kB more after {steps} steps"


def main():
    takt, plants, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    for version in (2, 3):
        file = export(takt, os.path.join(plants, "rc"), version, folder)
        for test in (states_go_on, two_at_once, in_one_library, resets, is_tuned, refuses, does_not_grow):
            test(file, folder)
            print(f"FMI {version}: {test.__name__}")


if __name__ == "__main__":
    main()
