#!/usr/bin/env python3
"""`takt ssp`: a package by hand beside the plant by hand, there and back, its structure as FMPy reads it, what is broken or not taken over."""
import os
import pathlib
import re
import subprocess
import sys
import zipfile

from built_plants import takt_and_work
from compiled_fmus import compile_lag, signals
from ssp_samples import PLANT, SSD, SSM, SSV, make_fmus, pack

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "")


def do(*command):
    done = subprocess.run([takt, *command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def taken(file, name, *more):
    """-> code, what is said, text of the plant without its first line, which names the package"""
    code, said = do("ssp", "import", file, "--out", work / name, *more)
    plant = work / name / "plant.toml"
    return code, said, plant.read_text().split("\n", 1)[1] if plant.exists() else ""


def run(folder, *more):
    code, said = do("run", folder, "--build-dir", work / "build", "--out", folder / "run", *more)
    if code != 0:
        return code, said, {}
    return code, said, signals(folder / "run")


make_fmus(work)
package = pack(work / "lags.ssp", work)

# There, and as by hand.
code, said, text = taken(package, "taken")
expect("a package becomes a plant", code == 0 and (work / "taken/cooler.fmu").exists() and (work / "taken/lag.fmu").exists(), said)
by_hand = work / "by_hand"
by_hand.mkdir()
for name in ("lag.fmu", "cooler.fmu"):
    (by_hand / name).write_bytes((work / name).read_bytes())
(by_hand / "plant.toml").write_text(PLANT)
code, said, ours = run(work / "taken")
expect("it runs", code == 0, said)
other_code, other_said, theirs = run(by_hand)
expect("the plant by hand runs", other_code == 0, other_said)
expect("both to the last bit", ours == theirs and len(ours.get("time", [])) == 201, (list(ours), list(theirs)))
expect("and not at rest", ours and max(ours["fmu.rack_cooler.t"]) - min(ours["fmu.rack_cooler.t"]) > 5, "")
code, said, warmer = run(work / "taken", "--input", "ambient=320 K")
expect("what stood at the system is an input", code == 0 and warmer["fmu.probe.heat_y"][-1] > ours["fmu.probe.heat_y"][-1] + 10, said)
code, said, _ = taken(package, "taken")
expect("a folder that is there stays", code == 1 and "error[Y216]" in said, said)
code, said, other = taken(package, "finer", "--step", "500 us")
expect("--step", code == 0 and other == text.replace('"1 ms"', '"500 us"'), other)

# There and back.
code, said = do("ssp", "export", work / "taken", "--out", work / "back.ssp")
expect("a plant of FMUs becomes a package", code == 0, said)
code, said, again = taken(work / "back.ssp", "again")
# The export says the kind of each FMU, and names the step.
expect("back, it says the same", code == 0 and again.replace('kind = "cs"\n', "") == text.replace('kind = "cs"\n', ""), f"{said}\n{text}\n----\n{again}")
code, said, result = run(work / "again")
expect("and computes the same", code == 0 and result == ours, said)
code, said = do("ssp", "export", work / "again", "--out", work / "third.ssp")
with zipfile.ZipFile(work / "third.ssp") as third, zipfile.ZipFile(work / "back.ssp") as back:
    expect("a package of it has the same structure", re.sub('System name="[^"]*"', "", third.read("SystemStructure.ssd").decode()) == re.sub('System name="[^"]*"', "", back.read("SystemStructure.ssd").decode()))
code, said = do("ssp", "export", work / "by_hand", "--set", "fmu.lag.tau=80 ms", "--out", work / "set.ssp")
with zipfile.ZipFile(work / "set.ssp") as archive:
    expect("--set", 'name="tau"><ssv:Real value="0.08"' in archive.read("SystemStructure.ssd").decode(), said)

# SSP 2.0 says its version.
code, said, second = taken(pack(work / "second.ssp", work, SSD.replace('version="1.0" name="two', 'version="2.0" name="two').replace("ssc:Real unit", "ssc:Float64 unit")), "second")
expect("version 2.0 with types of FMI 3", code == 0 and second == text, said)

# Steps of Open Simulation Platform; what other tools read, too.
# Structures that are no package, by name: libcosim's own format, alone or in an archive, and an .ssd alone.
(work / "OspSystemStructure.xml").write_text('<?xml version="1.0" encoding="utf-8"?>\n<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1"/>\n')
(work / "alone.ssd").write_text(SSD)
with zipfile.ZipFile(work / "osp_only.ssp", "w") as archive:
    archive.write(work / "OspSystemStructure.xml", "OspSystemStructure.xml")
for file, words in (("OspSystemStructure.xml", "Open Simulation Platform"), ("osp_only.ssp", "Open Simulation Platform"), ("alone.ssd", "not the package")):
    code, said, _ = taken(work / file, "none_of_" + file.replace(".", "_"))
    expect(f"{file}: refused by name", code == 1 and "error[Y218]" in said and words in said and not (work / ("none_of_" + file.replace(".", "_"))).exists(), said)

OSP = '<ssd:Annotations><ssc:Annotation type="com.opensimulationplatform">{}</ssc:Annotation></ssd:Annotations>'
experiment = '<ssd:DefaultExperiment startTime="0.0" stopTime="0.2"'
based = SSD.replace(experiment + "/>", experiment + ">" + OSP.format('<osp:Algorithm><osp:FixedStepAlgorithm baseStepSize="2.5e-4"/></osp:Algorithm>') + "</ssd:DefaultExperiment>")
code, said, stepped = taken(pack(work / "osp.ssp", work, based), "osp")
expect("the base step of OSP is that of FMUs and exchanges", code == 0 and stepped == text.replace('"1 ms"', '"250 us"') != text, (said, stepped))
code, said, result = run(work / "osp")
expect("it runs with it", code == 0 and len(result["time"]) == 801, said)
code, said, stepped = taken(work / "osp.ssp", "osp_step", "--step", "500 us")
expect("--step goes before", code == 0 and stepped == text.replace('"1 ms"', '"500 us"'), stepped)
hinted = based.replace('<ssd:Component name="Probe" source="resources/lag.fmu"/>', '<ssd:Component name="Probe" source="resources/lag.fmu">' + OSP.format('<osp:StepSizeHint value="1.1e-3"/>') + "</ssd:Component>")
code, said, stepped = taken(pack(work / "hint.ssp", work, hinted), "hint")
expect("a hint is a multiple of it", code == 0 and stepped.split("[fmu.probe]")[1].count('step = "1 ms"') == 1 and stepped.count('step = "250 us"') == 2 and 'every = "1 ms"' in stepped, (said, stepped))
code, said, stepped = taken(pack(work / "no_step.ssp", work, based.replace("2.5e-4", "0")), "no_step")
expect("a step of 0 is a warning", code == 0 and "warning[Y212]" in said and stepped == text, said)
bare = SSV.replace(re.search(r"<ssv:ParameterSet[^>]*>", SSV)[0], '<ParameterSet version="1.0" name="of the top">').replace("ssv:", "").replace("ssc:", "")
code, said, other = taken(pack(work / "bare.ssp", work, ssv=bare), "bare")
expect("values without a namespace are read with a warning", code == 0 and re.search(r"values\.ssv:\d+:\d+: warning\[Y201\]", said) and other == text, said)
code, said, other = taken(pack(work / "no_source.ssp", work, ssm=SSM.replace("</ssm:ParameterMapping>", '<ssm:MappingEntry source="" target="Lag.tau"/></ssm:ParameterMapping>')), "no_source")
expect("an entry without a source is passed over with a warning", code == 0 and re.search(r"names\.ssm:\d+:\d+: warning\[Y208\]", said) and other == text, said)

# Whose values count.
code, said, deeper = taken(pack(work / "no_top.ssp", work, ssv=SSV, ssm=SSM.replace('target="Rack.Cooler.tau"', 'target="Rack.Cooler.T0"').replace('factor="0.001"', 'factor="6"')), "no_top")
expect("a value of a system counts more than one inside, which counts where there is none above", code == 0 and '"T0" = "300 K", "tau" = "9 s"' in deeper, (said, deeper))

# Broken, or not taken over: code and line.
def line_of(text, needle):
    return text[:text.index(needle)].count("\n") + 1


CASES = {
    "no structure": ("Y200", None, {"ssd": None}, None),
    "no XML": ("Y010", "SystemStructure.ssd", {"ssd": SSD.replace("</ssd:System>\n  <ssd:Units>", "<ssd:Units>")}, None),
    "namespace": ("Y201", "SystemStructure.ssd", {"ssd": SSD.replace("http://ssp-standard.org/SSP1/SystemStructureDescription", "urn:other")}, 2),
    "version": ("Y201", "SystemStructure.ssd", {"ssd": SSD.replace('version="1.0" name="two', 'version="3.0" name="two')}, 2),
    "attribute": ("Y018", "SystemStructure.ssd", {"ssd": SSD.replace('name="Lag" source="resources/lag.fmu"', 'name="Lag"')}, line_of(SSD, 'name="Lag"')),
    "kind": ("Y019", "SystemStructure.ssd", {"ssd": SSD.replace('name="u" kind="input"', 'name="u" kind="in"')}, line_of(SSD, 'name="u" kind')),
    "source": ("Y202", "SystemStructure.ssd", {"ssd": SSD.replace('"resources/cooler.fmu"', '"../cooler.fmu"')}, line_of(SSD, "resources/cooler.fmu")),
    "package in a package": ("Y202", "SystemStructure.ssd", {"ssd": SSD.replace('type="application/x-fmu-sharedlibrary"', 'type="application/x-ssp-package"')}, line_of(SSD, "resources/cooler.fmu")),
    "no FMU": ("Y217", "SystemStructure.ssd", {"ssd": '<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" version="1.0" name="n">\n<ssd:System name="s"/></ssd:SystemStructureDescription>'}, 2),
    "FMU": ("Y203", "SystemStructure.ssd", {"ssd": SSD.replace('"resources/cooler.fmu"', '"values.ssv"')}, line_of(SSD, "resources/cooler.fmu")),
    "name twice": ("Y204", "SystemStructure.ssd", {"ssd": SSD.replace('name="Probe"', 'name="Lag"')}, line_of(SSD, 'name="Probe"')),
    "element": ("Y205", "SystemStructure.ssd", {"ssd": SSD.replace('endElement="Rack" endConnector="in"', 'endElement="Rak" endConnector="in"')}, line_of(SSD, 'endConnector="in"')),
    "connector": ("Y205", "SystemStructure.ssd", {"ssd": SSD.replace('endElement="Rack" endConnector="in"', 'endElement="Rack" endConnector="im"')}, line_of(SSD, 'endConnector="in"')),
    "variable": ("Y205", "SystemStructure.ssd", {"ssd": SSD.replace('name="tau" kind', 'name="tao" kind')}, line_of(SSD, 'name="tau" kind')),
    "two outputs": ("Y206", "SystemStructure.ssd", {"ssd": SSD.replace('endElement="Probe" endConnector="u"', 'endElement="Probe" endConnector="tau"')
                    .replace('startConnector="Ambient"', 'startElement="Lag" startConnector="tau"')}, line_of(SSD, 'startConnector="Ambient"')),
    "fed twice": ("Y206", "SystemStructure.ssd", {"ssd": SSD.replace('startConnector="Ambient" endElement="Probe"', 'startConnector="Ambient" endElement="Lag"')}, line_of(SSD, 'startConnector="Ambient"')),
    "causality": ("Y206", "SystemStructure.ssd", {"ssd": SSD.replace('name="tau" kind="parameter"', 'name="tau" kind="output"')}, line_of(SSD, 'name="tau" kind')),
    "table": ("Y207", "SystemStructure.ssd", {"ssd": SSD.replace('<ssc:LinearTransformation factor="-0.5" offset="40"/>', '<ssc:BooleanMappingTransformation><ssc:MapEntry source="0" target="1"/></ssc:BooleanMappingTransformation>')}, line_of(SSD, "LinearTransformation")),
    "factor": ("Y207", "SystemStructure.ssd", {"ssd": SSD.replace('factor="-0.5"', 'factor="INF"')}, line_of(SSD, "LinearTransformation")),
    "not of the set": ("Y208", "resources/names.ssm", {"ssm": SSM.replace('source="outside"', 'source="inside"')}, line_of(SSM, "outside")),
    "text": ("Y209", "SystemStructure.ssd", {"ssd": SSD.replace('<ssv:Integer value="0"/>', '<ssv:String value="a"/>')}, line_of(SSD, "ssv:Integer")),
    "unit of nothing": ("Y209", "SystemStructure.ssd", {"ssd": SSD.replace('unit="ms"', 'unit="min"')}, line_of(SSD, 'unit="ms"')),
    "no file of values": ("Y210", "SystemStructure.ssd", {"ssv": None}, line_of(SSD, "values.ssv")),
    "values elsewhere": ("Y210", "SystemStructure.ssd", {"ssd": SSD.replace('source="values.ssv"', 'source="values.ssv" sourceBase="component"')}, line_of(SSD, "values.ssv")),
    "value": ("Y019", "values.ssv", {"ssv": SSV.replace('value="25"', 'value="warm"')}, line_of(SSV, 'value="25"')),
    "dictionary": ("Y211", "SystemStructure.ssd", {"ssd": SSD.replace('<ssd:Component name="Probe" source="resources/lag.fmu"/>', '<ssd:SignalDictionaryReference name="Probe" dictionary="d"/>')}, line_of(SSD, 'name="Probe"')),
    "dimension": ("Y213", "SystemStructure.ssd", {"ssd": SSD.replace('value="30" unit="ms"', 'value="30" unit="degC"')}, line_of(SSD, 'unit="ms"')),
    "factor of a unit": ("Y213", "SystemStructure.ssd", {"ssd": SSD.replace('s="1" factor="0.001"', 's="1" factor="0"')}, line_of(SSD, 'factor="0.001"')),
    "absolute name": ("Y002", None, {"more": [("/etc/evil", "x")]}, None),
}
for name, (expected, file, change, line) in CASES.items():
    code, said, made = taken(pack(work / "broken.ssp", work, **change), "broken")
    place = (rf"broken\.ssp/{re.escape(file)}:{line or ''}" if file else r"broken\.ssp")
    found = re.search(rf"{place}[^\n]*: error\[{expected}\]: ", said)
    expect(f"{name}: {expected} with its line", code == 1 and found and "hint: " in said and not (work / "broken").exists(), said)
for name, expected, change, line in (("unknown value", "Y208", {"ssm": SSM.replace("Rack.Cooler.tau", "Rack.Cooler.tao")}, None),
                                     ("unknown element", "Y015", {"ssd": SSD.replace("<ssd:Elements>", "<ssd:Elemens/><ssd:Elements>", 1)}, line_of(SSD, "<ssd:Elements>")),
                                     ("start time", "Y212", {"ssd": SSD.replace('startTime="0.0" stopTime="0.2"', 'startTime="1" stopTime="INF"')}, line_of(SSD, "startTime")),
                                     ("dictionaries", "Y212", {"ssd": SSD.replace("  </ssd:System>\n  <ssd:Units>", "  <ssd:SignalDictionaries/></ssd:System>\n  <ssd:Units>")}, line_of(SSD, "</ssd:System>\n  <ssd:Units>"))):
    code, said, made = taken(pack(work / "odd.ssp", work, **change), "odd_" + name.replace(" ", "_"))
    expect(f"{name}: a warning, {expected}", code == 0 and re.search(rf"odd\.ssp/\S+:{line or ''}\S*: warning\[{expected}\]: ", said), said)

# Units that dimensions do not tell apart: an angular velocity given in Hz, a difference of temperatures in degC.
other = work / "other"
other.mkdir()
make_fmus(other)
for name, defined, own, given, base in (("turns", '<Unit name="rad/s"><BaseUnit s="-1" rad="1"/></Unit>', 'unit="rad/s"', "Hz", 's="-1"'),
                                        ("difference", "", 'unit="degC" relativeQuantity="true"', "degC", 'K="1" offset="273.15"')):
    compile_lag(other / "lag.fmu", lambda text: text.replace("</UnitDefinitions>", defined + "</UnitDefinitions>").replace('initial="exact"><Real unit="degC"', f'initial="exact"><Real {own}'))
    ssd = SSD.replace('<ssv:Real value="22"/>', f'<ssv:Real value="22" unit="{given}"/>').replace('<ssc:Unit name="ms">', f'<ssc:Unit name="{given}"><ssc:BaseUnit {base}/></ssc:Unit><ssc:Unit name="ms">')
    code, said, made = taken(pack(work / "kinds.ssp", other, ssd), "kinds_" + name)
    line = line_of(ssd, 'value="22"')
    expect(f"{name}: Y213 with its line", code == 1 and re.search(rf"kinds\.ssp/SystemStructure\.ssd:{line}:[^\n]*: error\[Y213\]: 'y0' has another kind", said), said)

# A ring of systems.
RING = SSD.replace('<ssd:Connection startConnector="in" endElement="Cooler" endConnector="u"/>', '<ssd:Connection startConnector="in" endConnector="out"/>') \
    .replace('<ssd:Connection startConnector="out" endElement="Cooler" endConnector="T"/>', "") \
    .replace('startElement="Lag" startConnector="heat.Y" endElement="Rack"', 'startElement="Rack" startConnector="out" endElement="Rack"')
code, said, _ = taken(pack(work / "ring.ssp", work, RING), "ring")
expect("connectors in a ring: Y214", code == 1 and "error[Y214]" in said, said)

# Plants that are no structure of FMUs.
for name, old, new in (("circuit", "[fmu]", '[electric]\nr = { is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }\ns = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }\n[fmu]'),
                       ("product", '"fmu.lag.heat_y"', '"fmu.lag.heat_y*fmu.probe.steps"'), ("time", '"ambient"', '"ambient + 1 K/s*time"')):
    folder = work / ("no_" + name)
    folder.mkdir()
    for file in ("lag.fmu", "cooler.fmu"):
        (folder / file).write_bytes((work / file).read_bytes())
    (folder / "plant.toml").write_text(PLANT.replace(old, new))
    code, said = do("ssp", "export", folder, "--out", work / "no.ssp")
    expect(f"{name}: Y215 with its line", code == 1 and re.search(r"plant\.toml:\d+:\d+: error\[Y215\]", said) and not (work / "no.ssp").exists(), said)

# The schema and FMPy's reader of structures.
try:
    from fmpy.ssp.ssd import Component, find_components, read_ssd
except ImportError:
    print("skipped: fmpy is not there")
else:
    for file in (package, work / "back.ssp"):
        structure = read_ssd(str(file))  # validates
        parts = sorted(each.source.split("/")[-1] for each in find_components(structure.system))
        expect(f"{file.name}: FMPy reads three components", len(parts) == 3, parts)
    system = structure.system
    flows = sorted((each.startElement, each.startConnector, each.endElement, each.endConnector) for each in system.connections if each.endElement and each.startElement)
    expect("its connections between FMUs", flows == [("lag", "heat.Y", "rack_cooler", "u"), ("rack_cooler", "T", "lag", "u")], flows)
    values = {(part.name, value.name): value.value for part in system.elements for binding in part.parameterBindings for values in binding.parameterValues for value in values.parameters}
    expect("its values", values == {("lag", "tau"): "0.03", ("lag", "y0"): "22", ("lag", "fault"): "0", ("rack_cooler", "tau"): "0.05", ("rack_cooler", "T0"): "310"}, values)

shared = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "fmu/omsimulator/LinearTransformation"
if shared.exists():
    with zipfile.ZipFile(work / "oms.ssp", "w") as archive:
        archive.write(shared / "SystemStructure.ssd", "SystemStructure.ssd")
        for name in ("Add", "Gain"):
            archive.write(shared / f"{name}.fmu", f"resources/{name}.fmu")
    code, said, text = taken(work / "oms.ssp", "oms")
    expect("a structure of OMSimulator (2.0)", code == 0 and '"u1" = "2*fmu.gain1.y + 3"' in text, said + text)
    code, said, result = run(work / "oms")
    expect("runs, by its transformation", code == 0 and result["fmu.add1.y"][-1] == 3.0 + 2.0 * result["fmu.gain1.y"][-1], (said, {k: v[-1:] for k, v in result.items()}))
else:
    print("skipped: no TAKT_SHARED_DATA")
print(f"{failures} failures")
sys.exit(failures > 0)
