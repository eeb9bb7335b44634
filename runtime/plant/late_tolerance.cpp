#include "runtime/plant/late_tolerance.hpp"

#include <charconv>
#include <cstdio>

namespace takt {

std::optional<LateTolerance> late_tolerance(std::string_view words) {
  if (words == "any") return LateTolerance{.any = true};
  const char* const end = words.data() + words.size();
  if (words.ends_with('%')) {
    double percent = 0.0;
    const auto [rest, error] = std::from_chars(words.data(), end, percent);
    const bool only_percent = error == std::errc() && std::string_view(rest, end).find_first_not_of(' ') ==
                                                          static_cast<std::size_t>(end - rest) - 1;
    if (!only_percent || !(percent >= 0.0 && percent <= 100.0)) return std::nullopt;
    return LateTolerance{.share = percent / 100.0};
  }
  double part = 0.0;  // 1e-3
  if (const auto [rest, error] = std::from_chars(words.data(), end, part);
      error == std::errc() && rest == end && part > 0.0 && part < 1.0)
    return LateTolerance{.share = part};
  std::uint64_t count = 0;
  const auto [rest, error] = std::from_chars(words.data(), end, count);
  if (error != std::errc() || rest != end || words.empty()) return std::nullopt;
  return LateTolerance{.count = count};
}

std::string late_tolerance_text(const LateTolerance& tolerance) {
  if (tolerance.any) return "any";
  if (tolerance.share > 0.0) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g %%", 100.0 * tolerance.share);
    return text;
  }
  return tolerance.count == 0 ? "none" : std::to_string(tolerance.count);
}

}  // namespace takt
