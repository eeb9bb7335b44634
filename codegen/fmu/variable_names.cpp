#include "codegen/fmu/variable_names.hpp"

#include <cstddef>

namespace takt::codegen {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class NameScan {
 public:
  explicit NameScan(std::string_view text) : text_(text) {}

  bool name() {
    if (text_.starts_with("der(")) {
      at_ = 4;
      if (!identifier()) return false;
      if (take(',') && !number()) return false;
      return take(')') && at_ == text_.size();
    }
    return identifier() && at_ == text_.size();
  }

 private:
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) { return next() == c && (++at_, true); }

  bool number() {
    while (take(' ')) {
    }
    const std::size_t begin = at_;
    while (is_digit(next())) ++at_;
    return at_ > begin;
  }

  bool indices() {
    if (!take('[')) return true;
    do {
      if (!number()) return false;
    } while (take(','));
    return take(']');
  }

  bool part() {
    if (take('\'')) return quoted();
    if (!begins(next())) return false;
    while (begins(next()) || is_digit(next())) ++at_;
    return true;
  }

  bool quoted() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\'') at_ += text_[at_] == '\\' ? 2 : 1;
    return at_ > begin && take('\'');
  }

  bool identifier() {
    do {
      if (!part() || !indices()) return false;
    } while (take('.'));
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_structured_name(std::string_view name) { return NameScan(name).name(); }

}  // namespace takt::codegen
