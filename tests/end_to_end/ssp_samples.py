"""A system structure package by hand: two lags in a loop, one of them in a system of its own, a third one at an input; values inline, from a
file, through a mapping, at several levels."""
import zipfile

from compiled_fmus import compile_lag

SPACES = " ".join(f'xmlns:{prefix}="http://ssp-standard.org/SSP1/SystemStructure{name}"'
                  for prefix, name in (("ssd", "Description"), ("ssc", "Common"), ("ssv", "ParameterValues"), ("ssm", "ParameterMapping")))
SSD = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription {SPACES} version="1.0" name="two lags">
  <ssd:System name="Top">
    <ssd:Connectors>
      <ssd:Connector name="Ambient" kind="input"><ssc:Real unit="degC"/></ssd:Connector>
      <ssd:Connector name="Seen" kind="output"><ssc:Real unit="degC"/></ssd:Connector>
      <ssd:Connector name="Cold" kind="output"><ssc:Real unit="K"/></ssd:Connector>
    </ssd:Connectors>
    <ssd:ParameterBindings>
      <ssd:ParameterBinding source="values.ssv">
        <ssd:ParameterMapping source="resources/names.ssm"/>
      </ssd:ParameterBinding>
    </ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:Component name="Lag" source="resources/lag.fmu" implementation="CoSimulation">
        <ssd:Connectors>
          <ssd:Connector name="u" kind="input"><ssc:Real unit="degC"/></ssd:Connector>
          <ssd:Connector name="heat.Y" kind="output"><ssc:Real unit="degC"/></ssd:Connector>
          <ssd:Connector name="tau" kind="parameter"><ssc:Real unit="s"/></ssd:Connector>
        </ssd:Connectors>
        <ssd:ParameterBindings>
          <ssd:ParameterBinding>
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="inline">
                <ssv:Parameters>
                  <ssv:Parameter name="tau"><ssv:Real value="30" unit="ms"/></ssv:Parameter>
                  <ssv:Parameter name="y0"><ssv:Real value="22"/></ssv:Parameter>
                  <ssv:Parameter name="fault"><ssv:Integer value="0"/></ssv:Parameter>
                </ssv:Parameters>
                <ssv:Units><ssc:Unit name="ms"><ssc:BaseUnit s="1" factor="0.001"/></ssc:Unit></ssv:Units>
              </ssv:ParameterSet>
            </ssd:ParameterValues>
          </ssd:ParameterBinding>
        </ssd:ParameterBindings>
      </ssd:Component>
      <ssd:System name="Rack">
        <ssd:Connectors>
          <ssd:Connector name="in" kind="input"/>
          <ssd:Connector name="out" kind="output"/>
        </ssd:Connectors>
        <ssd:ParameterBindings>
          <ssd:ParameterBinding prefix="Cooler.">
            <ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="of the rack">
                <ssv:Parameters>
                  <ssv:Parameter name="tau"><ssv:Real value="9"/></ssv:Parameter>
                  <ssv:Parameter name="T0"><ssv:Real value="310"/></ssv:Parameter>
                </ssv:Parameters>
              </ssv:ParameterSet>
            </ssd:ParameterValues>
          </ssd:ParameterBinding>
        </ssd:ParameterBindings>
        <ssd:Elements>
          <ssd:Component name="Cooler" type="application/x-fmu-sharedlibrary" source="resources/cooler.fmu"/>
        </ssd:Elements>
        <ssd:Connections>
          <ssd:Connection startConnector="in" endElement="Cooler" endConnector="u"/>
          <ssd:Connection startConnector="out" endElement="Cooler" endConnector="T"/>
        </ssd:Connections>
      </ssd:System>
      <ssd:Component name="Probe" source="resources/lag.fmu"/>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="Lag" startConnector="heat.Y" endElement="Rack" endConnector="in"/>
      <ssd:Connection startElement="Rack" startConnector="out" endElement="Lag" endConnector="u">
        <ssc:LinearTransformation factor="-0.5" offset="40"/>
      </ssd:Connection>
      <ssd:Connection startConnector="Ambient" endElement="Probe" endConnector="u"/>
      <ssd:Connection startElement="Probe" startConnector="heat.Y" endConnector="Seen"/>
      <ssd:Connection startElement="Rack" startConnector="out" endConnector="Cold"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:Units>
    <ssc:Unit name="degC"><ssc:BaseUnit K="1" offset="273.15"/></ssc:Unit>
    <ssc:Unit name="K"><ssc:BaseUnit K="1"/></ssc:Unit>
    <ssc:Unit name="s"><ssc:BaseUnit s="1"/></ssc:Unit>
  </ssd:Units>
  <ssd:DefaultExperiment startTime="0.0" stopTime="0.2"/>
