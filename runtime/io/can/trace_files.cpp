#include "runtime/io/can/trace_files.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "runtime/io/can/dlc.hpp"
#include "runtime/io/can/frame_text.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

/// An I/O thread that does not say for so long what is complete has lost its bus: what is there is written.
constexpr WallDuration longest_wait{1'000'000'000};

std::int64_t time_of_day_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string file_name(const std::string& bus, const char* ending) { return "bus_" + bus + ending; }

/// "(1436509052.249713)"
void append_stamp(std::string& out, std::int64_t us) {
  std::array<char, 24> digits{};
  out += '(';
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), us / 1'000'000).ptr);
  out += '.';
  const std::int64_t rest = 1'000'000 + us % 1'000'000;  // a 1 in front of six digits
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), rest).ptr;
  out.append(digits.data() + 1, end);
  out += ')';
}

}  // namespace

UtcOfRun::UtcOfRun(WallTime begin) : begin_(begin) {
  const WallTime before = wall_now();
  const std::int64_t utc_ns = time_of_day_ns();
  ahead_ns_ = utc_ns - (before + (wall_now() - before) / 2).ns();
}

TraceFiles::TraceFiles(const std::filesystem::path& directory, const Settings& settings, const UtcOfRun& utc)
    : settings_(settings), utc_(utc) {
  if (has(trace_candump)) candump_.open(run_file(directory, file_name(settings.bus, ".log")));
  if (has(trace_mf4))
    mdf_.open(run_file(directory, file_name(settings.bus, ".mf4")), {.bus = settings.bus,
                                                                     .channel = settings.channel,
                                                                     .number = settings.number,
                                                                     .fd = settings.fd,
                                                                     .utc_begin_ns = 1000 * utc.begin_us()});
}

void TraceFiles::take(bool all) {
  const WallTime settled = std::max(settings_.ring->settled(), wall_now() - longest_wait);
  const WallTime until = all ? WallTime{std::numeric_limits<std::int64_t>::max()} : settled;
  for (TracedFrame traced; settings_.ring->pop(traced);) waiting_.push_back(traced);
  // What arrived while others left has been pushed after them.
  const auto earlier = [](const TracedFrame& a, const TracedFrame& b) { return a.frame.stamp < b.frame.stamp; };
  if (!std::is_sorted(waiting_.begin(), waiting_.end(), earlier))
    std::stable_sort(waiting_.begin(), waiting_.end(), earlier);
  std::size_t done = 0;
  while (done < waiting_.size() && waiting_[done].frame.stamp <= until) write(waiting_[done++]);
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
}

/// Stamps never go back: readers of both formats rely on it.
void TraceFiles::write(TracedFrame& traced) {
  Frame& frame = traced.frame;
  if (frame.fd) {  // as the bus has padded it
    std::fill(frame.data.begin() + frame.len, frame.data.end(), std::uint8_t{0});
    frame.len = fd_length(frame.len);
  }
  last_us_ = std::max({last_us_, utc_.us(frame.stamp), utc_.begin_us()});
  if (has(trace_mf4)) mdf_.add(frame, 1000 * (last_us_ - utc_.begin_us()), traced.sent);
  if (!has(trace_candump)) return;
  line_.clear();
  append_stamp(line_, last_us_);
  line_ += ' ';
  line_ += settings_.channel;
  line_ += ' ';
  append_frame_text(line_, frame);
  line_ += traced.sent ? " T\n" : " R\n";
  candump_.add(line_);
  ++lines_;
  candump_.flush_if_large();
}

void TraceFiles::flush() {
  if (has(trace_candump)) candump_.flush();
  if (has(trace_mf4)) mdf_.flush();
}

void TraceFiles::close() {
  flush();
  const auto close_one = [](auto& file) {
    try {
      file.close();
    } catch (const std::runtime_error&) {  // it is kept: problem()
    }
  };
  close_one(candump_), close_one(mdf_);
}

std::string TraceFiles::problem() const {
  const std::string candump = candump_.problem(), mdf = mdf_.problem();
  return candump + (candump.empty() || mdf.empty() ? "" : "; ") + mdf;
}

std::vector<TraceFiles::Account> TraceFiles::accounts() const {
  std::vector<Account> all;
  if (has(trace_candump))
    all.push_back({file_name(settings_.bus, ".log"), lines_ - candump_.lines_lost(), candump_.lines_lost()});
  if (has(trace_mf4)) all.push_back({file_name(settings_.bus, ".mf4"), mdf_.written(), mdf_.lost()});
  return all;
}

}  // namespace takt::can
