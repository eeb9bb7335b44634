"""Small FMUs that keep all rules, written by hand, and how they are packed. The library in them is never loaded."""
import io
import zipfile

FMI2 = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="tank" guid="{11}" variableNamingConvention="structured" numberOfEventIndicators="1" generationDateAndTime="2024-07-12T09:04:27Z">
  <ModelExchange modelIdentifier="tank" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="tank" canHandleVariableCommunicationStepSize="true" maxOutputDerivativeOrder="1"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
    <Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Level"><Real quantity="Length" unit="m" displayUnit="mm" min="0" nominal="2"/></SimpleType>
    <SimpleType name="Mode"><Enumeration><Item name="off" value="1"/><Item name="on" value="3"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="10" tolerance="1e-6" stepSize="0.01"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="h" valueReference="1" causality="output" variability="continuous" initial="exact" description="level &amp; more"><Real declaredType="Level" start="1.5"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="2" causality="local" variability="continuous"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="q" valueReference="3" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="area" valueReference="4" causality="parameter" variability="tunable"><Real start="2" max="10"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="1" causality="parameter" variability="fixed"><Integer start="-3"/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="2" causality="parameter" variability="fixed"><Enumeration declaredType="Mode" start="3"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="1" causality="output" variability="discrete" initial="exact"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="label" valueReference="1" causality="parameter" variability="fixed"><String start="a b"/></ScalarVariable>
    <ScalarVariable name="volume" valueReference="5" causality="calculatedParameter" variability="tunable"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2" dependencies="" /><Unknown index="8" dependencies="2 4" dependenciesKind="dependent constant"/></Outputs>
    <Derivatives><Unknown index="3" dependencies="4 5" dependenciesKind="constant dependent"/></Derivatives>
    <InitialUnknowns><Unknown index="3"/><Unknown index="10"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
"""

FMI3 = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="heater" instantiationToken="{22}">
  <ModelExchange modelIdentifier="heater" needsCompletedIntegratorStep="true" providesDirectionalDerivatives="true"/>
  <CoSimulation modelIdentifier="heater" canGetAndSetFMUState="true" hasEventMode="true" fixedInternalStepSize="1e-3"/>
  <UnitDefinitions>
    <Unit name="K"><BaseUnit K="1"/><DisplayUnit name="degC" offset="-273.15"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <Float64Type name="Temperature" unit="K" displayUnit="degC" min="0"/>
    <EnumerationType name="Mode"><Item name="off" value="-1"/><Item name="on" value="4"/></EnumerationType>
  </TypeDefinitions>
  <DefaultExperiment stopTime="1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <UInt64 name="n" valueReference="1" causality="structuralParameter" variability="tunable" start="3"/>
    <Float64 name="T" valueReference="2" causality="output" declaredType="Temperature" initial="exact" start="300 301 302">
      <Dimension valueReference="1"/>
      <Alias name="T_wall" displayUnit="degC"/>
    </Float64>
    <Float64 name="der_T" valueReference="3" derivative="2"><Dimension valueReference="1"/></Float64>
    <Float64 name="P" valueReference="4" causality="input" start="1e3"/>
    <Float32 name="gain" valueReference="5" causality="parameter" start="0.5 1"><Dimension start="2"/></Float32>
    <Int8 name="small" valueReference="6" causality="parameter" start="-128"/>
    <UInt64 name="large" valueReference="7" causality="parameter" start="18446744073709551615"/>
    <Boolean name="flags" valueReference="8" causality="parameter" start="true 0"><Dimension start="2"/></Boolean>
    <String name="label" valueReference="9" causality="parameter"><Start value="a b"/></String>
    <Binary name="blob" valueReference="10" causality="parameter"><Start value="00ff"/></Binary>
    <Enumeration name="mode" valueReference="11" causality="input" declaredType="Mode" start="4"/>
    <Clock name="tick" valueReference="12" causality="input" intervalVariability="constant" intervalDecimal="0.1"/>
    <Float64 name="x" valueReference="13" variability="discrete" clocks="12" previous="14" initial="exact" start="0"/>
    <Float64 name="x_before" valueReference="14" variability="discrete" clocks="12" initial="exact" start="0"/>
    <Float64 name="z" valueReference="15"/>
    <Int32 name="sum" valueReference="16" causality="output"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2"/>
    <Output valueReference="16" dependencies="4" dependenciesKind="discrete"/>
    <ContinuousStateDerivative valueReference="3" dependencies="2 4" dependenciesKind="dependent constant"/>
    <ClockedState valueReference="13"/>
    <InitialUnknown valueReference="3"/>
    <InitialUnknown valueReference="16"/>
    <EventIndicator valueReference="15"/>
  </ModelStructure>
</fmiModelDescription>
"""

TERMINALS = """<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
  <Terminals>
    <Terminal name="port" matchingRule="plug" terminalKind="heat">
      <TerminalMemberVariable variableName="T_wall" memberName="T" variableKind="signal"/>
      <TerminalMemberVariable variableName="P" memberName="P" variableKind="inflow"/>
      <Terminal name="inner" matchingRule="sequence"/>
    </Terminal>
  </Terminals>
</fmiTerminalsAndIcons>
"""

BUILD = """<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="heater">
    <SourceFileSet language="C99">
      <SourceFile name="heater.c"/>
      <PreprocessorDefinition name="N" value="3" optional="true"/>
      <IncludeDirectory name="include"/>
    </SourceFileSet>
  </BuildConfiguration>
</fmiBuildDescription>
"""


def files_of(version, xml=None):
    if version == 2:
        return {"modelDescription.xml": xml or FMI2, "binaries/linux64/tank.so": "no library", "resources/a/table.csv": "1,2\n"}
    return {"modelDescription.xml": xml or FMI3, "binaries/x86_64-linux/heater.so": "no library", "binaries/aarch64-linux/heater.so": "no library",
            "resources/table.csv": "1,2\n", "terminalsAndIcons/terminalsAndIcons.xml": TERMINALS, "sources/buildDescription.xml": BUILD,
            "sources/heater.c": "int x;\n", "sources/include/x.h": ""}


def packed(files, compression=zipfile.ZIP_DEFLATED):
    """-> bytes. files: name -> text or bytes, or a list of (name or ZipInfo, content)"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, content, compress_type=compression)
    return out.getvalue()
