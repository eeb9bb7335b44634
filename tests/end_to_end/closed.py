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


def converters(times):
    """Voltage vector shortened from 500 V to 400 V/sqrt(2); DC side draws AC power and loss; constant-power discharge."""
    scale = 400 / np.sqrt(2) / 500
    u_d, u_q = 300 * scale, -400 * scale
    i_d = u_d / 1 * (1 - np.exp(-times * 1 / 10e-3))
    i_q = u_q / 2 * (1 - np.exp(-times * 2 / 10e-3))
    i_abs = np.sqrt(i_d**2 + i_q**2 + 1e-6)
    loss = 20 + (1 + 0.002 * 400) * i_abs + 5e-3 * i_abs**2
    i_low = 14 / 0.51
    i_in = (14 * i_low + 10 + 0.5 * i_low + 2e-3 * i_low**2) / 400
    soc = 0.9 - 5 * times / 3.6
    return {"electric.l_d.i": i_d, "electric.l_q.i": i_q, "electric.inverter.dc.i": (u_d * i_d + u_q * i_q + loss) / 400,
            "electric.converter.primary.i": np.full(times.shape, i_in), "electric.store.v": np.sqrt(100**2 - 2 * 40 * times / 1e-3),
            "electric.cell.v_out": 2 * (3 + soc) - 0.02 * 5, "electric.cell.soc": soc}


def control_blocks(times):
    """Row k holds what was computed at the start of the window before it."""
    names = ("limited", "slow", "smooth", "mapped", "switch", "held", "latched", "controlled")
    slow, smooth, on, held, latch, integral, rows = 0.0, 1.0, 0.0, 0.25, 0.0, 0.0, [[0.0] * len(names)]
    for time in times[:-1]:
        wave = 2 * np.sin(2 * np.pi * time)
        slow += min(max(wave - slow, -0.08), 0.04)
        on = 1.0 if wave >= 1 else 0.0 if wave <= -1 else on
        held = wave if on else held
        latch = 0.0 if wave < -1.9 else 1.0 if wave > 1.9 else latch
        raw = wave + integral
        rows.append([min(max(wave, -1.5), 0.5), slow, smooth, np.interp(wave, [-1, 0, 1], [0, 1, 5]), on, held, latch,
                     min(max(raw, -1.0), 1.0)])
        smooth += (1 - np.exp(-0.1)) * (wave - smooth)
        integral += 0.0 if (raw > 1 and wave > 0) or (raw < -1 and wave < 0) else 10 * wave * 0.01
    return {f"control.{name}.out": column for name, column in zip(names, np.array(rows).T)}


def mechanics_closed(times):
    # pulled: 4*x'' + 8*x' + 100*x = 0, x(0) = 0, x'(0) = 3
    pulled = linear([[0, 1], [-25, -2]], [0, 0], [0, 3], times)[1]
    # heat of hot through 0.02 K/W and 1/(20 W/K) = 0.05 K/W in series
    above = 100 * np.exp(-times / (10 * 0.07))
    return {"rotational.flywheel.w": 50 - 20 * times, "rotational.left.w": -6 * times, "rotational.right.w": 2 * times,
            "rotational.pendulum.w": np.cos(10 * times), "translational.block.v": 10 - 3 * times, "translational.one.v": -4 * times,
            "translational.two.v": 2 * times, "translational.drum.v": 4 - 2 * times, "translational.pulled.v": pulled,
            "translational.car.speed": 10 - 9.81 * np.sin(np.arctan(0.1)) * times, "solid.hot.t": 300 + above,
            "solid.joint.t": 300 + above * 0.05 / 0.07}


def drive_line(times):
    rpm = 2 * np.pi / 60
    # engine: at a quarter of the throttle 30 N*m at rest and 10 N*m at 2000 rpm, a straight line between them
    slope, j = (10 - 30) / (2000 * rpm) - 0.01, 0.5
    rest = -30 / slope
    crank = rest + (100 - rest) * np.exp(slope / j * times)
    # planetary: three inertias, one constraint w_s + 2.5 w_r = 3.5 w_c with the torque it carries
    matrix = np.array([[0.2, 0, 0, 1], [0, 0.5, 0, 2.5], [0, 0, 0.7, -3.5], [1, 2.5, -3.5, 0]])
    sun, ring, carrier, _ = np.linalg.solve(matrix, [10, -4, 3, 0])
    # differential: both wheels get twice the pinion's torque t
    matrix = np.array([[0.1, 0, 0, 1], [0, 5, 0, -2], [0, 0, 8, -2], [1, -2, -2, 0]])
    shaft, left, right, _ = np.linalg.solve(matrix, [100, 0, -50, 0])
    return {"rotational.crank.w": crank, "rotational.engine.torque": 30 + slope * crank,
            "rotational.driving.w": 200 - 15 * times, "rotational.driven.w": 10 * times,
            "rotational.sun.w": sun * times, "rotational.ring.w": ring * times, "rotational.carrier.w": carrier * times,
            "rotational.shaft.w": shaft * times, "rotational.left.w": left * times, "rotational.right.w": right * times}


