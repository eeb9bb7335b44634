#pragma once
// What is observed, as it comes out of the segment.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/tap/segment.hpp"

namespace takt {

/// The rows of one subscription at one time.
struct Sample {
  std::uint32_t ticket = 0;
  std::size_t slot = 0;
  std::int64_t time_ns = 0;
  std::span<const double> values{};
};

/// The reader of TapSegment::values. What earlier services have not read is passed over.
class SampleReader {
 public:
  explicit SampleReader(TapSegment& segment);
  /// What has come until now can be read from now on.
  void look() noexcept { ring_.look(); }
  /// @return false: there was none at the last look.  @param sample  good until the next call
  [[nodiscard]] bool read(Sample& sample);

 private:
  RingReader<decltype(TapSegment::values)> ring_;
  std::vector<double> values_;
};

}  // namespace takt
