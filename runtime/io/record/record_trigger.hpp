#pragma once
// Recording around moments: rows pass a gate that is closed until a recorded signal meets a condition.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// A signal compared with a value. It triggers where that becomes true: at its first sample, or after one at which it
/// was not.
struct RecordTrigger {
  enum class Comparison : std::uint8_t { above, at_least, below, at_most, equal, unequal };
  std::string text;
  std::uint32_t entry = 0;  ///< of the plant's table
  Comparison comparison = Comparison::above;
  double value = 0.0;             ///< in the entry's unit
  SimDuration before{}, after{};  ///< what is kept around it
  /// False of what is no number, but for "!=".
  [[nodiscard]] bool met_by(double signal) const noexcept;
};

/// "electric.link.v > 400 V", with > >= < <= == or !=.
/// @throw std::runtime_error  what is wrong: no such comparison, a signal that is not recorded, a value of another unit
[[nodiscard]] RecordTrigger parse_trigger(const PlantDescription& plant, const std::string& text);

/// Room that the rows of that time take at most in a TriggerGate, in words of 8 bytes.
[[nodiscard]] double words_of_rows(const PlantDescription& plant, SimDuration time);

struct RecordedRow {
  std::size_t plan = 0;  ///< number of its period
  SimTime time;
  std::span<const std::uint64_t> values;  ///< bits of float64
};

/// Where the signal of the trigger stands in rows.
struct TriggerPlace {
  std::size_t plan = 0, column = 0;
};

/// Rows in the order in which they were recorded; of the recorder's thread.
class TriggerGate {
 public:
  using Write = std::function<void(const RecordedRow&)>;
  /// @param words  that rows before a trigger may take
  TriggerGate(RecordTrigger trigger, TriggerPlace place, std::size_t words);
  /// Hands on what is to be written: this row, or also those before it, or none.
  /// @return it has triggered
  bool take(const RecordedRow& row, const Write& write);
  [[nodiscard]] const RecordTrigger& trigger() const { return trigger_; }

 private:
  void keep(const RecordedRow& row);
  void drop_oldest();
  void open(SimTime time, const Write& write);
  void push(std::uint64_t word);
  [[nodiscard]] std::uint64_t word(std::size_t number) const { return ring_[(begin_ + number) % ring_.size()]; }

  RecordTrigger trigger_;
  TriggerPlace place_;
  bool was_met_ = false;
  std::optional<SimTime> open_until_;
  std::vector<std::uint64_t> ring_;  // rows: plan, time, number of values, values
  std::size_t begin_ = 0, used_ = 0;
  std::vector<std::uint64_t> values_;
};

}  // namespace takt
