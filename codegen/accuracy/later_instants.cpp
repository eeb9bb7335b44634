#include "codegen/accuracy/later_instants.hpp"

#include <cmath>
#include <set>
#include <unordered_map>

#include "codegen/dae/algebra/time_instants.hpp"
#include "codegen/stability/time_functions.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most = 100'000;

class Later {
 public:
  Later(const Network& network, double seen_s, double duration_s)
      : network_(network), seen_s_(seen_s), duration_s_(duration_s) {
    for (const Parameter& parameter : network.parameters)
      values_.emplace(parameter.symbol, parameter.value);
  }

  void set(const std::string& name, const std::string& value) {
    for (const Parameter& parameter : network_.parameters)
      if (network_.graph().symbol(parameter.symbol).path == name)
        values_[parameter.symbol] = std::stod(value);
  }

  void add(const TimeInstants& instants) {
    for (const TimeInstants::Level& level : instants.levels) {
      const InstantsOf own = of({.levels = {level}, .corners = {}, .unknown = {}});
      if (!level.period)
        note(own.after(seen_s_));
      else if (const double first = own.after(0.0); first > seen_s_)
        note(first);
    }
    for (const TimeInstants::Corners& corners : instants.corners) {
      const InstantsOf own = of({.levels = {}, .corners = {corners}, .unknown = {}});
      for (double t = own.after(seen_s_); t < duration_s_ && found_.size() < most; t = own.after(t))
        note(t);
    }
  }

  void note(double t) {
    if (t < duration_s_ && found_.size() < most) found_.insert(t);
  }

  [[nodiscard]] std::vector<double> all() const { return {found_.begin(), found_.end()}; }

 private:
  [[nodiscard]] InstantsOf of(const TimeInstants& instants) const {
    return {network_.graph(), instants, [this](SymbolId symbol) { return values_.at(symbol); }};
  }

  const Network& network_;
  double seen_s_, duration_s_;
  std::unordered_map<SymbolId, double> values_;
  std::set<double> found_;
};

}  // namespace

std::vector<double> later_instants(const PlantEquations& plant, double seen_s, double duration_s,
                                   const std::vector<std::pair<std::string, std::string>>& set) {
  Later later(plant.network, seen_s, duration_s);
  for (const auto& [name, value] : set) later.set(name, value);
  for (const Surrogate& surrogate : plant.dae.subsystems)
    later.add(time_instants(plant.network, surrogate));
  for (const TimeFunctions& functions : time_functions(plant.network, plant.dae, duration_s))
    if (functions.narrowest && functions.narrowest->at_s > seen_s)
      later.note(functions.narrowest->at_s);
  return later.all();
}

}  // namespace takt::codegen
