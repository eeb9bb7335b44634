#pragma once
// The six physical domains and the names of their variables (design: one graph, one tree).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/text/words.hpp"

namespace takt::codegen {

enum class Domain : std::uint8_t { electric, solid, rotational, translational, fluid, gas };

/// Names and SI units of a domain's branch variables as element laws and result paths write them.
struct DomainWords {
  Domain domain;
  std::string_view name;  ///< section name in a plant file
  std::string_view across, across_unit;
  std::string_view through, through_unit;
  std::string_view charge,
      charge_unit;  ///< conserved quantity of an across storage; its rate is the through variable
  std::string_view linkage,
      linkage_unit;  ///< conserved quantity of a through storage; its rate is the across variable
  std::string_view cutset_sum,
      loop_sum;  ///< states of storages that depend on each other: sums of charges, of linkages
  std::string_view reference;  ///< name of the reference vertex in `at = [...]`
  bool through_is_power;       ///< thermal domains: the through variable itself is a power, W
};

inline constexpr std::array<DomainWords, 6> domain_words{{
    {Domain::electric, "electric", "v", "V", "i", "A", "q", "C", "lambda", "Wb", "cutset_charge",
     "loop_linkage", "gnd", false},
    {Domain::solid, "solid", "t", "K", "h", "W", "e", "J", "", "", "cutset_energy", "",
     "absolute_zero", true},
    {Domain::rotational, "rotational", "w", "rad/s", "tau", "N*m", "l", "N*m*s", "phi", "rad",
     "cutset_angular_momentum", "loop_angle", "frame", false},
    {Domain::translational, "translational", "v", "m/s", "f", "N", "p", "N*s", "s", "m",
     "cutset_momentum", "loop_extension", "frame", false},
    {Domain::fluid, "fluid", "p", "Pa", "q", "kg/s", "m", "kg", "psi", "Pa*s", "cutset_mass",
     "loop_pressure_impulse", "vacuum", false},
    {Domain::gas, "gas", "p", "Pa", "q", "kg/s", "m", "kg", "psi", "Pa*s", "cutset_mass",
     "loop_pressure_impulse", "vacuum", false},
}};

[[nodiscard]] constexpr const DomainWords& words_of(Domain domain) {
  for (const DomainWords& words : domain_words)
    if (words.domain == domain) return words;
  return domain_words.front();
}

/// Whether mass flows through the domain's branches and carries enthalpy: nodes have a temperature
/// too.
[[nodiscard]] constexpr bool is_convective(Domain domain) {
  return domain == Domain::fluid || domain == Domain::gas;
}

/// What the equations of a circuit are about. Rotational and translational parts make one
/// mechanical circuit.
enum class CircuitDomain : std::uint8_t {
  electric,
  solid,
  mechanical,
  fluid,
  gas,
  control,
  fmu,
  whole
};
inline constexpr Words<CircuitDomain, 8> circuit_domain_words{
    {{"electric", CircuitDomain::electric},
     {"solid", CircuitDomain::solid},
     {"mechanical", CircuitDomain::mechanical},
     {"fluid", CircuitDomain::fluid},
     {"gas", CircuitDomain::gas},
     {"control", CircuitDomain::control},
     {"fmu", CircuitDomain::fmu},
     {"whole", CircuitDomain::whole}}};

[[nodiscard]] constexpr CircuitDomain circuit_domain(Domain domain) {
  switch (domain) {
    case Domain::electric:
      return CircuitDomain::electric;
    case Domain::solid:
      return CircuitDomain::solid;
    case Domain::rotational:
    case Domain::translational:
      return CircuitDomain::mechanical;
    case Domain::fluid:
      return CircuitDomain::fluid;
    case Domain::gas:
      return CircuitDomain::gas;
  }
  return CircuitDomain::electric;
}

/// As it names circuits and groups of settings: "electric", "solid", ...
[[nodiscard]] inline std::string text_of(CircuitDomain domain) {
  return std::string(word_of(circuit_domain_words, domain));
}

}  // namespace takt::codegen
