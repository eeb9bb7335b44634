"""Circuits with switches: converters under PWM, rectifiers, switches thrown by time, elements with hysteresis."""
from netlist import Netlist
from plant_text import Cycle, Oracle, Plant, nice, quantity, some, spread
from waves import sine, wave


def pwm(plant, f, duty, **more):
    plant.add("control", "pwm", "pwm_leg", duty=duty, frequency=f"{f:g} Hz", **more)
    plant.traits.update({"switches"})


def regulator(rng, plant, of, f, kp, ki, low=0.0, high=0.95):
    plant.add("control", "regulator", "pi", of=of, kp=kp, ki=ki, min=low, max=high, every=plant.every(rng.choice([1, 2, 5, 10]) / f))
    return "regulator"


def buck(rng):
    """Synchronous or with a diode, open loop or with a sampled PI, a load that steps."""
    f = some(rng, 5e3, 2e5)
    v_in, duty, r = some(rng, 5, 400), nice(rng.uniform(0.15, 0.85)), some(rng, 0.5, 50)
    inductance = nice(r / f * spread(rng, 0.2, 5))
    c = nice(spread(rng, 3, 40) / (f * r))
    plant = Plant("switched", rng.uniform(60, 200) / f)
    plant.add("electric", "source", "voltage_source", ["in", "gnd"], v=f"{v_in:g} V")
    r_on = some(rng, 1e-3, 0.05) * r
    plant.add("electric", "high", "mosfet", ["in", "sw"], gate="control.pwm.high", r_on=f"{r_on:g} Ohm")
    synchronous = rng.random() < 0.5
    if synchronous:
        plant.add("electric", "low", "mosfet", ["sw", "gnd"], gate="control.pwm.low", r_on=f"{r_on:g} Ohm")
    else:
        plant.add("electric", "low", "diode", ["gnd", "sw"], v_f="0.7 V", r_on=f"{r_on:g} Ohm")
    plant.add("electric", "l", "inductor", ["sw", "out"], l=f"{inductance:g} H")
    plant.add("electric", "c", "capacitor", ["out", "gnd"], c=f"{c:g} F")
    plant.add("electric", "load", "resistor", ["out", "gnd"], r=f"{r:g} Ohm")
    if rng.random() < 0.5:
        extra = wave(rng, plant.duration, nice(v_in * duty / r * rng.uniform(0.2, 0.8)), "A", positive=True)
        plant.add("electric", "more", "current_source", ["out", "gnd"], i=extra.value)
    wanted = duty
    if rng.random() < 0.5:
        kp = nice(rng.uniform(0.1, 0.6) / v_in)
        wanted = regulator(rng, plant, f"{nice(duty * v_in):g} V - electric.c.v", f, f"{kp:g} 1/V", f"{nice(kp * f * 0.02):g} 1/V/s")
    more = {"dead_time": f"{nice(0.01 / f):g} s"} if synchronous and rng.random() < 0.6 else {}
    pwm(plant, f, wanted, carrier=rng.choice(["triangle", "sawtooth"]), **more)
    plant.record("electric.c.v", "electric.l.i")
    plant.time_constant("electric", min(1 / f, r * c, inductance / r))
    plant.traits.add("modes")
    return plant


def boost(rng):
    f = some(rng, 1e4, 2e5)
    v_in, duty, r = some(rng, 5, 100), nice(rng.uniform(0.2, 0.7)), some(rng, 5, 100)
    plant = Plant("switched", rng.uniform(60, 200) / f)
    inductance, c = nice(r / f * spread(rng, 0.1, 1)), nice(spread(rng, 5, 30) / (f * r))
    plant.add("electric", "source", "voltage_source", ["in", "gnd"], v=f"{v_in:g} V")
    plant.add("electric", "l", "inductor", ["in", "sw"], l=f"{inductance:g} H")
    plant.add("electric", "s", rng.choice(["mosfet", "igbt"]), *[["sw", "gnd"]], gate="control.pwm.high")
    plant.add("electric", "d", "diode", ["sw", "out"], v_f=f"{rng.choice([0, 0.5, 0.9])} V", r_on="10 mOhm")
    plant.add("electric", "c", "capacitor", ["out", "gnd"], c=f"{c:g} F", start={"v": f"{v_in:g} V"})
    plant.add("electric", "load", "resistor", ["out", "gnd"], r=f"{r:g} Ohm")
    pwm(plant, f, duty)
    plant.record("electric.c.v", "electric.l.i")
    plant.time_constant("electric", min(1 / f, r * c, inductance / r))
    plant.traits.add("modes")
    return plant


