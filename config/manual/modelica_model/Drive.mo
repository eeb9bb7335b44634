package Drive "A motor that lifts a load, with its winding getting warm"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  connector Flange
    Real w(unit = "rad/s");
    flow Real tau(unit = "N.m");
  end Flange;

  model Source "a voltage from outside"
    Pin p;
    input Real u(unit = "V");
  equation
    p.v = u;
  end Source;

  model Motor "a DC motor, its resistance rises with temperature"
    Pin p;
    Flange shaft;
    parameter Real r(unit = "Ohm") = 0.5 "resistance at 20 degC";
    parameter Real l(unit = "H") = 0.02 "inductance";
    parameter Real k(unit = "N.m/A") = 0.1 "torque constant";
    parameter Real c(unit = "J/K") = 40 "heat capacity of the winding";
    parameter Real g(unit = "W/K") = 0.5 "conductance to the surroundings";
    Real i(unit = "A", start = 0, fixed = true) "current";
    Real t(unit = "degC", start = 20, fixed = true) "temperature of the winding";
    Real loss(unit = "W") "copper loss";
  equation
    i = p.i;
    p.v = r*(1 + 0.004*(t - 20))*i + l*der(i) + k*shaft.w;
    shaft.tau = -k*i;
    loss = r*(1 + 0.004*(t - 20))*i*i;
    c*der(t) = loss - g*(t - 20);
  end Motor;

  model Drum "inertia, friction and the load"
    Flange shaft;
    parameter Real j(unit = "kg.m2") = 0.002 "inertia";
    parameter Real d(unit = "N.m.s/rad") = 1e-3 "friction";
    input Real load(unit = "N.m");
    Real w(unit = "rad/s", start = 0, fixed = true) "speed";
  equation
    w = shaft.w;
    j*der(w) = shaft.tau - d*w - load;
  end Drum;

  model Lift "the whole"
    input Real u(unit = "V", start = 24) "voltage of the motor";
    input Real load(unit = "N.m", start = 0) "torque of the load";
    output Real speed(unit = "rad/s") = drum.w "speed of the drum";
    output Real winding(unit = "degC") = motor.t "temperature of the winding";
    Source source;
    Motor motor;
    Drum drum;
  equation
    source.u = u;
    drum.load = load;
    connect(source.p, motor.p);
    connect(motor.shaft, drum.shaft);
    annotation (experiment(StopTime = 2));
  end Lift;
end Drive;
