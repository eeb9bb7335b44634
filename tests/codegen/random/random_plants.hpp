#pragma once
// 1000 random plants over all domains and couplings with a fixed seed, as plant files: hosts of index 1 in each domain
// into which causes of index 2, couplings or mistakes are planted, and wild ones in which anything may meet.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace takt::codegen::testing {

struct RandomPlant {
  std::string stratum;
  std::string text;
  std::optional<int> index;      ///< largest index of its circuits where what was planted decides it
  bool may_be_singular = false;  ///< wild: the exact pencil says whether errors are due
  bool controlled = false;       ///< sources read their own circuit: the tree alone does not decide
  std::string code;              ///< of the one kind of error it must give; empty where it is right
};

[[nodiscard]] std::vector<RandomPlant> random_plants(std::uint64_t seed);

}  // namespace takt::codegen::testing