def half_bridge(rng):
    """Two complementary switches on an RL load with a sine of duty."""
    f = some(rng, 2e3, 5e4)
    v, r = some(rng, 10, 800), some(rng, 0.5, 50)
    inductance = nice(r / f * spread(rng, 0.5, 10))
    plant = Plant("switched", rng.uniform(60, 160) / f)
    plant.add("electric", "high", "voltage_source", ["p", "gnd"], v=f"{v:g} V")
    plant.add("electric", "low", "voltage_source", ["n", "gnd"], v=f"-{v:g} V")
    kind = rng.choice(["mosfet", "igbt"])
    plant.add("electric", "s1", kind, ["p", "sw"], gate="control.pwm.high")
    plant.add("electric", "s2", kind, ["sw", "n"], gate="control.pwm.low")
    plant.add("electric", "l", "inductor", ["sw", "x"], l=f"{inductance:g} H")
    plant.add("electric", "r", "resistor", ["x", "gnd"], r=f"{r:g} Ohm")
    duty = f"0.5 + {nice(rng.uniform(0.1, 0.6))}*sin(2*pi*{nice(f / rng.uniform(20, 80), 3):g} Hz*time)"
    if rng.random() < 0.4:
        current = v / r * rng.uniform(0.1, 0.6)
        kp = nice(inductance * f * 0.1 / v)
        duty = regulator(rng, plant, f"{nice(current):g} A*sin(2*pi*{nice(f / 50, 3):g} Hz*time) - electric.l.i", f, f"{kp:g} 1/A", f"{nice(kp * r / inductance):g} 1/A/s", -0.45, 0.45)
        duty = f"0.5 + {duty}"
    pwm(plant, f, duty, dead_time=f"{nice(rng.choice([0, 0.01, 0.02]) / f):g} s", update=rng.choice(["both", "valley", "continuous"]))
    plant.record("electric.l.i")
    plant.time_constant("electric", min(1 / f, inductance / r))
    plant.traits.add("modes")
    return plant


def rectifier(rng):
    """Half wave or bridge into C, RL or LC, seldom behind a transformer."""
    f = rng.choice([50, 60, 400, 1000, 2e4])
    v, r = some(rng, 3, 500), some(rng, 1, 1e3)
    plant = Plant("switched", rng.uniform(4, 12) / f)
    plant.add("electric", "source", "voltage_source", ["a", "b"], v=f"{v:g} V*sin(2*pi*{f:g} Hz*time)")
    diode = dict(v_f=f"{rng.choice([0, 0.7, 1])} V", r_on=f"{nice(r * spread(rng, 1e-4, 1e-2)):g} Ohm", r_off=rng.choice(["1 MOhm", "100 MOhm"]))
    bridge = rng.random() < 0.5
    line = nice(r * spread(rng, 1e-3, 0.05))
    if rng.random() < 0.4:
        plant.add("electric", "leak", "inductor", ["a", "a1"], l=f"{nice(line / f):g} H")
    else:
        plant.add("electric", "leak", "resistor", ["a", "a1"], r=f"{line:g} Ohm")
    plant.add("electric", "d1", "diode", ["a1", "p"], **diode)
    if bridge:
        plant.add("electric", "d2", "diode", ["b", "p"], **diode)
        plant.add("electric", "d3", "diode", ["gnd", "a1"], **diode)
        plant.add("electric", "d4", "diode", ["gnd", "b"], **diode)
    else:
        plant.add("electric", "return", "ground", ["b"])
    out = "p"
    if rng.random() < 0.4:
        plant.add("electric", "l", "inductor", ["p", "out"], l=f"{nice(r / f * spread(rng, 0.05, 1)):g} H")
        if not bridge:
            plant.add("electric", "d5", "diode", ["gnd", "p"], **diode)
        plant.record("electric.l.i")
        out = "out"
    plant.add("electric", "load", "resistor", [out, "gnd"], r=f"{r:g} Ohm")
    if out == "p" or rng.random() < 0.5:
        plant.add("electric", "c", "capacitor", [out, "gnd"], c=f"{nice(spread(rng, 0.5, 8) / f / r):g} F")
        plant.record("electric.c.v")
    plant.time_constant("electric", min(1 / f / 20, 1 / f / r))
    plant.traits.update({"modes", "switches"})
    return plant