def rk4(rate, state, times, substeps):
    """Rows of the state x' = rate(t, x) at the times, by RK4 with equal substeps between them."""
    rows = [np.array(state, float)]
    for begin, end in zip(times, times[1:]):
        x, step = rows[-1], (end - begin) / substeps
        for t in begin + step * np.arange(substeps):
            k1 = rate(t, x)
            k2 = rate(t + step / 2, x + step / 2 * k1)
            k3 = rate(t + step / 2, x + step / 2 * k2)
            x = x + step / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + step, x + step * k3))
        rows.append(x)
    return np.array(rows).T


def play_and_stop(times):
    omega, play, w = 20.0, 0.25, 1.0   # sqrt(800/2)
    contact = np.pi / omega
    def rattle(t):
        """Free flight over 0.25 rad, half a period of the spring, free flight back over 0.5 rad, the same on the other side."""
        period = 2 * (contact + 2 * play / w)
        phase = (t + play / w) % period        # 0: leaves the lower end of the play upwards
        side = np.where(phase < period / 2, 1.0, -1.0)
        phase = phase % (period / 2)
        free = phase < 2 * play / w
        pressed = phase - 2 * play / w
        phi = np.where(free, -play + w * phase, play + w / omega * np.sin(omega * pressed))
        return side * phi, side * np.where(free, w, w * np.cos(omega * pressed))
    def bounce(t):
        """Falls 1 m at 2 m/s^2 onto a spring of 4800 N/m: flight up and down, then part of a sine about the rest at 1.25 mm."""
        g, omega = 2.0, 40.0
        rest, v = g / omega**2, 2.0
        alpha = np.arctan2(omega * rest, v)    # s = rest + a*sin(omega*t - alpha), s(0) = 0
        a = np.hypot(rest, v / omega)
        contact = (np.pi + 2 * alpha) / omega
        period = contact + 2 * v / g
        phase = (t + v / g) % period           # 0: leaves the stop
        free = phase < 2 * v / g
        pressed = phase - 2 * v / g
        s = np.where(free, -v * phase + g / 2 * phase**2, rest + a * np.sin(omega * pressed - alpha))
        return s, np.where(free, -v + g * phase, a * omega * np.cos(omega * pressed - alpha))
    def damped(_, x):
        beyond = x[0] - min(max(x[0], -play), play)
        torque = 800 * beyond + 30 * min(abs(beyond) / 0.01, 1) * x[1]
        torque = max(torque, 0) if beyond > 0 else min(torque, 0)
        return np.array([x[1], -torque / 2])
    def lump(_, x):
        depth = max(x[0], 0)
        return np.array([x[1], 2 - max(4800 * depth + 120 * min(depth / 0.005, 1) * x[1], 0) / 3])
    phi, speed = rattle(times)
    s, v = bounce(times)
    damped_phi, damped_w = rk4(damped, [0, 1], times, 250)
    lump_s, lump_v = rk4(lump, [-1, 0], times, 250)
    return {"rotational.rotor.phi": phi, "rotational.rotor.w": speed, "rotational.damped.phi": damped_phi, "rotational.damped.w": damped_w,
            "translational.ball.s": s, "translational.ball.v": v, "translational.lump.s": lump_s, "translational.lump.v": lump_v}


