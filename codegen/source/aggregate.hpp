#pragma once
// Tables of structs as C++: members by name, rows of an array.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codegen/source/writer.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {

/// {.name = "a", .id = 3, ...}: in the order of the struct.
class Aggregate {
 public:
  /// @param between  members
  explicit Aggregate(const char* between = ", ") : between_(between) {}
  /// What is C++ already: a name, another aggregate.
  Aggregate& code(std::string_view member, std::string_view value) {
    members_.append(members_.empty() ? "" : between_)
        .append(".")
        .append(member)
        .append(" = ")
        .append(value);
    return *this;
  }
  Aggregate& text(std::string_view member, std::string_view value) {
    return code(member, string_literal(value));
  }
  template <class Number>
  Aggregate& number(std::string_view member, Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    if constexpr (std::is_same_v<Number, bool>)
      return code(member, value ? "true" : "false");
    else if constexpr (std::is_floating_point_v<Number>)
      return code(member, double_literal(value));
    else
      return code(member, std::to_string(value));
  }
  [[nodiscard]] std::string code() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
  const char* between_;
};

/// "1, 2, 3"
[[nodiscard]] std::string separated(const std::vector<std::string>& items,
                                    std::string_view between = ", ");
template <class Items, class Print>
[[nodiscard]] std::string separated(const Items& items, const Print& print) {
  std::vector<std::string> printed;
  for (const auto& item : items) printed.push_back(print(item));
  return separated(printed);
}

struct ArrayHead {
  std::string type, name;
  const char* specifiers = "constexpr";
  std::optional<std::size_t> size{};  ///< where a row has several elements
};

/// constexpr std::array<TYPE, 2> NAME{{ a row a line }};
void write_array(Writer& text, const ArrayHead& head, const std::vector<std::string>& rows);

}  // namespace takt::codegen
