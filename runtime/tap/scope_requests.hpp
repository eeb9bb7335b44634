#pragma once
// A scope of one client: what the plant shows of a subsystem, computed again and kept until its trigger has come.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/expression.hpp"
#include "runtime/tap/samples.hpp"
#include "runtime/tap/scope_capture.hpp"
#include "runtime/tap/scope_replay.hpp"

namespace takt {

class Scope {
 public:
  struct Wanted {
    std::uint64_t number = 0;
    std::uint16_t subsystem = 0;
    std::vector<std::uint32_t> rows{};  ///< of the table, all in the subsystem's own memory
    std::uint64_t pre = 0, post = 1, every = 1;
    std::optional<Expression> trigger{};  ///< of values in the same memory
  };
  Scope(const PlantDescription& plant, const Wanted& wanted);
  static constexpr std::uint64_t most_rows = 1U << 20U, most_every = 1'000'000;
  static constexpr std::size_t most_signals = 16;

  /// Its windows of a macro-step.
  void take(const Sample& sample);
  [[nodiscard]] bool is_complete() const noexcept { return capture_.is_complete(); }
  /// For the client, when it is complete, or the run has ended.
  void tell(std::deque<std::string>& to) const;

  const std::uint64_t number;
  std::size_t slot = 0;  ///< of its subscription

 private:
  ScopeReplay replay_;
  ScopeCapture capture_;
  const std::int64_t macro_step_ns_;
  const std::size_t begin_;
  std::optional<Expression> trigger_;
  std::vector<std::size_t> offsets_;
  std::vector<double> values_;
  std::int64_t last_ns_ = -1;
  std::uint64_t lost_ = 0;  // macro-steps
};

}  // namespace takt
