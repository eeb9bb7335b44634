#include "codegen/fmu/xml_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/xml_values.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen::xml {
namespace {

/// A float of 32 bits, or what such numbers are read from.
bool is_number32(std::string_view text) {
  const auto value = number(text);
  return value &&
         (!std::isfinite(*value) || std::fabs(*value) <= std::numeric_limits<float>::max());
}

bool fits(Form form, std::string_view value, std::string_view allowed) {
  switch (form) {
    case Form::text:
      return true;
    case Form::boolean:
      return boolean(value).has_value();
    case Form::int8:
      return integer<std::int8_t>(value).has_value();
    case Form::uint8:
      return integer<std::uint8_t>(value).has_value();
    case Form::int16:
      return integer<std::int16_t>(value).has_value();
    case Form::uint16:
      return integer<std::uint16_t>(value).has_value();
    case Form::int32:
      return integer<std::int32_t>(value).has_value();
    case Form::uint32:
      return integer<std::uint32_t>(value).has_value();
    case Form::int64:
      return integer<std::int64_t>(value).has_value();
    case Form::uint64:
      return integer<std::uint64_t>(value).has_value();
    case Form::number:
      return number(value).has_value();
    case Form::number32:
      return is_number32(value);
    case Form::bytes:
      return bytes(value).has_value();
    case Form::date_time:
      return is_date_time(value);
    case Form::one_of:
      break;
  }
  const auto known = words(allowed);
  return std::find(known.begin(), known.end(), value) != known.end();
}

std::string form_text(const AttributeRule& rule) {
  switch (rule.form) {
    case Form::text:
      return "a text";
    case Form::boolean:
      return "true or false";
    case Form::int8:
      return "a whole number from -128 to 127";
    case Form::uint8:
      return "a whole number from 0 to 255";
    case Form::int16:
      return "a whole number from -32768 to 32767";
    case Form::uint16:
      return "a whole number from 0 to 65535";
    case Form::int32:
      return "a whole number of 32 bits";
    case Form::uint32:
      return "a whole number of 32 bits without sign";
    case Form::int64:
      return "a whole number of 64 bits";
    case Form::uint64:
      return "a whole number of 64 bits without sign";
    case Form::number:
      return "a number such as 1.5e-3 that a double holds; INF, -INF and NaN are written so";
    case Form::number32:
      return "a number such as 1.5e-3 that a float holds; INF, -INF and NaN are written so";
    case Form::bytes:
      return "pairs of hexadecimal digits";
    case Form::date_time:
      return "a date and time such as 2024-07-12T09:04:27Z";
    case Form::one_of:
      return "one of: " + std::string(rule.words);
  }
  return "";
}

/// Namespaces, and what belongs to schemas.
bool is_foreign(std::string_view name) {
  return name.starts_with("xmlns:") || name.starts_with("xsi:");
}

/// Which names of elements a shape gives: as they stand (FMI has no namespaces), or what follows
/// the prefix.
enum class Names : std::uint8_t { whole, local };

class ShapeCheck {
 public:
  ShapeCheck(const XmlText& text, Diagnostics& diagnostics, Names names)
      : text_(text), diagnostics_(diagnostics), names_(names) {}

  void element(pugi::xml_node node, const ElementRule& rule) {
    attributes(node, rule);
    if (rule.content == Content::listed) children(node, rule);
    if (rule.content == Content::one_element) one_element(node, rule);
  }

 private:
  void attributes(pugi::xml_node node, const ElementRule& rule) {
    for (pugi::xml_attribute attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      const auto known = std::find_if(rule.attributes.begin(), rule.attributes.end(),
                                      [&](const AttributeRule& each) { return each.name == name; });
      if (known != rule.attributes.end())
        value(attribute, *known);
      else if (!rule.has_any_attribute && !is_foreign(name))
        unknown_attribute(attribute, rule);
    }
    for (const AttributeRule& each : rule.attributes)
      if (each.is_required && !node.attribute(each.name.data()))
        diagnostics_.error("Y018", text_.at(node),
                           fmt::format("<{}> has no {}", rule.name, each.name),
                           fmt::format("give it: {}=\"...\", {}", each.name, form_text(each)));
  }

  void unknown_attribute(pugi::xml_attribute attribute, const ElementRule& rule) {
    std::vector<std::string> names;
    for (const AttributeRule& each : rule.attributes) names.emplace_back(each.name);
    const std::string hint = did_you_mean(std::string(attribute.name()).substr(0, 60), names);
    diagnostics_.warning("Y017", text_.at(attribute),
                         fmt::format("<{}> has no attribute {}: it is not read", rule.name,
                                     printable(attribute.name())),
                         hint.empty() ? "take it out, or put it into an annotation" : hint);
  }

