#!/usr/bin/env python3
"""FMUs that have sources and no binary for this machine: compiled, they are what their binaries are; what keeps them from it is told.

The sources are fmu_plant/lag.c (FMI 2) and what CasADi writes (FMI 3). Needs build/venv."""
import json
import os
import subprocess
import sys
import zipfile

from built_plants import takt_and_work
from compiled_fmus import HEADERS, HERE, compile_lag, signals
from joined_fmus import made_by_casadi

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "")


def run(*arguments, **environment):
    done = subprocess.run([takt, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, **environment})
    return done.returncode, done.stdout + done.stderr


def pack(file, contents):
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return file


# FMI 2: files listed by the interface. A second file, a header of its own in a folder below, and the prefix that static libraries need.
LAG, DESCRIPTION = (HERE / "fmu_plant/lag.c").read_text(), (HERE / "fmu_plant/modelDescription.xml").read_text()
begin = DESCRIPTION.index("<CoSimulation ")
end = DESCRIPTION.index("/>", begin)
LISTED = DESCRIPTION[:end] + '><SourceFiles><File name="lag.c"/><File name="more/rise.c"/></SourceFiles></CoSimulation>' + DESCRIPTION[end + 2:]
assert "1.0 - exp(" in LAG or "exp(" in LAG
PREFIXED = '#define FMI2_FUNCTION_PREFIX lag_\n' + LAG.replace("#include <math.h>", '#include <math.h>\n#include "more/rise.h"\n#define exp(x) rise_of(x)')
FMI2 = {"modelDescription.xml": LISTED, "sources/lag.c": PREFIXED, "sources/more/rise.h": "double rise_of(double x);\n",
        "sources/more/rise.c": "#include <math.h>\ndouble rise_of(double x) { return exp(x); }\n"}
digests = []
for name in ("binary", "sources"):
    folder = work / name
    folder.mkdir()
    if name == "binary":
        compile_lag(folder / "lag.fmu")
    else:
        pack(folder / "lag.fmu", FMI2)
    (folder / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text())
    code, said = run("run", folder, "--build-dir", folder / "build", "--out", folder / "run")
    expect(f"a plant with the FMU as {name} runs", code == 0, said)
    expect(f"{name}: compiling is said", ("compiling the sources of lag.fmu" in said) == (name == "sources"), said)
    digests.append(json.loads((folder / "run/summary.json").read_text())["digest"])
expect("both have the same digest", digests[0] == digests[1], digests)
code, said = run("run", work / "sources", "--build-dir", work / "sources/build", "--out", work / "sources/again")
expect("a built plant keeps what was compiled", code == 0 and "compiling the sources" not in said, said)

# FMI 3: buildDescription.xml, with a configuration for another platform, one of C++, definitions, options, a folder of headers.
place = work / "casadi"
place.mkdir()
made_by_casadi(place, "mass", lambda v, force, joined: (force + joined) / 2.0 - 0.1 * v, start=1.0)
code, said = run("fmu", "run", place / "mass.fmu", "--for", "1", "--out", place / "binary")
expect("CasADi's FMU runs", code == 0, said)
sources = {f"sources/{file.name}": file.read_text() for file in (place / "mass_sources").glob("*.[ch]")}
names = [name.removeprefix("sources/") for name in sources if name.endswith(".c")]
MODEL = (place / "mass_sources/modelDescription.xml").read_text()


def described(identifier="mass", platform="", inside="", files=names, attributes='language="C99"', last=""):
    listed = "".join(f'<SourceFile name="{file}"/>' for file in files)
    chosen = f' platform="{platform}"' if platform else ""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0"><BuildConfiguration modelIdentifier="mass" platform="x86_64-windows">'
            '<SourceFileSet compiler="MSVC" compilerOptions="/MD /O2"><SourceFile name="nowhere.c"/></SourceFileSet></BuildConfiguration>'
            f'<BuildConfiguration modelIdentifier="{identifier}"{chosen}><SourceFileSet {attributes}>{listed}{inside}</SourceFileSet>{last}</BuildConfiguration></fmiBuildDescription>')


