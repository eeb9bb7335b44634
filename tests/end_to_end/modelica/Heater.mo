package Heater "A body that is heated, in two files of one library"
  connector HeatPort
    Real T "temperature, K";
    flow Real Q "heat flow, W";
  end HeatPort;

  model Body
    parameter Real C = 10 "heat capacity, J/K";
    HeatPort port;
    Real T(start = 300, fixed = true);
  equation
    C*der(T) = port.Q;
    port.T = T;
  end Body;

  model Wall
    parameter Real G = 2 "conductance, W/K";
    HeatPort a, b;
  equation
    a.Q = G*(a.T - b.T);
    a.Q + b.Q = 0;
  end Wall;

  model Given "a temperature from outside"
    HeatPort port;
    Real T;
  equation
    port.T = T;
  end Given;

  model Room "a room with a heater"
    input Real heat(start = 40) "heat of the heater, W";
    output Real T = body.T "temperature of the room";
    Body body;
    Wall wall;
    Given given;
  equation
    connect(given.port, wall.a);
    connect(wall.b, body.port);
    given.T = 300 + heat/wall.G;
    annotation (experiment(StopTime = 2));
  end Room;

  model Jumps
    Real x(start = 1, fixed = true);
    Real z(start = 0, fixed = true);
    Real y;
  equation
    der(x) = -2 + 0.1*z;
    der(z) = y;
    y = floor(x);
  end Jumps;
end Heater;