</ssd:SystemStructureDescription>
"""
SSV = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssv:ParameterSet {SPACES} version="1.0" name="of the top">
  <ssv:Parameters>
    <ssv:Parameter name="time_constant"><ssv:Real value="50"/></ssv:Parameter>
    <ssv:Parameter name="outside"><ssv:Real value="25"/></ssv:Parameter>
    <ssv:Parameter name="nothing"><ssv:Real value="1"/></ssv:Parameter>
  </ssv:Parameters>
</ssv:ParameterSet>
"""
SSM = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssm:ParameterMapping {SPACES} version="1.0">
  <ssm:MappingEntry source="time_constant" target="Rack.Cooler.tau"><ssc:LinearTransformation factor="0.001"/></ssm:MappingEntry>
  <ssm:MappingEntry source="outside" target="Ambient"/>
</ssm:ParameterMapping>
"""
# The same by hand. Lag.u: -0.5*(T - 273.15) + 40 degC, which is -0.5*T + 449.725 K.
PLANT = """[plant]
duration = "200 ms"
[input]
ambient = { unit = "K", start = "298.15 K" }
[fmu]
lag = { file = "lag.fmu", kind = "cs", step = "1 ms", inputs = { u = "-0.5*fmu.rack_cooler.t + 449.725 K" }, outputs = { heat_y = "heat.Y" }, parameters = { tau = "30 ms", y0 = "295.15 K", fault = "0" } }
rack_cooler = { file = "cooler.fmu", step = "1 ms", inputs = { u = "fmu.lag.heat_y" }, outputs = { t = "T", steps = "steps" }, parameters = { tau = "50 ms", T0 = "310 K" } }
probe = { file = "lag.fmu", step = "1 ms", inputs = { u = "ambient" }, outputs = { heat_y = "heat.Y", steps = "steps" } }
[sync]
plant = { members = ["fmu"], every = "1 ms" }
[record]
"1 ms" = ["fmu.probe.heat_y", "fmu.rack_cooler.t"]
"""


def make_fmus(folder):
    """lag.fmu and cooler.fmu, the same code with its temperatures in K."""
    compile_lag(folder / "lag.fmu")
    compile_lag(folder / "cooler.fmu", in_kelvin)


def in_kelvin(lag):
    cooler = lag.replace('modelName="lag"', 'modelName="cooler"').replace('<Unit name="degC"><BaseUnit K="1" offset="273.15"/>', '<Unit name="K"><BaseUnit K="1"/>')
    return cooler.replace('unit="degC"', 'unit="K"').replace('"heat.Y"', '"T"').replace('"y0"', '"T0"').replace('start="20"', 'start="293"')


def pack(file, fmus, ssd=SSD, ssv=SSV, ssm=SSM, more=()):
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in (("SystemStructure.ssd", ssd), ("values.ssv", ssv), ("resources/names.ssm", ssm), *more):
            if text is not None:
                archive.writestr(name, text)
        for name in ("lag", "cooler"):
            archive.write(fmus / f"{name}.fmu", f"resources/{name}.fmu")
    return file
