"""Solutions in closed form (or, where there is none, by a fine quadrature of one scalar equation) of the cases that name
`reference = "closed"`. Each function takes the times in s and returns {signal: values}."""
import numpy as np


def linear(matrix, drive, start, times):
    """x' = matrix*x + drive with a constant drive, by eigenvalues; matrix regular and diagonalisable."""
    matrix, drive, start = (np.asarray(part, float) for part in (matrix, drive, start))
    rest = -np.linalg.solve(matrix, drive)
    values, vectors = np.linalg.eig(matrix)
    weights = np.linalg.solve(vectors, (start - rest).astype(complex))
    return rest[:, None] + np.real(vectors @ (weights[:, None] * np.exp(np.outer(values, times))))


def source_jump(times):
    """Charge stays when the source jumps from 2 V to 10 V at 5 ms: v2 = 8 V*c1/(c1 + c2)*exp(-(t - 5 ms)/(r*(c1 + c2)))."""
    after = times > 5e-3
    v2 = np.where(after, 8.0 * 0.25 * np.exp(-(times - 5e-3) / (500 * 4e-6)), 0.0)
    return {"electric.c2.v": v2, "electric.c1.v": np.where(after, 10.0, 2.0) - v2}


def rlc(times):
    r, inductance, c = 4.0, 10e-3, 10e-6
    v, i = linear([[0, -1 / c], [1 / inductance, -r / inductance]], [0, 0], [20.0, 0.1], times)
    return {"electric.c.v": v, "electric.l.i": i}


def warm_capacitor(times):
    """q' = (10 V - q/c(t))/r with c = 1 mF*(1 - 0.02/K*(t - 300 K)); the temperature is closed, q by RK4 with 100 us."""
    omega = 2 * np.pi * 0.2
    warmer = lambda t: 100 / (10 * omega) * (1 - np.cos(omega * t))
    capacity = lambda t: 1e-3 * (1 - 0.02 * warmer(t))
    step = 1e-4
    grid = np.arange(0.0, times[-1] + step / 2, step)
    c_left, c_mid, c_right = (capacity(grid + part * step).tolist() for part in (0.0, 0.5, 1.0))
    charge, q = np.empty(len(grid)), 10e-3
    for k in range(len(grid)):
        charge[k] = q
        k1 = (10 - q / c_left[k]) / 2e3
        k2 = (10 - (q + step / 2 * k1) / c_mid[k]) / 2e3
        k3 = (10 - (q + step / 2 * k2) / c_mid[k]) / 2e3
        k4 = (10 - (q + step * k3) / c_right[k]) / 2e3
        q += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    v = np.interp(times, grid, charge) / capacity(times)
    return {"electric.c.v": v, "electric.r.i": (10 - v) / 2e3, "solid.body.t": 300 + warmer(times)}


def precharge(times):
    parallel = lambda a, b: a * b / (a + b)
    tau_slow = 1e-3 * (2 + parallel(1e7, 20 + 1e-3))
    tau_fast = 1e-3 * (2 + parallel(1e-3, 20 + 1e7))
    at_switch = 350 * (1 - np.exp(-50e-3 / tau_slow))
    slow = 350 * (1 - np.exp(-times / tau_slow))
    fast = 350 + (at_switch - 350) * np.exp(-(times - 50e-3) / tau_fast)
    return {"electric.c.v": np.where(times <= 50e-3, slow, fast)}


def dc_machine(times):
    r, inductance, k, j, d = 1.0, 10e-3, 0.2, 1e-3, 1e-3
    matrix = np.array([[-r / inductance, -k / inductance], [k / j, -d / j]])
    start = np.zeros(2)
    x = linear(matrix, [24 / inductance, 0], start, times)
    rest = -np.linalg.solve(matrix, [24 / inductance, 0])
    # The integral of x - rest is matrix^-1 * (x - x(0)).
    phi = (rest[:, None] * times + np.linalg.solve(matrix, x - start[:, None]))[1]
    return {"electric.machine.armature.i": x[0], "rotational.rotor.w": x[1], "rotational.rotor.phi": phi}


def pmsm(times):
    r, l_d, l_q, psi, omega = 0.05, 0.5e-3, 0.8e-3, 0.1, 400.0
    i_d, i_q = linear([[-r / l_d, omega * l_q / l_d], [-omega * l_d / l_q, -r / l_q]],
                      [-20 / l_d, (60 - omega * psi) / l_q], [0, 0], times)
    return {"electric.m.flux_d.i": i_d, "electric.m.flux_q.i": i_q,
            "electric.m.torque": 4 * ((l_d * i_d + psi) * i_q - l_q * i_q * i_d)}
