"""modelDescription.xml with every element and attribute that the schemas of FMI know, made from the samples."""
from samples import FMI2, FMI3


def changed(text, edits):
    for old, new in edits:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text


SOURCES = """
    <SourceFiles><File name="{0}.c"/></SourceFiles>
  """
FULL2 = changed(FMI2, [
    (' guid=', ' description="a tank" author="me" version="1.2" copyright="none" license="none" generationTool="hand" guid='),
    ('providesDirectionalDerivative="true"/>', 'providesDirectionalDerivative="true" needsExecutionTool="false" completedIntegratorStepNotNeeded="true" '
     'canBeInstantiatedOnlyOncePerProcess="true" canNotUseMemoryManagementFunctions="false">' + SOURCES.format("a") + "</ModelExchange>"),
    ('maxOutputDerivativeOrder="1"/>', 'maxOutputDerivativeOrder="1" needsExecutionTool="0" canInterpolateInputs="1" canRunAsynchronuously="false" '
     'canBeInstantiatedOnlyOncePerProcess="true" canNotUseMemoryManagementFunctions="false" canGetAndSetFMUstate="true" canSerializeFMUstate="true" '
     'providesDirectionalDerivative="true">' + SOURCES.format("b") + "</CoSimulation>"),
    ('<BaseUnit m="1"/>', '<BaseUnit kg="0" m="1" s="0" A="0" K="0" mol="0" cd="0" rad="0" factor="1.0" offset="0.0"/>'),
    ('name="mm" factor="1000"', 'name="mm" factor="1000" offset="0"'),
    ('<SimpleType name="Level">', '<SimpleType name="Level" description="of water">'),
    ('min="0" nominal="2"', 'min="0" max="9" nominal="2" relativeQuantity="false" unbounded="false"'),
    ('<SimpleType name="Mode"><Enumeration><Item name="off" value="1"/>', '<SimpleType name="Mode"><Enumeration quantity="q"><Item name="off" value="1" description="no"/>'),
    ("</TypeDefinitions>", '  <SimpleType name="Count"><Integer quantity="q" min="-9" max="9"/></SimpleType>\n'
     '    <SimpleType name="Flag"><Boolean/></SimpleType>\n    <SimpleType name="Text"><String/></SimpleType>\n  </TypeDefinitions>'),
    ('<Category name="logAll"/>', '<Category name="logAll" description="all"/>'),
    ("  <ModelVariables>", '  <VendorAnnotations>\n    <Tool name="hand"><note deep="1"><inner/></note></Tool>\n  </VendorAnnotations>\n  <ModelVariables>'),
    ('<Real declaredType="Level" start="1.5"/>', '<Real declaredType="Level" quantity="Length" unit="m" displayUnit="mm" relativeQuantity="false" min="0" max="5" '
     'nominal="3" unbounded="false" start="1.5" reinit="true"/>\n      <Annotations><Tool name="hand"/></Annotations>\n    '),
    ('variability="continuous"><Real start="0"/>', 'variability="continuous" canHandleMultipleSetPerTimeInstant="true"><Real start="0"/>'),
    ('<Integer start="-3"/>', '<Integer declaredType="Count" quantity="q" min="-5" max="5" start="-3"/>'),
    ('<Enumeration declaredType="Mode" start="3"/>', '<Enumeration declaredType="Mode" quantity="q" min="1" max="3" start="3"/>'),
    ('<Boolean start="true"/>', '<Boolean declaredType="Flag" start="true"/>'),
    ('<String start="a b"/>', '<String declaredType="Text" start="a b"/>'),
])

