#include "tests/codegen/model/network_of.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/runtime/support/places.hpp"

namespace takt::codegen::test {

const Library& real_library() {
  static const Library library = [] {
    Diagnostics diagnostics;
    Library loaded = load_library({takt::test::library_folder()}, diagnostics);
    INFO(diagnostics.render());
    REQUIRE(diagnostics.all().empty());
    return loaded;
  }();
  return library;
}

Network network_of(const std::string& text, const Overrides& overrides) {
  Diagnostics diagnostics;
  auto network = load_plant_text({text, "test/plant.toml"}, real_library(), overrides, diagnostics);
  INFO(diagnostics.render());
  REQUIRE(diagnostics.all().empty());
  REQUIRE(network.has_value());
  return std::move(*network);
}

std::vector<std::string> codes_of(const std::string& text, const Overrides& overrides) {
  Diagnostics diagnostics;
  (void)load_plant_text({text, "test/plant.toml"}, real_library(), overrides, diagnostics);
  std::vector<std::string> codes;
  for (const auto& finding : diagnostics.all()) codes.push_back(finding.code);
  return codes;
}

const Branch& branch_of(const Network& network, const std::string& path) {
  const auto found =
      std::find_if(network.branches.begin(), network.branches.end(), [&](const Branch& b) { return b.path == path; });
  INFO("branch " << path);
  REQUIRE(found != network.branches.end());
  return *found;
}

const Parameter* parameter_of(const Network& network, const std::string& path) {
  const auto found = std::find_if(network.parameters.begin(), network.parameters.end(),
                                  [&](const Parameter& p) { return network.graph().symbol(p.symbol).path == path; });
  return found == network.parameters.end() ? nullptr : &*found;
}

const ElementVariable& variable_of(const Network& network, const std::string& path) {
  const auto found = std::find_if(network.variables.begin(), network.variables.end(), [&](const ElementVariable& v) {
    return network.graph().symbol(v.symbol).path == path;
  });
  INFO("variable " << path);
  REQUIRE(found != network.variables.end());
  return *found;
}

double value_of(const Network& network, Expr expression, const std::vector<std::pair<std::string, double>>& symbols) {
  return network.graph().evaluate(expression, [&](SymbolId symbol) {
    const std::string& path = network.graph().symbol(symbol).path;
    for (const auto& [name, value] : symbols) {
      if (name == path) return value;
    }
    for (const Parameter& parameter : network.parameters) {
      if (parameter.symbol == symbol) return parameter.value;
    }
    return 0.0;
  });
}

}  // namespace takt::codegen::test
