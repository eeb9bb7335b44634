#include "tools/dds/telemetry.hpp"

#include <algorithm>

#include "runtime/stats/format.hpp"

namespace takt::dds {

std::int32_t block_depth(std::int64_t period_ns, std::size_t values) {
  constexpr std::int64_t kept_ns = 2'000'000'000, most_bytes = 64 << 20, fewest = 16;
  const auto bytes = static_cast<std::int64_t>(values * sizeof(double)) + 100;
  const std::int64_t wanted = std::max(kept_ns / std::max<std::int64_t>(period_ns, 1), fewest);
  return static_cast<std::int32_t>(std::min(wanted, std::max(most_bytes / bytes, fewest)));
}

Telemetry::Channel& Telemetry::channel(const Origin& origin, const BlockPlan& plan, std::size_t values) {
  Channel& found = channels_[plan.name];
  if (found.writer != 0) return found;
  found.name = plan.name;
  found.topic = origin.prefix + "blocks/" + plan.name;
  found.block.session = origin.session;
  found.writer =
      domain_.writer(takt_msgs_msg_dds__Block__desc, found.topic, {.depth = block_depth(plan.period_ns, values)});
  return found;
}

std::string Telemetry::begin(const Origin& origin, const BlockPlan& plan, const RunLink::Json& begun) {
  auto paths = begun.at("paths").get<std::vector<std::string>>();
  Channel& now = channel(origin, plan, paths.size());
  now.paths = std::move(paths), now.units = begun.at("units").get<std::vector<std::string>>();
  now.asked_ns = plan.period_ns, now.period_ns = begun.at("every_ns").get<std::int64_t>();
  watches_[begun.at("watch").get<std::uint64_t>()] = &now;
  if (now.period_ns == now.asked_ns) return {};
  return "block " + plan.name + ": every " + short_duration(static_cast<double>(now.period_ns) / 1e9) +
         " in place of " + short_duration(static_cast<double>(now.asked_ns) / 1e9) +
         ": in whole macro-steps of the plant";
}

void Telemetry::describe(const Origin& origin) {
  std::vector<BlockDescription> blocks;
  std::vector<BorrowedTexts> texts;
  texts.reserve(2 * channels_.size());
  for (const auto& [name, channel] : channels_)
    blocks.push_back({.name = borrowed(channel.name),
                      .topic = borrowed(channel.topic),
                      .period_ns = channel.period_ns,
                      .asked_ns = channel.asked_ns,
                      .paths = texts.emplace_back(channel.paths).sequence(),
                      .units = texts.emplace_back(channel.units).sequence()});
  const auto count = static_cast<std::uint32_t>(blocks.size());
  const Description all{.layout = the_layout,
                        .session = origin.session,
                        .plant = borrowed(origin.plant),
                        .hash = borrowed(origin.hash),
                        .generator = borrowed(origin.generator),
                        .run = borrowed(origin.run),
                        .run_id = borrowed(origin.run_id),
                        .bridge = borrowed(origin.bridge),
                        .macro_step_ns = origin.macro_step_ns,
                        .blocks = {._maximum = count, ._length = count, ._buffer = blocks.data(), ._release = false}};
  (void)dds_write(description_, &all);
}

/// A row that is missing on the grid of its period was dropped on the way, or the plant's time has jumped over it.
void Telemetry::publish(const RunLink::Row& row) {
  const auto found = watches_.find(row.watch);
  if (found == watches_.end()) return;
  Channel& channel = *found->second;
  Block& block = channel.block;
  const std::int64_t since = row.time_ns - block.time_ns;
  if (channel.has_begun && since <= 0) return;  // there already
  if (channel.has_begun) {
    block.dropped += static_cast<std::uint64_t>(std::max<std::int64_t>(since / channel.period_ns - 1, 0));
    ++block.number;
  }
  channel.has_begun = true;
  block.time_ns = row.time_ns;
  const auto count = static_cast<std::uint32_t>(row.values.size());
  block.values = {._maximum = count,
                  ._length = count,
                  ._buffer = const_cast<double*>(row.values.data()),  // the library only reads it
                  ._release = false};
  ++(dds_write(channel.writer, &block) == DDS_RETCODE_OK ? channel.written : channel.failed);
}

Telemetry::Counts Telemetry::counts() const {
  Counts sum;
  for (const auto& [name, channel] : channels_)
    sum.written += channel.written, sum.failed += channel.failed, sum.dropped += channel.block.dropped;
  return sum;
}

void Telemetry::settle(dds_duration_t longest) const {
  const dds_time_t until = dds_time() + longest;
  for (const auto& [name, channel] : channels_)
    (void)dds_wait_for_acks(channel.writer, std::max<dds_duration_t>(until - dds_time(), 0));
}

}  // namespace takt::dds
