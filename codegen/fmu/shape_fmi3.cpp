// modelDescription.xml of FMI 3.0.2, as its schema fmi3ModelDescription.xsd has it.

#include <array>

#include "codegen/fmu/shape_parts.hpp"

namespace takt::codegen::xml {
namespace {

struct NumberType {
  std::string_view variable, type;
  Form form;
};

constexpr std::array floats{NumberType{"Float32", "Float32Type", Form::number32},
                            NumberType{"Float64", "Float64Type", Form::number}};
constexpr std::array integers{NumberType{"Int8", "Int8Type", Form::int8},
                              NumberType{"UInt8", "UInt8Type", Form::uint8},
                              NumberType{"Int16", "Int16Type", Form::int16},
                              NumberType{"UInt16", "UInt16Type", Form::uint16},
                              NumberType{"Int32", "Int32Type", Form::int32},
                              NumberType{"UInt32", "UInt32Type", Form::uint32},
                              NumberType{"Int64", "Int64Type", Form::int64},
                              NumberType{"UInt64", "UInt64Type", Form::uint64}};

const Attributes clock{flag("canBeDeactivated"),
                       {"priority", Form::uint32},
                       {"intervalVariability", Form::one_of, true, false,
                        "constant fixed tunable changing countdown triggered"},
                       {"intervalDecimal", Form::number32},
                       {"shiftDecimal", Form::number32},
                       flag("supportsFraction"),
                       {"resolution", Form::uint64},
                       {"intervalCounter", Form::uint64},
                       {"shiftCounter", Form::uint64}};
const Attributes binary{{"mimeType"}, {"maxSize", Form::uint64}};

class Shape {
 public:
  Shape() {
    annotations_ = &annotations;
    const auto* category = add({"Category", {name, description}, {{{annotations_}}}});
    root_ =
        add({"fmiModelDescription",
             Attributes{required("fmiVersion"), required("instantiationToken")} + head,
             {{{interface("ModelExchange", {flag("needsCompletedIntegratorStep"),
                                            flag("providesEvaluateDiscreteStates")})}},
              {{interface("CoSimulation", {flag("canHandleVariableCommunicationStepSize"),
                                           {"fixedInternalStepSize", Form::number},
                                           {"maxOutputDerivativeOrder", Form::uint32},
                                           {"recommendedIntermediateInputSmoothness", Form::int32},
                                           flag("providesIntermediateUpdate"),
                                           flag("mightReturnEarlyFromDoStep"),
                                           flag("canReturnEarlyAfterIntermediateUpdate"),
                                           flag("hasEventMode"),
                                           flag("providesEvaluateDiscreteStates")})}},
              {{interface("ScheduledExecution", {})}},
              {{units()}},
              {{types()}},
              {{add({"LogCategories", {}, {{{category}, 1, any_number}}})}},
              {{add({"DefaultExperiment", experiment, {{{annotations_}}}})}},
              {{variables()}, 1, 1, true},
              {{structure()}, 1, 1, true},
              {{annotations_}}}});
  }
  [[nodiscard]] const ElementRule& root() const { return *root_; }

 private:
  const ElementRule* add(ElementRule rule) { return &rules_.emplace_back(std::move(rule)); }

  const ElementRule* interface(std::string_view kind, const Attributes& own) {
    const Attributes common{required("modelIdentifier"),
                            flag("needsExecutionTool"),
                            flag("canBeInstantiatedOnlyOncePerProcess"),
                            flag("canGetAndSetFMUState"),
                            flag("canSerializeFMUState"),
                            flag("providesDirectionalDerivatives"),
                            flag("providesAdjointDerivatives"),
                            flag("providesPerElementDependencies")};
    return add({kind, common + own, {{{annotations_}}}, Content::listed, true});
  }

  const ElementRule* units() {
    const auto* base = add({"BaseUnit", base_unit, {}});
    const auto* shown =
        add({"DisplayUnit",
             {name, {"factor", Form::number}, {"offset", Form::number}, flag("inverse")},
             {{{annotations_}}}});
    const auto* unit =
        add({"Unit", {name}, {{{base}}, {{shown}, 0, any_number}, {{annotations_}}}});
    return add({"UnitDefinitions", {}, {{{unit}, 1, any_number}}});
  }

