"""FMUs with storages for tests of joins: fmu_join/storage.c (FMI 2.0, no partials, co-simulation with its state), and what CasADi makes
(FMI 3.0, model exchange with directional derivatives)."""
import os
import platform
import subprocess
import zipfile

from compiled_fmus import HEADERS, HERE, compile_fmu


def compile_storage(folder, change=lambda description: description):
    compile_fmu(folder / "storage.fmu", HERE / "fmu_join/storage.c", change((HERE / "fmu_join/storage.xml").read_text()))


def made_by_casadi(folder, name, rate, start=0.0):
    """name.fmu with v' = rate(v, F, Fc): input F, joined by Fc, output v."""
    import casadi

    place = folder / f"{name}_sources"
    place.mkdir()
    before = os.getcwd()
    os.chdir(place)
    try:
        dae = casadi.DaeBuilder(name)
        v = dae.add("v", "output", "continuous")
        force, constraint = dae.add("F", "input", "continuous"), dae.add("Fc", "input", "continuous")
        dae.eq(dae.der(v), rate(v, force, constraint))
        dae.set_start("v", start)
        files = dae.export_fmu()
    finally:
        os.chdir(before)
    sources = [str(place / file) for file in files if file.endswith(".c")]
    subprocess.run(["gcc", "-O1", "-w", "-shared", "-fPIC", f"-I{HEADERS}", *sources, "-lm", "-o", str(place / f"{name}.so")], check=True)
    with zipfile.ZipFile(folder / f"{name}.fmu", "w") as archive:
        archive.write(place / "modelDescription.xml", "modelDescription.xml")
        archive.write(place / f"{name}.so", f"binaries/{platform.machine()}-linux/{name}.so")
