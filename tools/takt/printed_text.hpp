#pragma once
// A text that is made piece by piece.

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace takt::tools {

class Text {
 public:
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace takt::tools