  void value(pugi::xml_attribute attribute, const AttributeRule& rule) {
    const std::string_view value = attribute.value();
    std::string_view wrong;
    bool is_wrong = false;
    if (rule.is_list) {
      for (std::string_view word : words(value))
        if (!is_wrong && !fits(rule.form, word, rule.words)) is_wrong = true, wrong = word;
    } else if (!fits(rule.form, value, rule.words)) {
      is_wrong = true, wrong = value;
    }
    if (!is_wrong) return;
    const std::string message = fmt::format("{} is '{}'", rule.name, printable(wrong));
    const std::string hint = (rule.is_list ? "each is " : "it is ") + form_text(rule);
    if (rule.form == Form::date_time)  // nothing follows from it
      diagnostics_.warning("Y019", text_.at(attribute), message, hint);
    else
      diagnostics_.error("Y019", text_.at(attribute), message, hint);
  }

  void one_element(pugi::xml_node node, const ElementRule& rule) {
    std::size_t elements = 0;
    for (pugi::xml_node child : node.children()) {
      if (is_text(child)) told_text(node, rule);
      if (child.type() == pugi::node_element && ++elements == 2)
        diagnostics_.warning("Y015", text_.at(child),
                             fmt::format("<{}> holds more than one element", rule.name),
                             "put them into one");
    }
  }

  static bool is_text(pugi::xml_node child) {
    return child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata;
  }

  void told_text(pugi::xml_node node, const ElementRule& rule) {
    diagnostics_.warning("Y015", text_.at(node),
                         fmt::format("<{}> holds text, which is not read", rule.name),
                         "take it out");
  }

  void children(pugi::xml_node node, const ElementRule& rule) {
    std::vector<std::size_t> counts(rule.children.size(), 0);
    std::size_t place = 0;
    for (pugi::xml_node child : node.children()) {
      if (is_text(child)) told_text(node, rule);
      if (child.type() != pugi::node_element) continue;
      const auto [known, at] =
          find(rule, names_ == Names::local ? local_name(child.name()) : child.name());
      if (known == nullptr) {
        unknown_element(child, rule);
        continue;
      }
      if (at < place)
        diagnostics_.warning("Y015", text_.at(child),
                             fmt::format("<{}> stands too late in <{}>", known->name, rule.name),
                             order_text(rule));
      place = std::max(place, at);
      if (++counts[at] > rule.children[at].most ||
          (rule.children[at].most == 2 && is_repeated(child)))
        diagnostics_.error("Y016", text_.at(child),
                           fmt::format("<{}> has <{}> once too often", rule.name, known->name),
                           "take one of them out");
      element(child, *known);
    }
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (counts[k] < rule.children[k].least) missing(node, rule, rule.children[k]);
  }

  static bool is_repeated(pugi::xml_node child) {
    return static_cast<bool>(child.previous_sibling(child.name()));
  }

  static std::pair<const ElementRule*, std::size_t> find(const ElementRule& rule,
                                                         std::string_view name) {
    for (std::size_t k = 0; k < rule.children.size(); ++k)
      for (const ElementRule* each : rule.children[k].any_of)
        if (each->name == name) return {each, k};
    return {nullptr, 0};
  }

  static std::vector<std::string> names_of(const ElementRule& rule) {
    std::vector<std::string> names;
    for (const ChildRule& child : rule.children)
      for (const ElementRule* each : child.any_of) names.emplace_back(each->name);
    return names;
  }

  static std::string order_text(const ElementRule& rule) {
    std::string all = "the order is";
    for (const std::string& name : names_of(rule)) all += (all.ends_with("is") ? " " : ", ") + name;
    return all;
  }

  void unknown_element(pugi::xml_node child, const ElementRule& rule) {
    const std::string hint = did_you_mean(std::string(child.name()).substr(0, 60), names_of(rule));
    diagnostics_.warning(
        "Y015", text_.at(child),
        fmt::format("<{}> has no <{}>: it is not read", rule.name, printable(child.name())),
        hint.empty() ? "take it out, or put it into an annotation" : hint);
  }

  void missing(pugi::xml_node node, const ElementRule& rule, const ChildRule& child) {
    const std::string message = fmt::format(
        "<{}> has no <{}>", rule.name, child.any_of.size() > 1 ? "type" : child.any_of[0]->name);
    std::string hint = "it holds";
    for (const ElementRule* each : child.any_of)
      hint += fmt::format("{} <{}>", hint == "it holds" ? "" : " or", each->name);
    if (child.is_needed)
      diagnostics_.error("Y016", text_.at(node), message, hint);
    else
      diagnostics_.warning("Y016", text_.at(node), message,
                           hint + "; leave it out where it has none");
  }

  const XmlText& text_;
  Diagnostics& diagnostics_;
  Names names_;
};

}  // namespace

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

void check_shape(const XmlText& text, const ElementRule& root, Diagnostics& diagnostics) {
  ShapeCheck(text, diagnostics, Names::whole).element(text.root(), root);
}

void check_local_shape(const XmlText& text, const LocalCheck& check, Diagnostics& diagnostics) {
  ShapeCheck(text, diagnostics, Names::local).element(check.node, check.rule);
}

}  // namespace takt::codegen::xml
