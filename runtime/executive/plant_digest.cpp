#include "runtime/executive/plant_digest.hpp"

#include <string>

namespace takt {
namespace {

constexpr std::uint32_t energies = 5;  // SubsystemDescription

}  // namespace

PlantDigest::PlantDigest(const PlantDescription& plant, const Exchanges& exchanges, std::span<const double> inputs)
    : of_(plant.subsystems.size()), inputs_(inputs) {
  std::vector<std::vector<std::size_t>> sent(plant.subsystems.size());
  for (std::size_t i = 0; i < exchanges.size(); ++i) sent[plant.exchanges[i].producer].push_back(i);
  for (const WindowPlan& window : plant.windows) {
    const SubsystemDescription& s = plant.subsystems[window.subsystem];
    Range& range = of_[window.subsystem];
    range.begin = static_cast<std::uint32_t>(values_.size());
    for (std::uint32_t i = 0; i < s.states; ++i)
      values_.push_back({reinterpret_cast<const double*>(plant.memory + s.states_offset) + i, Digest::key(s.name, i)});
    for (const std::size_t i : sent[window.subsystem]) {
      const ExchangePlan& exchange = plant.exchanges[i];
      const std::string name = std::string(exchange.from) + " -> " + exchange.to;
      values_.push_back({exchanges.value_at(i), Digest::key(name)});
      const auto* leaving = reinterpret_cast<const double*>(plant.memory + exchange.delay.leaving) + 1;
      for (std::uint32_t k = 0; k < exchange.delay.samples; ++k)  // of the last window
        values_.push_back({leaving + k, Digest::key(name, k + 1)});
    }
    if (values_.size() == range.begin) {  // nothing of it goes on or leaves: then what it has computed
      const auto add = [&](std::size_t offset, std::uint32_t count, const char* what) {
        const auto* first = reinterpret_cast<const double*>(plant.memory + offset);
        for (std::uint32_t i = 0; i < count; ++i)
          values_.push_back({first + i, Digest::key(std::string(s.name) + what, i)});
      };
      add(s.outputs_offset, s.outputs, " output");
      add(s.energy_offset, energies, " energy");
    }
    range.end = static_cast<std::uint32_t>(values_.size());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) input_keys_.push_back(Digest::key(plant.plant_inputs[i].path));
}

}  // namespace takt