def state_machine(times):
    """Row k holds what was computed at the start of the window before it."""
    x, y = [-1, 0, 1.5], [-2, 0.5, 1, 2]
    z = np.array([[1, 2, 3, 4], [0, -1, 5, 2], [7, 1, 1, 0]], float)
    state, samples, rows = "rest", 0, [[0.0] * 6]
    for time in times[:-1]:
        wave, slow, elapsed = 2 * np.sin(2 * np.pi * time), 3 * np.cos(2 * np.pi * 0.4 * time), samples * 0.01
        ways = {"rest": [("up", wave > 1), ("down", wave > 0.5 and elapsed >= 0.2)], "up": [("hold", elapsed > 0.15)],
                "hold": [("hold", elapsed >= 0.3 and wave > -1), ("rest", slow < -2), ("down", wave < -1.5)], "down": [("rest", wave > 0)]}
        taken = [target for target, holds in ways[state] if holds]
        if taken:
            state, samples = taken[0], 0
        elapsed = samples * 0.01
        force = {"rest": 0, "up": 5 * wave, "hold": 2 * elapsed, "down": -1}[state]
        # bilinear: along y in every row, then along x
        along = [np.interp(slow, y, row) for row in z]
        rows.append([np.interp(wave, x, along), ["rest", "up", "hold", "down"].index(state), force,
                     {"rest": 1, "up": 2, "hold": 3, "down": 4}[state], elapsed, state == "hold"])
        samples += 1
    names = ("control.map.out", "control.shift.out", "control.shift.force", "control.shift.gain", "control.shift.time_in_state", "control.shift.in_hold")
    return dict(zip(names, np.array(rows, float).T))


def pendulum(times):
    def swing(_, x):
        return np.array([x[1], -9.81 * np.sin(x[0])])
    angle, rate = rk4(swing, [np.pi / 3, 0], times, 100)
    x, y = np.sin(angle), -np.cos(angle)
    tension = 2 * (rate**2 + 9.81 * np.cos(angle))       # towards the pin, over a length of 1 m
    def blown(_, x):                                       # x[2] is the time
        force = 10 * np.sin(2 * x[2]) - 2 * 2 * np.cos(x[0]) * x[1]
        return np.array([x[1], (force * np.cos(x[0]) - 3 * 9.81 * np.sin(x[0])) / (3 * 2), 1])
    stick = rk4(blown, [-np.pi / 9, 0, 0], times, 100)[0]
    return {"translational.rod.x": x, "translational.rod.y": y, "translational.bob_h.v": np.cos(angle) * rate,
            "translational.bob_v.v": np.sin(angle) * rate, "translational.rod.tension": tension,
            "translational.stick.x": 2 * np.sin(stick), "translational.stick.y": -2 * np.cos(stick)}


def slider_crank(times):
    """(j + m s'^2) phi'' + m s' s'' phi'^2 = torque - d s'^2 phi', s' = ds/dphi."""
    r, rod, j, m, d = 0.1, 0.25, 0.05, 2.0, 1.0
    def place(phi):
        root = np.sqrt(rod**2 - (r * np.sin(phi))**2)
        first = -r * np.sin(phi) - r**2 * np.sin(phi) * np.cos(phi) / root
        second = -r * np.cos(phi) - r**2 * np.cos(2 * phi) / root - (r**2 * np.sin(phi) * np.cos(phi))**2 / root**3
        return r * np.cos(phi) + root, first, second
    def rate(_, x):
        _, first, second = place(x[0])
        torque = 3 * np.cos(np.pi * x[2]) - d * first**2 * x[1]
        return np.array([x[1], (torque - m * first * second * x[1]**2) / (j + m * first**2), 1])
    phi, w, _ = rk4(rate, [0, 30, 0], times, 500)
    s, first, _ = place(phi)
    return {"rotational.flywheel.w": w, "rotational.engine.phi": phi, "rotational.engine.s": s, "translational.piston.v": first * w}


def controlled_feedback(times):
    v = 10 * np.exp(-times / 4e-3)
    return {"electric.c1.v": v, "electric.c2.i": -v * 3e-6 / 4e-3}


def opamp(times):
    omega, tau = 2 * np.pi * 100, 1e-3
    # Sallen-Key with c3 = 2*c4 and unity gain: out = v of c4, u = v of c3 = e - out
    matrix = [[-2 / 2e-3, -1 / 2e-3], [1 / 1e-3, 0]]
    u, out = linear(matrix, [5 / 2e-3, 0], [0, 0], times)
    return {"electric.sum.v": -1 - 2 / (omega * tau) * (1 - np.cos(omega * times)), "electric.slope.v": -2 * omega * tau * np.cos(omega * times),
            "electric.out.v": out, "electric.op3.output.i": -out / 1e3 + (5 - u - out) / 1e4 - u / 1e4}


