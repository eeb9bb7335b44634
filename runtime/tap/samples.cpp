#include "runtime/tap/samples.hpp"

#include <bit>

namespace takt {

SampleReader::SampleReader(TapSegment& segment) : ring_(segment.values) { ring_.drop_all(); }

bool SampleReader::read(Sample& sample) {
  const std::size_t there = ring_.known();
  if (there < 2) return false;
  const auto head = std::bit_cast<SampleHead>(ring_.peek(0));
  const std::size_t words = std::size_t{head.count} + 2;
  if (words > there) {  // samples are published whole: these words are none
    ring_.drop_all();
    return false;
  }
  values_.resize(head.count);
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = std::bit_cast<double>(ring_.peek(k + 2));
  sample = {
      .ticket = head.ticket, .slot = head.slot, .time_ns = static_cast<std::int64_t>(ring_.peek(1)), .values = values_};
  ring_.drop(words);
  return true;
}

}  // namespace takt
