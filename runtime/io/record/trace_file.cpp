#include "runtime/io/record/trace_file.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/record/text_file.hpp"
#include "runtime/io/record/track_event.hpp"

namespace takt {
namespace {

using perfetto::Argument;
using perfetto::EventType;
using perfetto::Name;
using perfetto::Sequence;

// Workers are those of all hosts, so their numbers differ wherever traces are laid beside each other.
std::uint32_t process_of(const RunTrace& trace) { return static_cast<std::uint32_t>(trace.host.number + 1); }
constexpr std::uint64_t thread_track(std::size_t worker) { return 1000 + 2 * worker; }
constexpr std::uint64_t rtf_track(std::size_t worker) { return thread_track(worker) + 1; }

std::string thread_name(const RunResults& results, std::size_t worker) {
  const bool several = worker < results.cores.size();
  const int cpu = several ? results.cores[worker].cpu : results.cpu;
  return "worker " + std::to_string(worker) + (cpu >= 0 ? ", CPU " + std::to_string(cpu) : "") +
         (several && results.cores[worker].below > 0 ? ", below" : "");
}

/// The tracks of all workers, before any event: overruns lie on that of whoever was late.
void describe(std::string& out, const RunTrace& trace, const RunResults& results) {
  const std::uint32_t process = process_of(trace);
  const std::string host = trace.host.name.empty() ? "" : ", host " + trace.host.name;
  perfetto::describe_process(
      out, {.track = process, .id = process, .name = results.model + (trace.paced ? ", paced" : ", free") + host});
  for (std::size_t worker = 0; worker < trace.tracks.size(); ++worker) {
    if (!trace.shows(worker)) continue;
    const std::string name = thread_name(results, worker);
    perfetto::describe_thread(
        out,
        {.process = process, .track = thread_track(worker), .id = static_cast<std::int32_t>(worker + 1), .name = name});
    perfetto::describe_counter(out,
                               {.track = rtf_track(worker), .parent = process, .name = "RTF of " + name, .unit = "1"});
  }
}

/// The events of one worker as packets.
class TrackWriter {
 public:
  TrackWriter(std::string& out, const RunTrace& trace, const RunResults& results, std::size_t worker)
      : trace_(trace),
        results_(results),
        track_(trace.tracks[worker]),
        worker_(worker),
        sequence_(out, {.number = static_cast<std::uint32_t>(worker + 1),
                        .track = thread_track(worker),
                        .later_ns = trace.host.to_leader.ns(),
                        .less_per_ns = trace.host.drift_ppm * 1e-6,
                        .when_ns = trace.end.time.ns()}) {
    for (const SubsystemResult& s : results.subsystems) subsystems_.push_back(sequence_.name(s.name));
    for (std::size_t other = 0; other < trace.tracks.size(); ++other)
      waits_.push_back(sequence_.name("wait for worker " + std::to_string(other)));
    sequence_.begin();
  }

  void write() {
    std::uint64_t expected = 0;
    for (const TraceRing::Block& block : track_.ring.blocks()) {
      if (block.first != expected && last_end_) leave_out(block.first - expected, block.events.front());
      for (const TraceEvent& event : block.events) add(event);
      expected = block.first + block.events.size();
    }
    end_macro_step();
  }

 private:
  [[nodiscard]] std::int64_t ns(std::uint64_t ticks) const { return trace_.time_of(ticks).ns(); }

  void slice(Name name, std::int64_t begin, std::int64_t end) {
    sequence_.event(EventType::slice_begin, begin).named(name).end_event();
    sequence_.event(EventType::slice_end, end).end_event();
  }

  void add(const TraceEvent& event) {
    switch (event.kind) {
      case TraceKind::woken:
        return woken(event);
      case TraceKind::window:
        if (event.number >= track_.subsystems.size()) return;  // half written by a process that was killed
        return timed(event, subsystems_[track_.subsystems[event.number]]);
      case TraceKind::waited:
        return timed(event, event.number < waits_.size() ? waits_[event.number] : wait_for_all_);
      case TraceKind::sent:
      case TraceKind::latched:
        return moved(event);
      case TraceKind::step:
        return end_step(event);
      case TraceKind::overrun:
        return overrun(event);
    }
  }

