#pragma once
// Status and events.

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/dds/telemetry.hpp"

namespace takt::dds {

class Reports {
 public:
  Reports(Domain& domain, const Origin& origin);
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  /// @param status  the tap's answer; what it does not say stays as it was before
  void take_status(const RunLink::Json& status);
  void set_phase(const std::string& phase) { phase_ = phase; }
  void write_status(const Telemetry::Counts& counts);
  [[nodiscard]] std::int64_t time_ns() const noexcept { return last_.time_ns; }

  /// Of the bridge, at the plant's last known time.
  void tell(const std::string& text) { tell(text, last_.time_ns); }
  /// The tap's event; a service that was started again tells some of the earlier ones again, which are passed over.
  void take_event(const RunLink::Json& event);
  void settle(dds_duration_t longest) const;

 private:
  void tell(const std::string& text, std::int64_t time_ns);
  void take_buses(const RunLink::Json& buses);

  dds_entity_t status_, events_;
  std::uint64_t session_, number_ = 0;
  std::string phase_ = "no run";
  Status last_{};
  std::vector<std::string> bus_texts_;  // name and state of each
  std::vector<Bus> buses_;
  std::set<std::pair<std::int64_t, std::string>> told_;  // events of this service; bounded
};

}  // namespace takt::dds
