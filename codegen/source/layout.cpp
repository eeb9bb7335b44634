#include "codegen/source/layout.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::codegen {
namespace {

constexpr std::size_t page = 120;
constexpr std::size_t further = 4;

/// A place where a line may be broken: before `at`. Less binds less.
struct Break {
  std::size_t at = 0;
  int depth = 0, binding = 0;
};

/// How tightly an operator between spaces binds; nothing where the text there is none.
std::optional<int> binding_of(std::string_view word) {
  constexpr std::string_view loosest_first[] = {"=",  "?",  ":",  "||", "&&", "<", "<=", ">",
                                                ">=", "!=", "==", "+",  "-",  "*", "/"};
  constexpr int binding[] = {1, 2, 2, 3, 4, 5, 5, 5, 5, 5, 5, 6, 6, 7, 7};
  const auto found = std::find(std::begin(loosest_first), std::end(loosest_first), word);
  if (found == std::end(loosest_first)) return {};
  return binding[found - std::begin(loosest_first)];
}

/// Walks over the code of a line: where it may be broken, and where a comment begins.
class Scan {
 public:
  explicit Scan(std::string_view line) : line_(line) {
    for (std::size_t at = 0; at < line.size() && !comment_; at = next(at)) continue;
  }

  [[nodiscard]] std::optional<std::size_t> comment() const { return comment_; }

  /// The break for a line of `width` columns that leaves together what hangs together; none where
  /// there is none.
  [[nodiscard]] std::optional<Break> best(std::size_t width) const {
    std::optional<Break> best;
    const std::size_t first = line_.find_first_not_of(' ') + further;
    for (const Break& place : breaks_) {
      if (place.at <= first || place.at > width + 1) continue;
      const bool looser = !best || place.depth < best->depth ||
                          (place.depth == best->depth && place.binding <= best->binding);
      if (looser) best = place;
    }
    return best;
  }

 private:
  std::size_t next(std::size_t at) {
    const char c = line_[at];
    if (c == '"') return behind_string(at);
    if (line_.substr(at, 2) == "/*")
      return std::min(line_.find("*/", at + 2), line_.size() - 2) + 2;
    if (line_.substr(at, 2) == "//") comment_ = at;
    depth_ += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c != ' ') return at + 1;
    const std::size_t begin = line_.find_last_of(' ', at == 0 ? 0 : at - 1) + 1;
    const std::string_view word = at == 0 ? std::string_view() : line_.substr(begin, at - begin);
    if (word.ends_with(",") || word.ends_with(";"))
      breaks_.push_back({at + 1, depth_, 0});
    else if (const auto binding = binding_of(word))
      breaks_.push_back({at + 1, depth_, *binding});
    return at + 1;
  }

  [[nodiscard]] std::size_t behind_string(std::size_t at) const {
    for (++at; at < line_.size() && line_[at] != '"'; ++at) at += line_[at] == '\\' ? 1 : 0;
    return at + 1;
  }

  std::string_view line_;
  std::optional<std::size_t> comment_;
  std::vector<Break> breaks_;
  int depth_ = 0;
};

void put(std::string& out, std::string_view line) {
  const std::size_t end = line.find_last_not_of(' ');
  out.append(line.substr(0, end == std::string_view::npos ? 0 : end + 1)).append("\n");
}

/// A comment is broken between words.
void put_comment(std::string& out, std::string_view line) {
  const std::size_t begin =
      std::min(line.find_first_not_of(' ', line.find_first_not_of("/< ")), line.size());
  const std::string head(line.substr(0, begin));
  std::string_view words = line.substr(begin);
  while (head.size() + words.size() > page) {
    std::size_t space = words.rfind(' ', page - head.size());
    if (space == std::string_view::npos || space == 0) space = words.find(' ');
    if (space == std::string_view::npos) break;
    put(out, head + std::string(words.substr(0, space)));
    words.remove_prefix(space + 1);
  }
  put(out, head + std::string(words));
}

/// Each piece is looked for in what fits: lines can have a term for each of thousands of elements.
void put_code(std::string& out, std::string_view line) {
  const std::string indent(line.find_first_not_of(' ') + further, ' ');
  std::string head;
  while (head.size() + line.size() > page) {
    const std::string piece = head + std::string(line.substr(0, page + 2 - head.size()));
    const std::optional<Break> place = Scan(piece).best(page);
    if (!place) break;
    put(out, std::string_view(piece).substr(0, place->at));
    line.remove_prefix(place->at - head.size());
    head = indent;
  }
  put(out, head + std::string(line));
}

void put_line(std::string& out, std::string_view line) {
  const std::optional<std::size_t> comment = Scan(line).comment();
  const std::size_t first = line.find_first_not_of(' ');
  if (line.size() <= page || line.starts_with("#")) return put(out, line);
  if (comment == first) return put_comment(out, line);
  if (!comment) return put_code(out, line);
  std::string_view words = line.substr(*comment);
  const bool documents = words.starts_with("///< ");
  put_comment(out, std::string(first, ' ') + (documents ? "/// " : "// ") +
                       std::string(words.substr(documents ? 5 : 3)));
  put_code(out, line.substr(0, line.find_last_not_of(' ', *comment - 1) + 1));
}

}  // namespace

SourceText with_short_lines(const std::string& file, std::optional<std::size_t> hole) {
  std::string out;
  std::optional<std::size_t> moved;
  for (std::size_t start = 0; start < file.size();) {
    const std::size_t end = file.find('\n', start);
    const std::string_view line = std::string_view(file).substr(start, end - start);
    if (hole && *hole >= start && *hole < end) {
      moved = out.size() + (*hole - start);
      put(out, line);
    } else {
      put_line(out, line);
    }
    start = end + 1;
  }
  return SourceText(std::move(out), moved);
}

}  // namespace takt::codegen
