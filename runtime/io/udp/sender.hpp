#pragma once
// From values of the plant to what leaves: frames that a UDP bus sends, made by the plant's I/O thread or, when the
// plant is dead, by its supervisor.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/io/shared_array.hpp"
#include "runtime/io/udp/plan.hpp"

namespace takt::udp {

/// What both senders of one bus share: whoever sends takes the next number of the counter, so that the receiver sees
/// one sequence. Words of their own, each atomic: what a plant that dies leaves may be values of two releases.
struct SentMemory {
  /// @param bus  its frames
  explicit SentMemory(const BusPlan& bus);
  SharedArray<std::atomic<std::uint64_t>> counters;  ///< by frame: what the next one carries; 0: none was sent
  SharedArray<std::atomic<double>> values;           ///< by frame, then joined field: last sent
  SharedArray<std::atomic<std::int64_t>> times;      ///< by frame: simulated, of the last
  std::vector<std::size_t> first;                    ///< by frame: place of its values
};

/// A frame that is sent, as bytes. One thread of a process.
class FrameWriter {
 public:
  struct Counts {
    std::uint64_t saturated = 0, not_numbers = 0, out_of_range = 0;
  };
  /// @param frame  index of BusPlan::send
  FrameWriter(const BusPlan& bus, std::size_t frame, std::shared_ptr<SentMemory> memory);

  /// @param values  of the joined fields, as they stand in them
  /// @return valid until the next call
  [[nodiscard]] std::span<const std::uint8_t> write(std::span<const double> values, std::int64_t time_ns) noexcept;
  /// The safe values over those sent last.
  /// @return empty: a value without a safe one was never sent, so that nothing is known that could be sent
  [[nodiscard]] std::span<const std::uint8_t> write_safe() noexcept;

  [[nodiscard]] const FramePlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

 private:
  [[nodiscard]] std::uint64_t signal_bits(const FieldPlan& field, double value) noexcept;
  const FramePlan& plan_;
  bool big_endian_;
  std::size_t frame_;
  std::shared_ptr<SentMemory> memory_;
  std::vector<double> safe_, scratch_;
  std::array<std::uint8_t, most_bytes> bytes_{};
  Counts counts_;
};

}  // namespace takt::udp