def four_bar(times):
    a, b, c, d, crank, rocker = 0.1, 0.35, 0.25, 0.4, 0.2, 0.5
    def place(phi):
        """Angles of rocker and coupler by the law of cosines, and the speed of the rocker over that of the crank."""
        x, y = a * np.cos(phi) - d, a * np.sin(phi)
        psi = np.mod(np.arctan2(y, x), 2 * np.pi) - np.arccos((c**2 + x**2 + y**2 - b**2) / (2 * c * np.hypot(x, y)))
        beta = np.arctan2(c * np.sin(psi) - y, c * np.cos(psi) - x)
        return psi, beta, a * np.sin(phi - beta) / (c * np.sin(psi - beta))
    inertia = lambda phi: crank + rocker * place(phi)[2]**2
    whole = 64 * inertia(0.3)
    speed = lambda phi: np.sqrt(whole / inertia(phi))
    phi = rk4(lambda _, x: speed(x), [0.3], times, 200)[0]
    psi, beta, lever = place(phi)
    return {"rotational.wheel.w": speed(phi), "rotational.mass.w": lever * speed(phi), "rotational.bars.phi": phi,
            "rotational.bars.psi": psi, "rotational.bars.beta": beta}


GAS_R, GAS_CP = 287.0, 1004.5
GAS_CV = GAS_CP - GAS_R
ZERO_CELSIUS = 273.15


def nozzle(area, p_a, t_a, p_b, t_b, linear=0.001):
    """Isentropic mass flow from a to b; A. H. Shapiro, Compressible Fluid Flow I, ch. 4."""
    (p_in, t_in, p_out), sign = ((p_a, t_a, p_b), 1.0) if p_a >= p_b else ((p_b, t_b, p_a), -1.0)
    k, ratio = 1.4, p_out / p_in
    x = max(min(ratio, 1 - linear), (2 / (k + 1)) ** (k / (k - 1)))
    flow = area * p_in * np.sqrt(2 * k / ((k - 1) * GAS_R * t_in) * (x ** (2 / k) - x ** ((k + 1) / k)))
    return sign * flow * min(1.0, (1 - ratio) / linear)


def gas_vessels(times):
    state = lambda m, u, volume: (m * GAS_R * (u / m / GAS_CV) / volume, u / m / GAS_CV)  # p, t; u counts from 0 K here
    fill = lambda p, t, volume: [p * volume / (GAS_R * t), p * volume / GAS_R * GAS_CV]

    def rates(_, y):
        (p_high, t_high), (p_low, t_low), (p_left, t_left), (p_right, t_right), (p_slow, t_slow), (p_belly, t_belly) = (
            state(y[2 * k], y[2 * k + 1], v) for k, v in enumerate((10e-3, 10e-3, 4e-3, 6e-3, 5e-3, 20e-3)))
        out, into = nozzle(0.9 * 20e-6, p_high, t_high, 1e5, 290), nozzle(5e-6, 8e5, 310, p_low, t_low)
        bridge = nozzle(3e-6, p_left, t_left, p_right, t_right)
        carried = bridge * GAS_CP * (t_left if bridge >= 0 else t_right)
        ratio = 1e5 / p_slow
        throttle = 5e-9 * p_slow * 1e5 / (GAS_R * 293.15) * np.sqrt(293.15 / t_slow) * np.sqrt(1 - (max(ratio - 0.3, 0) / 0.7) ** 2)
        q = y[12]
        density = (1.1e5 / (GAS_R * 300)) if q >= 0 else p_belly / (GAS_R * t_belly)
        swing = (1.1e5 - p_belly - (0.03 / 0.035 + 1) * abs(q) * q / (2 * density * 1e-6)) * 1e-3
        return np.array([-out, -out * GAS_CP * t_high, into, into * GAS_CP * 310, -bridge, -carried + 2 * (320 - t_left), bridge,
                         carried + 3 * (320 - t_right), -throttle, -throttle * GAS_CP * t_slow, q, q * GAS_CP * (300 if q >= 0 else t_belly), swing])

    start = (fill(10e5, 300, 10e-3) + fill(1e5, 290, 10e-3) + fill(2e5, 350, 4e-3) + fill(1e5, 280, 6e-3) + fill(6e5, 293.15, 5e-3) +
             fill(1e5, 290, 20e-3) + [0.0])
    y = rk4(rates, start, times, 20)
    # While choked an adiabatic vessel empties as p = p0*(1 + (k-1)/2*t/tau)^(-2k/(k-1)): the integrator is held to it.
    k, area, p0, t0 = 1.4, 0.9 * 20e-6, 10e5, 300.0
    tau = 10e-3 / (area * np.sqrt(k * GAS_R * t0)) * ((k + 1) / 2) ** ((k + 1) / (2 * (k - 1)))
    closed = p0 * (1 + (k - 1) / 2 * times / tau) ** (-2 * k / (k - 1))
    choked = closed > 1e5 / (2 / (k + 1)) ** (k / (k - 1))
    high = state(y[0], y[1], 10e-3)[0]
    if np.abs(high[choked] / closed[choked] - 1).max() > 1e-9 or choked.sum() < 10:
        raise RuntimeError("the reference of gas_vessels is wrong")
    result = {"gas.high.m": y[0], "gas.pipe.inertia.q": y[12]}
    for index, (name, volume) in enumerate({"high": 10e-3, "low": 10e-3, "left": 4e-3, "right": 6e-3, "slow": 5e-3, "belly": 20e-3}.items()):
        result[f"gas.{name}.p"], result[f"gas.{name}.t"] = state(y[2 * index], y[2 * index + 1], volume)
    return result


