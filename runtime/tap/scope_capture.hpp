#pragma once
// What a scope keeps: the last rows before its trigger, and those that follow.

#include <cstdint>
#include <span>
#include <vector>

namespace takt {

/// A ring of rows: time in s, then the values; where several micro-steps make one row, the least and the largest of
/// each value. The row in which the trigger comes is the first of `post`.
class ScopeCapture {
 public:
  struct Settings {
    std::size_t signals = 0;
    std::uint64_t pre = 0, post = 1;  ///< rows
    std::uint64_t every = 1;          ///< micro-steps of a row
    bool waits = false;               ///< for its trigger, else begins at once
  };
  explicit ScopeCapture(const Settings& settings)
      : settings_(settings), columns_(1 + settings.signals * (settings.every > 1 ? 2 : 1)) {}

  /// @param holds  the condition of the trigger: it comes where that begins to hold
  void add(std::int64_t time_ns, std::span<const double> values, bool holds);
  /// Windows are missing: a row is not made of micro-steps on both sides.
  void gap() noexcept { filled_ = 0; }
  [[nodiscard]] bool is_complete() const noexcept { return triggered_ && left_ == 0; }
  [[nodiscard]] std::int64_t triggered_ns() const noexcept { return triggered_ns_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  /// In the order of time, when it is complete.
  [[nodiscard]] std::vector<double> rows() const;

 private:
  void put(std::int64_t time_ns, std::span<const double> values);

  const Settings settings_;
  const std::size_t columns_;
  std::vector<double> ring_, row_;
  std::uint64_t count_ = 0;   // rows so far
  std::uint64_t filled_ = 0;  // micro-steps of the row under way
  std::uint64_t left_ = 0;    // rows, once triggered
  bool triggered_ = false, held_ = true;
  std::int64_t triggered_ns_ = -1;
};

}  // namespace takt
