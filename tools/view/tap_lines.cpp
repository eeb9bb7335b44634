#include "tools/view/tap_lines.hpp"

#include "runtime/json/parse_json.hpp"

namespace takt::view {

constexpr std::size_t longest = std::size_t{64} << 20U;  // line and bytes: more comes from no tap

bool TapLines::take(std::string_view piece, const OnLine& on_line) {
  waiting_ += piece;
  std::size_t begin = 0;
  bool good = true;
  for (;;) {
    const std::size_t end = waiting_.find('\n', begin);
    if (end == std::string::npos) break;
    const Json line = json_or_none<Json>(std::string_view(waiting_).substr(begin, end - begin));
    if (line.is_discarded() || !line.is_object()) return false;
    const auto said = line.find("bytes");
    const std::size_t bytes = said != line.end() && said->is_number_unsigned() ? said->get<std::size_t>() : 0;
    if (bytes > longest) return false;
    if (waiting_.size() - end - 1 < bytes) break;
    on_line(line, std::string_view(waiting_).substr(end + 1, bytes));
    begin = end + 1 + bytes;
  }
  waiting_.erase(0, begin);
  good = waiting_.size() <= 2 * longest;
  return good;
}

}  // namespace takt::view
