// terminalsAndIcons.xml and sources/buildDescription.xml of FMI 3.0.2, as their schemas have them.
// Graphics are not read.

#include "codegen/fmu/shape_parts.hpp"

namespace takt::codegen::xml {
namespace {

const ElementRule* add(ElementRules& rules, ElementRule rule) {
  return &rules.emplace_back(std::move(rule));
}

const ElementRule* terminals(ElementRules& rules) {
  const auto* open = &annotations;
  const auto* graphics =
      add(rules, {"TerminalGraphicalRepresentation", {}, {}, Content::anything, true});
  const auto* member =
      add(rules, {"TerminalMemberVariable",
                  {required("variableName"), {"memberName"}, required("variableKind")},
                  {{{open}}}});
  const auto* stream =
      add(rules, {"TerminalStreamMemberVariable",
                  {required("inStreamMemberName"), required("outStreamMemberName"),
                   required("inStreamVariableName"), required("outStreamVariableName")},
                  {{{open}}}});
  ElementRule& terminal = rules.emplace_back(
      ElementRule{"Terminal", {name, required("matchingRule"), {"terminalKind"}, description}, {}});
  terminal.children = {{{member}, 0, any_number},
                       {{stream}, 0, any_number},
                       {{&terminal}, 0, any_number},
                       {{graphics}},
                       {{open}}};
  const auto* all = add(rules, {"Terminals", {}, {{{&terminal}, 1, any_number}}});
  const auto* picture = add(rules, {"GraphicalRepresentation", {}, {}, Content::anything, true});
  return add(rules,
             {"fmiTerminalsAndIcons", {required("fmiVersion")}, {{{picture}}, {{all}}, {{open}}}});
}

const ElementRule* builds(ElementRules& rules) {
  const auto* open = &annotations;
  const auto* file = add(rules, {"SourceFile", {name}, {{{open}}}});
  const auto* option = add(rules, {"Option", {{"value"}, description}, {}});
  const auto* definition = add(rules, {"PreprocessorDefinition",
                                       {name, flag("optional"), {"value"}, description},
                                       {{{option}, 0, any_number}, {{open}}}});
  const auto* folder = add(rules, {"IncludeDirectory", {name}, {{{open}}}});
  const auto* set = add(rules, {"SourceFileSet",
                                {{"name"}, {"language"}, {"compiler"}, {"compilerOptions"}},
                                {{{file}, 1, any_number},
                                 {{definition}, 0, any_number},
                                 {{folder}, 0, any_number},
                                 {{open}}}});
  const auto* library =
      add(rules, {"Library", {name, {"version"}, flag("external"), description}, {{{open}}}});
  const auto* build = add(rules, {"BuildConfiguration",
                                  {required("modelIdentifier"), {"platform"}, description},
                                  {{{set}, 0, any_number}, {{library}, 0, any_number}, {{open}}}});
  return add(
      rules,
      {"fmiBuildDescription", {required("fmiVersion")}, {{{build}, 1, any_number}, {{open}}}});
}

}  // namespace

const ElementRule& shape_of_terminals() {
  static ElementRules rules;
  static const ElementRule& root = *terminals(rules);
  return root;
}

const ElementRule& shape_of_builds() {
  static ElementRules rules;
  static const ElementRule& root = *builds(rules);
  return root;
}

}  // namespace takt::codegen::xml
