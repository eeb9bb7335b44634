// modelDescription.xml of FMI 2.0.4, as its schema fmi2ModelDescription.xsd has it.

#include "codegen/fmu/shape_parts.hpp"

namespace takt::codegen::xml {
namespace {

class Shape {
 public:
  Shape() {
    const auto* interfaces_me =
        interface("ModelExchange", {flag("completedIntegratorStepNotNeeded")});
    const auto* interfaces_cs =
        interface("CoSimulation", {flag("canHandleVariableCommunicationStepSize"),
                                   flag("canInterpolateInputs"),
                                   {"maxOutputDerivativeOrder", Form::uint32},
                                   flag("canRunAsynchronuously")});
    const auto* category = add({"Category", {name, description}, {}});
    root_ = add(
        {"fmiModelDescription",
         Attributes{
             required("fmiVersion"), required("guid"), {"numberOfEventIndicators", Form::uint32}} +
             head,
         {{{interfaces_me, interfaces_cs}, 0, 2},
          {{units()}},
          {{types()}},
          {{add({"LogCategories", {}, {{{category}, 1, any_number}}})}},
          {{add({"DefaultExperiment", experiment, {}})}},
          {{add({"VendorAnnotations", {}, {{{tool_}, 1, any_number}}})}},
          {{variables()}, 1, 1, true},
          {{structure()}, 1, 1, true}}});
  }
  [[nodiscard]] const ElementRule& root() const { return *root_; }

 private:
  const ElementRule* add(ElementRule rule) { return &rules_.emplace_back(std::move(rule)); }

  const ElementRule* interface(std::string_view kind, const Attributes& own) {
    const auto* file = add({"File", {name}, {}});
    const auto* files = add({"SourceFiles", {}, {{{file}, 1, any_number}}});
    const Attributes common{required("modelIdentifier"),
                            flag("needsExecutionTool"),
                            flag("canBeInstantiatedOnlyOncePerProcess"),
                            flag("canNotUseMemoryManagementFunctions"),
                            flag("canGetAndSetFMUstate"),
                            flag("canSerializeFMUstate"),
                            flag("providesDirectionalDerivative")};
    return add({kind, common + own, {{{files}}}});
  }

  const ElementRule* units() {
    const auto* base = add({"BaseUnit", base_unit, {}});
    const auto* shown =
        add({"DisplayUnit", {name, {"factor", Form::number}, {"offset", Form::number}}, {}});
    const auto* unit = add({"Unit", {name}, {{{base}}, {{shown}, 0, any_number}}});
    return add({"UnitDefinitions", {}, {{{unit}, 1, any_number}}});
  }

  const ElementRule* types() {
    const auto* item = add({"Item", {name, required("value", Form::int32), description}, {}});
    const auto* type = add(
        {"SimpleType",
         {name, description},
         {{{add({"Real",
                 quantity_of_float + limits(Form::number) + Attributes{{"nominal", Form::number}},
                 {}}),
            add({"Integer", Attributes{{"quantity"}} + limits(Form::int32), {}}),
            add({"Boolean", {}, {}, Content::anything, true}),
            add({"String", {}, {}, Content::anything, true}),
            add({"Enumeration", {{"quantity"}}, {{{item}, 1, any_number}}})},
           1,
           1,
           true}}});
    return add({"TypeDefinitions", {}, {{{type}, 1, any_number}}});
  }

  const ElementRule* variables() {
    const Attributes declared{{"declaredType"}};
    const auto* noted = add({"Annotations", {}, {{{tool_}, 1, any_number}}});
    const auto* real = add({"Real",
                            declared + quantity_of_float + limits(Form::number) +
                                Attributes{{"nominal", Form::number},
                                           {"start", Form::number},
                                           {"derivative", Form::uint32},
                                           flag("reinit")},
                            {}});
    const auto* integer =
        add({"Integer",
             declared + Attributes{{"quantity"}, {"start", Form::int32}} + limits(Form::int32),
             {}});
    const auto* enumeration =
        add({"Enumeration",
             Attributes{required("declaredType"), {"quantity"}, {"start", Form::int32}} +
                 limits(Form::int32),
             {}});
    const auto* boolean = add({"Boolean", declared + Attributes{{"start", Form::boolean}}, {}});
    const auto* string = add({"String", declared + Attributes{{"start"}}, {}});
    const auto* variable = add(
        {"ScalarVariable",
         {name, required("valueReference", Form::uint32), description,
          choice("causality", "parameter calculatedParameter input output local independent"),
          choice("variability", "constant fixed tunable discrete continuous"),
          choice("initial", "exact approx calculated"), flag("canHandleMultipleSetPerTimeInstant")},
         {{{real, integer, boolean, string, enumeration}, 1, 1, true}, {{noted}}}});
    return add({"ModelVariables", {}, {{{variable}, 1, any_number, true}}});
  }

  const ElementRule* structure() {
    const auto* unknown =
        add({"Unknown", Attributes{required("index", Form::uint32)} + dependencies, {}});
    const auto part = [&](std::string_view kind) {
      return add({kind, {}, {{{unknown}, 1, any_number}}});
    };
    return add({"ModelStructure",
                {},
                {{{part("Outputs")}}, {{part("Derivatives")}}, {{part("InitialUnknowns")}}}});
  }

  ElementRules rules_;
  const ElementRule* tool_ = add({"Tool", {name}, {}, Content::one_element});
  const ElementRule* root_;
};

}  // namespace

const ElementRule& shape_of_fmi2() {
  static const Shape shape;
  return shape.root();
}

}  // namespace takt::codegen::xml
