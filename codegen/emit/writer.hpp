#pragma once
// Text of one emitted file: lines, indentation, blocks.

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/code/print.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {

class Writer {
 public:
  Writer() = default;
  /// Keeps a key beside the text: the same without comments, with its own type called T and names as `names` call them.
  explicit Writer(std::shared_ptr<code::Naming> names) : names_(std::move(names)) {}

  void line(std::string_view text) { line(text, text); }
  void blank() { text_ += "\n"; }
  /// Finished lines, of another writer for instance, indented to here.
  void lines(const Writer& other) {
    put_lines(other.text_);
    if (names_) key_ += other.names_ ? other.key_ : other.text_;
  }
  void lines(std::string_view text) {
    put_lines(text);
    if (names_) key_ += text;
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
  /// double NAME;
  void coefficient(const std::string& name, std::string_view comment) {
    line(joined("double ", name, ";") + std::string(comment),
         names_ ? joined("double ", names_->coefficient(name), ";") : "");
  }
  /// Parts of one function.
  void code(const code::Values& values, std::initializer_list<std::span<const code::Statement>> parts) {
    for (const std::span<const code::Statement> part : parts) put_lines(code::printed(values, part));
    if (names_) key_ += code::printed(values, parts, *names_);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

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
  void line(std::string_view text, std::string_view key) {
    put(text);
    if (names_) key_.append(key).append("\n");
  }

  std::string text_, key_;
  std::shared_ptr<code::Naming> names_;
  std::size_t depth_ = 0;
};

}  // namespace takt::codegen
