#pragma once
// Text of one emitted file: lines, indentation, blocks.

#include <string>
#include <string_view>
#include <utility>

#include "codegen/text/escape.hpp"

namespace takt::codegen {

class Writer {
 public:
  void line(std::string_view text) { text_.append(2 * depth_, ' ').append(text).append("\n"); }
  void blank() { text_ += "\n"; }
  /// Finished lines, of another writer for instance, indented to here.
  void lines(const Writer& other) { lines(other.text_); }
  void lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }
  void comment(std::string_view text) { line("// " + comment_text(text)); }
  void doc(std::string_view text) { line("/// " + comment_text(text)); }
  /// "head {" ... close()
  void open(std::string_view head) {
    line(head.empty() ? "{" : std::string(head) + " {");
    ++depth_;
  }
  void close(std::string_view tail = "}") {
    --depth_;
    line(tail);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace takt::codegen
