#include "codegen/emit/unused_locals.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::codegen {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Calls `visit` with every name in a line that is no member's, its comment left out.
template <class Visit>
void for_names(std::string_view line, Visit&& visit) {
  line = line.substr(0, line.find("//"));
  for (std::size_t at = 0; at < line.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), continues_name) - line.begin());
    const bool is_member = at > 0 && line[at - 1] == '.';
    if (begins_name(line[at]) && !is_member) visit(line.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

constexpr std::string_view mark = "[[maybe_unused]] ";

std::vector<std::string_view> lines_of(const std::string& text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    lines.push_back(std::string_view(text).substr(start, end - start));
    start = end;
  }
  return lines;
}

/// A line in which marked names that are not `used` are left out; empty where it defines such a name.
template <class Used>
std::string resolved(std::string_view line, const Used& used) {
  std::string result;
  for (std::size_t at = line.find(mark); at != std::string_view::npos; at = line.find(mark)) {
    result += line.substr(0, at);
    line.remove_prefix(at + mark.size());
    const std::size_t end = line.find_first_of("=,)");
    const std::size_t last = line.substr(0, end).find_last_not_of(' ') + 1;
    std::size_t begin = last;
    while (begin > 0 && continues_name(line[begin - 1])) --begin;
    const bool is_used = used(line.substr(begin, last - begin));
    if (!is_used && line[end] == '=') return {};
    result += line.substr(0, is_used ? last : line.substr(0, begin).find_last_not_of(' ') + 1);
    line.remove_prefix(line[end] == '=' ? last : end);
  }
  return result.append(line);
}

}  // namespace

std::string without_unused_marks(const std::string& file) {
  const std::vector<std::string_view> lines = lines_of(file);
  std::string result;
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = begin + 1;  // behind the function that begins here, or the line
    std::unordered_map<std::string_view, int> uses;
    const auto count = [&](std::string_view name) { ++uses[name]; };
    if (lines[begin].ends_with(" {\n") && lines[begin].front() != ' ') {
      for (for_names(lines[begin], count); end < lines.size() && !lines[end].starts_with("}"); ++end)
        for_names(lines[end], count);
    }
    for (std::size_t k = begin; k < end; ++k)
      result += resolved(lines[k], [&](std::string_view name) { return uses[name] > 1; });
    begin = end;
  }
  return result;
}

}  // namespace takt::codegen
