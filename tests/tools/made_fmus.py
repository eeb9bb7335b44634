"""FMUs that other tools make here and now: CasADi (FMI 3, model exchange), pythonfmu (FMI 2) and pythonfmu3 (FMI 3), both co-simulation."""
import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import sysconfig
import zipfile

# Python FMUs expect an interpreter in the process.
PYTHON = os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME") or "")
headers = pathlib.Path(__file__).resolve().parents[2] / "build/fmi"


def made_by_casadi(folder):
    """A mass with friction, v' = (F + Fc)/m - 0.1 v: FMI 3, model exchange. CasADi writes sources and a description."""
    import casadi

    place = folder / "casadi"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    before = os.getcwd()
    os.chdir(place)
    try:
        dae = casadi.DaeBuilder("mass")
        v = dae.add("v", "output", "continuous")
        force, constraint = dae.add("F", "input", "continuous"), dae.add("Fc", "input", "continuous")
        dae.eq(dae.der(v), (force + constraint) / 2.0 - 0.1 * v)
        dae.set_start("v", 1.0)
        files = dae.export_fmu()
    finally:
        os.chdir(before)
    sources = [str(place / name) for name in files if name.endswith(".c")]
    subprocess.run(["gcc", "-O1", "-w", "-shared", "-fPIC", f"-I{headers}", *sources, "-lm", "-o", str(place / "mass.so")], check=True)
    fmu = place / "mass.fmu"
    with zipfile.ZipFile(fmu, "w") as archive:
        archive.write(place / "modelDescription.xml", "modelDescription.xml")
        archive.write(place / "mass.so", f"binaries/{platform.machine()}-linux/mass.so")
    return fmu


PYTHON_MODEL = """
from {module} import {base}, {causality}, {real}, {variability}

class Decay({base}):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        {time}
        self.x = 1.0
        self.u = 0.0
        self.register_variable({real}("x", causality={causality}.output))
        self.register_variable({real}("u", causality={causality}.input))

    def do_step(self, current_time, step_size):
        self.x += step_size * (self.u - self.x)
        return {result}
"""


def made_by_pythonfmu(folder, module, base, real, result):
    """x' = u - x in Python: co-simulation. The library that it brings holds an interpreter."""
    place = folder / module
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    causality, variability = f"Fmi{base[3]}Causality", f"Fmi{base[3]}Variability"
    time = 'self.time = 0.0; self.register_variable(Float64("time", causality=Fmi3Causality.independent))' if base == "Fmi3Slave" else ""
    (place / "decay.py").write_text(PYTHON_MODEL.format(module=module, base=base, causality=causality, variability=variability, real=real, time=time, result=result))
    subprocess.run([sys.executable, "-m", module, "build", "-f", str(place / "decay.py"), "-d", str(place)], check=True, capture_output=True)
    return next(place.glob("*.fmu"))


def made(folder, failures):
    """FMUs of other tools, as far as these are here, below `folder`. What a tool could not do is added to `failures`."""
    makers = {"casadi": lambda: made_by_casadi(folder), "pythonfmu": lambda: made_by_pythonfmu(folder, "pythonfmu", "Fmi2Slave", "Real", "True"),
              "pythonfmu3": lambda: made_by_pythonfmu(folder, "pythonfmu3", "Fmi3Slave", "Float64", "Fmi3StepResult(status=Fmi3Status.ok)")}
    for name, maker in makers.items():
        if name.startswith("python") and not os.path.isfile(PYTHON):
            print(f"without {name}: there is no library of this Python", file=sys.stderr)
            continue
        if importlib.util.find_spec(name) is None:
            print(f"without {name}: it is not installed", file=sys.stderr)
            continue
        try:
            yield maker()
        except subprocess.CalledProcessError as problem:
            failures.append(f"{name}: {(problem.stderr or b'').decode(errors='replace')[-400:]}")
        except Exception as problem:
            failures.append(f"{name}: {problem!r}")
