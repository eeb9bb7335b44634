#!/usr/bin/env python3
"""Independent simulation of the equations in README.md with the built-in VCU (solo = 1); writes reference.csv, 120 s.
Electric circuit RK4 with 100 us, control, driveline and heat every millisecond. Takes some minutes."""
import math

from bisect import bisect_right

STEP, PERIOD, DURATION = 100e-6, 1e-3, 120.0
MASS, C_ROLL, C_DRAG, AREA, RADIUS, RATIO, F_BRAKE = 1752.0, 0.0073, 0.29, 2.845, 0.336, 7.05, 14e3
T_MAX, P_MAX, POLES, R_PHASE, L, PSI, W_CURRENT, D_LOSS = 360.0, 150e3, 4, 8e-3, 0.11e-3, 0.1, 1000.0, 0.002
AMBIENT = 296.15
OCV = [(0, 3.0), (0.05, 3.35), (0.1, 3.45), (0.2, 3.54), (0.3, 3.6), (0.4, 3.64), (0.5, 3.69), (0.6, 3.78), (0.7, 3.89), (0.8, 3.98),
       (0.9, 4.07), (1.0, 4.18)]
R_CELL = [(0, 2.6e-3), (0.1, 2e-3), (0.3, 1.6e-3), (0.5, 1.5e-3), (0.9, 1.5e-3), (1.0, 1.6e-3)]
INERTIA = 0.06 + (3.26 + MASS * RADIUS**2) / RATIO**2  # at the rotor


def lookup(points, x):
    xs = [point[0] for point in points]
    k = min(max(bisect_right(xs, x) - 1, 0), len(xs) - 2)
    (x0, y0), (x1, y1) = points[k], points[k + 1]
    return y0 + (min(max(x, xs[0]), xs[-1]) - x0) * (y1 - y0) / (x1 - x0)


def clamp(x, low, high):
    return min(max(x, low), high)


class Held:
    """What the electric circuit sees as constant over a millisecond."""
    main = precharge = fan = w_e = i_d_ref = i_q_ref = 0.0
    r_hot = R_PHASE
    emf_low = 0.0
    emf, r_series = [0.0] * 4, [0.0] * 4  # the charge moves too little in a millisecond to matter


def electric(state, held, loss=None):
    """State: link, low, i_d, i_q, x_d, x_q, then (fast, slow) of each module. Fills `loss` where given."""
    link, low, i_d, i_q, x_d, x_q = state[:6]
    pack = state[6:]
    path = 1 / (0.2e-3 if held.main else 1e7) + 1 / (40 + (0.2e-3 if held.precharge else 1e7))
    i_pack = (sum(held.emf) + sum(pack) - link) / (sum(held.r_series) + 1 / path)
    # inverter
    active = 1.0 if held.main and 150 < link < 480 else 0.0
    emf_d, emf_q = -held.w_e * L * i_q, held.w_e * (L * i_d + PSI)
    kp, ki = L * W_CURRENT, R_PHASE * W_CURRENT
    want_d, want_q = kp * (held.i_d_ref - i_d) + x_d + emf_d, kp * (held.i_q_ref - i_q) + x_q + emf_q
    scale = min(1.0, max(link, 0.0) / math.sqrt(2) / max(math.hypot(want_d, want_q), 10.0))
    u_d, u_q = (scale * want_d, scale * want_q) if active else (emf_d - i_d, emf_q - i_q)
    i_abs = math.sqrt(i_d**2 + i_q**2 + 1e-6)
    p_loss = active * min(1.0, max(link, 0.0) / 10) * (50 + (1.2 + 0.005 * link) * i_abs + 1e-3 * i_abs**2)
    i_inverter = (u_d * i_d + u_q * i_q + p_loss) / max(link, 10.0)
    # low voltage
    on = held.main and link > 200
    i_out = (13 - low) * (100 if on else 1e-6)
    p_in = 13 * i_out + (15 + 0.4 * abs(i_out) + 3e-3 * i_out**2 if on else 0.0)
    i_converter = p_in * link / max(link, 50.0)**2
    i_low = (low - held.emf_low) / 6e-3
    i_aux = (250 + 150 * held.fan**3) * low / max(low, 5.0)**2
    if loss is not None:
        loss["inverter"] = p_loss
        loss["converter"] = p_in - i_out * low
        loss["motor"] = held.r_hot * (i_d**2 + i_q**2) + D_LOSS * (held.w_e / POLES)**2
        cells = [held.r_series[k] * i_pack**2 + pack[2 * k]**2 / 4e-3 + pack[2 * k + 1]**2 / 6.4e-3 for k in range(4)]
        loss.update({f"cell{k}": cells[k] for k in range(4)})
        loss["i_pack"], loss["i_low"] = i_pack, i_low
    rates = [(i_pack - i_inverter - i_converter - link / 10e3) / 1.2e-3, (i_out - i_low - i_aux) / 0.1,
             (u_d - held.r_hot * i_d - emf_d) / L, (u_q - held.r_hot * i_q - emf_q) / L,
             ki * (held.i_d_ref - i_d) + ki / kp * (scale - 1) * want_d if active else -ki / kp * x_d,
             ki * (held.i_q_ref - i_q) + ki / kp * (scale - 1) * want_q if active else -ki / kp * x_q]
    for k in range(4):
        rates.append((-i_pack - pack[2 * k] / 4e-3) / 2.5e3)          # 24/3 * 0.5 mOhm, 3/24 * 20 kF
        rates.append((-i_pack - pack[2 * k + 1] / 6.4e-3) / 31.25e3)  # 24/3 * 0.8 mOhm, 3/24 * 250 kF
    return rates


