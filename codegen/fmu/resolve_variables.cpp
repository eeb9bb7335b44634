// What variables name: dimensions, derivatives, earlier values, clocks.

#include <fmt/format.h>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/start_values.hpp"

namespace takt::codegen {
namespace {

constexpr std::uint64_t most_elements = std::uint64_t{1} << 24;  // of all variables together

class Resolver {
 public:
  explicit Resolver(FmuReading& reading) : reading_(reading), variables_(reading.fmu.variables) {}

  void run() {
    std::uint64_t elements = 0;
    for (FmuVariable& variable : variables_) {
      variable.size = size_of(variable);
      elements += variable.size;
      if (elements <= most_elements) continue;
      return error("Y038", variable.where,
                   fmt::format("the variables up to '{}' have more than {} elements",
                               printable(variable.name), most_elements),
                   "take smaller arrays");
    }
    for (FmuVariable& variable : variables_) fit(variable);
    std::size_t index = 0;
    for (pugi::xml_node outer : reading_.root().child("ModelVariables").children())
      if (index < variables_.size() && reading_.xml.at(outer) == variables_[index].where)
        resolve(variables_[index++], outer);
  }

 private:
  void error(const char* code, const Location& where, std::string message, std::string hint) const {
    reading_.diagnostics.error(code, where, std::move(message), std::move(hint));
  }

  [[nodiscard]] std::size_t size_of(const FmuVariable& variable) const {
    std::uint64_t size = 1;
    for (const FmuDimension& dimension : variable.dimensions) {
      const std::uint64_t length = length_of(dimension, variable);
      size = length != 0 && size > most_elements / length ? most_elements + 1 : size * length;
      if (size > most_elements) break;
    }
    return size;
  }

  [[nodiscard]] std::uint64_t length_of(const FmuDimension& dimension,
                                        const FmuVariable& variable) const {
    if (dimension.size.has_value() == dimension.reference.has_value()) {
      error("Y038", variable.where,
            fmt::format("a dimension of '{}' has {}", printable(variable.name),
                        dimension.size ? "both start and valueReference"
                                       : "neither start nor valueReference"),
            "give one of them");
      return 1;
    }
    if (dimension.size) return *dimension.size;
    const auto found = reading_.by_reference.find(*dimension.reference);
    const FmuVariable* length =
        found != reading_.by_reference.end() ? &variables_[found->second] : nullptr;
    const auto* start =
        length != nullptr ? std::get_if<std::vector<std::uint64_t>>(&length->start) : nullptr;
    const bool is_right = start != nullptr && start->size() == 1 &&
                          length->type == FmuType::uint64 &&
                          (length->causality == FmuCausality::structural_parameter ||
                           length->variability == FmuVariability::constant);
    if (is_right) return start->front();
    error("Y038", variable.where,
          fmt::format("a dimension of '{}' names valueReference {}, {}", printable(variable.name),
                      *dimension.reference,
                      length == nullptr
                          ? "which no variable has"
                          : "which is no structural parameter or constant with a start value"),
          "lengths of arrays are structural parameters or constants of type UInt64");
    return 1;
  }

  void fit(FmuVariable& variable) const {
    const std::size_t count = start_count(variable.start);
    if (!has_start(variable) || fit_start(variable.start, variable.size)) return;
    error("Y036", variable.where,
          fmt::format("'{}' has {} start values and {} elements", printable(variable.name), count,
                      variable.size),
          "give one for each element, row by row, or a single one for all");
  }

  void resolve(FmuVariable& variable, pugi::xml_node outer) const {
    pugi::xml_attribute derivative = outer.attribute("derivative");
    if (reading_.is_2()) derivative = outer.child("Real").attribute("derivative");
    if (derivative) variable.derivative_of = named(variable, derivative, "Y041");
    if (const pugi::xml_attribute previous = outer.attribute("previous"))
      variable.previous = named(variable, previous, "Y043");
    if (variable.derivative_of) check_derivative(variable, derivative);
    for (std::uint32_t clock : variable.clocks)
      check_clock(variable, clock, outer.attribute("clocks"));
  }

  void check_clock(const FmuVariable& variable, std::uint32_t clock,
                   pugi::xml_attribute attribute) const {
    const auto found = reading_.by_reference.find(clock);
    if (found != reading_.by_reference.end() && variables_[found->second].type == FmuType::clock)
      return;
    error("Y043", reading_.xml.at(attribute),
          fmt::format(
              "'{}' names {} as a clock, which {}", printable(variable.name), clock,
              found == reading_.by_reference.end() ? "no variable has" : "is of another type"),
          "clocks are valueReferences of variables of type Clock");
  }

  /// FMI 2: index from 1; FMI 3: valueReference.
  std::optional<std::size_t> named(const FmuVariable& variable, pugi::xml_attribute attribute,
                                   const char* code) const {
    const auto number = xml::integer<std::uint32_t>(attribute.value());
    if (const auto index = number ? reading_.index_of(*number) : std::nullopt) return index;
    error(code, reading_.xml.at(attribute),
          fmt::format("{} of '{}' is {}, which no variable has", attribute.name(),
                      printable(variable.name), printable(attribute.value())),
          reading_.numbers_hint());
    return std::nullopt;
  }

  void check_derivative(const FmuVariable& variable, pugi::xml_attribute attribute) const {
    const FmuVariable& state = variables_[*variable.derivative_of];
    const char* wrong = &state == &variable           ? "itself"
                        : state.type != variable.type ? "a variable of another type"
                        : state.size != variable.size ? "a variable with another number of elements"
                                                      : nullptr;
    if (wrong == nullptr) return;
    error("Y041", reading_.xml.at(attribute),
          fmt::format("'{}' is the derivative of '{}': of {}", printable(variable.name),
                      printable(state.name), wrong),
          "a derivative has type and dimensions of its state");
  }

  FmuReading& reading_;
  std::vector<FmuVariable>& variables_;
};

}  // namespace

void resolve_variables(FmuReading& reading) { Resolver(reading).run(); }

std::optional<std::size_t> FmuReading::index_of(std::uint32_t number) const {
  if (is_2())
    return number >= 1 && number <= fmu.variables.size() ? std::optional<std::size_t>(number - 1)
                                                         : std::nullopt;
  const auto found = by_reference.find(number);
  return found != by_reference.end() ? std::optional(found->second) : std::nullopt;
}

std::string FmuReading::numbers_hint() const {
  return is_2() ? fmt::format("it counts the variables from 1, of which there are {}",
                              fmu.variables.size())
                : "it is the valueReference of a variable";
}

}  // namespace takt::codegen
