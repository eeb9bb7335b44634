#include "runtime/io/udp/sender.hpp"

#include <cmath>

#include "runtime/io/udp/field.hpp"
#include "runtime/io/udp/receiver.hpp"

namespace takt::udp {
namespace {

constexpr auto any = std::memory_order_relaxed;

std::size_t all_values(const BusPlan& bus) {
  std::size_t count = 0;
  for (const FramePlan& frame : bus.send) count += joined_fields(frame).size();
  return count;
}

std::uint64_t time_bits(FieldType type, std::int64_t ns) noexcept {
  if (!is_float(type)) return static_cast<std::uint64_t>(ns);
  return bits_of(static_cast<double>(ns) * 1e-9, type).bits;
}

}  // namespace

SentMemory::SentMemory(const BusPlan& bus)
    : counters(bus.send.size()), values(all_values(bus)), times(bus.send.size()) {
  std::size_t place = 0;
  for (const FramePlan& frame : bus.send) {
    first.push_back(place);
    place += joined_fields(frame).size();
  }
}

FrameWriter::FrameWriter(const BusPlan& bus, std::size_t frame, std::shared_ptr<SentMemory> memory)
    : plan_(bus.send[frame]), big_endian_(bus.big_endian), frame_(frame), memory_(std::move(memory)) {
  for (const FieldPlan* field : joined_fields(plan_)) safe_.push_back(field->safe);
  scratch_.resize(safe_.size());
}

std::uint64_t FrameWriter::signal_bits(const FieldPlan& field, double value) noexcept {
  counts_.out_of_range += value < field.minimum || value > field.maximum ? 1U : 0U;
  counts_.not_numbers += std::isfinite(value) ? 0U : 1U;
  if (std::isnan(value)) return is_float(field.type) ? bits_of(value, field.type).bits : 0;
  const FieldBits held = bits_of(value, field.type);
  counts_.saturated += held.fits ? 0U : 1U;
  return held.bits;
}

std::span<const std::uint8_t> FrameWriter::write(std::span<const double> values, std::int64_t time_ns) noexcept {
  const std::uint64_t number = memory_->counters[frame_].fetch_add(1, any);
  memory_->times[frame_].store(time_ns, any);
  std::size_t next = 0;
  for (const FieldPlan& field : plan_.fields) {
    std::uint64_t bits = 0;
    if (field.use == FieldUse::counter) {
      bits = number;
    } else if (field.use == FieldUse::time) {
      bits = time_bits(field.type, time_ns);
    } else if (!is_joined(field)) {
      bits = bits_of(field.constant, field.type).bits;
    } else {
      memory_->values[memory_->first[frame_] + next].store(values[next], any);
      bits = signal_bits(field, values[next++]);
    }
    store_bits(bits, bytes_.data() + field.at, size_of(field.type), big_endian_);
  }
  return {bytes_.data(), plan_.length};
}

std::span<const std::uint8_t> FrameWriter::write_safe() noexcept {
  const bool was_sent = memory_->counters[frame_].load(any) > 0;
  for (std::size_t k = 0; k < safe_.size(); ++k) {
    if (std::isnan(safe_[k]) && !was_sent) return {};
    scratch_[k] = std::isnan(safe_[k]) ? memory_->values[memory_->first[frame_] + k].load(any) : safe_[k];
  }
  return write(scratch_, memory_->times[frame_].load(any));
}

}  // namespace takt::udp
