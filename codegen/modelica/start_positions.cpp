#include "codegen/modelica/start_positions.hpp"

#include <charconv>

namespace takt::codegen::modelica {
namespace {

class Reader {
 public:
  Reader(ScalarModel& model, const ReducedModel& reduced, const ModelInstance& instance)
      : model_(model), reduced_(reduced), instance_(instance) {}

  std::optional<double> value_of(Expr e) {
    bool known = true;
    const double value = model_.graph.evaluate(e, [&](SymbolId symbol) {
      const auto found = value_of(symbol);
      known = known && found;
      return found.value_or(0.0);
    });
    return known ? std::optional(value) : std::nullopt;
  }

 private:
  std::optional<double> value_of(SymbolId symbol) {
    if (symbol == model_.literal_mark) return 1.0;
    if (symbol == model_.time) return 0.0;
    if (const auto parameter = model_.parameters.find(symbol);
        parameter != model_.parameters.end()) {
      const auto given = instance_.parameters.find(parameter->second.name);
      return given == instance_.parameters.end() ? value_of(parameter->second.value)
                                                 : number(given->second.text);
    }
    if (!reduced_.rates.contains(symbol)) return std::nullopt;
    const auto& start = model_.variables[model_.variable_of.at(symbol)].start;
    return start ? value_of(*start) : 0.0;
  }

  static std::optional<double> number(const std::string& text) {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
  }

  ScalarModel& model_;
  const ReducedModel& reduced_;
  const ModelInstance& instance_;
};

}  // namespace

std::vector<StartPosition> start_positions(ScalarModel& model, const ReducedModel& reduced,
                                           const ModelInstance& instance) {
  Reader reader(model, reduced, instance);
  std::vector<StartPosition> made;
  for (const FlatJoin& join : model.flat->joins) {
    if (join.position.empty()) continue;
    const Expr position = put_through(model, reduced, symbol_of(model, join.position));
    if (const auto value = reader.value_of(position)) made.push_back({join.connector, *value});
  }
  return made;
}

}  // namespace takt::codegen::modelica
