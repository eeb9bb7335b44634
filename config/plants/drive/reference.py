#!/usr/bin/env python3
"""Independent simulation of the equations in README.md; writes reference.csv. RK4 with 50 us, control sampled every millisecond."""

RATIO, STEP, PERIOD, DURATION = 5.0, 50e-6, 1e-3, 20.0


def derivative(time, state, voltage):
    i, rotor, twist, load, winding, housing = state
    resistance = 1.0 * (1 + 0.00393 * (winding - 298.15))
    twist_rate = rotor / RATIO - load
    shaft = 500 * twist + 2 * twist_rate
    process = -15.0 if time > 5 else 0.0
    slot = 4 * (winding - housing)
    return (
        (voltage - resistance * i - 0.5 * rotor) / 5e-3,
        (0.5 * i - 0.001 * rotor - shaft / RATIO) / 0.01,
        twist_rate,
        (shaft + process) / 0.5,
        (resistance * i * i - slot) / (0.8 * 390),
        (slot - 1.5 * (housing - 293.15)) / (2.5 * 900),
    )


def advance(time, state, voltage):
    def shifted(slope, part):
        return [value + part * rate for value, rate in zip(state, slope)]
    k1 = derivative(time, state, voltage)
    k2 = derivative(time + STEP / 2, shifted(k1, STEP / 2), voltage)
    k3 = derivative(time + STEP / 2, shifted(k2, STEP / 2), voltage)
    k4 = derivative(time + STEP, shifted(k3, STEP), voltage)
    return [value + STEP / 6 * (a + 2 * b + 2 * c + d) for value, a, b, c, d in zip(state, k1, k2, k3, k4)]


def main():
    state, wish, integral = [0.0, 0.0, 0.0, 0.0, 293.15, 293.15], 0.0, 0.0
    with open("reference.csv", "w") as file:
        file.write("time [s],electric.machine.armature.i [A],rotational.rotor.w [rad/s],rotational.load.w [rad/s],"
                   "solid.winding.t [K],solid.housing.t [K]\n")
        for window in range(round(DURATION / PERIOD) + 1):
            time = window * PERIOD
            if window % 100 == 0:
                file.write(f"{time:g}," + ",".join(f"{state[k]:.8g}" for k in (0, 1, 3, 4, 5)) + "\n")
            wish += min(max(8.0 - wish, -10 * PERIOD), 10 * PERIOD)
            error = wish * RATIO - state[1]
            raw = 0.5 * error + integral
            winding_up = (raw > 48 and error > 0) or (raw < -48 and error < 0)
            integral += 0.0 if winding_up else 4 * error * PERIOD
            voltage = min(max(raw, -48.0), 48.0)
            for step in range(round(PERIOD / STEP)):
                state = advance(time + step * STEP, state, voltage)


if __name__ == "__main__":
    main()
