#pragma once
// The text of an expression, read from left to right.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/scenario/mistake.hpp"
#include "runtime/units/units.hpp"

namespace takt {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

[[nodiscard]] std::string quoted(std::string_view text);

class ExpressionText {
 public:
  /// @param where  of the first character
  ExpressionText(std::string_view text, const ScenarioPlace& where) : text_(text), where_(where) {}

 protected:
  /// @throw ScenarioMistake  at that many bytes from the first
  [[noreturn]] void fail(std::size_t offset, const std::string& cause, const std::string& remedy = {}) const;
  /// What stands here cannot.
  [[noreturn]] void unexpected() const;
  void skip();
  /// A symbol or a whole word, if it is the next.
  bool take(std::string_view symbol);
  /// The unit behind a number, if there is one.
  std::optional<Unit> read_unit();
  /// A name or a path, which may go on with words that begin with digits: control.1ms.
  std::string_view word();

  std::string_view text_;
  std::size_t at_ = 0;

 private:
  const ScenarioPlace& where_;
};

}  // namespace takt
