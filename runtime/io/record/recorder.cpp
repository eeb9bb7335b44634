#include "runtime/io/record/recorder.hpp"

#include <sys/timex.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <ctime>
#include <set>
#include <span>
#include <stdexcept>

#include "runtime/csv/csv.hpp"
#include "runtime/io/record/run_events.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr std::size_t input_ring = 1 << 15;

/// Points that the report has of each signal: the more signals, the fewer.
std::size_t points_of_each(std::size_t signals) {
  constexpr std::size_t all = 160'000, least = 512, most = 16'384;
  return std::clamp(all / std::max<std::size_t>(1, signals), least, most);
}

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::filesystem::path file_of(const Recorder::Options& options, std::string_view name) {
  return options.directory.empty() ? std::filesystem::path("/dev/null")
                                   : run_file(options.directory, std::string(name));
}

}  // namespace

Recorder::Recorder(const PlantDescription& plant, const Options& options)
    : plant_(plant), rows_(options.ring_words), inputs_(input_ring) {
  // Where a signal stands in several records, the shortest period has it.
  std::vector<RecordPlan> records(plant.records.begin(), plant.records.end());
  std::stable_sort(records.begin(), records.end(),
                   [](const auto& a, const auto& b) { return a.period_ns < b.period_ns; });
  std::set<std::uint32_t> taken;
  TriggerPlace trigger;
  for (const RecordPlan& record : records) {
    Plan plan{SimDuration{round_up(std::max<std::int64_t>(record.period_ns, 1), plant.macro_step_ns)}, {}, {}};
    for (const std::uint32_t entry : record.entries) {
      if (!taken.insert(entry).second) continue;
      const MemoryEntry& row = plant.table[entry];
      if (options.trigger && entry == options.trigger->entry) trigger = {plans_.size(), plan.columns.size()};
      plan.columns.push_back(
          {reinterpret_cast<const double*>(plant.memory + row.offset), static_cast<std::uint32_t>(columns_.size())});
      columns_.push_back({.path = row.path, .unit = row.unit});
    }
    if (!plan.columns.empty()) plans_.push_back(std::move(plan));
  }
  std::size_t words = 0;
  for (const Plan& plan : plans_) words += plan.columns.size() + 2;
  for (RecordedSignal& column : columns_) column.series = DecimatedSeries(points_of_each(columns_.size()));
  if (words > options.ring_words) throw std::runtime_error("recorder: a row does not fit the ring");
  staging_.resize(words);
  words_.resize(words);
  if (options.trigger)
    gate_.emplace(*options.trigger, trigger, static_cast<std::size_t>(words_of_rows(plant, options.trigger->before)));
  open_sinks(options);
  open_inputs(options);
}

Recorder::~Recorder() {
  stop_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

void Recorder::open_sinks(const Options& options) {
  RecordHead head{.title = plant_.title[0] != '\0' ? plant_.title : plant_.name,
                  .properties = options.properties,
                  .rates = {},
                  .compress = false,
                  .attachments = {}};
  for (const Plan& plan : plans_) {
    RecordRate rate{.period = plan.period, .columns = {}};
    for (const Column& column : plan.columns)
      rate.columns.push_back({columns_[column.index].path, columns_[column.index].unit});
    head.rates.push_back(std::move(rate));
  }
  for (const RecordFormat* format : options.formats) {
    head.compress = options.compress && format->compresses;
    head.attachments = format->attaches ? options.attachments : std::vector<RecordAttachment>{};
    sinks_.push_back(format->make());
    sinks_.back()->open(file_of(options, format->file), head);
  }
}

void Recorder::open_inputs(const Options& options) {
  inputs_file_.open(file_of(options, "inputs.csv"));
  inputs_file_.add("# takt inputs 2\n# plant ");
  inputs_file_.add(plant_.name);
  inputs_file_.add("\n# hash ");
  inputs_file_.add(plant_.input_hash);
  inputs_file_.add("\n# macro_step_ns ");
  inputs_file_.add(static_cast<std::uint64_t>(plant_.macro_step_ns));
  inputs_file_.add('\n');
  for (const auto& [name, value] : options.parameters_set) {
    inputs_file_.add("# set " + name + "=" + value + "\n");
  }
  if (options.steady) inputs_file_.add("# start steady\n");
  inputs_file_.add("time_ns,input,value\n");
  inputs_file_.flush();
}

void Recorder::start() {
  thread_ = std::thread([this] { work(); });
}

bool Recorder::is_due(SimTime now) const noexcept {
  return std::any_of(plans_.begin(), plans_.end(), [&](const Plan& plan) { return now >= plan.next; });
}

bool Recorder::try_record(SimTime now) noexcept {
  std::size_t words = 0;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (now < plans_[i].next) continue;
    staging_[words++] = i;
    staging_[words++] = static_cast<std::uint64_t>(now.ns());
    for (const Column& column : plans_[i].columns) staging_[words++] = std::bit_cast<std::uint64_t>(*column.value);
  }
  if (words == 0) return true;
  // Only this thread pushes, so the room seen here can only grow.
  if (rows_.write_available() < words) return false;
  rows_.push(staging_.data(), words);
  ++recorded_;
  go_on(now);
  return true;
}