NOTE = '<Annotations><Annotation type="hand">free <text deep="1"/></Annotation></Annotations>'
WHOLE = ["Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"]
FULL3 = changed(FMI3, [
    (' instantiationToken=', ' description="a heater" author="me" version="1" copyright="none" license="none" generationTool="hand" '
     'generationDateAndTime="2024-07-12T09:04:27Z" variableNamingConvention="flat" instantiationToken='),
    ('providesDirectionalDerivatives="true"/>', 'providesDirectionalDerivatives="true" needsExecutionTool="false" canBeInstantiatedOnlyOncePerProcess="true" '
     'canGetAndSetFMUState="true" canSerializeFMUState="true" providesAdjointDerivatives="true" providesPerElementDependencies="false" '
     f'providesEvaluateDiscreteStates="true">\n    {NOTE}\n  </ModelExchange>'),
    ('fixedInternalStepSize="1e-3"/>', 'fixedInternalStepSize="1e-3" canHandleVariableCommunicationStepSize="true" maxOutputDerivativeOrder="1" '
     'recommendedIntermediateInputSmoothness="-1" providesIntermediateUpdate="true" mightReturnEarlyFromDoStep="true" '
     'canReturnEarlyAfterIntermediateUpdate="true" providesEvaluateDiscreteStates="true"/>\n  <ScheduledExecution modelIdentifier="heater"/>'),
    ('<Unit name="K"><BaseUnit K="1"/><DisplayUnit name="degC" offset="-273.15"/></Unit>',
     f'<Unit name="K"><BaseUnit kg="0" m="0" s="0" A="0" K="1" mol="0" cd="0" rad="0" factor="1" offset="0"/>'
     f'<DisplayUnit name="degC" factor="1" offset="-273.15">{NOTE}</DisplayUnit>{NOTE}</Unit>\n'
     '    <Unit name="s/m"><DisplayUnit name="m/s" inverse="true"/></Unit>'),
    ('unit="K" displayUnit="degC" min="0"/>', f'unit="K" displayUnit="degC" min="0" max="900" nominal="300" quantity="T" description="t" relativeQuantity="false" unbounded="false">{NOTE}</Float64Type>\n'
     '    <Float32Type name="Short" quantity="T" unit="K" displayUnit="degC" min="0" max="900" nominal="300" relativeQuantity="false" unbounded="false"/>\n'
     + "".join(f'    <{name}Type name="Of{name}" quantity="q" min="0" max="9"/>\n' for name in WHOLE)
     + '    <BooleanType name="Flag"/>\n    <StringType name="Text"/>\n    <BinaryType name="Blob" mimeType="x/y" maxSize="9"/>\n'
     '    <ClockType name="Tick" canBeDeactivated="false" priority="1" intervalVariability="constant" intervalDecimal="0.1" shiftDecimal="0" supportsFraction="true" '
     'resolution="10" intervalCounter="1" shiftCounter="0"/>'),
    ('<EnumerationType name="Mode"><Item name="off" value="-1"/>', f'<EnumerationType name="Mode" quantity="q" min="-1" max="4">{NOTE}<Item name="off" value="-1" description="no">{NOTE}</Item>'),
    ('<DefaultExperiment stopTime="1"/>', f'<LogCategories>\n    <Category name="all" description="all">{NOTE}</Category>\n  </LogCategories>\n'
     f'  <DefaultExperiment startTime="0" stopTime="1" tolerance="1e-4" stepSize="0.1">{NOTE}</DefaultExperiment>'),
    ('declaredType="Temperature" initial="exact" start="300 301 302">', 'declaredType="Temperature" initial="exact" start="300 301 302" description="t" variability="continuous" '
     'canHandleMultipleSetPerTimeInstant="false" intermediateUpdate="true" quantity="T" unit="K" displayUnit="degC" relativeQuantity="false" '
     f'unbounded="false" min="0" max="900" nominal="300" reinit="true">\n      {NOTE}'),
    ('<Alias name="T_wall" displayUnit="degC"/>', '<Alias name="T_wall" displayUnit="degC" description="the wall"/>'),
    ('<Int8 name="small" valueReference="6" causality="parameter" start="-128"/>',
     "\n    ".join(f'<{name} name="w{name}" valueReference="{100 + k}" causality="parameter" variability="tunable" start="1" min="0" max="9" quantity="q" declaredType="Of{name}"/>'
                   for k, name in enumerate(WHOLE)) + '\n    <Int8 name="small" valueReference="6" causality="parameter" start="-128"><Alias name="tiny" description="d"/></Int8>'),
    ('<Boolean name="flags"', '<Boolean declaredType="Flag" name="flags"'),
    ('<String name="label"', '<String declaredType="Text" name="label"'),
    ('<Binary name="blob"', '<Binary declaredType="Blob" mimeType="x/y" maxSize="9" name="blob"'),
    ('<Enumeration name="mode"', '<Enumeration quantity="q" min="-1" max="4" name="mode"'),
    ('intervalVariability="constant" intervalDecimal="0.1"/>\n    <Float64 name="x"', 'intervalVariability="constant" intervalDecimal="0.1" shiftDecimal="0" canBeDeactivated="false" '
     'priority="1" supportsFraction="true" resolution="10" intervalCounter="1" shiftCounter="0" declaredType="Tick"/>\n    <Float64 name="x"'),
    ('<Output valueReference="2"/>', f'<Output valueReference="2">{NOTE}</Output>'),
    ("</ModelStructure>", f"</ModelStructure>\n  {NOTE}"),
])
