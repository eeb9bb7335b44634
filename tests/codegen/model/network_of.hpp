#pragma once
// Plants in tests: text in, network out, with the real library.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/model/load_plant.hpp"

namespace takt::codegen::test {

using Overrides = std::vector<std::pair<std::string, std::string>>;

/// The library under config/library, read once.
const Library& real_library();

/// A plant that has no findings; the test fails with the findings otherwise.
Network network_of(const std::string& text, const Overrides& overrides = {});

/// Codes of the errors and warnings of a plant, in order.
std::vector<std::string> codes_of(const std::string& text, const Overrides& overrides = {});

const Branch& branch_of(const Network& network, const std::string& path);
const Parameter* parameter_of(const Network& network, const std::string& path);
const ElementVariable& variable_of(const Network& network, const std::string& path);

/// Value of an expression with parameters as loaded and other symbols as given by path (0 where nothing is said).
double value_of(const Network& network, Expr expression,
                const std::vector<std::pair<std::string, double>>& symbols = {});

}  // namespace takt::codegen::test
