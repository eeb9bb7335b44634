#!/usr/bin/env python3
"""`takt fmu info --json` says of an FMU what FMPy reads in it: every FMU of the shared data, those that CasADi and pythonfmu make, the samples.

reader_test.py TAKT DATA FOLDER    1 where they differ; 77 without FMPy or data

FMPy gives what stands in the file. Takt also fills in what a variable takes from its declared type, repeats a start value over an array, and
names variables instead of numbering them: the expectation here is made so, too. FMPy does not read relativeQuantity of variables, all of a
list of <Start>, minimum and maximum of unsigned types, `inverse` of display units, and flags of states by their names in FMI 3: left out.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
try:
    import numpy
    from fmpy import read_model_description
except ImportError:
    print("skipped: there is no FMPy; tools/install_packages.sh python brings it")
    sys.exit(77)
from made_fmus import made
from samples import files_of, packed

takt, data, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "fmu", pathlib.Path(sys.argv[3])
failures = []
compared = 0
TYPES = {"Real": "Float64", "Integer": "Int32"}
# key of `takt fmu info`: attribute of FMPy where it has another name
FLAGS = {
    "modelIdentifier": "", "needsExecutionTool": "", "canBeInstantiatedOnlyOncePerProcess": "", "canNotUseMemoryManagementFunctions": "",
    "canGetAndSetFMUState": "canGetAndSetFMUstate", "canSerializeFMUState": "canSerializeFMUstate", "providesAdjointDerivatives": "",
    "providesPerElementDependencies": "", "providesEvaluateDiscreteStates": "", "needsCompletedIntegratorStep": "",
    "canHandleVariableCommunicationStepSize": "", "canInterpolateInputs": "", "canRunAsynchronuously": "", "maxOutputDerivativeOrder": "",
    "providesIntermediateUpdate": "", "mightReturnEarlyFromDoStep": "", "canReturnEarlyAfterIntermediateUpdate": "", "hasEventMode": ""}


def number(value):
    """-> as JSON has it: INF, -INF and NaN are texts there"""
    if value is None or value == "":
        return None
    value = float(value)
    return value if numpy.isfinite(value) else "NaN" if numpy.isnan(value) else "INF" if value > 0 else "-INF"


def compare(what, own, other):
    global compared
    compared += 1
    if own != other:
        failures.append(f"{what}: {own!r}, FMPy says {other!r}")


def values_of(kind, text):
    """-> start values of an attribute, in the types of JSON"""
    if text is None:
        return None
    if kind == "String":
        return [text]
    if kind == "Binary":
        return [text.lower()]
    if kind == "Boolean":
        return [word in ("true", "1") for word in text.split()]
    return [number(word) if kind in ("Real", "Float32", "Float64") else int(word) for word in text.split()]


def effective(variable, attribute):
    """-> its own value, else that of its declared type"""
    own = getattr(variable, attribute)
    return own if own is not None or variable.declaredType is None else getattr(variable.declaredType, attribute, None)


def compare_variable(what, own, other, fmi):
    for key in ("name", "valueReference", "causality", "variability"):
        compare(f"{what} {key}", own[key], getattr(other, key))
    compare(f"{what} type", own["type"], TYPES.get(other.type, other.type))
    compare(f"{what} initial", own["initial"], other.initial or "")
    compare(f"{what} description", own["description"], other.description or "")
    compare(f"{what} dimensions", own["dimensions"], [{"start": each.start} if each.start is not None else {"valueReference": each.valueReference} for each in other.dimensions])
    size = int(numpy.prod(other.shape or (1,)))
    compare(f"{what} size", own["size"], size)
    start = values_of(other.type, other.start)
    if start is not None and other.type == "String" and other.dimensions:
        compare(f"{what} first start", own["start"][:1], start)
    else:
        compare(f"{what} start", own["start"], start * size if start and len(start) == 1 else start)
    is_real = other.type in ("Real", "Float32", "Float64")
    for key in ("unit", "displayUnit", "quantity"):
        compare(f"{what} {key}", own[key], effective(other, key) or "" if is_real or key == "quantity" else "")
    for key in ("min", "max", "nominal"):
        if key == "nominal" and not is_real or other.type.startswith("UInt"):
            continue
        compare(f"{what} {key}", own[key], number(effective(other, key)))
    compare(f"{what} declaredType", own["declaredType"], other.declaredType.name if other.declaredType else "")
    compare(f"{what} items", [(item["name"], item["value"]) for item in own.get("items", [])],
            [(item.name, int(item.value)) for item in other.declaredType.items] if other.type == "Enumeration" else [])
    compare(f"{what} derivative", own["derivative"], other.derivative.name if other.derivative else None)
    if fmi == 3:
        compare(f"{what} aliases", own["aliases"], [alias.name for alias in other.aliases])
        compare(f"{what} clocks", own["clocks"], [clock.valueReference for clock in other.clocks or []])
        compare(f"{what} intervalVariability", own.get("intervalVariability"), other.intervalVariability)


def compare_structure(what, own, other):
    compare(f"{what}: variables", [each["variable"] for each in own], [each.variable.name for each in other])
    for mine, theirs in zip(own, other):
        label = f"{what} of {mine['variable']}"
        compare(f"{label}: dependencies", mine["dependencies"], None if theirs.dependencies is None else [each.name for each in theirs.dependencies])
        compare(f"{label}: kinds", mine.get("dependenciesKind", []), theirs.dependenciesKind or [])


def compare_interface(what, own, other):
    compare(f"{what} offered", own is not None, other is not None)
    if own is None or other is None:
        return
    for key, name in FLAGS.items():
        if hasattr(other, name or key):
            compare(f"{what} {key}", own[key], getattr(other, name or key))
    if hasattr(other, "fixedInternalStepSize"):
        compare(f"{what} fixedInternalStepSize", own["fixedInternalStepSize"], number(other.fixedInternalStepSize))


def compare_head(what, own, other):
    compare(f"{what} token", own["token"], other.guid)
    for key in ("fmiVersion", "modelName", "variableNamingConvention"):
        compare(f"{what} {key}", own[key], getattr(other, key))
    for key in ("description", "author", "version", "copyright", "license", "generationTool", "generationDateAndTime"):
        compare(f"{what} {key}", own[key], getattr(other, key) or "")
    if other.fmiVersion == "2.0":
        compare(f"{what} numberOfEventIndicators", own["numberOfEventIndicators"], other.numberOfEventIndicators)
    experiment = other.defaultExperiment
    for key in ("startTime", "stopTime", "tolerance", "stepSize"):
        compare(f"{what} {key}", own["defaultExperiment"][key], number(getattr(experiment, key) if experiment else None))
    compare_interface(f"{what} co-simulation", own["coSimulation"], other.coSimulation)
    compare_interface(f"{what} model exchange", own["modelExchange"], other.modelExchange)
    compare(f"{what} scheduled execution", own["scheduledExecution"], other.scheduledExecution is not None)


def compare_definitions(what, own, other):
    base = ("kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset")
    compare(f"{what} units", [(each["name"], each["base"] and [each["base"][key] for key in base]) for each in own["units"]],
            [(each.name, each.baseUnit and [getattr(each.baseUnit, key) for key in base]) for each in other.unitDefinitions])
    compare(f"{what} display units", [[(shown["name"], shown["factor"], shown["offset"]) for shown in each["displayUnits"]] for each in own["units"]],
            [[(shown.name, shown.factor, shown.offset) for shown in each.displayUnits] for each in other.unitDefinitions])
    keys = ("quantity", "unit", "displayUnit")
    compare(f"{what} types", [(each["name"], each["type"], *(each[key] for key in keys), each["min"], each["max"], each["nominal"]) for each in own["types"]],
            [(each.name, TYPES.get(each.type, each.type), *(getattr(each, key) or "" for key in keys), number(each.min), number(each.max), number(each.nominal))
             for each in other.typeDefinitions])


def compare_builds(what, own, other):
    """Source files by interface; FMI 3: sources/buildDescription.xml."""
    compare(f"{what} builds", [(each["modelIdentifier"], [(one["language"], one["files"], one["includeDirectories"]) for one in each["sets"]]) for each in own["builds"]],
            [(each.modelIdentifier, [(one.language or "", one.sourceFiles, one.includeDirectories) for one in each.sourceFileSets]) for each in other.buildConfigurations])


def judge(fmu):
    done = subprocess.run([takt, "fmu", "info", str(fmu), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        failures.append(f"{fmu}: takt refuses it: {done.stderr.strip()}")
        return
    own, other = json.loads(done.stdout), read_model_description(str(fmu), validate=False)
    what = f"{fmu.parent.name}/{fmu.name}"
    fmi = 2 if other.fmiVersion == "2.0" else 3
    compare_head(what, own, other)
    compare_definitions(what, own, other)
    compare_builds(what, own, other)
    variables = [each for each in other.modelVariables if each.alias is None]
    compare(f"{what} number of variables", len(own["variables"]), len(variables))
    before = 0
    for mine, theirs in zip(own["variables"], variables):
        compare_variable(f"{what} {theirs.name}", mine, theirs, fmi)
        # FMPy knows where an opening tag ends, Takt where it begins.
        compare(f"{what} {theirs.name} line {mine['line']} is within {before} to {theirs.sourceline}", before <= mine["line"] <= theirs.sourceline, True)
        before = theirs.sourceline
    for key in ("outputs", "derivatives", "initialUnknowns") + (("clockedStates", "eventIndicators") if fmi == 3 else ()):
        compare_structure(f"{what} {key}", own[key], getattr(other, key))


def main():
    files = sorted(data.rglob("*.fmu"))
    if not files:
        print(f"skipped: no FMUs in {data}")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    files += made(folder, failures)
    for version in (2, 3):
        sample = folder / f"sample{version}.fmu"
        sample.write_bytes(packed(files_of(version)))
        files.append(sample)
    for fmu in files:
        judge(fmu)
    print("\n".join(failures[:40]) or f"{compared} values of {len(files)} FMUs as FMPy reads them")
    return 1 if failures else 0


sys.exit(main())
