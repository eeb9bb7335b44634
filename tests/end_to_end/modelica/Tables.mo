package Tables "Tables as the standard library has them: functions in C over an external object"
  type Smoothness = enumeration(LinearSegments, ContinuousDerivative, ConstantSegments);
  type Extrapolation = enumeration(HoldLastPoint, LastTwoPoints, Periodic, NoExtrapolation);

  class ExternalCombiTimeTable
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Real startTime;
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      input Real shiftTime;
      output ExternalCombiTimeTable externalCombiTimeTable;
      external "C" externalCombiTimeTable = ModelicaStandardTables_CombiTimeTable_init2(
        tableName, fileName, table, size(table, 1), size(table, 2), startTime, columns, size(columns, 1), smoothness, extrapolation, shiftTime);
    end constructor;
    function destructor
      input ExternalCombiTimeTable externalCombiTimeTable;
      external "C" ModelicaStandardTables_CombiTimeTable_close(externalCombiTimeTable);
    end destructor;
  end ExternalCombiTimeTable;

  class ExternalCombiTable1D
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output ExternalCombiTable1D externalCombiTable1D;
      external "C" externalCombiTable1D = ModelicaStandardTables_CombiTable1D_init2(
        tableName, fileName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation);
    end constructor;
    function destructor
      input ExternalCombiTable1D externalCombiTable1D;
      external "C" ModelicaStandardTables_CombiTable1D_close(externalCombiTable1D);
    end destructor;
  end ExternalCombiTable1D;

  function timeValue
    input ExternalCombiTimeTable tableID;
    input Integer icol;
    input Real timeIn;
    input Real nextTimeEvent;
    input Real pre_nextTimeEvent;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent);
  end timeValue;

  function nextEvent
    input ExternalCombiTimeTable tableID;
    input Real timeIn;
    output Real next;
    external "C" next = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(tableID, timeIn);
  end nextEvent;

  function value1
    input ExternalCombiTable1D tableID;
    input Integer icol;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(tableID, icol, u);
  end value1;

  function highest1
    input ExternalCombiTable1D tableID;
    output Real u_max;
    external "C" u_max = ModelicaStandardTables_CombiTable1D_maximumAbscissa(tableID);
  end highest1;

  block TimeTable
    parameter Real table[:, :];
    parameter Smoothness smoothness = Smoothness.LinearSegments;
    parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints;
    parameter Real startTime = 0;
    parameter Real shiftTime = startTime;
    output Real y;
  protected
    parameter ExternalCombiTimeTable tableID = ExternalCombiTimeTable(
      "NoName", "NoName", table, startTime, {2}, smoothness, extrapolation, shiftTime);
    discrete Real nextTimeEvent(start = 0, fixed = true);
    discrete Real nextTimeEventScaled(start = 0, fixed = true);
    Real timeScaled;
  equation
    timeScaled = time;
    when {time >= pre(nextTimeEvent), initial()} then
      nextTimeEventScaled = nextEvent(tableID, timeScaled);
      nextTimeEvent = nextTimeEventScaled;
    end when;
    y = timeValue(tableID, 1, timeScaled, nextTimeEventScaled, pre(nextTimeEventScaled));
  end TimeTable;

  model OfTime "each x is the integral of a table"
    TimeTable line(table = [0, 1; 0.3, 2; 0.5, 0], extrapolation = Extrapolation.HoldLastPoint);
    TimeTable beyond(table = [0, 1; 0.5, 2]);
    TimeTable jump(table = [0, 1; 0.25, 1; 0.25, 3; 2, 3]);
    TimeTable stairs(table = [0, 1; 0.21, 4; 0.55, 2], smoothness = Smoothness.ConstantSegments, extrapolation = Extrapolation.HoldLastPoint);
    TimeTable saw(table = [0, 0; 0.3, 1], extrapolation = Extrapolation.Periodic);
    TimeTable late(table = [0, 2; 1, 2], startTime = 0.37);
    Real x[6](each start = 0, each fixed = true);
  equation
    der(x) = {line.y, beyond.y, jump.y, stairs.y, saw.y, late.y};
  end OfTime;

  model OfVariables "u falls from 3 to -2, and v stays"
    parameter ExternalCombiTable1D held = ExternalCombiTable1D(
      "NoName", "NoName", [0, 5, 1; 1, 5, 3; 2, 5, 4], {3}, Smoothness.LinearSegments, Extrapolation.HoldLastPoint);
    parameter ExternalCombiTable1D beyond = ExternalCombiTable1D(
      "NoName", "NoName", [0, 1; 1, 3; 2, 4], {2}, Smoothness.LinearSegments, Extrapolation.LastTwoPoints);
    parameter Real top = highest1(held);
    Real u(start = 3, fixed = true);
    Real y[3];
  equation
    der(u) = -5;
    y = {value1(held, 1, u), value1(beyond, 1, u), top};
  end OfVariables;

  model OfFile
    parameter ExternalCombiTable1D file = ExternalCombiTable1D(
      "map", "map.txt", [0, 1; 1, 2], {2}, Smoothness.LinearSegments, Extrapolation.HoldLastPoint);
    Real x(start = 0, fixed = true);
  equation
    der(x) = value1(file, 1, x);
  end OfFile;
end Tables;
