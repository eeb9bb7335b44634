#include "runtime/io/udp/receiver.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/io/udp/field.hpp"

namespace takt::udp {
namespace {

const FieldPlan* field_for(const FramePlan& plan, FieldUse use) {
  for (const FieldPlan& field : plan.fields)
    if (field.use == use) return &field;
  return nullptr;
}

std::uint64_t bits_at(const FieldPlan& field, const std::uint8_t* bytes, bool big_endian) noexcept {
  return load_bits(bytes + field.at, size_of(field.type), big_endian);
}

/// ns of the sender's clock; what is no time is one that never moves.
std::int64_t time_at(const FieldPlan& field, const std::uint8_t* bytes, bool big_endian) noexcept {
  const std::uint64_t bits = bits_at(field, bytes, big_endian);
  if (!is_float(field.type)) return static_cast<std::int64_t>(bits);
  const double ns = value_of(bits, field.type) * 1e9;
  return std::abs(ns) < 9e18 ? static_cast<std::int64_t>(ns) : 0;
}

}  // namespace

bool is_joined(const FieldPlan& field) noexcept {
  return field.use == FieldUse::signal && (field.path != nullptr || !std::isnan(field.safe));
}

std::vector<const FieldPlan*> joined_fields(const FramePlan& plan) {
  std::vector<const FieldPlan*> fields;
  for (const FieldPlan& field : plan.fields)
    if (is_joined(field)) fields.push_back(&field);
  return fields;
}

Receiver::Receiver(const BusPlan& bus, std::size_t rows) : bus_(bus), inlets_(bus.receive.size()) {
  for (std::size_t k = 0; k < inlets_.size(); ++k) {
    Inlet& inlet = inlets_[k];
    inlet.plan = &bus.receive[k];
    inlet.counter = field_for(*inlet.plan, FieldUse::counter);
    inlet.time = field_for(*inlet.plan, FieldUse::time);
    if (inlet.counter != nullptr) inlet.sequence.emplace(size_of(inlet.counter->type));
    inlet.lateness = Lateness(WallDuration{inlet.plan->late_ns});
    const std::size_t values = joined_fields(*inlet.plan).size();
    inlet.ring = std::make_unique<ValueRing>(rows, values);
    inlet.fault = std::make_unique<FaultPoint>();
    inlet.numbers.resize(values);
    inlet.frozen.resize(values);
  }
}

bool Receiver::has_constants(const FramePlan& plan, const std::uint8_t* bytes, bool big_endian) const noexcept {
  return std::all_of(plan.fields.begin(), plan.fields.end(), [&](const FieldPlan& field) {
    return field.use != FieldUse::constant ||
           bits_at(field, bytes, big_endian) ==
               (bits_of(field.constant, field.type).bits & (~std::uint64_t{0} >> (64U - 8U * size_of(field.type))));
  });
}

std::size_t Receiver::frame_of(std::span<const std::uint8_t> bytes) noexcept {
  bool is_length = false, is_other_order = false;
  for (std::size_t k = 0; k < inlets_.size(); ++k) {
    const FramePlan& plan = *inlets_[k].plan;
    if (plan.length != bytes.size()) continue;
    is_length = true;
    if (has_constants(plan, bytes.data(), bus_.big_endian)) return k;
    is_other_order = is_other_order || has_constants(plan, bytes.data(), !bus_.big_endian);
  }
  if (is_length)
    ++refused_.wrong_constant, refused_.wrong_order += is_other_order ? 1U : 0U;
  else if (refused_.wrong_length++ == 0)
    refused_.length = bytes.size();
  return inlets_.size();
}

void Receiver::hear(std::span<const std::uint8_t> bytes, WallTime arrival) noexcept {
  const std::size_t index = frame_of(bytes);
  if (index == inlets_.size()) return;
  Inlet& inlet = inlets_[index];
  const Fault fault = inlet.fault->meet();
  if (fault.kind == Fault::Kind::drop) return;
  if (fault.kind == Fault::Kind::delay) {
    (void)delayed_.put(bytes, index, arrival + WallDuration{std::int64_t{fault.delay_us} * 1000});
    return;
  }
  inlet.is_frozen = inlet.is_frozen && fault.kind == Fault::Kind::freeze;
  const bool begins = fault.kind == Fault::Kind::freeze && !inlet.is_frozen;
  if (begins) decode(inlet, bytes.data(), inlet.frozen.data());
  inlet.is_frozen = fault.kind == Fault::Kind::freeze;
  take(inlet, bytes, arrival);
}

void Receiver::hear_delayed(WallTime now) noexcept {
  while (const auto frame = delayed_.take(now)) take(inlets_[frame->place], frame->data(), now);
}

void Receiver::take(Inlet& inlet, std::span<const std::uint8_t> bytes, WallTime arrival) noexcept {
  std::int64_t time_ns = 0;
  if (inlet.time != nullptr) {
    time_ns = time_at(*inlet.time, bytes.data(), bus_.big_endian);
    const WallDuration longer = inlet.lateness.take(arrival, time_ns);
    inlet.counts.latest = std::max(inlet.counts.latest, longer);
    if (inlet.lateness.is_late(longer)) ++inlet.counts.late;
  }
  if (inlet.sequence &&
      inlet.sequence->take(bits_at(*inlet.counter, bytes.data(), bus_.big_endian)) != Sequence::Is::next)
    return;
  if (inlet.counts.frames++ == 0) inlet.counts.first = arrival;
  inlet.counts.newest = arrival;
  ValueRing::Row* const row = inlet.ring->begin();
  if (row == nullptr) {
    ++inlet.counts.ring_full;
    return;
  }
  row->stamp = arrival, row->time_ns = time_ns;
  decode(inlet, bytes.data(), row->values);
  if (inlet.is_frozen) std::copy(inlet.frozen.begin(), inlet.frozen.end(), row->values);
  inlet.ring->push();
}

/// In SI, as the inputs of the plant; what is no number stays so, and the plant leaves its input as it is.
void Receiver::decode(Inlet& inlet, const std::uint8_t* bytes, double* values) noexcept {
  std::size_t next = 0;
  for (const FieldPlan& field : inlet.plan->fields) {
    if (!is_joined(field)) continue;
    const double value = value_of(bits_at(field, bytes, bus_.big_endian), field.type);
    values[next] = value * field.scale + field.offset;
    const bool is_number = std::isfinite(values[next]);
    inlet.counts.not_numbers += is_number ? 0U : 1U;
    inlet.numbers[next++] += is_number ? 1U : 0U;
    inlet.counts.out_of_range += value < field.minimum || value > field.maximum ? 1U : 0U;
  }
}

std::string Receiver::never_numbers(std::size_t frame) const {
  const Inlet& inlet = inlets_[frame];
  std::string names;
  if (inlet.counts.frames == inlet.counts.ring_full) return names;  // no value was looked at
  const std::vector<const FieldPlan*> fields = joined_fields(*inlet.plan);
  for (std::size_t k = 0; k < fields.size(); ++k)
    if (inlet.numbers[k] == 0) names += (names.empty() ? "" : ", ") + std::string(fields[k]->name);
  return names;
}

}  // namespace takt::udp