def thrown(rng):
    """Switches on and off by time in an RC or RLC circuit; for ngspice too."""
    tau = spread(rng, 1e-5, 5e-3)
    plant = Plant("switched", tau * spread(rng, 10, 30))
    net = Netlist(plant)
    v, r = some(rng, 2, 100), some(rng, 2, 1e3)
    form = wave(rng, plant.duration, v, "V")
    plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=form.value)
    net.source("V", "source", "a", "gnd", form.spice)
    gates = []
    for k in range(2):
        period = nice(plant.duration / rng.uniform(2, 12), 3)
        share = nice(rng.uniform(0.2, 0.8))
        gates.append(f"mod(time, {period:g} s) < {quantity(nice(share * period, 4), 's')}")
        edge = plant.duration * 1e-7
        net.cards.append(f"Vg{k} g{k} 0 PULSE(1 0 {nice(share * period, 4):.9g} {edge:g} {edge:g} {period - nice(share * period, 4) - edge:.9g} {period:.9g})")
    r_on = nice(r * spread(rng, 1e-4, 1e-1))
    plant.add("electric", "s0", "switch", ["a", "b"], gate=gates[0], r_on=f"{r_on:g} Ohm", r_off="1 MOhm")
    net.switch("s0", "a", "b", "g0", r_on, 1e6)
    plant.add("electric", "r", "resistor", ["b", "c"], r=f"{r:g} Ohm")
    net.resistor("r", "b", "c", r)
    plant.add("electric", "c", "capacitor", ["c", "gnd"], c=f"{nice(tau / r):g} F")
    net.capacitor("c", "c", "gnd", nice(tau / r))
    if rng.random() < 0.6:
        plant.add("electric", "s1", "switch", ["c", "d"], gate=gates[1], r_on=f"{r_on:g} Ohm", r_off="1 MOhm")
        net.switch("s1", "c", "d", "g1", r_on, 1e6)
        plant.add("electric", "r1", "resistor", ["d", "gnd"], r=f"{nice(r * spread(rng, 0.1, 3)):g} Ohm")
        net.resistor("r1", "d", "gnd", float(plant.lines["electric"][-1].split('r = "')[1].split(" ")[0]))
    plant.record("electric.c.v")
    plant.time_constant("electric", tau)
    plant.traits.add("switches")
    plant.oracle = Oracle("ngspice", net.answer)
    return plant


def relaxation(rng):
    """A capacitor charged through a resistor or by a current, discharged by an element with hysteresis."""
    tau = spread(rng, 5e-5, 3e-3)          # the reference looks at modes every microsecond
    plant = Plant("switched", tau * rng.uniform(6, 14), samples=800)
    v, r = some(rng, 3, 100), some(rng, 100, 1e5)
    c = nice(tau / r)
    high = nice(v * rng.uniform(0.5, 0.8), 3)
    low = nice(high * rng.uniform(0.15, 0.7), 3)
    fast = nice(r * spread(rng, 1e-3, 0.1))
    if rng.random() < 0.6:
        plant.add("electric", "source", "voltage_source", ["in", "gnd"], v=f"{v:g} V")
        plant.add("electric", "r", "resistor", ["in", "a"], r=f"{r:g} Ohm")
    else:
        plant.add("electric", "source", "current_source", ["gnd", "a"], i=f"{nice(v / r):g} A")
    plant.add("electric", "c", "capacitor", ["a", "gnd"], c=f"{c:g} F")
    plant.define('[element.electric.breakover]\ndoc = "on above v_on, off below v_off"\nsource = "test"\nparam = { v_on = "V", v_off = "V", r_on = "Ohm > 0", r_off = "Ohm > 0" }\n'
                 'mode.on = { on = "v - v_on", off = "v_off - v" }\nbranch = { kind = "R", law = "i = v*if(on > 0.5, 1/r_on, 1/r_off)" }')
    plant.add("electric", "s", "breakover", ["a", "gnd"], v_on=f"{high:g} V", v_off=f"{low:g} V", r_on=f"{fast:g} Ohm", r_off=f"{nice(r * 100):g} Ohm")
    plant.record("electric.c.v")
    plant.cycle = Cycle("electric.c.v", (high + low) / 2)
    plant.bounds["electric.c.v"] = (-1e-3 * v, high * 1.01)
    plant.time_constant("electric", fast * c)
    plant.traits.update({"modes", "switches"})
    return plant


