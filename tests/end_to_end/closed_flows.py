"""As closed.py, of the cases with fluids and gases."""
import numpy as np

from closed import linear, rk4

GAS_R, GAS_CP = 287.0, 1004.5
GAS_CV = GAS_CP - GAS_R
ZERO_CELSIUS = 273.15


def joint_heat(times):
    """Heat balances of nodes without contents, solved for their temperatures; linear systems for what stores."""
    wave = 0.01 * 4000 * (1 + 0.5 * np.sin(2 * np.pi * times))
    air, fins = 0.02 * GAS_CP, 60.0                # W/K
    both = 1 / (wave * (air + fins) + air * fins)
    # skin and junction: 30*(chip - skin) + 200 = 80*(skin - j), 80*(skin - j) = 80*(j - 300)
    skin = lambda chip: (30 * chip + 200 + 40 * 300) / 70
    chip = linear([[-30 * 40 / 70 / 50]], [(30 * (200 + 40 * 300) / 70) / 50], [360], times)[0]
    # box 40 J/K, bag 80 J/K; the tee mixes behind 40 W/K, which with 50 W/K makes 200/9 W/K from 360 K into the bag
    tee = 40 * 50 / 90
    box, bag = linear([[-70 / 40, 30 / 40], [30 / 80, -(80 + 30 + tee) / 80]], [40 * 340 / 40, (80 * 290 + tee * 360) / 80], [300, 300], times)
    return {"solid.chip.t": chip, "fluid.j.t": (skin(chip) + 300) / 2, "fluid.hub.t": ((air + fins) * wave * 350 + fins * air * 290) * both,
            "gas.duct.t": ((wave + fins) * air * 290 + fins * wave * 350) * both, "fluid.box.t": box, "fluid.bag.t": bag,
            "fluid.tee.t": (40 * 360 + 50 * bag) / 90}


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


def humid_air(times):
    """The fraction goes with the mass: a room at constant pressure exactly, a junction by its balance, vessels with their mass and energy."""
    mass = 102000 * 20e-3 / (GAS_R * 300)
    room = 0.003 + (0.012 - 0.003) * np.exp(-0.02 * times / mass)
    wet = 0.02 * (1 + 0.8 * np.sin(2 * np.pi * times))
    tee = (0.02 * 0.002 + wet * (0.02 + 0.005 * np.cos(2 * np.pi * times))) / (0.02 + wet)
    p, t = lambda m, u, volume: u / GAS_CV * GAS_R / volume, lambda m, u: u / m / GAS_CV   # u counts from 0 K here

    def rates(time, y):
        m, u, w, m_a, u_a, w_a, m_b, u_b, w_b = y
        breath, nose = 0.01 * np.sin(2 * np.pi * time), (1e5 - p(m, u, 10e-3)) / 1e6
        bridge = nozzle(3e-6, p(m_a, u_a, 4e-3), t(m_a, u_a), p(m_b, u_b, 6e-3), t(m_b, u_b))
        heat, water = (t(m_a, u_a), w_a / m_a) if bridge >= 0 else (t(m_b, u_b), w_b / m_b)
        inside = lambda flow, t_in, x_in: (flow * GAS_CP * (t_in if flow >= 0 else t(m, u)), flow * (x_in if flow >= 0 else w / m))
        (h_1, x_1), (h_2, x_2) = inside(breath, 310, 0.03), inside(nose, 295, 0.005)
        return np.array([breath + nose, h_1 + h_2, x_1 + x_2, -bridge, -bridge * GAS_CP * heat, -bridge * water, bridge, bridge * GAS_CP * heat, bridge * water])

    fill = lambda pressure, temperature, volume, x: [m := pressure * volume / (GAS_R * temperature), m * GAS_CV * temperature, m * x]
    m, u, w, m_a, _, w_a, m_b, _, w_b = rk4(rates, fill(1e5, 305, 10e-3, 0.01) + fill(2e5, 350, 4e-3, 0.02) + fill(1e5, 280, 6e-3, 0), times, 50)
    return {"gas.room.x": room, "gas.room.m_x": room * mass, "gas.tee.x": tee, "gas.lung.x": w / m, "gas.lung.m": m, "gas.lung.t": t(m, u),
            "gas.twin_a.m_x": w_a, "gas.twin_b.x": w_b / m_b}


def gas_flows(times):
    q = 2000 * np.cos(2 * np.pi * times + 0.1) / 4e5  # turns back twice, between two samples
    entering = np.where(q > 0, 330.0, 280.0)
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
    return {"gas.between.p": 1e5 + q * 3e5, "gas.between.t": entering, "gas.first.q": q,
            "gas.second.h_flow": q * GAS_CP * (entering - ZERO_CELSIUS), "gas.box.p": p, "gas.box.t": u / m / GAS_CV,
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
        pipe, line, loop, riser, upper, lower, e_lower, hose, e_hose, e_mass, basin = y
        over = 2 / 3 * 0.6 * 1000 * 0.1 * np.sqrt(2 * g) * max(basin / (1000 * 50e-4) - 0.21, 0) ** 1.5
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
            0.3 * 4000 * (300 - ZERO_CELSIUS - e_mass / 2 / 4000), 0.2 - over])

    m_lower = (1.05e5 - 101325) * 100e-4 / g
    start = [0, 0, 0, 0, (1.2e5 - 101325) * 200e-4 / g, m_lower, m_lower * 4000 * (290 - ZERO_CELSIUS), 1.0, 4000 * (330 - ZERO_CELSIUS),
             2 * 4000 * (350 - ZERO_CELSIUS), 1000 * 50e-4 * 0.2]
    pipe, line, loop, riser, upper, lower, e_lower, hose, e_hose, e_mass, basin = rk4(rates, start, times, 10)
    return {"fluid.pipe.inertia.q": pipe, "fluid.line.inertia.q": line, "fluid.b.p": np.array([flap(q) for q in line]) + swing(times),
            "fluid.loop.inertia.q": loop, "fluid.vessel.p": np.full(times.shape, 1.6e5), "fluid.riser.inertia.q": riser,
            "fluid.upper.p": 101325 + upper * g / 200e-4, "fluid.lower.p": 101325 + lower * g / 100e-4,
            "fluid.lower.t": ZERO_CELSIUS + e_lower / lower / 4000, "fluid.hose.p": hose_p(hose),
            "fluid.hose.t": ZERO_CELSIUS + e_hose / hose / 4000, "fluid.mass.t": ZERO_CELSIUS + e_mass / 2 / 4000,
            "fluid.basin.p": 101325 + basin * g / 50e-4}


