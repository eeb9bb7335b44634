#pragma once
// States of FMUs and what belongs to them as bytes, for checkpoints. Written and read in the same order.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/fmu/instance.hpp"
#include "runtime/foreign/block.hpp"

namespace takt::fmu_host {

class StateWriter {
 public:
  void numbers(std::span<const double> values);
  /// @return what the FMU says against it
  fmu::Result instance(fmu::Instance& of);
  /// @return what is wrong: more bytes than the block has room for
  std::string into(foreign::Block& block) const;

 private:
  void add(std::span<const std::byte> bytes);
  std::vector<std::byte> bytes_;
};

/// Pieces of other sizes than asked for are refused: a state of another FMU, or cut off.
class StateReader {
 public:
  explicit StateReader(foreign::Block& block) : bytes_(block.state(), block.state_bytes) {}
  /// @return there were as many
  bool numbers(std::span<double> values);
  /// @param well  there was a state
  fmu::Result instance(fmu::Instance& of, bool& well);

 private:
  std::span<const std::byte> next();
  std::span<const std::byte> bytes_;
};

}  // namespace takt::fmu_host
