"""As closed.py, of the cases with events inside of elements: in closed form, or by SciPy with events located to its rounding."""
import sys

import numpy as np

G = 9.81


def with_events(rates, events, start, times):
    """x' = rates(t, x) from `start`; events: [(indicator(x), set(x) -> x)], each where its indicator comes above zero."""
    try:
        from scipy.integrate import solve_ivp  # here, because all cases read this file, most of them without SciPy
    except ImportError as missing:
        print(f"skipped: {missing} (tools/install_packages.sh python)")
        sys.exit(77)

    def rising(indicator):
        function = lambda t, x: indicator(x)
        function.terminal, function.direction = True, 1
        return function
    found = np.empty((len(start), len(times)))
    at, x, k = 0.0, np.asarray(start, float), 0
    while k < len(times):
        part = solve_ivp(rates, (at, times[-1] + 1e-3), x, events=[rising(indicator) for indicator, _ in events], rtol=1e-11, atol=1e-13,
                         dense_output=True, method="DOP853", first_step=1e-6)
        upto = int(np.searchsorted(times, part.t[-1] - 1e-9, side="right"))
        if upto > k:
            found[:, k:upto] = part.sol(times[k:upto])
            k = upto
        if part.status != 1:
            break
        for (_, change), instants, states in zip(events, part.t_events, part.y_events):
            if len(instants):
                at, x = instants[0], np.asarray(change(states[0]), float)
    return found


def events_ball(times):
    """Parabolas, each with 0.7 of the speed of the last."""
    fall = np.sqrt(2 / G)
    height, speed, hits = 1 - G * times**2 / 2, -G * times, np.zeros(len(times))
    begin, up = fall, 0.7 * G * fall
    while begin < times[-1]:
        in_it = times - begin
        later = in_it >= 0
        height, speed = np.where(later, up * in_it - G * in_it**2 / 2, height), np.where(later, up - G * in_it, speed)
        hits += later
        begin, up = begin + 2 * up / G, 0.7 * up
    return {"translational.ball.h": height, "translational.ball.speed": speed, "translational.ball.hits": hits,
            "translational.stone.s": height, "translational.stone.v": speed}


def events_thermostat(times):
    until_warm, off, on = np.log(20 / 8), np.log(22 / 18), np.log(12 / 8)
    within = np.mod(times - until_warm, off + on)
    cycle = np.where(within < off, 22 * np.exp(-within), 30 - 12 * np.exp(-(within - off)))
    return {"solid.room.t": 273.15 + np.where(times < until_warm, 30 - 20 * np.exp(-times), cycle)}


def events_tanks(times):
    def rates(_, x):
        h1, h2, valve, _ = x
        q = valve * 0.02 * (h1 - h2) / np.sqrt(abs(h1 - h2) + 0.01)
        return [(0.006 - q) / 0.2, (q - 0.012 * h2 / np.sqrt(h2 + 0.01)) / 0.1, 0, 0]
    x = with_events(rates, [(lambda x: x[0] - 0.8, lambda x: [x[0], x[1], 1, x[1]]),
                            (lambda x: min(0.4 - x[0], x[2] - 0.5), lambda x: [x[0], x[1], 0, x[1]])], [0.3, 0.1, 0, 0], times)
    return {"translational.tanks.h1": x[0], "translational.tanks.h2": x[1], "translational.tanks.last": x[3]}


def events_pendulum(times):
    length = 1.2
    rates = lambda _, x: [x[1], (-G * length * np.sin(x[0]) - 0.05 * x[1]) / length**2, 0]
    wall = lambda x: min(-0.2 - length * np.sin(x[0]), -x[1])
    x = with_events(rates, [(wall, lambda x: [x[0], -0.8 * x[1], x[2] + 1])], [1, 0, 0], times)
    return {"translational.pendulum.phi": x[0], "translational.pendulum.w": x[1], "translational.pendulum.hits": x[2]}
