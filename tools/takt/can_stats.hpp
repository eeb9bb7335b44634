#pragma once
// What frames of a log have in common: per channel and id how many, how often, how long.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "tools/takt/can_log.hpp"

namespace takt::tools {

class FrameStats {
 public:
  void add(const LoggedFrame& logged);
  /// @param dbc  for names, or nullptr
  void print(const codegen::Dbc* dbc, bool json) const;

 private:
  struct Id {
    std::uint64_t frames = 0, remote = 0;
    double last_s = 0.0;
    std::vector<double> periods_s;
    std::map<unsigned, std::uint64_t> lengths;  ///< bytes -> frames
  };
  std::map<std::tuple<std::string, bool, std::uint32_t>, Id> ids_;  ///< channel, 29 bits, id
};

}  // namespace takt::tools