def fl_media(times):
    """Water at 0.1 MPa and 10, 20 ... 90 degC: IAPWS R6-95, R12-08, R15-11, as CoolProp 8.0 gives them."""
    return {"fluid.probe.density": np.array([999.70, 998.21, 995.65, 992.22, 988.04, 983.20, 977.77, 971.80, 965.31]),
            "fluid.probe.viscosity": np.array([1305.9, 1001.6, 797.2, 652.7, 546.5, 466.0, 403.5, 354.0, 314.2]) * 1e-6,
            "fluid.probe.conductivity": np.array([0.578777, 0.598012, 0.614391, 0.628485, 0.64062, 0.651, 0.659758, 0.666994, 0.672788])}


def lines(times):
    """A matched line into a capacitor and into an inductor: one wave there, one back. Pipes by their characteristics, from end to end in steps of the delay:
    where the flow is given the pressure follows, where the pressure is given the flow is a root (F. Colebrook's friction as P. K. Swamee and A. K. Jain have it)."""
    def matched(z, half, load, delay):
        """100 V behind z - half; the far end, half of the resistance and a load, takes 100 V/(z + half)*load(t - delay), the rest goes back."""
        far = lambda t: 100 / (z + half) * load(np.maximum(t - delay, 0)) * (t >= delay - 1e-9)
        i, back = far(times), np.where(times >= 2 * delay - 1e-9, 50 - z * far(times - delay), 0)
        near = 100 - (z - half) * (50 - back) / z
        return near, i
    a, i_b = matched(50, 10, lambda t: np.exp(-t / 0.6), 0.5)
    c, i_d = matched(70, 5, lambda t: 1 - np.exp(-t * 75 / 60), 0.5)
    there = times >= 0.5 - 1e-9
    result = {"electric.a.v": a, "electric.b.v": (100 - 60 * i_b) * there, "electric.c.v": c, "electric.d.v": (100 - 75 * i_d) * there}

    def pipe(z, delay, loss, lift, p_a, q_b, start):
        """-> p at b, q at a (times are multiples of 10 ms and so is the delay); loss(q) has the sign of q and stands half at each end."""
        lag, k_all = round(delay / 0.01), len(times)
        to_b, to_a, p_b, q_a = np.empty(k_all), np.empty(k_all), np.empty(k_all), np.empty(k_all)
        for k, time in enumerate(times):
            from_a, from_b = (to_b[k - lag], to_a[k - lag]) if k >= lag else (start[0] + z * start[1], start[0] - z * start[1])
            low, high = -10.0, 10.0
            while high - low > 1e-13:
                q = (low + high) / 2
                low, high = (q, high) if from_b + z * q + loss(q) / 2 + lift / 2 < p_a(time) else (low, q)
            q_a[k], out = q, -q_b(time)               # out: from the node at b into the pipe
            p_b[k] = from_a + z * out + loss(out) / 2 - lift / 2
            to_b[k], to_a[k] = from_b + 2 * z * q, from_a + 2 * z * out
        return p_b, q_a

    def friction(q):
        area = np.pi / 4 * 0.05**2
        speed = abs(q) / 1000 / area
        re = 1000 * speed * 0.05 / 1e-3
        if re < 1e-9:
            return 0.0
        rough = 0.25 / np.log10(0.1e-3 / 3.7 / 0.05 + 5.74 / max(re, 2000)**0.9) ** 2 * max(re, 2000)**2 / re**2
        factor = 64 / re + min(max((re - 2000) / 2000, 0), 1) * (rough - 64 / re)
        return np.sign(q) * (factor * 250 / 0.05 + 5) * 1000 * speed**2 / 2
    z = 1000 / (np.pi / 4 * 0.05**2)
    result["fluid.outlet.p"], result["fluid.main.end_a.q"] = pipe(
        z, 0.25, friction, 1000 * 9.80665 * 12, lambda t: 1e6 + 1e5 * np.sin(np.pi * t), lambda t: 1.2 * np.sin(np.pi / 2 * t), (9e5, 0.0))
    result["fluid.inlet.p"] = 1e6 + 1e5 * np.sin(np.pi * times)
    result["fluid.high.p"], result["fluid.bore.end_a.q"] = pipe(
        2e5, 0.25, lambda q: 4e4 * abs(q) * q, 0.0, lambda t: 3e5, lambda t: 0.5 if t < 0.7 - 1e-9 else -0.4, (3e5, 0.5))
    return result
