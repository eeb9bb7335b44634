#pragma once
// What of a plant one of several hosts in real time can show and steer: that which it computes.

#include <cstdint>
#include <vector>

#include "runtime/hosts/host_plan.hpp"
#include "runtime/plant/description.hpp"

namespace takt::hosts {

/// Rows of the table, records and faults of a plant without what other hosts compute: their values are not here. Left
/// out, too: parameters that others use as well (here they would change for half of the plant), and, where a host does
/// not lead, plant inputs. Keeps what the views stand in.
class OwnView {
 public:
  OwnView(const PlantDescription& plant, const HostPlan& plan);
  /// @param plant  the same as at construction, wherever its memory is now
  void narrow(PlantDescription& plant) const noexcept {
    plant.whole_table = plant.table;
    plant.table = table_, plant.records = records_, plant.faults = faults_, plant.elsewhere = elsewhere_;
  }

 private:
  std::vector<MemoryEntry> table_;
  std::vector<std::vector<std::uint32_t>> entries_;  // by record
  std::vector<RecordPlan> records_;
  std::vector<FaultDescription> faults_;
  std::vector<std::uint16_t> elsewhere_;
};

}  // namespace takt::hosts