  void woken(const TraceEvent& event) {
    const std::int64_t at = ns(event.end);
    const auto release = static_cast<std::int64_t>(event.begin);
    const bool begins = event.number == 0, waited = release > 0;  // in a free run nobody does
    if (begins) end_macro_step();
    if (waited && last_end_) slice(wait_for_release_, *last_end_, std::max(*last_end_, at));
    if (begins) {
      sequence_.event(EventType::slice_begin, at).named(macro_step_name_).with(macro_step_, of(event.macro_step));
      sequence_.with(simulated_s_, (trace_.macro_step * of(event.macro_step)).seconds()).end_event();
      is_open_ = true;
    }
    if (waited) {
      sequence_.event(EventType::instant, release).named(release_).with(macro_step_, of(event.macro_step));
      sequence_.with(instant_, of(event.number)).with(deadline_us_, us(track_.allowed[event.number].ns()));
      sequence_.with(woken_late_us_, us(at - release));
      if (event.detail > 0) sequence_.with(dropped_, of(event.detail));
      sequence_.end_event();
    }
    last_end_ = at;
  }

  void timed(const TraceEvent& event, Name name) {
    const std::int64_t end = ns(event.end);
    sequence_.event(EventType::slice_begin, ns(event.begin)).named(name).with(macro_step_, of(event.macro_step));
    sequence_.end_event();
    sequence_.event(EventType::slice_end, end).end_event();
    last_end_ = end;
  }

  void moved(const TraceEvent& event) {
    const std::int64_t at = ns(event.end);
    sequence_.event(EventType::instant, at).named(event.kind == TraceKind::sent ? sent_ : latched_);
    sequence_.with(macro_step_, of(event.macro_step));
    if (event.kind == TraceKind::latched && event.number != TraceEvent::none)
      sequence_.with(changed_, of(event.number));
    sequence_.end_event();
    last_end_ = std::max(at, last_end_.value_or(at));
  }

  void end_step(const TraceEvent& event) {
    const std::int64_t end = ns(event.end);
    if (is_open_ && last_end_ && *last_end_ < end) slice(end_of_step_, *last_end_, end);
    last_end_ = end;
    end_macro_step();
    const double busy_ns = static_cast<double>(std::bit_cast<float>(event.number)) * trace_.ns_per_tick;
    sequence_.event(EventType::counter, end).on(rtf_track(worker_));
    sequence_.counted(busy_ns / static_cast<double>(trace_.macro_step.ns())).end_event();
  }

  void overrun(const TraceEvent& event) {
    const auto deadline = static_cast<std::int64_t>(event.begin), finish = static_cast<std::int64_t>(event.end);
    const auto& incidents = results_.overruns.incidents;
    const OverrunIncident* incident = event.number < incidents.size() ? &incidents[event.number] : nullptr;
    const std::string cause =
        incident == nullptr ? "" : std::string(": ") + overrun_cause_name[static_cast<std::size_t>(incident->cause)];
    sequence_.event(EventType::instant, deadline)
        .named("overrun" + cause)
        .on(thread_track(trace_.host.name.empty() ? event.detail : worker_));
    sequence_.with(macro_step_, of(event.macro_step)).with(late_us_, us(finish - deadline));
    if (incident != nullptr) {
      sequence_.with(incident_, of(event.number)).with(begun_in_, of(incident->macro_step));
      if (incident->subsystem < results_.subsystems.size())
        sequence_.with(in_, std::string_view(results_.subsystems[incident->subsystem].name));
      if (!incident->evidence.empty()) sequence_.with(evidence_, std::string_view(incident->evidence));
    }
    sequence_.end_event();
  }

