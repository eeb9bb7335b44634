#include "runtime/executive/bundles.hpp"

#include <algorithm>
#include <utility>

namespace takt {
namespace {

using Slot = Schedule::Slot;

class Finder {
 public:
  Finder(const PlantDescription& plant, const WorkPlan& work, std::uint16_t worker, std::span<const BundledRun> known)
      : work_(work), part_(work.parts()[worker]), known_(known) {
    for (const ExchangePlan& exchange : plant.exchanges)
      joined_.emplace_back(std::minmax(exchange.producer, exchange.consumer));
    std::sort(joined_.begin(), joined_.end());
  }

  [[nodiscard]] std::vector<Bundle> find() const {
    const std::vector<Slot>& slots = part_.slots;
    std::vector<Bundle> bundles(slots.size());
    for (std::size_t begin = 0, end = 0; begin < slots.size(); begin = end) {
      end = begin + 1;
      const BundledRun* run = run_of(slots[begin]);
      if (run == nullptr || run->copies > most_bundled) continue;
      while (end < slots.size() && end - begin < run->copies && may_join(begin, end, *run)) ++end;
      const auto copies = static_cast<std::uint32_t>(end - begin);
      if (copies > 1 && is_worth_it(copies, run->copies)) bundles[begin] = {copies, run->together};
    }
    return bundles;
  }

 private:
  /// A lane that stands empty costs as much as the others.
  [[nodiscard]] static bool is_worth_it(std::uint32_t copies, std::uint32_t lanes) noexcept {
    return 4 * copies >= 3 * lanes;
  }
  [[nodiscard]] const BundledRun* run_of(const Slot& slot) const {
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const BundledRun& one) { return one.run == slot.run; });
    return found == known_.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool may_join(std::size_t begin, std::size_t at, const BundledRun& run) const {
    const Slot &first = part_.slots[begin], &slot = part_.slots[at];
    const BundledRun* own = run_of(slot);
    if (own == nullptr || own->together != run.together || slot.start != first.start || slot.step != first.step ||
        slot.steps != first.steps || slot.instant != first.instant || slot.opens != first.opens ||
        slot.due != first.due)
      return false;
    for (std::size_t other = begin; other < at; ++other) {
      const std::uint16_t a = part_.slots[other].subsystem, b = slot.subsystem;
      if (a == b || std::binary_search(joined_.begin(), joined_.end(),
                                       std::pair<std::uint16_t, std::uint16_t>(std::minmax(a, b))))
        return false;
    }
    for (std::uint32_t i = part_.first_wait[at]; i < part_.first_wait[at + 1]; ++i) {
      const WorkPlan::Wait& wait = part_.waits[i];
      if (wait.slots <= 0) continue;  // of a macro-step before
      if (work_.parts()[wait.worker].order[static_cast<std::size_t>(wait.slots) - 1] > part_.order[begin]) return false;
    }
    return true;
  }

  const WorkPlan& work_;
  const WorkPlan::Part& part_;
  std::span<const BundledRun> known_;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> joined_;  // subsystems that exchange, the lower one first
};

}  // namespace

std::vector<Bundle> find_bundles(const PlantDescription& plant, const WorkPlan& work, std::uint16_t worker,
                                 std::span<const BundledRun> known) {
  if (known.empty()) return std::vector<Bundle>(work.parts()[worker].slots.size());
  return Finder(plant, work, worker, known).find();
}

}  // namespace takt
