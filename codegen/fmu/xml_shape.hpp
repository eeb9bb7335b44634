#pragma once
// The shape of an XML file: which elements and attributes it may have, in which order, of which
// form. What an XML schema says, as a table; the tables are in shape_*.cpp.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/fmu/xml_text.hpp"

namespace takt::codegen::xml {

/// Of an attribute's value. `list_...`: any number of them, between blanks.
enum class Form {
  text,
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  number,
  number32,
  bytes,
  date_time,
  one_of  ///< AttributeRule::words
};

struct AttributeRule {
  std::string_view name;
  Form form = Form::text;
  bool is_required = false;
  bool is_list = false;
  std::string_view words = {};  ///< of Form::one_of, between blanks
};

struct ElementRule;

/// One place in the sequence of an element's children.
struct ChildRule {
  std::vector<const ElementRule*> any_of;
  std::size_t least = 0, most = 1;
  bool is_needed = false;  ///< without it there is nothing to go on with: an error, else a warning
};

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// What an element holds: its children, whatever it likes, or at most one element of any kind (Tool
/// of FMI 2).
enum class Content : std::uint8_t { listed, anything, one_element };

struct ElementRule {
  std::string_view name;
  std::vector<AttributeRule> attributes;
  std::vector<ChildRule> children;
  Content content = Content::listed;
  bool has_any_attribute = false;  ///< others are none of ours
};

/// Rules that point to one another stay where they are.
using ElementRules = std::deque<ElementRule>;

/// Without its prefix: "ssd:System" -> "System".
[[nodiscard]] std::string_view local_name(std::string_view name);

/// Y015 to Y019, of the element and all that is in it.
void check_shape(const XmlText& text, const ElementRule& root, Diagnostics& diagnostics);

/// What is checked by a shape whose names stand without prefix, and where findings go.
struct LocalCheck {
  pugi::xml_node node;
  const ElementRule& rule;
};
void check_local_shape(const XmlText& text, const LocalCheck& check, Diagnostics& diagnostics);

[[nodiscard]] const ElementRule& shape_of_fmi2();
[[nodiscard]] const ElementRule& shape_of_fmi3();
[[nodiscard]] const ElementRule& shape_of_terminals();
[[nodiscard]] const ElementRule& shape_of_builds();

}  // namespace takt::codegen::xml