def fmi3(name, description, **more):
    return pack(work / f"{name}.fmu", {"modelDescription.xml": MODEL, **sources, "sources/buildDescription.xml": description, **more})


first = sources["sources/" + names[0]]
for name, fmu in (
        ("plain", fmi3("plain", described())),
        ("options", fmi3("options", described(attributes='language="C99" compiler="gcc" compilerOptions="-O1 -fno-math-errno"', last='<Library name="m"/>'))),
        ("others' options", fmi3("others", described(attributes='language="C99" compiler="icx" compilerOptions="-xHost -o /tmp/x"'))),
        ("definitions", fmi3("definitions", described(inside='<PreprocessorDefinition name="HALF" value="0.5"/><PreprocessorDefinition name="GIVEN"/><IncludeDirectory name="own"/>'),
                             **{"sources/own/check.h": "#if !defined(GIVEN)\n#error GIVEN is not there\n#endif\n", "sources/" + names[0]: '#include <check.h>\nstatic double half = HALF;\n' + first}))):
    code, said = run("fmu", "run", fmu, "--for", "1", "--out", work / name)
    expect(f"{name}: compiled and run", code == 0 and "compiling the sources" in said, said)
    expect(f"{name}: as its binary", code == 0 and signals(work / name) == signals(place / "binary"))

# What keeps an FMU from it; nothing is left of it.
for name, fmu, environment, words in (
        ("does not compile", pack(work / "broken.fmu", {**FMI2, "sources/more/rise.c": "double rise_of(double x) { return x + ; }\n"}), {}, ["Y072", "broken.fmu", "more/rise.c:1:", "expected expression"]),
        ("lacks a function", pack(work / "lacking.fmu", {**FMI2, "sources/more/rise.c": "int nothing;\n"}), {}, ["Y072", "rise_of", "undefined"]),
        ("no compiler", pack(work / "alone.fmu", FMI2), {"CC": "no-such-compiler"}, ["Y072", "no program 'no-such-compiler'", "set CC"]),
        ("not listed", pack(work / "unlisted.fmu", {**FMI2, "modelDescription.xml": DESCRIPTION}), {}, ["Y073", "'lag'", "SourceFiles"]),
        ("another identifier", fmi3("another", described(identifier="other")), {}, ["Y073", "'mass'", "BuildConfiguration"]),
        ("another platform", fmi3("elsewhere", described(platform="aarch64-darwin")), {}, ["Y073", "'mass'"]),
        ("an option that writes", fmi3("writing", described(attributes='compilerOptions="-o /tmp/x"')), {}, ["Y074", "'-o'"]),
        ("an option that loads", fmi3("loading", described(attributes='compilerOptions="-fplugin=./x.so"')), {}, ["Y074", "'-fplugin=./x.so'"]),
        ("a file of options", fmi3("at", described(attributes='compilerOptions="@more"')), {}, ["Y074", "'@more'"]),
        ("a library by its path", fmi3("path", described(last='<Library name="../x"/>')), {}, ["Y074", "'../x'"]),
        ("a file outside", fmi3("outside", described(files=["../../x.c"])), {}, ["Y062", "../../x.c"]),
        ("a name with a quote", fmi3("quoted", described(files=["a&quot;; touch x; .c"])), {}, ["Y062"])):
    code, said = run("fmu", "run", fmu, "--for", "1", "--out", work / "refused", **environment)
    expect(f"{name}: told", code == 1 and all(word in said for word in words), (code, said))
    expect(f"{name}: nothing is written", not (work / "refused").exists())
folder = work / "plant_broken"
folder.mkdir()
(folder / "lag.fmu").write_bytes((work / "broken.fmu").read_bytes())
(folder / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text())
code, said = run("run", folder, "--build-dir", folder / "build", "--out", folder / "run")
expect("a plant with it: told", code == 1 and "Y072" in said, said)
(folder / "lag.fmu").write_bytes((work / "sources/lag.fmu").read_bytes())
code, said = run("run", folder, "--build-dir", folder / "build", "--out", folder / "run")
expect("mended, it runs", code == 0, said)
print(f"{failures} failures")
sys.exit(failures > 0)