def gas_flows(times):
    q = 2000 / 4e5
    sine = 0.03 * (1 + 0.5 * np.sin(4 * np.pi * times))
    flow = 0.01 + sine
    blow = lambda p: np.roots([800 / 0.16, 2e3, -(800 * 0.64 - (p - 1e5))]).max()  # 800*(0.64 - (q/0.4)^2) - 2e3*q = p - 1 bar, q > 0

    def between(p_in):
        """The pressure between two nozzles in series, by bisection."""
        low, high = 1e5, p_in
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if nozzle(1.5e-6, p_in, 350, middle, 350) > nozzle(1e-6, middle, 350, 1e5, 293.15) else (low, middle)
        return middle

    def rates(_, y):
        p, t = y[0] * GAS_R * (y[1] / y[0] / GAS_CV) / 0.3, y[1] / y[0] / GAS_CV
        into, out = blow(p), (p - 1e5) / 1e3
        return np.array([into - out, into * GAS_CP * 300 - out * GAS_CP * t])

    throat = np.array([between(p) for p in 2e5 + 2e4 * np.sin(6 * np.pi * times)])
    m, u = rk4(rates, [1e5 * 0.3 / (GAS_R * 300), 1e5 * 0.3 / GAS_R * GAS_CV], times, 5)
    p = u * GAS_R / GAS_CV / 0.3
    blower = np.array([blow(value) for value in p])
    constant = lambda value: np.full(times.shape, value)
    return {"gas.between.p": constant(1.02e5 - q * 1e5), "gas.between.t": constant(330.0), "gas.first.q": constant(q),
            "gas.second.h_flow": constant(q * GAS_CP * (330 - ZERO_CELSIUS)), "gas.box.p": p, "gas.box.t": u / m / GAS_CV,
            "gas.blower.q": blower, "gas.behind.p": 1e5 - 2e3 * blower, "gas.mixer.p": 1e5 + 1e4 * flow,
            "gas.mixer.t": (0.01 * 400 + sine * 300) / flow, "gas.throat.p": throat,
            "gas.narrow.q": np.array([nozzle(1e-6, p, 350, 1e5, 293.15) for p in throat])}


def swamee_jain_drop(q, length, diameter, roughness, k, rho, mu):
    """Pressure drop of a pipe: 64/Re below 2000, Swamee and Jain above 4000, friction linear in Re between."""
    area = np.pi / 4 * diameter**2
    re = abs(q) * diameter / (area * mu)
    turbulent = lambda r: 0.25 / np.log10(roughness / (3.7 * diameter) + 5.74 / r**0.9) ** 2
    laminar_part, rough_part = 64 * re, turbulent(max(re, 2000.0)) * max(re, 2000.0) ** 2
    f_re2 = laminar_part + min(max((re - 2000) / 2000, 0), 1) * (rough_part - laminar_part)
    return np.sign(q) * mu**2 / (2 * rho * diameter**2) * (length / diameter * f_re2 + k * re**2)