def advance(state, held):
    def shifted(slope, part):
        return [value + part * rate for value, rate in zip(state, slope)]
    k1 = electric(state, held)
    k2 = electric(shifted(k1, STEP / 2), held)
    k3 = electric(shifted(k2, STEP / 2), held)
    k4 = electric(shifted(k3, STEP), held)
    return [value + STEP / 6 * (a + 2 * b + 2 * c + d) for value, a, b, c, d in zip(state, k1, k2, k3, k4)]


def read_cycle():
    with open("wltc_3b.csv") as file:
        return [float(line.split(",")[1]) / 3.6 for line in file.readlines()[1:]]


class Car:
    def __init__(self):
        self.cycle, self.held = read_cycle(), Held()
        self.state, self.soc, self.w, self.integral = [0.0, 12.6] + [0.0] * 12, [0.8] * 4, 0.0, 0.0
        self.soc_low = 0.85
        self.t = {name: AMBIENT for name in ("plate", "case", "winding", "stator", "chips", "sink")}
        self.cores = [AMBIENT] * 4

    def target(self, time):
        k = min(int(time), len(self.cycle) - 2)
        return self.cycle[k] + (time - k) * (self.cycle[k + 1] - self.cycle[k])

    def torque(self):
        return POLES * PSI * self.state[3]

    def driver(self, time, speed):
        target, ahead = self.target(time), self.target(time + 0.2)
        acceleration, error = (ahead - target) / 0.2, target - speed
        force = (MASS * acceleration + C_ROLL * MASS * 9.81 + 0.6 * C_DRAG * AREA * speed * abs(speed) + 3000 * error + self.integral)
        if target < 0.1 and speed < 0.5 and acceleration <= 0:
            self.integral = 0.0
            return 0.0, 0.3
        full = T_MAX * RATIO / RADIUS
        if not ((force > full and error > 0) or (force < -F_BRAKE and error < 0)):
            self.integral += 1000 * error * PERIOD
        return clamp(force / full, 0, 1), clamp(-force / F_BRAKE, 0, 1)

    def control(self, time):
        held, speed, link = self.held, self.w / RATIO * RADIUS, self.state[0]
        key = time >= 0.5
        for k in range(4):
            held.emf[k] = 24 * lookup(OCV, self.soc[k])
            held.r_series[k] = 8 * lookup(R_CELL, self.soc[k]) * math.exp(2500 * (1 / self.cores[k] - 1 / 298.15))
        held.emf_low = 6 * (1.96 + 0.17 * self.soc_low)
        loss = {}
        electric(self.state, held, loss)
        pack = sum(held.emf) + sum(self.state[6:]) - sum(held.r_series) * loss["i_pack"]
        held.main = bool(key and (held.main or link > 0.95 * pack))
        held.precharge = key and not held.main
        accelerator, brake = self.driver(time, speed)
        limit = min(T_MAX, P_MAX / max(abs(self.w), 1.0))
        regen = min(brake * F_BRAKE * RADIUS / RATIO, 150.0) * clamp((speed - 1.5) / 3, 0, 1)
        command = clamp(accelerator * limit - regen, -limit, limit) if held.main else 0.0
        held.fan = clamp(max((self.t["winding"] - 333) / 30, (max(self.cores) - 303) / 10), 0, 1)
        held.w_e, held.r_hot = POLES * self.w, R_PHASE * (1 + 0.00393 * (self.t["winding"] - 298.15))
        flux = 0.92 * max(link, 0.0) / math.sqrt(2) / max(abs(held.w_e), 100.0)
        held.i_q_ref = clamp(command / (POLES * PSI), -0.95 * flux / L, 0.95 * flux / L)
        lack = PSI - math.sqrt(max(0.0, flux**2 - (L * held.i_q_ref)**2))
        held.i_d_ref = max(-600.0, -max(0.0, lack) / L) if held.main else 0.0
        return max(0.0, brake * F_BRAKE * RADIUS - max(0.0, -self.torque() * RATIO))

    def heat(self, loss):
        """Ten Euler steps a millisecond with the mean losses."""
        for _ in range(10):
            self.warm(loss, PERIOD / 10)

    def warm(self, loss, step):
        t, fan, flow = self.t, self.held.fan, {}
        pads = [40 * (1 - 0.08 * k) * (self.cores[k] - t["plate"]) for k in range(4)]
        mounting, slots, solder = 20 * (t["plate"] - t["case"]), 60 * (t["winding"] - t["stator"]), 60 * (t["chips"] - t["sink"])
        flow["plate"] = (sum(pads) - mounting - (5 + 80 * fan) * (t["plate"] - AMBIENT)) / (15 * 900)
        flow["case"] = (mounting - 10 * (t["case"] - AMBIENT)) / (40 * 900)
        flow["winding"] = (loss["motor"] - slots) / (6 * 390)
        flow["stator"] = (slots - (6 + 40 * fan) * (t["stator"] - AMBIENT)) / (35 * 460)
        flow["chips"] = (loss["inverter"] - solder) / (0.3 * 400)
        flow["sink"] = (solder + loss["converter"] - (8 + 40 * fan) * (t["sink"] - AMBIENT)) / (6 * 900)
        for name, rate in flow.items():
            t[name] += step * rate
        self.cores = [core + step * (loss[f"cell{k}"] - pads[k]) / 68e3 for k, core in enumerate(self.cores)]

    def roll(self, torque, brake):
        def rate(w):
            v = w / RATIO * RADIUS
            road = C_ROLL * MASS * 9.81 * math.tanh(v / 0.1) + 0.6 * C_DRAG * AREA * v * abs(v)
            wheel = brake * math.tanh(w / RATIO / 0.3) + road * RADIUS
            return (torque - D_LOSS * w - 0.5 * math.tanh(w) - 0.001 * w - wheel / RATIO) / INERTIA
        middle = self.w + PERIOD / 2 * rate(self.w)
        self.w += PERIOD * rate(middle)

    def window(self, time):
        brake, impulse, mean = self.control(time), 0.0, {}
        steps = round(PERIOD / STEP)
        for step in range(steps + 1):  # trapezoids of torque, current and losses
            weight, loss = (0.5 if step in (0, steps) else 1.0) / steps, {}
            electric(self.state, self.held, loss)
            impulse += weight * PERIOD * self.torque()
            for name, value in loss.items():
                mean[name] = mean.get(name, 0.0) + weight * value
            if step < steps:
                self.state = advance(self.state, self.held)
        self.soc = [soc - mean["i_pack"] * PERIOD / (3 * 58 * 3600) for soc in self.soc]
        self.soc_low += mean["i_low"] * PERIOD / (60 * 3600)
        self.heat(mean)
        self.roll(impulse / PERIOD, brake)


def main():
    car = Car()
    with open("reference.csv", "w") as file:
        file.write("# --set solo=1 --for 120s\ntime [s],translational.car.speed [m/s],control.pack_soc.out [1],electric.link.v [V],electric.motor.torque [N*m],"
                   "solid.winding.t [K],solid.chips.t [K],control.pack_temperature.out [K]\n")
        for window in range(round(DURATION / PERIOD) + 1):
            if window % 500 == 0:
                row = (car.w / RATIO * RADIUS, car.soc[0], car.state[0], car.torque(), car.t["winding"], car.t["chips"], max(car.cores))
                file.write(f"{window * PERIOD:g}," + ",".join(f"{value:.11g}" for value in row) + "\n")
            car.window(window * PERIOD)


if __name__ == "__main__":
    main()
