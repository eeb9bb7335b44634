#!/usr/bin/env python3
"""FMUs that break a rule are told of by code and line, with exit code 1 where it is an error, and nothing of them is left unpacked.

broken_fmus.py TAKT UNPACK_PROBE
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
import zipfile

from samples import BUILD, FMI2, FMI3, TERMINALS, files_of, packed

takt, probe = sys.argv[1:3]
warnings.simplefilter("ignore")


def line_of(text, needle):
    return text[:text.index(needle)].count("\n") + 1


def edit(version, old, new):
    xml = FMI2 if version == 2 else FMI3
    assert xml.count(old) >= 1, old
    return xml.replace(old, new, 1)


def xml_case(code, version, old, new, severity="error", mark=None):
    """mark: text of the new XML in whose line the finding stands; the first changed line otherwise"""
    xml = edit(version, old, new)
    before = FMI2 if version == 2 else FMI3
    changed = next(k for k, (a, b) in enumerate(zip(before.split("\n") + [""], xml.split("\n") + [""]), 1) if a != b)
    return code, severity, packed(files_of(version, xml)), line_of(xml, mark) if mark else changed


def co_simulation_case(code, old, new, mark=None):
    """A warning in FMI 3 that only offers co-simulation: nothing that runs it reads what only an integrator needs."""
    code, _, _, line = xml_case(code, 3, old, new, mark=mark)
    xml = re.sub("  <ModelExchange .*/>", "", edit(3, old, new))
    return code, "warning", packed(files_of(3, xml)), line


def zip_case(code, content, severity="error"):
    return code, severity, content, None


def more(entries, version=2):
    return packed(list(files_of(version).items()) + entries)


def info(name, mode=None):
    result = zipfile.ZipInfo(name)
    result.create_system = 3
    if mode:
        result.external_attr = mode << 16
    return result


def with_xml(version, text, encoding="utf-8"):
    return packed(files_of(version, text) | {"modelDescription.xml": text.encode(encoding)})


def wrong_crc():
    data = bytearray(packed(files_of(2), zipfile.ZIP_STORED))
    at = data.index(b"modelName")
    data[at] ^= 1
    return bytes(data)


def encrypted():
    data = bytearray(packed(files_of(2)))
    at = data.index(b"PK\x01\x02")
    while data[at:at + 4] == b"PK\x01\x02":
        data[at + 8] |= 1
        at = data.index(b"PK", at + 4)
    return bytes(data)


def bomb():
    return more([("resources/zeros", b"\0" * (80 << 20))])


ROOT2 = '<fmiModelDescription fmiVersion="2.0"'
CASES = {
    # the archive
    "no zip": zip_case("Y001", b"no zip at all"),
    "empty": zip_case("Y001", b""),
    "truncated": zip_case("Y001", packed(files_of(2))[:-30]),
    "leaves by ..": zip_case("Y002", more([("resources/../../evil", "x")])),
    "leaves by ./..": zip_case("Y002", more([("./../evil", "x")])),
    "absolute behind ./": zip_case("Y002", more([(".//tmp/evil", "x")])),
    "file of the name .": zip_case("Y002", more([("resources/.", "x")])),
    "absolute": zip_case("Y002", more([("/tmp/evil", "x")])),
    "backslash": zip_case("Y002", more([("resources\\evil", "x")])),
    "drive": zip_case("Y002", more([("c:/evil", "x")])),
    "control character": zip_case("Y002", more([("resources/a\nb", "x")])),
    "symbolic link": zip_case("Y003", more([(info("resources/link", 0o120777), "/etc/passwd")])),
    "device": zip_case("Y003", more([(info("resources/device", 0o020666), "")])),
    "twice": zip_case("Y004", more([("resources/a/table.csv", "x")])),
    "twice by ./": zip_case("Y004", more([("./resources/a/./table.csv", "x")])),
    "file and folder": zip_case("Y004", more([("resources/a", "x")])),
    "differs in case": zip_case("Y004", more([("resources/A/TABLE.csv", "x")]), "warning"),
    "encrypted": zip_case("Y005", encrypted()),
    "bomb": zip_case("Y006", bomb()),
    "many entries": zip_case("Y006", more([(f"resources/{k}", "") for k in range(20001)])),
    "long description": zip_case("Y006", packed(files_of(2, FMI2 + " " * (65 << 20)))),
    "wrong checksum": zip_case("Y007", wrong_crc()),
    "bzip2": zip_case("Y008", packed(files_of(2), zipfile.ZIP_BZIP2)),
    "lzma": zip_case("Y008", packed(files_of(2), zipfile.ZIP_LZMA)),
    "no description": zip_case("Y009", packed({"tank/modelDescription.xml": FMI2})),
    "no binary": zip_case("Y024", packed({"modelDescription.xml": FMI2, "binaries/win64/tank.dll": ""})),
    "folder of build": zip_case("Y062", packed(files_of(3) | {"sources/buildDescription.xml": BUILD.replace('"include"', '"../.."')})),
    "missing source": zip_case("Y062", packed(files_of(3) | {"sources/buildDescription.xml": BUILD.replace("heater.c", "other.c")}), "warning"),
    "no build description": zip_case("Y061", packed({k: v for k, v in files_of(3).items() if "buildD" not in k}), "warning"),
    "terminal of nothing": ("Y060", "warning", packed(files_of(3) | {"terminalsAndIcons/terminalsAndIcons.xml": TERMINALS.replace("T_wall", "T_wal")}), 5),
    "terminals of another root": ("Y014", "error", packed(files_of(3) | {"terminalsAndIcons/terminalsAndIcons.xml": "<x/>"}), 1),
    # XML
    "not closed": xml_case("Y010", 2, "</ModelVariables>", "", mark="</fmiModelDescription>"),
    "twice an attribute": xml_case("Y010", 2, 'name="q"', 'name="q" name="q"'),
    "< in a value": xml_case("Y010", 2, 'start="a b"', 'start="a<b"'),
    "no quotes": xml_case("Y010", 2, 'name="q"', "name=q"),
    "cut short": ("Y010", "error", with_xml(2, FMI2[:1000]), line_of(FMI2, FMI2[995:1000])),
    "second root": xml_case("Y010", 2, "</fmiModelDescription>", "</fmiModelDescription><a/>"),
    "control": ("Y010", "error", with_xml(2, FMI2.replace("level &amp;", "level \x01")), line_of(FMI2, "level &amp;")),
    "document type": xml_case("Y011", 2, ROOT2, '<!DOCTYPE a [<!ENTITY b "cc">]>' + ROOT2),
    "entity": xml_case("Y011", 2, "level &amp;", "level &b;"),
    "nested": xml_case("Y012", 2, "<LogCategories>", "<LogCategories>" + "<a>" * 70 + "</a>" * 70),
    "attributes": xml_case("Y012", 2, 'name="q"', 'name="q" ' + " ".join(f'a{k}=""' for k in range(300))),
    "no UTF-8": ("Y013", "error", with_xml(2, FMI2.replace("level &amp;", "level ä"), "latin-1"), line_of(FMI2, "level &amp;")),
    "encoding": ("Y013", "error", with_xml(2, FMI2.replace("UTF-8", "EBCDIC")), 1),
    "root": ("Y014", "error", with_xml(2, FMI2.replace("fmiModelDescription", "modelDescription")), 2),
    "unknown element": xml_case("Y015", 2, "<LogCategories>", "<LogCatgories/><LogCategories>", "warning"),
    "order": xml_case("Y015", 3, '    <Output valueReference="2"/>\n', "", "warning", "<Output valueReference=\"2\"/>") if False else
        xml_case("Y015", 3, '<InitialUnknown valueReference="3"/>\n    <InitialUnknown valueReference="16"/>\n    <EventIndicator valueReference="15"/>',
                 '<EventIndicator valueReference="15"/>\n    <InitialUnknown valueReference="3"/>\n    <InitialUnknown valueReference="16"/>', "warning", '<InitialUnknown valueReference="3"/>'),
    "no type": xml_case("Y016", 2, '<Real start="0"/>', ""),
    "two types": xml_case("Y016", 2, '<Real start="0"/>', '<Real start="0"/><Integer start="0"/>'),
    "no structure": ("Y016", "error", packed(files_of(3, re.sub("<ModelStructure>.*</ModelStructure>", "", FMI3, flags=re.S))), 2),
    "unknown attribute": xml_case("Y017", 2, 'start="0"', 'start="0" strat="0"', "warning"),
    "no value reference": xml_case("Y018", 2, 'name="q" valueReference="3"', 'name="q"'),
    "no identifier": xml_case("Y018", 3, '<CoSimulation modelIdentifier="heater"', "<CoSimulation"),
    "1e400": xml_case("Y019", 2, 'start="0"', 'start="1e400"'),
    "nan": xml_case("Y019", 2, 'start="0"', 'start="nan"'),
    "0x10": xml_case("Y019", 2, 'start="0"', 'start="0x10"'),
    "blank number": xml_case("Y019", 2, 'start="0"', 'start=" "'),
    "two numbers": xml_case("Y019", 2, 'start="0"', 'start="0 1"'),
    "Int8 too large": xml_case("Y019", 3, 'start="-128"', 'start="-129"'),
    "UInt64 too large": xml_case("Y019", 3, "18446744073709551615", "18446744073709551616"),
    "flag": xml_case("Y019", 2, 'canGetAndSetFMUstate="true"', 'canGetAndSetFMUstate="TRUE"'),
    "causality": xml_case("Y019", 2, 'causality="input"', 'causality="in"'),
    "hexadecimal": xml_case("Y019", 3, 'value="00ff"', 'value="00f"'),
    "date": xml_case("Y019", 2, "2024-07-12T", "2024-13-12T", "warning"),
    # model
    "version 1": xml_case("Y020", 2, 'fmiVersion="2.0"', 'fmiVersion="1.0"'),
    "version 2.1": xml_case("Y020", 2, 'fmiVersion="2.0"', 'fmiVersion="2.1"'),
    "no interface": ("Y021", "error", packed(files_of(2, re.sub("  <(Model|Co).*Identifier.*/>\n", "", FMI2))), 2),
    "identifier": xml_case("Y022", 2, '<CoSimulation modelIdentifier="tank"', '<CoSimulation modelIdentifier="../tank"'),
    "identifier of a file": xml_case("Y022", 2, '<CoSimulation modelIdentifier="tank"', '<CoSimulation modelIdentifier="tank-2"', "warning"),
    "token": xml_case("Y023", 2, 'guid="{11}"', 'guid=" "', "warning"),
    "serialise": xml_case("Y025", 2, 'canGetAndSetFMUstate="true"', "", "warning"),
    "experiment": xml_case("Y026", 2, 'stopTime="10"', 'stopTime="-10"', "warning"),
    "factor": xml_case("Y027", 2, 'factor="1000"', 'factor="0"'),
    "unit twice": xml_case("Y028", 2, 'name="degC"', 'name="m"'),
    "type twice": xml_case("Y028", 3, 'EnumerationType name="Mode"', 'EnumerationType name="Temperature"'),
    "item twice": xml_case("Y029", 2, 'name="on" value="3"', 'name="on" value="1"'),
    # variables
    "name twice": xml_case("Y030", 2, 'name="area"', 'name="q"'),
    "alias twice": xml_case("Y030", 3, 'name="T_wall"', 'name="P"', mark='name="P" valueReference'),
    "reference twice": xml_case("Y031", 3, 'name="P" valueReference="4"', 'name="P" valueReference="2"'),
    "references in conflict": xml_case("Y031", 2, 'name="area" valueReference="4"', 'name="area" valueReference="3"'),
    "unknown type": xml_case("Y032", 2, 'declaredType="Level"', 'declaredType="Lvel"', "warning"),
    "other type": xml_case("Y032", 3, 'declaredType="Temperature"', 'declaredType="Mode"', "warning"),
    "unknown unit": xml_case("Y033", 2, '<Real start="0"/>', '<Real start="0" unit="parsec"/>', "warning"),
    "display unit": xml_case("Y033", 3, 'displayUnit="degC" min', 'displayUnit="degF" min', "warning", 'name="T" value'),
    "no start of an input": xml_case("Y034", 2, '<Real start="0"/>', "<Real/>"),
    "no start of a parameter": xml_case("Y034", 3, '<Start value="a b"/>', "", "warning"),
    "start of calculated": xml_case("Y035", 2, '<Real derivative="2"/>', '<Real derivative="2" start="1"/>', "warning"),
    "start count": xml_case("Y036", 3, '"300 301 302"', '"300 301"'),
    "start outside": xml_case("Y037", 2, 'start="2" max="10"', 'start="11" max="10"', "warning"),
    "start of no item": xml_case("Y037", 2, 'declaredType="Mode" start="3"', 'declaredType="Mode" start="2"', "warning"),
    "dimension of nothing": xml_case("Y038", 3, '<Dimension start="2"/></Float32>', '<Dimension valueReference="99"/></Float32>'),
    "dimension of a parameter": xml_case("Y038", 3, '<Dimension start="2"/></Float32>', '<Dimension valueReference="7"/></Float32>'),
    "huge dimension": xml_case("Y038", 3, '<Dimension start="2"/></Float32>', '<Dimension start="4000000000"/><Dimension start="4000000000"/></Float32>'),
    "continuous parameter": xml_case("Y039", 2, 'variability="tunable"><Real start', 'variability="continuous"><Real start'),
    "continuous integer": xml_case("Y039", 3, '<Int32 name="sum"', '<Int32 name="sum" variability="continuous"'),
    "silent variability": xml_case("Y039", 2, 'variability="discrete" initial', "initial", "warning"),
    "initial": xml_case("Y040", 2, 'name="area" ', 'name="area" initial="calculated" ', "warning"),
    "derivative of nothing": xml_case("Y041", 2, 'derivative="2"', 'derivative="99"'),
    "derivative of itself": xml_case("Y041", 2, 'derivative="2"', 'derivative="3"'),
    "derivative 0": xml_case("Y041", 2, 'derivative="2"', 'derivative="0"'),
    "two times": xml_case("Y042", 3, '<Float64 name="z" valueReference="15"', '<Float64 name="z" valueReference="15" causality="independent"'),
    "no time": xml_case("Y042", 3, 'causality="independent" variability="continuous"', "", mark="<ModelVariables>"),
    "clock": xml_case("Y043", 3, 'clocks="12" previous', 'clocks="4" previous'),
    "previous": xml_case("Y043", 3, 'previous="14"', 'previous="99"'),
    "min above max": xml_case("Y044", 2, 'max="10"', 'max="10" min="11"'),
    "structured name": xml_case("Y045", 2, 'name="q"', 'name="q["', "warning"),
    # structure
    "index of nothing": xml_case("Y050", 2, '<Unknown index="10"/>', '<Unknown index="11"/>'),
    "index 0": xml_case("Y050", 2, 'dependencies="4 5"', 'dependencies="0 5"'),
    "reference of nothing": xml_case("Y050", 3, '<Output valueReference="2"/>', '<Output valueReference="99"/>'),
    "output not named": xml_case("Y051", 3, '    <Output valueReference="2"/>\n', "", mark='name="T" value'),
    "no output named": xml_case("Y051", 2, '<Unknown index="2" dependencies="" />', '<Unknown index="2"/><Unknown index="4"/>', mark="<ModelStructure>"),
    "no derivative": xml_case("Y052", 3, ' derivative="2"', ""),
    "no derivative, co-simulation": co_simulation_case("Y052", ' derivative="2"', ""),
    "initial unknown not named": xml_case("Y053", 2, '<Unknown index="10"/>', "", "warning", 'name="volume"'),
    "kinds": xml_case("Y054", 2, '"constant dependent"', '"constant"', "warning"),
    "indicator": xml_case("Y055", 3, '<EventIndicator valueReference="15"/>', '<EventIndicator valueReference="6"/>', mark='name="small"'),
    "indicator, co-simulation": co_simulation_case("Y055", '<EventIndicator valueReference="15"/>', '<EventIndicator valueReference="6"/>', mark='name="small"'),
    "clocked state": xml_case("Y055", 3, ' previous="14"', ""),
}


def is_told(output, code, severity, line):
    place = rf":{line}:\d+" if line else r"(:\d+:\d+)?"
    return re.search(rf"{place}: {severity}\[{code}\]: ", output) is not None


def unpacked_otherwise(folder, version, like):
    """An archive whose names begin with ./, and that has the top folder as an entry, is read and unpacked as the good one."""
    dotted, target = folder / f"dotted{version}.fmu", folder / f"dotted{version}"
    dotted.write_bytes(packed([("./", "")] + [("./" + name.replace("/", "/./"), text) for name, text in files_of(version).items()]))
    done = subprocess.run([takt, "fmu", "check", dotted], capture_output=True, text=True)
    if done.returncode != 0 or "0 errors, 0 warnings" not in done.stdout:
        return f"FMI {version} with ./ in its names is refused:\n{done.stdout}"
    subprocess.run([probe, dotted, target], check=True)
    different = {path: path.read_bytes() for path in like.rglob("*") if path.is_file()
                 and path.read_bytes() != (target / path.relative_to(like)).read_bytes()}
    return f"FMI {version} with ./ in its names: other {different}" if different else ""


def main():
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for version in (2, 3):
            good = folder / f"good{version}.fmu"
            good.write_bytes(packed(files_of(version)))
            done = subprocess.run([takt, "fmu", "check", good], capture_output=True, text=True)
            if done.returncode != 0 or "0 errors, 0 warnings" not in done.stdout:
                faults.append(f"good FMU of FMI {version} is refused:\n{done.stdout}")
            target = folder / f"unpacked{version}"
            subprocess.run([probe, good, target], check=True)
            if not list(target.glob("binaries/*/*.so")) or not list(target.glob("resources/**/table.csv")):
                faults.append(f"FMI {version}: unpacked incompletely")
            if subprocess.run([probe, good, target], capture_output=True).returncode != 1:
                faults.append("unpacked over what is there")
            if told := unpacked_otherwise(folder, version, target):
                faults.append(told)
        kept = {path.name for path in folder.iterdir()} | {"case.fmu"}
        for name, (code, severity, content, line) in CASES.items():
            fmu = folder / "case.fmu"
            fmu.write_bytes(content)
            done = subprocess.run([takt, "fmu", "check", fmu], capture_output=True, text=True, errors="replace")
            refused = severity == "error" or code in ("Y015", "Y016", "Y017", "Y019")  # these break the schema
            if done.returncode != int(refused) or not is_told(done.stdout, code, severity, line):
                faults.append(f"{name}: expected {severity} {code} in line {line}, exit code {done.returncode}:\n{done.stdout}{done.stderr}")
            strict = subprocess.run([takt, "fmu", "check", "--strict", fmu], capture_output=True, text=True, errors="replace")
            if strict.returncode != 1 or not is_told(strict.stdout, code, "error", line):
                faults.append(f"{name}: not refused by --strict:\n{strict.stdout}{strict.stderr}")
            if "hint: " not in done.stdout:
                faults.append(f"{name}: no hint")
            if severity == "error":
                if subprocess.run([probe, fmu, folder / "target"], capture_output=True).returncode != 1:
                    faults.append(f"{name}: unpacked")
                if left := {path.name for path in folder.iterdir()} - kept:
                    faults.append(f"{name}: left behind {left}")
        # damaged where only unpacking looks
        data = bytearray(packed(files_of(2), zipfile.ZIP_STORED))
        data[data.index(b"1,2\n")] ^= 1
        (folder / "case.fmu").write_bytes(data)
        done = subprocess.run([probe, folder / "case.fmu", folder / "target"], capture_output=True, text=True)
        if done.returncode != 1 or "Y007" not in done.stdout or {path.name for path in folder.iterdir()} - kept:
            faults.append(f"damaged resource: {done.stdout}")
    codes = {case[0] for case in CASES.values()}
    print("\n".join(faults) or f"{len(CASES)} broken FMUs, {len(codes)} codes")
    return 1 if faults else 0


sys.exit(main())
