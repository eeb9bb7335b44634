#pragma once
// Frames as lines: of a log (candump -L) with the signals of a database behind, or one JSON object per line. What is
// printed here can be read by LogReader.

#include <string>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "tools/takt/can_log.hpp"

namespace takt::tools {

class FramePrinter {
 public:
  /// @param dbc  or nullptr
  /// @param only  message names or ids to print; empty: all
  FramePrinter(const codegen::Dbc* dbc, std::vector<std::string> only, bool json)
      : dbc_(dbc), only_(std::move(only)), json_(json) {}

  /// False where `only` passes it over.
  bool print(const LoggedFrame& logged) const;
  /// Whether it would be printed.
  [[nodiscard]] bool wants(const LoggedFrame& logged) const;

 private:
  [[nodiscard]] bool wanted(const can::Frame& frame, const codegen::DbcMessage* message) const;
  const codegen::Dbc* dbc_;
  std::vector<std::string> only_;
  bool json_;
};

/// "(0000000012.345678) can0 123#1122"
[[nodiscard]] std::string log_line(const LoggedFrame& logged);

}  // namespace takt::tools
