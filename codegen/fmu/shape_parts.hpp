#pragma once
// Attributes that several elements of the shapes have.

#include <vector>

#include "codegen/fmu/xml_shape.hpp"

namespace takt::codegen::xml {

using Attributes = std::vector<AttributeRule>;

inline Attributes operator+(Attributes a, const Attributes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr AttributeRule required(std::string_view name, Form form = Form::text) {
  return {name, form, true};
}
constexpr AttributeRule flag(std::string_view name) { return {name, Form::boolean}; }
constexpr AttributeRule choice(std::string_view name, std::string_view words) {
  return {name, Form::one_of, false, false, words};
}
constexpr AttributeRule list(std::string_view name, Form form, std::string_view words = {}) {
  return {name, form, false, true, words};
}

inline const AttributeRule name = required("name");
inline const AttributeRule description = {"description"};
inline const Attributes dependencies{
    list("dependencies", Form::uint32),
    list("dependenciesKind", Form::one_of, "dependent constant fixed tunable discrete")};
inline const Attributes experiment{{"startTime", Form::number},
                                   {"stopTime", Form::number},
                                   {"tolerance", Form::number},
                                   {"stepSize", Form::number}};
inline const Attributes base_unit{
    {"kg", Form::int32},      {"m", Form::int32},      {"s", Form::int32},  {"A", Form::int32},
    {"K", Form::int32},       {"mol", Form::int32},    {"cd", Form::int32}, {"rad", Form::int32},
    {"factor", Form::number}, {"offset", Form::number}};
inline const Attributes quantity_of_float{
    {"quantity"}, {"unit"}, {"displayUnit"}, flag("relativeQuantity"), flag("unbounded")};
inline const Attributes head{required("modelName"),
                             description,
                             {"author"},
                             {"version"},
                             {"copyright"},
                             {"license"},
                             {"generationTool"},
                             {"generationDateAndTime", Form::date_time},
                             choice("variableNamingConvention", "flat structured")};

/// Annotations of FMI 3: what is in one belongs to the tool that it names.
inline const ElementRule annotation{"Annotation", {required("type")}, {}, Content::anything};
inline const ElementRule annotations{"Annotations", {}, {{{&annotation}, 1, any_number}}};

inline Attributes limits(Form form) { return {{"min", form}, {"max", form}}; }

}  // namespace takt::codegen::xml
