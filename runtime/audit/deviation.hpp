#pragma once
// How far the values of a plant are off those of a finer one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/audit/replica.hpp"
#include "runtime/executive/plant_copies.hpp"
#include "runtime/stats/decimated_series.hpp"

namespace takt {

inline constexpr double usual_audit_limit = 1e-2;  ///< RMS of what a quantity may be off, part of its range

/// One value in plant memory that is compared: a state, an output that others read, an energy, a signal that is
/// recorded.
struct Quantity {
  std::string path, unit;
  std::uint16_t subsystem = 0;
  std::size_t offset = 0;
  bool energy = false;  ///< an integral since the start: what it has gained counts
  bool seen = false;  ///< a signal of observe(): may jump where states do not, so averages over parts of the time count
  double least_range = 0.0;  ///< a change of this size is small whatever the others do
  bool sampled = false;      ///< of a control block, which may switch: counts where it moves in small steps
};

/// Of a plant whose steps choose themselves nothing is compared; of control blocks what is recorded.
[[nodiscard]] std::vector<Quantity> compared_quantities(const PlantDescription& plant);

/// A charge, a linkage or a mass that hardly moves is judged by what of its subsystem can be seen moving.
/// @param replica  loaded from a copy; is the same afterwards
void give_least_ranges(std::span<Quantity> quantities, Replica& replica);

/// Values seen of one quantity.
struct ValueShape {
  double low = 0.0, high = 0.0, sum = 0.0, squares = 0.0;
  std::uint64_t samples = 0, swings = 0;
  double last = 0.0, step = 0.0, step_before = 0.0;
  double way = 0.0, leaps = 0.0;  ///< all that it moved, and of that single steps of a tenth of its range and more
  bool above = false;
  void add(double value, double middle, double band) noexcept;
  [[nodiscard]] double mean() const noexcept { return samples > 0 ? sum / static_cast<double>(samples) : 0.0; }
  [[nodiscard]] double spread() const noexcept;  ///< RMS about the mean
  [[nodiscard]] bool switches() const noexcept;  ///< most of its way in leaps, as a relay
};

/// One quantity in a plant (own) and in a finer one.
struct Deviation {
  double first_own = 0.0, first_finer = 0.0;  ///< an energy at the beginning
  ValueShape own, finer;
  DecimatedSeries squares{32};  ///< of the difference, over time
  DecimatedSeries signs{32};    ///< the difference itself
  double largest = 0.0, largest_at_s = 0.0;
  bool finite = true;

  /// One comparison; it counts when the next one is known.
  void add(double time_s, double own_value, double finer_value) noexcept;
  /// After the last one. Samples on jumps that one plant has before and the other after them are left out, unless there
  /// are many: a square wave that is late by a sample has nothing else.
  void end() noexcept;
  [[nodiscard]] double rms() const noexcept;
  [[nodiscard]] double rms_of_averages() const noexcept;  ///< over parts of the time
  /// @param from, to  shares of the time covered, 0 to 1
  [[nodiscard]] double rms_within(double from, double to) const noexcept;

 private:
  struct Sample {
    double time_s = 0.0, own = 0.0, finer = 0.0;
    [[nodiscard]] double off() const noexcept { return own - finer; }
  };
  void take(const Sample& at) noexcept;

  Sample before_{}, last_{};
  std::uint64_t seen_ = 0, on_jumps_ = 0;
  double squares_on_jumps_ = 0.0;
};

/// What a comparison says.
struct Judgement {
  double error = 0.0, at_s = 0.0;  ///< RMS over the range, of the quantity that is worst
  std::size_t quantity = 0;
  bool drifts = false;  ///< something only drifts out of phase
};

/// What each quantity is now.
void read_values(std::span<const Quantity> quantities, const Replica& replica, std::span<double> values) noexcept;

/// The comparison over a stretch of time.
class Deviations {
 public:
  /// @param copies  of the run: where each quantity was
  Deviations(std::span<const Quantity> quantities, std::span<const PlantCopy> copies);
  /// @param own, finer  parallel to the quantities, here and below
  void begin(std::span<const double> own, std::span<const double> finer);
  void compare(std::span<const double> own, std::span<const double> finer, double time_s);
  /// After the last compare().
  void end();
  /// What counts as the range of each quantity: that of the run; where the finer plan does not confirm it, no less than
  /// what is small beside its neighbours.
  [[nodiscard]] std::vector<double> ranges() const;
  /// @param limit  of the error, beyond which it counts whether a quantity only drifts out of phase
  [[nodiscard]] Judgement judged(double limit, bool autonomous) const;

 private:
  [[nodiscard]] bool is_on_its_own(std::size_t quantity) const;

  std::span<const Quantity> quantities_;
  std::vector<Deviation> deviations_;
  std::vector<double> low_, high_;  // at the copies
};

/// An oscillation with a period a little off drifts out of phase, and is none the worse for it: what counts is its
/// mean, its amplitude and how often it swings. The deviation grows from little; where it stays as it is, the
/// oscillation is driven, and late.
[[nodiscard]] bool is_drift_of_phase(const Deviation& deviation, double range, double limit, bool autonomous);

}  // namespace takt
