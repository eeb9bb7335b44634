#include "runtime/units/nearest.hpp"

#include <algorithm>
#include <array>

namespace takt {
namespace {

constexpr std::size_t longest_name = 128;  // bounds the quadratic cost; longer ones are no typing mistake
constexpr unsigned one_edit = 2;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

unsigned replace_cost(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? one_edit / 2 : one_edit;
}

}  // namespace

unsigned edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > longest_name || b.size() > longest_name) return a == b ? 0U : one_edit * unsigned{longest_name};
  // Three rows of the table, used in turn.
  std::array<std::array<unsigned, longest_name + 1>, 3> rows;  // NOLINT(*-member-init): filled as far as it is read
  unsigned* before = rows[0].data();
  unsigned* last = rows[1].data();
  unsigned* now = rows[2].data();
  for (std::size_t column = 0; column <= b.size(); ++column) last[column] = one_edit * static_cast<unsigned>(column);
  for (std::size_t row = 1; row <= a.size(); ++row) {
    now[0] = one_edit * static_cast<unsigned>(row);
    for (std::size_t column = 1; column <= b.size(); ++column) {
      now[column] = std::min({last[column] + one_edit, now[column - 1] + one_edit,
                              last[column - 1] + replace_cost(a[row - 1], b[column - 1])});
      const bool swapped = row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1];
      if (swapped) now[column] = std::min(now[column], before[column - 2] + one_edit);
    }
    unsigned* const oldest = before;
    before = last;
    last = now;
    now = oldest;
  }
  return last[b.size()];
}

/// "electric.motor.i" -> "electric.motor.armature.i": the same owner and the same last word, the shortest of them.
static const std::string* within_owner(std::string_view name, std::span<const std::string> candidates) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string_view owner = name.substr(0, dot + 1), last = name.substr(dot);
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates)
    if (candidate.starts_with(owner) && candidate.ends_with(last) &&
        (best == nullptr || candidate.size() < best->size()))
      best = &candidate;
  return best;
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  if (const std::string* within = within_owner(name, candidates)) return *within;
  const std::string* best = nullptr;
  unsigned best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t shorter = std::min(name.size(), candidate.size()),
                      longer = std::max(name.size(), candidate.size());
    if (3 * (longer - shorter) > std::max<std::size_t>(longer, 3)) continue;  // too far by its length alone
    const unsigned distance = edit_distance(name, candidate);
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return {};
  const auto longer = static_cast<unsigned>(std::max(name.size(), best->size()));
  const unsigned allowed = std::max(one_edit, one_edit * longer / 3);
  return best_distance <= allowed && best_distance < one_edit * longer ? *best : std::string{};
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? std::string{} : "did you mean \"" + near + "\"?";
}

}  // namespace takt
