#include "runtime/units/predefined.hpp"

#include <algorithm>
#include <array>

namespace takt {
namespace {

struct Predefined {
  std::string_view name, meaning;
  unsigned places;
};

constexpr auto plant = static_cast<unsigned>(NamePlace::plant), block = static_cast<unsigned>(NamePlace::block),
               definition = static_cast<unsigned>(NamePlace::definition),
               scenario = static_cast<unsigned>(NamePlace::scenario);
constexpr unsigned everywhere = plant | block | definition | scenario;
constexpr std::string_view word = "a word of expressions", function = "a function of scenarios";

constexpr std::array predefined = std::to_array<Predefined>({
    {"pi", "the number 3.14159...", everywhere},
    {"time", "the simulated time", everywhere},
    {"and", word, everywhere},
    {"or", word, everywhere},
    {"not", word, everywhere},
    {"if", word, everywhere},
    {"true", "a condition that always holds", everywhere},
    {"false", "a condition that never holds", everywhere},
    {"round", "the number of a round of a loop in scenarios", plant | scenario},
    {"abs", function, scenario},
    {"min", function, scenario},
    {"max", function, scenario},
    {"sqrt", function, scenario},
    {"i", "the index of a member of an array", plant | block},
    {"time_in_state", "how long a state machine has been in its state", plant | block},
    {"dt", "the period of a control block", plant | block | definition},
    {"param", "what parameters of an element are named by (param.r)", plant | definition},
    {"before", "what values before an edge are named by (before.v)", definition},
});

constexpr std::array functions = std::to_array<std::string_view>(
    {"sin",  "cos",   "tan", "asin", "acos",  "atan", "exp", "log",   "tanh", "sqrt", "abs",
     "sign", "atan2", "min", "max",  "floor", "mod",  "pow", "clamp", "if",   "step"});

}  // namespace

std::string_view predefined_meaning(std::string_view name, NamePlace place) {
  for (const Predefined& entry : predefined)
    if (entry.name == name && (entry.places & static_cast<unsigned>(place)) != 0) return entry.meaning;
  return {};
}

std::span<const std::string_view> function_names() { return functions; }

bool is_function_name(std::string_view name) {
  return std::find(functions.begin(), functions.end(), name) != functions.end();
}

}  // namespace takt
