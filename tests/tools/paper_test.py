"""takt bench --paper: short runs of both papers' plants; what it prints, its report, and what it refuses. No time is judged.

    paper_test.py TAKT ROOT WORK"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

takt, root, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
failed = []


def check(what, ok):
    print(f"{'ok  ' if ok else 'FAIL'} {what}")
    if not ok:
        failed.append(what)


def bench(plant, duration, out):
    done = subprocess.run([takt, "bench", str(plant), "--paper", "--no-series", "--runs", "1", "--for", duration, "--out", str(out), "--json"], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


for name, duration, rows, limit in (("inverter", "20 ms", 3, 1e-3), ("bev", "4 s", 4, 1e-2)):
    code, text, errors = bench(root / "config/plants" / name, duration, work / name)
    check(f"{name} ends with 0", code == 0)
    if code != 0:
        print(errors[-3000:])
        continue
    result = json.loads(text)
    check(f"{name} has {rows} rows", len(result["rows"]) == rows)
    check(f"{name}: every row has the paper's figures and its own", all(row["paper"]["cpu_s"] > 0 and row["cpu_s"] > 0 and row["rtf"]["mean"] > 0 for row in result["rows"]))
    check(f"{name}: ledgers of all fluxes close", all(row["ledger"]["worst"] <= 1e-12 for row in result["rows"]))
    check(f"{name}: signals near the reference", all(error["rms_normalised"] <= limit for row in result["rows"] for error in row["errors"] if error["unit"] != "K"))
    converged = max(error["rms_normalised"] for error in result["reference"]["errors"] if error["unit"] != "K")
    check(f"{name}: the reference has converged", converged <= 1e-5)
    check(f"{name}: elapsed times grow", all(row["elapsed"][-1][0] > row["elapsed"][1][0] for row in result["rows"]))
    report = re.sub(r"(?s)<script>.*?</script>", "", (work / name / "report.html").read_text())  # what the page's program says is no figure
    report = re.sub(r'"[A-Za-z0-9+/=]{8,}"', "", report)  # numbers as base64, which may spell anything
    check(f"{name}: the report has its figures", report.count("<svg") >= 3 and "NaN" not in report and "nan" not in report)

wrong = work / "wrong"
shutil.rmtree(wrong, ignore_errors=True)
wrong.mkdir(parents=True)
shutil.copy(root / "config/plants/rc/plant.toml", wrong)
code, text, errors = bench(wrong, "1 ms", wrong / "out")
check("a plant without paper.toml is wrong use", code == 2)
(wrong / "paper.toml").write_text('title = "t"\nelapsed = "e"\n[[row]]\nname = "r"\nsolve = "nowhere.toml"\ncpu_s = 1\nrtf = 1\n')
code, text, errors = bench(wrong, "1 ms", wrong / "out")
check("a missing parametrisation is found with its place", code == 1 and "paper.toml:5:9: error[N004]" in errors)
sys.exit(1 if failed else 0)