def fl_elements(times):
    g, square = 9.80665, lambda q: abs(q) * q
    opening = lambda t: 0.5 + 0.4 * np.sin(np.pi * t)
    swing = lambda t: 1e5 + 1e5 * np.sin(0.8 * np.pi * t)
    flap = lambda q: square(q) / (2000 * (0.6 * 300e-6 * (1 if q >= 0 else 0.02)) ** 2)
    curve = lambda q: 0.9**2 * np.interp(q / 0.9, [0, 0.4, 0.8], [0.8e5, 0.6e5, 0])
    piston = lambda t: 0.02 * (1 + np.sin(2 * np.pi * t))
    hose_p = lambda m: 1e5 + (m - 1) * 200e5

    def rates(t, y):
        pipe, line, loop, riser, upper, lower, e_lower, hose, e_hose, e_mass = y
        speed = 0.7 + 0.3 * np.sin(0.6 * np.pi * t)
        valve = square(line) / (2000 * (0.6 * 200e-6 * opening(t)) ** 2)
        head = g * (upper / 200e-4 - lower / 100e-4)
        hole = 0.6 * 100e-6 * np.sqrt(2000) * head / (head**2 + 1e4) ** 0.25
        leak = (hose_p(hose) - 1e5) / 5e6
        tau_hose, tau_lower = e_hose / hose / 4000, e_lower / lower / 4000  # above 0 degC
        return np.array([
            np.pi / 4 * 0.05**2 / 50 * (1e5 - swamee_jain_drop(pipe, 50, 0.05, 5e-5, 2, 1000, 1e-3) - 1000 * g * 5),
            (1.5e5 - 3e5 * square(line) - 1e4 - valve - flap(line) - swing(t)) / 2e4,
            (0.6e5 * (speed * abs(speed) - square(loop) / 0.64) - 2e5 * square(loop)) / 3e4,
            (curve(riser) - 1e5 * square(riser) - 0.2e5) / 1e4,
            -hole, hole - 0.05, hole * 4000 * (340 - ZERO_CELSIUS) - 0.05 * 4000 * tau_lower,
            piston(t) - leak, piston(t) * 4000 * (300 - ZERO_CELSIUS) - leak * 4000 * (tau_hose if leak >= 0 else 300 - ZERO_CELSIUS),
            0.3 * 4000 * (300 - ZERO_CELSIUS - e_mass / 2 / 4000)])

    m_lower = (1.05e5 - 101325) * 100e-4 / g
    start = [0, 0, 0, 0, (1.2e5 - 101325) * 200e-4 / g, m_lower, m_lower * 4000 * (290 - ZERO_CELSIUS), 1.0, 4000 * (330 - ZERO_CELSIUS),
             2 * 4000 * (350 - ZERO_CELSIUS)]
    pipe, line, loop, riser, upper, lower, e_lower, hose, e_hose, e_mass = rk4(rates, start, times, 10)
    return {"fluid.pipe.inertia.q": pipe, "fluid.line.inertia.q": line, "fluid.b.p": np.array([flap(q) for q in line]) + swing(times),
            "fluid.loop.inertia.q": loop, "fluid.vessel.p": np.full(times.shape, 1.6e5), "fluid.riser.inertia.q": riser,
            "fluid.upper.p": 101325 + upper * g / 200e-4, "fluid.lower.p": 101325 + lower * g / 100e-4,
            "fluid.lower.t": ZERO_CELSIUS + e_lower / lower / 4000, "fluid.hose.p": hose_p(hose),
            "fluid.hose.t": ZERO_CELSIUS + e_hose / hose / 4000, "fluid.mass.t": ZERO_CELSIUS + e_mass / 2 / 4000}


def fl_media(times):
    """Water at 0.1 MPa and 10, 20 ... 90 degC: IAPWS R6-95, R12-08, R15-11, as tabulated."""
    return {"fluid.probe.density": np.array([999.70, 998.21, 995.65, 992.22, 988.04, 983.20, 977.77, 971.80, 965.31]),
            "fluid.probe.viscosity": np.array([1305.9, 1001.6, 797.2, 652.7, 546.5, 466.0, 403.5, 354.0, 314.2]) * 1e-6,
            "fluid.probe.conductivity": np.array([0.580, 0.598, 0.6155, 0.6305, 0.6436, 0.6544, 0.6631, 0.6700, 0.6753])}
