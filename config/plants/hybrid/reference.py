#!/usr/bin/env python3
"""Independent simulation of the equations in README.md; writes reference.csv. RK4 with 100 us, control sampled every 10 ms."""
from math import tanh

STEP, PERIOD, DURATION = 100e-6, 10e-3, 50.0
LEVER = 4 / 0.3                                      # speed of the shaft over that of the car
MASS = 1400 + 0.05 * LEVER**2
SPEEDS, THROTTLES = (0, 100, 250, 500), (0, 0.5, 1)
MAP = ((0, 0, 0), (0, 60, 110), (0, 80, 140), (0, 70, 120))
CYCLE = ((0, 0), (3, 0), (15, 20), (28, 20), (38, 6), (44, 6), (50, 16))


def between(points, values, at):
    at = min(max(at, points[0]), points[-1])
    k = max(n for n in range(len(points) - 1) if points[n] <= at)
    return values[k] + (values[k + 1] - values[k]) * (at - points[k]) / (points[k + 1] - points[k])


def indicated(speed, throttle):
    return between(SPEEDS, [between(THROTTLES, row, throttle) for row in MAP], speed)


def friction(speed):
    return 8 * tanh(speed) + 0.02 * speed


def clutch(state, grip):
    return grip * tanh(state[0] - LEVER * state[1])


def derivative(state, throttle, grip, motor):
    crank, speed = state
    torque = clutch(state, grip)
    load = 0.01 * 1400 * 9.81 * tanh(speed / 0.1) + 0.5 * 1.2 * 0.3 * 2.2 * speed * abs(speed)
    return (indicated(crank, throttle) - friction(crank) - torque) / 0.15, (LEVER * (motor + torque) - load) / MASS


def advance(state, *control):
    def shifted(slope, part):
        return [value + part * rate for value, rate in zip(state, slope)]
    k1 = derivative(state, *control)
    k2 = derivative(shifted(k1, STEP / 2), *control)
    k3 = derivative(shifted(k2, STEP / 2), *control)
    k4 = derivative(shifted(k3, STEP), *control)
    return [value + STEP / 6 * (a + 2 * b + 2 * c + d) for value, a, b, c, d in zip(state, k1, k2, k3, k4)]


def next_mode(mode, elapsed, wish, state):
    crank, speed = state
    if mode == "electric" and wish > 80 and speed > 5:
        return "crank"
    if mode == "crank" and crank > 80:
        return "meet"
    if mode == "crank" and elapsed > 2:
        return "electric"
    if mode == "meet" and crank - LEVER * speed > -5:
        return "drive"
    if mode == "drive" and wish < 0 and elapsed > 1:
        return "electric"
    return None


def main():
    state, integral, mode, samples, throttle, grip, motor = [0.0, 0.0], 0.0, "electric", 0, 0.0, 0.0, 0.0
    with open("reference.csv", "w") as file:
        file.write("time [s],translational.car.speed [m/s],rotational.crank.w [rad/s],rotational.rotor.w [rad/s],control.mode.out [1],control.motor.out [N*m]\n")
        for window in range(round(DURATION / PERIOD) + 1):
            time = window * PERIOD
            if window % 10 == 0:                     # a row holds what the window before it computed
                number = ("electric", "crank", "meet", "drive").index(mode) if window else 0
                file.write(f"{time:g},{state[1]:.8g},{state[0]:.8g},{LEVER * state[1]:.8g},{number},{motor:.8g}\n")
            error = between(*zip(*CYCLE), time) - state[1]
            raw = 2000 * error + integral
            if not ((raw > 5000 and error > 0) or (raw < -4000 and error < 0)):
                integral += 100 * error * PERIOD
            wish = min(max(raw, -4000), 5000) / LEVER
            following = next_mode(mode, samples * PERIOD, wish, state)
            if following:
                mode, samples = following, 0
            elapsed = samples * PERIOD
            samples += 1
            throttle = {"electric": 0, "crank": 0, "meet": 0.4, "drive": min(max(wish / 110, 0), 1)}[mode]
            grip = {"electric": 0, "crank": 60, "meet": 0, "drive": min(250, 500 * elapsed)}[mode]
            motor = min(max(wish - (throttle * 110 if mode == "drive" else 0), -200), 200)
            for _ in range(round(PERIOD / STEP)):
                state = advance(state, throttle, grip, motor)


if __name__ == "__main__":
    main()
