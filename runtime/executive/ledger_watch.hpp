#pragma once
// A flux is lost or made up somewhere: known while the plant runs, not hours later.

#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/plant/bytes.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

class LedgerWatch {
 public:
  struct Alarm {
    std::uint64_t macro_steps = 0;  ///< with an open ledger
    SimTime first;                  ///< end of the first
  };

  /// @param received  indices of the exchanges that are looked at
  LedgerWatch(const Exchanges& exchanges, double share, std::vector<std::uint32_t> received)
      : exchanges_(exchanges), share_(share), received_(std::move(received)), alarms_(exchanges.size()) {}

  /// Real-time. After the last window of a subsystem in a macro-step: what it has received.
  void after(std::uint16_t subsystem) noexcept { open_ = open_ || !exchanges_.receipts_close(subsystem, share_); }
  /// Real-time. After all windows of a macro-step.  @return ledgers that have opened for the first time
  std::uint64_t judge(SimTime end) noexcept {
    if (!open_) [[likely]]
      return 0;
    open_ = false;
    std::uint64_t opened = 0;
    for (const std::uint32_t i : received_) {
      if (exchanges_.closes(i, share_)) continue;
      if (alarms_[i].macro_steps++ == 0) alarms_[i].first = end, ++opened;
    }
    return opened;
  }

  /// For the same watch on another host.
  void save(ByteWriter& to) const {
    for (const std::uint32_t i : received_) to.put(alarms_[i]);
  }
  void restore(ByteReader& from) {
    for (const std::uint32_t i : received_) alarms_[i] = from.take<Alarm>();
  }

  /// By exchange.
  [[nodiscard]] const Alarm& alarm(std::size_t exchange) const noexcept { return alarms_[exchange]; }

 private:
  const Exchanges& exchanges_;
  double share_;
  std::vector<std::uint32_t> received_;
  std::pmr::vector<Alarm> alarms_;
  bool open_ = false;
};

}  // namespace takt
