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


def quasi_stationary(times):
    """Constant currents make a constant torque: each shaft nears torque/d with the time constant j/d."""
    i_d, i_q, psi, l_d, l_q, pairs = -20.0, 150.0, 0.09, 1e-4, 2.5e-4, 4
    torque = pairs * ((l_d * i_d + psi) * i_q - l_q * i_q * i_d)
    w = torque / 0.51 * (1 - np.exp(-times * 0.51 / 0.4))
    w_e = pairs * w
    u_d, u_q = 9e-3 * i_d - w_e * l_q * i_q, 9e-3 * i_q + w_e * (l_d * i_d + psi)
    size = np.hypot(np.hypot(i_d, i_q), 1e-3)
    loss = 40 + (1.1 + 0.004 * 360) * size + 1.5e-3 * size**2
    pump = 0.2 / 2e-3 * (1 - np.exp(-times * 2e-3 / 1e-3))
    zero = np.zeros(times.shape)
    flow = 2e5 * np.pi * 850 * 3 * 4e-3**4 / (128 * 0.02 * 0.5)
    return {"rotational.rotor.w": w, "rotational.pump.w": pump, "rotational.still.w": zero, "electric.motor.torque": torque + zero,
            "electric.inverter.dc.i": (u_d * i_d + u_q * i_q + loss) / 360, "electric.blocked.dc.i": zero,
            "electric.small.dc.i": (0.2 * pump + 5 + 300 * 0.04) / 360, "fluid.bores.q": flow + zero}
