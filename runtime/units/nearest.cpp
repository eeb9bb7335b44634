#include "runtime/units/nearest.hpp"

#include <algorithm>
#include <array>
#include <vector>

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

/// The last words of those of the same owner: of "electric.load.i" and "electric.load.v" i and v.
static std::vector<std::string> of_owner(std::string_view owner, std::span<const std::string> candidates) {
  std::vector<std::string> words;
  for (const std::string& candidate : candidates)
    if (candidate.starts_with(owner) && candidate.find('.', owner.size()) == std::string::npos)
      words.push_back(candidate.substr(owner.size()));
  return words;
}

/// One letter for another may be meant, too.
static std::string nearest_word(std::string_view name, std::span<const std::string> words) {
  const std::string* best = nullptr;
  unsigned best_distance = 0;
  for (const std::string& word : words) {
    const unsigned distance = edit_distance(name, word);
    if (distance > std::max(one_edit, one_edit * static_cast<unsigned>(std::max(name.size(), word.size())) / 3))
      continue;
    if (best == nullptr || distance < best_distance) best = &word, best_distance = distance;
  }
  return best == nullptr ? std::string() : *best;
}

/// Of a path whose owner is right: another word of the owner, or all of them. Empty where the owner is not known.
static std::string hint_of_owner(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t short_list = 24;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view owner = name.substr(0, dot + 1), last = name.substr(dot + 1);
  const std::vector<std::string> words = of_owner(owner, candidates);
  const std::string near = nearest_word(last, words);
  if (!near.empty()) return "did you mean \"" + std::string(owner) + near + "\"?";
  if (words.empty() || words.size() > short_list) return {};
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return words.size() == 1 ? "did you mean \"" + std::string(owner) + words.front() + "\"?"
                           : "known of " + std::string(name.substr(0, dot)) + ": " + list;
}

/// Of a path whose owner is known and whose last word is like none of it, all words: `known of electric.load: i, v`.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  if (const std::string* within = within_owner(name, candidates)) return "did you mean \"" + *within + "\"?";
  if (std::string hint = hint_of_owner(name, candidates); !hint.empty()) return hint;
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? std::string{} : "did you mean \"" + near + "\"?";
}

}  // namespace takt
