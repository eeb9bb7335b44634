#pragma once
// The kernel's notation for sets of CPUs: "0-3,7".

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace takt {

/// @return the CPUs named, in order of appearance; nothing for text that is not such a list
[[nodiscard]] inline std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int highest = 4095;
  std::vector<int> list;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    int first = 0, last = 0;
    const char* end = part.data() + part.size();
    auto [rest, error] = std::from_chars(part.data(), end, first);
    if (error != std::errc{}) return {};
    last = first;
    if (rest != end) {
      if (*rest != '-' || std::from_chars(rest + 1, end, last).ec != std::errc{}) return {};
    }
    if (first < 0 || last > highest) return {};
    for (int cpu = first; cpu <= last; ++cpu) list.push_back(cpu);
  }
  return list;
}

}  // namespace takt
