#pragma once
// What somebody does to a running plant: one entry of the log of actions, of a scenario, of the tap.

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// How what a reader sees differs from the true value v, at time s seconds since it was injected.
struct Distortion {
  enum class Kind : std::uint8_t {
    value,   ///< amount
    stuck,   ///< v as it was when injected
    offset,  ///< v + amount
    gain,    ///< v*amount
    drift,   ///< v + amount*s
    noise,   ///< v + amount*z, z of a normal distribution, drawn anew in every window
    delay,   ///< v as it was `amount` seconds ago
    open     ///< amount; a wire that is open reads what the input pulls it to
  };
  Kind kind = Kind::value;
  double amount = 0.0;     ///< SI
  std::uint64_t seed = 1;  ///< of the noise
};

struct Action {
  enum class Verb : std::uint8_t {
    set,        ///< plant input `target` to `value`, against what comes from outside
    override,   ///< readers of table row `target` see `value`; states and integrated fluxes stay what they are
    release,    ///< end of `set` and `override` of table row `target`
    inject,     ///< `distortion` of what sampled readers and buses see of table row `target`
    clear,      ///< end of it
    tune,       ///< parameter at table row `target` to `value`
    fault,      ///< that of PlantDescription::faults[target]
    mend,       ///< end of it
    disturb,    ///< `word` at PlantDescription::outside[target]: frames of a bus; 0: no longer
    checkpoint  ///< the plant as it is now, into a file
  };
  Verb verb = Verb::set;
  std::uint32_t target = 0;
  double value = 0.0;  ///< SI
  Distortion distortion{};
  std::uint64_t word = 0;  ///< disturb
};

/// Coefficients have to be computed for it.
[[nodiscard]] constexpr bool is_tuning(Action::Verb verb) noexcept {
  return verb == Action::Verb::tune || verb == Action::Verb::fault || verb == Action::Verb::mend;
}

/// From words, as the command line, a scenario, the tap and the log have them:
///   set PATH 12 V · override PATH 3.5 A · release PATH · tune PATH 1.5 mF ·
///   inject PATH stuck | offset 2 K | gain 1.1 | drift 0.1 K/s | noise 0.5 K [seed 3] | delay 20 ms | open [0 V] |
///   inject ELEMENT FAULT · clear PATH · clear ELEMENT FAULT ·
///   inject BUS.send.MESSAGE drop (and what else the bus knows) · clear BUS.send.MESSAGE · checkpoint, without a path
/// Numbers without a unit are in SI.
/// @param verb  "set", "override", "release", "inject", "clear", "tune" or "checkpoint"
/// @throw std::runtime_error  what is wrong and what would do, with the nearest names
[[nodiscard]] Action parse_action(const PlantDescription& plant, std::string_view verb, std::string_view path,
                                  std::string_view argument);

struct ActionWords {
  std::string verb, path, argument;  ///< as parse_action() takes them
};
/// The same in the other direction, numbers in SI with all digits.
[[nodiscard]] ActionWords action_words(const PlantDescription& plant, const Action& action);
/// "inject solid.chip.t offset 2"
[[nodiscard]] std::string action_text(const PlantDescription& plant, const Action& action);
/// The same for people: with unit, and digits as far as they say something: "inject solid.chip.t offset 2 K".
[[nodiscard]] std::string action_for_people(const PlantDescription& plant, const Action& action);

}  // namespace takt