def two_point_current(rng):
    """A switch that keeps a current within a band, as a mode of the circuit."""
    r, v = some(rng, 0.5, 20), some(rng, 10, 100)
    tau = spread(rng, 1e-5, 2e-3)
    plant = Plant("switched", tau * rng.uniform(4, 10), samples=1000)
    middle = v / r * rng.uniform(0.25, 0.6)
    low, high = nice(middle * 0.9, 3), nice(middle * 1.1, 3)
    plant.add("electric", "v", "voltage_source", ["in", "gnd"], v=f"{v:g} V")
    plant.add("electric", "q", "bang", ["in", "sw"], i_c="electric.l.i", i_low=f"{low:g} A", i_high=f"{high:g} A", r_on=f"{nice(r / 200):g} Ohm", r_off="1 MOhm")
    plant.add("electric", "d", "diode", ["gnd", "sw"], v_f="0.5 V", r_on=f"{nice(r / 200):g} Ohm")
    plant.add("electric", "l", "inductor", ["sw", "out"], l=f"{nice(r * tau):g} H")
    plant.add("electric", "r", "resistor", ["out", "gnd"], r=f"{r:g} Ohm")
    plant.define('[element.electric.bang]\ndoc = "keeps a current within a band"\nsource = "definition"\nparam = { i_c = "A", i_low = "A", i_high = "A", r_on = "Ohm > 0", r_off = "Ohm > 0" }\n'
                 'mode.on = { on = "i_low - i_c", off = "i_c - i_high", start = "1" }\nbranch = { kind = "R", law = "i = v*if(on > 0.5, 1/r_on, 1/r_off)" }')
    plant.record("electric.l.i")
    plant.cycle = Cycle("electric.l.i", middle)
    plant.bounds["electric.l.i"] = (-0.01 * middle, high * 1.01)
    plant.time_constant("electric", tau / 10)
    plant.traits.update({"modes", "switches"})
    return plant


def phase_control(rng):
    """A thyristor fired by time into R or RL."""
    f = rng.choice([50, 60, 400])
    v, r = some(rng, 10, 400), some(rng, 2, 100)
    plant = Plant("switched", rng.uniform(4, 10) / f)
    delay = nice(rng.uniform(0.05, 0.4) / f, 3)
    plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=f"{v:g} V*sin(2*pi*{f:g} Hz*time)")
    plant.add("electric", "t", "thyristor", ["a", "b"], gate=f"mod(time, {quantity(1 / f, 's')}) > {delay:g} s and mod(time, {quantity(1 / f, 's')}) < {quantity(delay + 0.05 / f, 's')}", r_on="10 mOhm")
    plant.add("electric", "l", "inductor", ["b", "c"], l=f"{nice(r / f * spread(rng, 0.01, 0.3)):g} H")
    plant.add("electric", "r", "resistor", ["c", "gnd"], r=f"{r:g} Ohm")
    plant.record("electric.l.i")
    plant.time_constant("electric", 0.02 / f)
    plant.traits.update({"modes", "switches"})
    return plant


def clipper(rng):
    """Diodes (piecewise linear) that limit a driven RC or LC circuit."""
    tau = spread(rng, 1e-5, 1e-2)
    plant = Plant("switched", tau * rng.uniform(8, 40))
    v, r = some(rng, 2, 50), some(rng, 1, 1e3)
    form = sine(rng, plant.duration, v, "V")
    plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=form.value)
    plant.add("electric", "r", "resistor", ["a", "b"], r=f"{r:g} Ohm")
    plant.add("electric", "c", "capacitor", ["b", "gnd"], c=f"{nice(tau / r):g} F")
    plant.add("electric", "limit", "voltage_source", ["up", "gnd"], v=f"{nice(v * rng.uniform(0.2, 0.7)):g} V")
    plant.add("electric", "d1", "diode", ["b", "up"], v_f="0.6 V", r_on=f"{nice(r * spread(rng, 1e-4, 0.05)):g} Ohm")
    plant.add("electric", "d2", "diode", ["gnd", "b"], v_f="0.6 V", r_on=f"{nice(r * spread(rng, 1e-4, 0.05)):g} Ohm")
    plant.record("electric.c.v")
    plant.time_constant("electric", tau)
    plant.traits.update({"modes", "switches"})
    return plant


GENERATORS = [(buck, 3), (boost, 1.5), (half_bridge, 1.5), (rectifier, 3), (thrown, 2), (relaxation, 2), (two_point_current, 2), (phase_control, 1), (clipper, 1.5)]
