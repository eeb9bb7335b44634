// What a run keeps of the frames on its buses.

#include <cstdio>

#include "runtime/io/can/bus_trace.hpp"
#include "runtime/io/can/line.hpp"

namespace takt::can {

/// Before the buses are open: a bus whose frames are kept lets all of them through.
void CanPort::make_trace_rings() {
  for (auto& line : lines_) {
    if (line->trace_formats == 0 || line->rehearsal) continue;
    if (!trace_directory_.empty())
      line->trace = std::make_unique<TraceRing>();
    else
      std::fprintf(stderr, "takt: bus %s: no trace, because this run keeps no results\n", line->plan.name);
  }
}

/// Once they are: what they carry is known.
void CanPort::begin_trace(WallTime begin) {
  std::vector<TraceFiles::Settings> traced;
  Frame fd;
  fd.fd = true;
  for (const auto& line : lines_)
    if (line->trace)
      traced.push_back({.bus = line->plan.name,
                        .channel = line->channel,
                        .number = static_cast<std::uint8_t>(line->number + 1),
                        .fd = line->bus->carries(fd),
                        .formats = line->trace_formats,
                        .ring = line->trace.get()});
  if (traced.empty()) return;
  trace_ = std::make_unique<BusTrace>(trace_directory_, traced, begin);
  trace_->start();
}

std::vector<std::string> CanPort::trace_events(const Line& line) const {
  const std::uint64_t dropped = line.trace ? line.trace->dropped() : 0;
  if (dropped == 0) return {};
  return {std::string(line.plan.name) + ": " + std::to_string(dropped) +
          " frames are missing in its trace: the disk did not keep up"};
}

}  // namespace takt::can
