#pragma once
// What is known of each element beside its place: parameters, signals, faults, as text for people.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/picture/diagram.hpp"

namespace takt::picture {

struct ElementFacts {
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name, value with its unit; those in the plant file
  std::vector<Quantity> signals;                                ///< the through variable first
  std::vector<std::pair<std::string, std::string>> faults;      ///< name, what it does
};

/// The across variable of a branch; that of two temperatures is called a difference, which is not shown in degrees
/// Celsius.
[[nodiscard]] Quantity across_of(const codegen::Network& network, const codegen::Branch& branch);

/// With four digits.
[[nodiscard]] std::string quantity_text(double value, const std::string& unit);

/// By path of the element or block.
[[nodiscard]] std::map<std::string, ElementFacts> facts_of(const codegen::Checked& checked);

/// The parameter that says most: a resistance, a mass; empty where there is none.
[[nodiscard]] std::string main_value(const ElementFacts& facts);

}  // namespace takt::picture
