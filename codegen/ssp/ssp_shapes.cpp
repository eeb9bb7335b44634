// SystemStructure.ssd, .ssv and .ssm, as the schemas of SSP 1.0 have them, with what SSP 2.0 adds
// and is read here.

#include "codegen/fmu/shape_parts.hpp"
#include "codegen/ssp/ssp_reading.hpp"

namespace takt::codegen::xml {
namespace {

const Attributes base{{"id"}, description};
const Attributes meta{{"author"},  {"fileversion"},    {"copyright"},
                      {"license"}, {"generationTool"}, {"generationDateAndTime", Form::date_time}};
const Attributes numbers_of_box{required("x1", Form::number), required("y1", Form::number),
                                required("x2", Form::number), required("y2", Form::number)};

constexpr std::string_view kinds =
    "input output parameter calculatedParameter inout structuralParameter local";
constexpr std::array whole{"Integer", "Int8",   "UInt8", "Int16", "UInt16",
                           "Int32",   "UInt32", "Int64", "UInt64"};
constexpr std::array real{"Real", "Float64", "Float32"};

class Shapes {
 public:
  Shapes() {
    types_ = type_choice(false);
    values_ = type_choice(true);
    const auto* entry = add({"MapEntry", {required("source"), required("target")}, {}});
    transformation_ = {
        {add({"LinearTransformation", {{"factor", Form::number}, {"offset", Form::number}}, {}})}};
    for (const char* other : {"BooleanMappingTransformation", "IntegerMappingTransformation",
                              "EnumerationMappingTransformation"})
      transformation_.any_of.push_back(add({other, {}, {{{entry}, 1, any_number}}}));
    mapping_ = add({"ParameterMapping",
                    Attributes{required("version")} + base + meta,
                    {{{add({"MappingEntry",
                            Attributes{required("source"), required("target"),
                                       flag("suppressUnitConversion")} +
                                base,
                            {transformation_, {{notes_}}}})},
                      0,
                      any_number},
                     {{notes_}}}});
    parameters_ =
        add({"ParameterSet",
             Attributes{required("version"), required("name")} + base + meta,
             {{{parameter_list()}, 1, 1, true}, {{enumerations()}}, {{units()}}, {{notes_}}}});
    structure_ = add({"SystemStructureDescription",
                      Attributes{required("version"), required("name")} + base + meta,
                      {{{system()}, 1, 1, true},
                       {{enumerations()}},
                       {{units()}},
                       {{add({"DefaultExperiment",
                              {{"startTime", Form::number}, {"stopTime", Form::number}},
                              {{{notes_}}}})}},
                       {{notes_}}}});
  }
  const ElementRule *structure_ = nullptr, *parameters_ = nullptr, *mapping_ = nullptr;

 private:
  ElementRule* add(ElementRule rule) { return &rules_.emplace_back(std::move(rule)); }

  ChildRule type_choice(bool with_values) {
    const auto own = [&](Form form) {
      return with_values ? Attributes{required("value", form)} : Attributes{};
    };
    ChildRule choice{{}, with_values ? 1U : 0U, 1, with_values};
    for (const char* kind : real)
      choice.any_of.push_back(add({kind, own(Form::number) + Attributes{{"unit"}}, {}}));
    for (const char* kind : whole) choice.any_of.push_back(add({kind, own(Form::int64), {}}));
    choice.any_of.push_back(add({"Boolean", own(Form::boolean), {}}));
    choice.any_of.push_back(add({"String", own(Form::text), {}}));
    choice.any_of.push_back(
        add({"Enumeration", own(Form::text) + Attributes{{"name", Form::text, !with_values}}, {}}));
    choice.any_of.push_back(add({"Binary", own(Form::bytes) + Attributes{{"mime-type"}}, {}}));
    return choice;
  }

  ElementRule* units() {
    const auto* unit = add({"Unit",
                            Attributes{name} + base,
                            {{{add({"BaseUnit", base_unit, {}})}, 1, 1, true}, {{notes_}}}});
    return add({"Units", {}, {{{unit}, 1, any_number}}});
  }

