#include "codegen/source/template.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace takt::codegen {

std::string filled(std::string_view text, const Holes& holes) {
  std::string out;
  std::set<std::string_view> used;
  while (true) {
    const std::size_t begin = text.find('@'),
                      end = begin == text.npos ? begin : text.find('@', begin + 1);
    out += text.substr(0, begin);
    if (end == text.npos) break;
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    const auto hole = std::find_if(holes.begin(), holes.end(),
                                   [&](const auto& each) { return each.first == name; });
    if (hole == holes.end()) throw std::logic_error("no value for @" + std::string(name) + "@");
    used.insert(name);
    out += hole->second;
    text.remove_prefix(end + 1);
  }
  if (used.size() != holes.size())
    throw std::logic_error("a value for which the template has no hole");
  return out;
}

}  // namespace takt::codegen
