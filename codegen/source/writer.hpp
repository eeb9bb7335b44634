#pragma once
// Builds emitted files: lines, indented, and comments that cannot end early.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/source/layout.hpp"
#include "codegen/source/source_file.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace code {
class Naming;
}

class Writer {
 public:
  Writer() = default;
  /// Keeps a key beside the text: the same without comments, with its own type called T and names
  /// as `names` call them.
  explicit Writer(std::shared_ptr<code::Naming> names) : names_(std::move(names)) {}

  void line(std::string_view text) { line(text, text); }
  /// @param key  what stands in the key instead
  void line(std::string_view text, std::string_view key) {
    put(text);
    if (names_) key_.append(key).append("\n");
  }
  void blank() { text_ += "\n"; }
  /// Finished lines of another writer, indented to here.
  void lines(const Writer& other) { lines(other.text_, other.names_ ? other.key_ : other.text_); }
  /// What is printed elsewhere: the sink of code::print().
  void lines(std::string_view text, std::string_view key) {
    put_lines(text);
    if (names_) key_ += key;
  }
  void comment(std::string_view text) { put("// " + comment_text(text)); }
  void doc(std::string_view text) { put("/// " + comment_text(text)); }
  /// "head {" ... close()
  void open(std::string_view head) {
    line(head.empty() ? "{" : std::string(head) + " {");
    ++depth_;
  }
  void close(std::string_view tail = "}") {
    --depth_;
    line(tail);
  }
  /// A line with the subsystem's own type in it.
  void line_of(std::string_view before, std::string_view type, std::string_view behind) {
    line(joined(before, type, behind), joined(before, "T", behind));
  }
  void open_of(std::string_view before, std::string_view type, std::string_view behind) {
    line_of(before, type, joined(behind, " {", ""));
    ++depth_;
  }
  /// The line between whose parts SourceText::fill() puts something; one of a file.
  void line_to_fill(std::string_view before, std::string_view behind) {
    hole_ = text_.size() + 2 * depth_ + before.size();
    line(joined(before, behind, ""));
  }
  [[nodiscard]] code::Naming* names() const { return names_.get(); }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

  /// The file, with lines that fit the page.
  [[nodiscard]] SourceText page() const { return with_short_lines(text_, hole_); }
  /// The file, with lines as they are.
  [[nodiscard]] SourceText as_written() const { return SourceText(text_, hole_); }

 private:
  static std::string joined(std::string_view a, std::string_view b, std::string_view c) {
    return std::string(a).append(b).append(c);
  }
  void put(std::string_view text) { text_.append(2 * depth_, ' ').append(text).append("\n"); }
  void put_lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      put(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  std::string text_, key_;
  std::shared_ptr<code::Naming> names_;
  std::optional<std::size_t> hole_;
  std::size_t depth_ = 0;
};

}  // namespace takt::codegen
