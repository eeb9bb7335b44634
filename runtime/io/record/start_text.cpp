#include <algorithm>
#include <cmath>

#include "runtime/io/record/summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

std::string list(const char* head, const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  if (names.empty()) return "";
  std::string text = std::string("  ") + head;
  for (std::size_t k = 0; k < std::min(shown, names.size()); ++k) text += (k == 0 ? ": " : ", ") + names[k];
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text + "\n";
}

}  // namespace

std::string start_text(const StartResult& start) {
  if (!start.steady) return "";
  const auto moved =
      std::count_if(start.states.begin(), start.states.end(), [](const StartedState& s) { return s.moved; });
  std::string text = std::string("start: ") + (start.still_moves.empty() ? "" : "nearly ") + "steady state after ";
  text += std::to_string(start.steps) + (start.steps == 1 ? " step, " : " steps, ") + std::to_string(moved) + " of " +
          std::to_string(start.states.size()) + " states moved";
  text += ", largest remaining rate " + formatted("%.1e", start.largest_rate) + " of the flows through its state";
  if (!start.largest_rate_of.empty()) text += " (" + start.largest_rate_of + ")";
  if (!start.still_moves.empty())
    text += "\n  " + start.still_moves + " still moves by " + formatted("%.1e", start.still_moves_per_s) +
            " of its size in a second";
  text += "\n" + list("kept as fixed", start.fixed) + list("kept as invariant", start.invariants) +
          list("kept, without fixed point", start.blocks_kept) + list("kept, switched", start.circuits_kept);
  if (!start.settled) text += "  coupled values did not settle\n";
  return text;
}

}  // namespace takt
