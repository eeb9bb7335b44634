#pragma once
// What readers of values see while these are overridden or distorted. True values, states and integrated fluxes stay
// what they are; what an overridden flux brings in or takes away is booked.

#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/steering/action.hpp"
#include "runtime/steering/reader_points.hpp"

namespace takt {

/// Why nobody would see this row overridden; empty: somebody does. Not real-time.
[[nodiscard]] std::string why_not_overridden(const PlantDescription& plant, std::uint32_t row);
/// The same of a distortion: of sampled readers and buses only, and no longer a delay than is kept.
[[nodiscard]] std::string why_not_distorted(const PlantDescription& plant, std::uint32_t row,
                                            const Distortion& distortion);

/// Energy, or another conserved quantity, that an overridden flux has brought to its reader beyond what was sent.
struct BookedFlux {
  std::string path, unit;
  double amount = 0.0;
};

/// Phases: construct (allocates); begin(), end() by the leader while nobody computes; distort() and book() by whoever
/// computes the subsystem; then booked(). In memory of std::pmr::get_default_resource().
/// Real-time: begin() and end() are bounded by the number of readers of a row, distort() and book() by that of a
/// subsystem's inputs.
class Readings {
 public:
  static constexpr std::size_t delays = 8, delay_samples = 4096;  ///< kept at a time; of each

  explicit Readings(const PlantDescription& plant);

  /// Override or injection of a table row, in place of one that is there.
  /// @return false: too many delays at a time, nothing has changed
  bool begin(const Action& action, SimTime now) noexcept;
  void end(std::uint32_t row, Action::Verb verb) noexcept;  ///< release or clear
  [[nodiscard]] bool touches(std::uint16_t subsystem) const noexcept { return ranges_[subsystem].active != 0; }
  /// After its inputs have been fed.
  void distort(std::uint16_t subsystem, const Window& window) noexcept;
  /// After its window, before what it has received is collected: the ledger goes on with what was sent to it.
  void book(std::uint16_t subsystem) noexcept;
  /// Plant memory as buses see it at this time: itself, or a copy of what is sent.
  [[nodiscard]] const std::byte* as_sent(SimTime now) noexcept;
  /// Everything that lasts, for a checkpoint: call(pointer, count), in an order that hangs on the plant alone.
  template <class Self, class Call>
  static void for_all_state(Self& self, const Call& call) {
    call(self.readers_.data(), self.readers_.size());
    call(self.ranges_.data(), self.ranges_.size());
    call(self.sent_.data(), self.sent_.size());
    call(&self.sent_changes_, 1);
    call(self.taken_.data(), self.taken_.size());
    call(self.samples_.data(), self.samples_.size());
  }
  /// After the run: every flux that was overridden.
  [[nodiscard]] std::vector<BookedFlux> booked() const;

 private:
  struct Change {  // of what one reader sees
    Distortion distortion;
    double since_s = 0.0;
    double held = 0.0;
    std::int16_t delay = -1;
    std::uint64_t written = 0, read = 0;  // samples of the delay
    bool active = false, holds = false;
  };
  struct Reader {
    Change overridden, injected;
    double planned = 0.0, booked = 0.0;
    bool was_overridden = false;
  };
  struct Range {
    std::uint32_t begin = 0, end = 0, active = 0;
  };
  struct Sample {
    std::int64_t ns = 0;
    double v = 0.0;
  };

  [[nodiscard]] double& value(std::size_t offset) const noexcept {
    return *reinterpret_cast<double*>(plant_.memory + offset);
  }
  [[nodiscard]] InputPolynomial& input(const ReaderPoint& point) const noexcept {
    return *reinterpret_cast<InputPolynomial*>(plant_.memory + point.input);
  }
  template <class Call>
  void for_readers(std::uint32_t row, bool sampled_only, const Call& call) noexcept;
  bool take_delay(Change& change) noexcept;
  void stop(Change& change) noexcept;
  void apply(Change& change, InputPolynomial& seen, SimTime at) noexcept;
  double delayed(Change& change, const Sample& now) noexcept;

  const PlantDescription plant_;
  std::vector<ReaderPoint> points_;
  std::pmr::vector<Reader> readers_;  // by point
  std::pmr::vector<Range> ranges_;    // by subsystem
  std::pmr::vector<Reader> sent_;     // by value that is sent
  std::vector<std::byte> sent_copy_;  // of plant memory, where values that are sent lie
  std::uint32_t sent_changes_ = 0;
  std::pmr::vector<char> taken_;      // by delay
  std::pmr::vector<Sample> samples_;  // a ring by delay
};

}  // namespace takt
