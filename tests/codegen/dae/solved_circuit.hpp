#pragma once
// A plant of one circuit as numbers, by the program that the generator itself runs, and how well its laws hold.

#include <memory>
#include <string>
#include <vector>

#include "codegen/dae/dae.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen::testing {

class SolvedCircuit {
 public:
  /// @throw std::runtime_error  the findings
  SolvedCircuit(const std::string& plant, const std::string& library);

  [[nodiscard]] const Surrogate& surrogate() const { return surrogate_; }
  [[nodiscard]] const Network& network() const { return *network_; }
  /// Values of all symbols where the states are these.
  SymbolValues at(const std::vector<double>& states, std::vector<double>& rates);
  /// Derivatives of the rates, where at() has left off.
  [[nodiscard]] Matrix slopes() const;

 private:
  std::unique_ptr<Network> network_;
  Surrogate surrogate_;
  std::unique_ptr<Program> program_;
};

/// What violations are measured by: the terms of each node and each law, or the largest of the whole network.
enum class Beside : std::uint8_t { own_terms, largest };

/// Largest violation of balances, of Kirchhoff's voltage law and of the laws of the branches.
[[nodiscard]] double worst_law(const Network& network, const SymbolValues& values, Beside beside = Beside::own_terms);

/// Sum of the powers into all branches, of the sum of their magnitudes: zero by Tellegen's theorem.
[[nodiscard]] double open_power(const Network& network, const SymbolValues& values);

}  // namespace takt::codegen::testing