  ElementRule* enumerations() {
    const auto* item = add({"Item", {name, required("value", Form::int32)}, {}});
    const auto* one =
        add({"Enumeration", Attributes{name} + base, {{{item}, 1, any_number}, {{notes_}}}});
    return add({"Enumerations", {}, {{{one}, 1, any_number}}});
  }

  ElementRule* parameter_list() {
    const auto* parameter = add({"Parameter", Attributes{name} + base, {values_, {{notes_}}}});
    return add({"Parameters", {}, {{{parameter}, 0, any_number}}});
  }

  ElementRule* connectors() {
    const auto* place =
        add({"ConnectorGeometry", {required("x", Form::number), required("y", Form::number)}, {}});
    const auto* dimension = add({"Dimension", {{"size", Form::uint64}, {"sizeConnector"}}, {}});
    const auto* connector =
        add({"Connector",
             Attributes{name, {"kind", Form::one_of, true, false, kinds}} + base,
             {types_, {{dimension}, 0, any_number}, {{place}}, {{notes_}}}});
    return add({"Connectors", {}, {{{connector}, 1, any_number}}});
  }

  ElementRule* bindings() {
    const Attributes file{{"type"}, {"source"}, choice("sourceBase", "SSD component")};
    const auto* set = add({"ParameterValues", {}, {}, Content::anything});
    const auto* mapping = add({"ParameterMapping", file + base, {}, Content::anything});
    const auto* binding = add({"ParameterBinding",
                               file + Attributes{{"prefix"}} + base,
                               {{{set}}, {{mapping}}, {{notes_}}}});
    return add({"ParameterBindings", {}, {{{binding}, 1, any_number}}});
  }

  ElementRule* connections() {
    const auto* drawn = add(
        {"ConnectionGeometry", {list("pointsX", Form::number), list("pointsY", Form::number)}, {}});
    const auto* connection = add({"Connection",
                                  Attributes{{"startElement"},
                                             required("startConnector"),
                                             {"endElement"},
                                             required("endConnector"),
                                             flag("suppressUnitConversion")} +
                                      base,
                                  {transformation_, {{drawn}}, {{notes_}}}});
    return add({"Connections", {}, {{{connection}, 1, any_number}}});
  }

  ElementRule* system() {
    const std::vector<ChildRule> common{
        {{connectors()}},
        {{add({"ElementGeometry", numbers_of_box, {}, Content::listed, true})}},
        {{bindings()}}};
    const auto with = [&](std::vector<ChildRule> more) {
      std::vector<ChildRule> all = common;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    const auto* component = add(
        {"Component",
         Attributes{name,
                    required("source"),
                    {"type"},
                    choice("implementation", "any ModelExchange CoSimulation ScheduledExecution")} +
             base,
         with({{{notes_}}})});
    const auto* reference =
        add({"SignalDictionaryReference", Attributes{name, required("dictionary")} + base,
             with({{{notes_}}})});
    const auto* dictionaries = add({"SignalDictionaries", {}, {}, Content::anything});
    const auto* graphics = add({"GraphicalElements", {}, {}, Content::anything});
    ElementRule* system = add({"System", Attributes{name} + base, {}});
    const auto* elements = add({"Elements", {}, {{{component, reference, system}, 1, any_number}}});
    system->children = with({{{elements}},
                             {{connections()}},
                             {{dictionaries}},
                             {{add({"SystemGeometry", numbers_of_box, {}})}},
                             {{graphics}},
                             {{notes_}}});
    return system;
  }

  ElementRules rules_;
  const ElementRule* notes_ = &annotations;
  ChildRule types_, values_, transformation_;
};

const Shapes& shapes() {
  static const Shapes all;
  return all;
}

}  // namespace

const ElementRule& shape_of_structure() { return *shapes().structure_; }
const ElementRule& shape_of_parameters() { return *shapes().parameters_; }
const ElementRule& shape_of_mapping() { return *shapes().mapping_; }

}  // namespace takt::codegen::xml
