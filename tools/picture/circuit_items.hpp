#pragma once
// Elements of circuits and what is sampled as items with their ends: internal steps of diagrams_of().

#include <map>
#include <string>
#include <vector>

#include "tools/picture/element_facts.hpp"
#include "tools/picture/fold_parts.hpp"

namespace takt::picture {

using Facts = std::map<std::string, ElementFacts>;

/// A diagram for each circuit, and for elements that are in none.
[[nodiscard]] std::vector<Flat> circuit_items(const codegen::Checked& checked, const Facts& facts);

/// Control blocks, modulators, FMUs and inputs of the plant, joined by signals; what they read of circuits and drive in
/// them are ties. Empty where nothing is sampled.
[[nodiscard]] Flat sampled_items(const codegen::Checked& checked, const Facts& facts);

}  // namespace takt::picture
