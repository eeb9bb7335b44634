#include "runtime/scenario/expression_text.hpp"

#include <algorithm>

#include "runtime/units/nearest.hpp"
#include "runtime/units/sign_hints.hpp"

namespace takt {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

void ExpressionText::fail(std::size_t offset, const std::string& cause, const std::string& remedy) const {
  ScenarioPlace place = where_;
  place.at.column += static_cast<std::uint32_t>(
      std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size())),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
  throw ScenarioMistake(place, cause, remedy);
}

void ExpressionText::unexpected() const {
  if (at_ >= text_.size()) fail(at_, "the expression ends where a value is expected");
  const char c = text_[at_];
  fail(at_,
       quoted(std::string_view(&c, static_cast<unsigned char>(c) >= 0x20 && c > 0 ? 1 : 0)) + " is not expected here",
       sign_hint(text_.substr(c == '*' && at_ > 0 && text_[at_ - 1] == c ? at_ - 1 : at_)));
}

void ExpressionText::skip() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
}

bool ExpressionText::take(std::string_view symbol) {
  skip();
  if (!text_.substr(at_).starts_with(symbol)) return false;
  if (is_name_start(symbol[0])) {
    const std::size_t behind = at_ + symbol.size();
    if (behind < text_.size() && (is_name_part(text_[behind]) || text_[behind] == '.')) return false;
  }
  at_ += symbol.size();
  return true;
}

std::optional<Unit> ExpressionText::read_unit() {
  const std::size_t behind = at_;
  skip();
  const std::string_view rest = text_.substr(at_);
  const bool inverse = at_ > behind && rest.starts_with("1/");
  if (rest.empty() ||
      (!is_name_start(rest[0]) && static_cast<unsigned char>(rest[0]) < 0x80U && rest[0] != '%' && !inverse))
    return std::nullopt;
  std::size_t word = 0;
  while (word < rest.size() && (is_name_part(rest[word]) || static_cast<unsigned char>(rest[word]) >= 0x80U)) ++word;
  const std::string_view first = rest.substr(0, word);
  if (first == "and" || first == "or") return std::nullopt;
  std::size_t length = 0;
  const std::optional<Unit> unit = parse_unit_prefix(rest, length);
  if (!unit) {
    const std::string near = nearest_unit(first);
    fail(at_, quoted(first) + " behind a number is no unit",
         near.empty() || near == first ? "put an operator between the number and a name"
                                       : "did you mean " + quoted(near) + "?");
  }
  at_ += length;
  return unit;
}

std::string_view ExpressionText::word() {
  const std::size_t begin = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const bool joins = (c == '.' || c == '@') && at_ + 1 < text_.size() && is_name_part(text_[at_ + 1]);
    if (c == '[') {
      const std::size_t closed = text_.find(']', at_);
      if (closed == std::string_view::npos) fail(at_, "a bracket is not closed");
      at_ = closed + 1;
    } else if (is_name_part(c) || joins) {
      ++at_;
    } else {
      break;
    }
  }
  return text_.substr(begin, at_ - begin);
}

}  // namespace takt