  const ElementRule* types() {
    const Attributes common{name, description};
    const Attributes whole{{"quantity"}};
    const auto* item =
        add({"Item", {name, required("value", Form::int64), description}, {{{annotations_}}}});
    ChildRule any{{}, 1, any_number};
    const auto type = [&](std::string_view kind, const Attributes& own) {
      any.any_of.push_back(add({kind, common + own, {{{annotations_}}}}));
    };
    for (const NumberType& each : floats)
      type(each.type, quantity_of_float + limits(each.form) + Attributes{{"nominal", each.form}});
    for (const NumberType& each : integers) type(each.type, whole + limits(each.form));
    type("BooleanType", {});
    type("StringType", {});
    type("BinaryType", binary);
    type("ClockType", clock);
    any.any_of.push_back(add({"EnumerationType",
                              common + whole + limits(Form::int64),
                              {{{annotations_}}, {{item}, 1, any_number}}}));
    return add({"TypeDefinitions", {}, {any}});
  }

  const ElementRule* variables() {
    const Attributes variable{
        name,
        required("valueReference", Form::uint32),
        description,
        choice("causality",
               "parameter calculatedParameter input output local independent structuralParameter"),
        choice("variability", "constant fixed tunable discrete continuous"),
        flag("canHandleMultipleSetPerTimeInstant"),
        list("clocks", Form::uint32)};
    const Attributes arrayable{flag("intermediateUpdate"),
                               {"previous", Form::uint32},
                               choice("initial", "exact approx calculated")};
    const Attributes declared{{"declaredType"}};
    const auto* dimension =
        add({"Dimension", {{"start", Form::uint64}, {"valueReference", Form::uint32}}, {}});
    const auto* alias = add({"Alias", {name, description}, {}});
    const auto* float_alias = add({"Alias", {name, description, {"displayUnit"}}, {}});
    const auto children = [&](const ElementRule* other) {
      return std::vector<ChildRule>{
          {{annotations_}}, {{dimension}, 0, any_number}, {{other}, 0, any_number}};
    };
    const auto texts = [&](Form form) {
      return std::vector<ChildRule>{{{annotations_}},
                                    {{dimension}, 0, any_number},
                                    {{add({"Start", {{"value", form}}, {}})}, 0, any_number},
                                    {{alias}, 0, any_number}};
    };
    ChildRule any{{}, 1, any_number, true};
    const auto put = [&](std::string_view kind, const Attributes& own,
                         const std::vector<ChildRule>& inner) {
      any.any_of.push_back(add({kind, variable + own, inner}));
    };
    for (const NumberType& each : floats)
      put(each.variable,
          arrayable + declared + quantity_of_float + limits(each.form) +
              Attributes{{"nominal", each.form},
                         list("start", each.form),
                         {"derivative", Form::uint32},
                         flag("reinit")},
          children(float_alias));
    for (const NumberType& each : integers)
      put(each.variable,
          arrayable + declared + limits(each.form) +
              Attributes{{"quantity"}, list("start", each.form)},
          children(alias));
    put("Boolean", arrayable + declared + Attributes{list("start", Form::boolean)},
        children(alias));
    put("String", arrayable + declared, texts(Form::text));
    put("Binary", arrayable + declared + binary, texts(Form::bytes));
    put("Enumeration",
        arrayable + Attributes{required("declaredType"), {"quantity"}, list("start", Form::int64)} +
            limits(Form::int64),
        children(alias));
    put("Clock", declared + clock, {{{annotations_}}, {{alias}, 0, any_number}});
    return add({"ModelVariables", {}, {any}});
  }

  const ElementRule* structure() {
    std::vector<ChildRule> parts;
    for (std::string_view kind : {"Output", "ContinuousStateDerivative", "ClockedState",
                                  "InitialUnknown", "EventIndicator"}) {
      const auto* unknown =
          add({kind,
               Attributes{required("valueReference", Form::uint32)} + dependencies,
               {{{annotations_}}}});
      parts.push_back({{unknown}, 0, any_number});
    }
    return add({"ModelStructure", {}, parts});
  }

  ElementRules rules_;
  const ElementRule* annotations_ = nullptr;
  const ElementRule* root_ = nullptr;
};

}  // namespace

const ElementRule& shape_of_fmi3() {
  static const Shape shape;
  return shape.root();
}

}  // namespace takt::codegen::xml
