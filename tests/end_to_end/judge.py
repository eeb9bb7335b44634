"""How far a result is from its reference: the shape of every signal, and averages and RMS of its last cycles."""
import numpy as np


def common_times(result, reference):
    """Both at the times that both have (to 1 ns); a reference without times has those of the result."""
    if "time" not in reference:
        return result, {"time": result["time"], **reference}
    at = {round(time * 1e9): row for row, time in enumerate(result["time"])}
    pairs = [(at[round(time * 1e9)], row) for row, time in enumerate(reference["time"]) if round(time * 1e9) in at]
    ours, theirs = ([pair[side] for pair in pairs] for side in (0, 1))
    return ({name: values[ours] for name, values in result.items()}, {name: values[theirs] for name, values in reference.items()})


def shape(case, result, reference):
    """{signal: RMS of the difference / range of the reference}, of all but those listed in [cycles] only."""
    until = case.get("until", np.inf)
    worst = {}
    for name, expected in reference.items():
        if name == "time" or name in case.get("cycles", {}).get("only", []):
            continue
        skip = case.get("skip_all", case.get("skip_first", {}).get(name, 0))
        rows = slice(skip, None)
        keep = result["time"][rows] <= until
        got, want = result[name][rows][keep], expected[rows][keep]
        span = want.max() - want.min()
        worst[name] = float(np.sqrt(np.mean((got - want) ** 2)) / (span if span > 0 else 1.0))
    return worst


def cycles(case, result, reference):
    """{signal: largest difference of the average and of the RMS of one of the last cycles / RMS of the reference over them}"""
    if "cycles" not in case:
        return {}
    grid = result["time"][1] - result["time"][0]
    rows = round(case["cycles"]["period"] / grid)
    last = case["cycles"].get("last", 1)
    worst = {}
    for name, expected in reference.items():
        if name == "time":
            continue
        got, want = (values[-rows * last:].reshape(last, rows) for values in (result[name], expected))
        rms = [np.sqrt(np.mean(values**2, axis=1)) for values in (got, want)]
        scale = np.sqrt(np.mean(want**2))
        worst[name] = float(max(np.abs(got.mean(axis=1) - want.mean(axis=1)).max(), np.abs(rms[0] - rms[1]).max()) / (scale if scale > 0 else 1.0))
    return worst