/// On the grid of each plan, also where simulated time has jumped.
void Recorder::go_on(SimTime now) noexcept {
  for (Plan& plan : plans_)
    if (now >= plan.next) plan.next += plan.period * ((now - plan.next) / plan.period + 1);
}

void Recorder::skip(SimTime now) noexcept {
  ++dropped_;
  go_on(now);
}

bool Recorder::try_log_input(SimTime time, std::uint32_t input, double value) noexcept {
  const bool pushed = inputs_.push({time.ns(), value, input});
  changes_ += pushed ? 1 : 0;
  return pushed;
}

void Recorder::work() {
  using Clock = std::chrono::steady_clock;
  auto flushed = Clock::now();
  while (!stop_.load(std::memory_order_acquire)) {
    const bool busy = drain();
    write_events();
    const auto now = Clock::now();
    // A little older than the flush: by then actions taken until then stand in their own log, which another thread
    // writes, and the rings have been drained once more.
    if (now - flushed < std::chrono::milliseconds(450))
      to_mark_ = reached_.load(std::memory_order_acquire);  // pairs with: reached
    if (now - flushed > std::chrono::milliseconds(500)) {
      for (const auto& sink : sinks_) sink->flush();
      mark_reached();
      inputs_file_.flush();
      if (find_problem()) tell("takt: " + problem_ + "; the run goes on, what follows is not recorded\n");
      flushed = now;
    }
    if (!busy) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

bool Recorder::drain() {
  drain_inputs();
  bool any = false;
  for (int rows = 0; rows < 4096 && rows_.read_available() >= 2; ++rows, any = true) read_row();
  return any;
}

void Recorder::drain_inputs() {
  InputChange change{};
  while (inputs_.pop(change)) {
    inputs_file_.add(static_cast<std::uint64_t>(change.time_ns));
    inputs_file_.add(',');
    inputs_file_.add(csv_cell(plant_.plant_inputs[change.input].path));
    inputs_file_.add(',');
    inputs_file_.add(change.value);
    inputs_file_.add('\n');
    inputs_file_.flush_if_large();
  }
}

/// How far a replay of this log can go where the run does not come to its end.
void Recorder::mark_reached() {
  if (to_mark_ <= marked_) return;
  inputs_file_.add("# reached_ns " + std::to_string(to_mark_.ns()) + "\n");
  marked_ = to_mark_;
}

void Recorder::read_row() {
  // Rows are pushed whole, so once the head is there, so is the rest.
  rows_.pop(words_.data(), 2);
  const std::size_t number = words_[0];
  const Plan& plan = plans_[number];
  const SimTime time{static_cast<std::int64_t>(words_[1])};
  rows_.pop(words_.data(), plan.columns.size());
  if (!has_begun_) begin_at(time);
  const RecordedRow row{number, time, std::span(words_).first(plan.columns.size())};
  for (std::size_t i = 0; i < plan.columns.size(); ++i)
    columns_[plan.columns[i].index].series.add(time.seconds(), std::bit_cast<double>(words_[i]));
  if (!gate_) return write_recorded(row);
  if (!gate_->take(row, [this](const RecordedRow& open) { write_recorded(open); })) return;
  ++triggers_;
  add_event({.time = time,
             .text = gate_->trigger().text,
             .kind = RecordEvent::Kind::trigger,
             .before = gate_->trigger().before,
             .after = gate_->trigger().after});
}

void Recorder::write_recorded(const RecordedRow& row) {
  for (const auto& sink : sinks_) sink->add(row);
}

void Recorder::add_event(const RecordEvent& event) {
  for (const auto& sink : sinks_) sink->add_event(event);
}

/// The wall time of time 0 is that of the first sample, less its simulated time where the plant keeps pace.
void Recorder::begin_at(SimTime time) {
  has_begun_ = true;
  timex kernel{};
  const bool knows = ::adjtimex(&kernel) >= 0;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t utc_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - time.ns();
  for (const auto& sink : sinks_) sink->begin_at(utc_ns, knows ? kernel.tai : 0);
}

/// @return it is the first one
bool Recorder::find_problem() {
  if (!problem_.empty()) return false;
  for (const auto& sink : sinks_)
    if (problem_.empty()) problem_ = sink->problem();
  if (problem_.empty()) problem_ = inputs_file_.problem();
  return !problem_.empty();
}

void Recorder::note_event(SimTime time, std::string text) {
  const std::scoped_lock lock(events_mutex_);
  events_.push_back({.time = time, .text = std::move(text)});
}

void Recorder::write_events() {
  std::vector<RecordEvent> events;
  {
    const std::scoped_lock lock(events_mutex_);
    events.swap(events_);
  }
  for (const RecordEvent& event : events) add_event(event);
}

std::string Recorder::finish(std::uint64_t macro_steps, std::uint64_t jumped, std::size_t actions) {
  stop_.store(true, std::memory_order_release);
  if (thread_.joinable()) thread_.join();
  while (drain()) {
  }
  write_events();
  for (const auto& sink : sinks_) sink->finish();
  if (jumped > 0) inputs_file_.add("# jumped " + std::to_string(jumped) + "\n");
  if (actions > 0) inputs_file_.add("# actions " + std::to_string(actions) + "\n");
  inputs_file_.add("# macro_steps ");
  inputs_file_.add(macro_steps);
  inputs_file_.add('\n');
  try {
    inputs_file_.close();
  } catch (const std::runtime_error&) {
    // It is kept.
  }
  (void)find_problem();
  const std::uint64_t lost = rows_lost();
  return problem_.empty() || lost == 0
             ? problem_
             : problem_ + "; " + std::to_string(lost) + " recorded rows are missing at its end";
}

std::uint64_t Recorder::rows_lost() const {
  std::uint64_t lost = 0;
  for (const auto& sink : sinks_) lost += sink->lost();
  return lost;
}

void Recorder::report(RunResults& results) {
  results.rows_recorded = recorded_;
  results.rows_dropped = dropped_;
  results.rows_lost = rows_lost();
  results.input_changes = changes_;
  results.input_changes_lost = changes_lost_;
  results.signals = std::move(columns_);
  if (!gate_) return;
  results.triggers = triggers_;
  if (triggers_ == 0)
    results.warnings.push_back("--trigger " + gate_->trigger().text + " was never met: nothing was recorded");
}

std::string Recorder::conclude(const RunResults& results, std::string_view summary) {
  write_events();
  const RecordEnd end{.events = run_events(results),
                      .properties = run_properties(results),
                      .summary = {.name = "summary.json", .type = "application/json", .text = std::string(summary)}};
  for (const auto& sink : sinks_) sink->conclude(end);
  return find_problem() ? problem_ : std::string();
}

}  // namespace takt
