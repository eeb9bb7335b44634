"""The page of the newest run that tools/bench_all.sh has left: the ratio of each work to its peer, with machine, commit and date."""
import json

from markdown import table

HOW = ("`tools/bench_all.sh --quick` measures every work beside its peer, in turn, and leaves a file in `build/bench_all/history`. "
       "This page is made of the newest one.")
NONE = "There was no such run when the manual was built. [Benchmarks](../config/manual/benchmarks.md) has earlier figures."


def newest(history):
    """The last run that has ratios (others compare two versions); None where there is none."""
    runs = [json.loads(path.read_text()) for path in history.glob("*.json")]
    return max((run for run in runs if run["kind"] == "ratios"), key=lambda run: run["started"], default=None)


def of_run(run):
    changed = ", with changes that are not committed" if run["dirty"] else ""
    rows = [[f"`{row['name']}`", f"{row['ratio']:.4g}", f"{row['low']:.4g} to {row['high']:.4g}", str(row["pairs"]), row["what"]]
            for row in run["results"]]
    return [f"Begun {run['started']} on {run['machine']}: {run['cpu']}, {run['cpus']} CPUs, {run['kernel']}, {run['scheduling']}, load {run['load_before']}; "
            f"commit {run['commit'][:10]}{changed}.", "", table(["work", "ratio", "interval", "pairs", "what is divided by what"], rows)]


def page(history, out):
    run = newest(history)
    out.write_text("\n".join(["# This build beside its peers", "", HOW, "", *(of_run(run) if run else [NONE, ""])]))