  /// Between what was kept round an overrun and what comes next.
  void leave_out(std::uint64_t events, const TraceEvent& next) {
    end_macro_step();
    const bool has_wall_time = next.kind == TraceKind::overrun;
    const bool from_begin = next.kind == TraceKind::window || next.kind == TraceKind::waited;
    const std::int64_t end =
        has_wall_time ? static_cast<std::int64_t>(next.begin) : ns(from_begin ? next.begin : next.end);
    sequence_.event(EventType::slice_begin, *last_end_).named(not_kept_).with(events_, of(events)).end_event();
    sequence_.event(EventType::slice_end, std::max(end, *last_end_)).end_event();
    last_end_.reset();  // what lies before the next event is not known
  }

  void end_macro_step() {
    if (is_open_) sequence_.event(EventType::slice_end, last_end_.value_or(0)).end_event();
    is_open_ = false;
  }

  static std::int64_t of(std::uint64_t value) { return static_cast<std::int64_t>(value); }
  static double us(std::int64_t ns) { return static_cast<double>(ns) * 1e-3; }

  const RunTrace& trace_;
  const RunResults& results_;
  const TraceTrack& track_;
  std::size_t worker_;
  Sequence sequence_;
  const Name macro_step_name_ = sequence_.name("macro-step"), wait_for_release_ = sequence_.name("wait for release"),
             wait_for_all_ = sequence_.name("wait for other workers"), release_ = sequence_.name("release"),
             sent_ = sequence_.name("values sent"), latched_ = sequence_.name("inputs taken"),
             end_of_step_ = sequence_.name("end of macro-step"), not_kept_ = sequence_.name("not kept");
  const Argument macro_step_ = sequence_.argument("macro_step"), simulated_s_ = sequence_.argument("simulated_s"),
                 instant_ = sequence_.argument("instant"), deadline_us_ = sequence_.argument("deadline_us"),
                 woken_late_us_ = sequence_.argument("woken_late_us"), dropped_ = sequence_.argument("dropped_periods"),
                 changed_ = sequence_.argument("changed"), late_us_ = sequence_.argument("late_us"),
                 incident_ = sequence_.argument("incident"), begun_in_ = sequence_.argument("incident_macro_step"),
                 in_ = sequence_.argument("subsystem"), evidence_ = sequence_.argument("evidence"),
                 events_ = sequence_.argument("events");
  std::vector<Name> subsystems_, waits_;
  std::optional<std::int64_t> last_end_;  // wall ns, of what has been written
  bool is_open_ = false;                  // a macro-step
};

/// Where the stretch that reaches to the end of the run begins: the same for all workers.
std::uint64_t first_step_of_last_stretch(const RunTrace& trace) {
  std::uint64_t first = 0;
  for (const TraceTrack& track : trace.tracks) {
    const std::vector<TraceRing::Block> blocks = track.ring.blocks();
    for (std::size_t i = blocks.size(); i > 0; --i) {
      const bool follows =
          i > 1 ? blocks[i - 2].first + blocks[i - 2].events.size() == blocks[i - 1].first : blocks[i - 1].first == 0;
      if (follows) continue;
      first = std::max(first, blocks[i - 1].events.front().macro_step + 1);
      break;
    }
  }
  return first;
}

}  // namespace

TraceResult write_trace(const std::filesystem::path& path, const RunTrace& trace, const RunResults& results) {
  TraceResult result{.file = path.filename().string()};
  std::string out;
  describe(out, trace, results);
  for (std::size_t worker = 0; worker < trace.tracks.size(); ++worker) {
    if (!trace.shows(worker)) continue;
    std::uint64_t there = 0;
    for (const TraceRing::Block& block : trace.tracks[worker].ring.blocks()) there += block.events.size();
    result.events += there;
    result.lost += trace.tracks[worker].ring.added() - there;
    TrackWriter(out, trace, results, worker).write();
  }
  const std::uint64_t first = first_step_of_last_stretch(trace);
  result.from_s = (trace.macro_step * static_cast<std::int64_t>(first)).seconds();
  for (std::size_t i = 0; i < trace.places.count(); ++i) result.places += trace.places[i] < first ? 1U : 0U;
  write_whole(path, out);
  return result;
}

}  // namespace takt
