#include "runtime/executive/executive.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/executive/realtime_section.hpp"
#include "runtime/executive/start_up.hpp"
#include "runtime/start/steady_state.hpp"

namespace takt {

constinit thread_local bool in_realtime_section = false;

namespace {

constexpr WallDuration lead_in{10'000'000};                   // between the call of run() and the first release
constexpr int never_drops = std::numeric_limits<int>::max();  // hosts keep to one grid

SimDuration shortest_of(const Schedule& schedule) {
  const auto& instants = schedule.instants();
  return std::min_element(instants.begin(), instants.end(),
                          [](const auto& a, const auto& b) { return a.until_next < b.until_next; })
      ->until_next;
}

double* doubles(const PlantDescription& plant, std::size_t offset) {
  return reinterpret_cast<double*>(plant.memory + offset);
}

/// Where there are limits, these end the run.
OverrunPolicy policy_of_all(const RigSettings& rig) {
  const bool limited = rig.stop_after_consecutive > 0 || rig.stop_above_ns > 0;
  return limited && rig.policy == OverrunPolicy::stop ? OverrunPolicy::count : rig.policy;
}

/// By subsystem: that of its group, of the next one around it that has one, or of all.
std::vector<OverrunPolicy> policies_of(const PlantDescription& plant, const RigSettings& rig) {
  const auto given = [&](std::uint16_t group) {
    return std::find_if(rig.group_policies.begin(), rig.group_policies.end(), [&](const GroupPolicy& policy) {
      return std::strcmp(policy.group, plant.groups[group].name) == 0;
    });
  };
  std::vector<OverrunPolicy> policies(plant.subsystems.size(), policy_of_all(rig));
  if (rig.group_policies.empty() || plant.groups.empty()) return policies;
  for (const WindowPlan& window : plant.windows) {
    std::uint16_t group = window.group;
    while (given(group) == rig.group_policies.end() && plant.groups[group].parent != group)
      group = plant.groups[group].parent;
    if (const auto found = given(group); found != rig.group_policies.end()) policies[window.subsystem] = found->policy;
  }
  return policies;
}

/// The first worker that is not elsewhere.
std::uint16_t own_part(const std::vector<bool>& elsewhere) {
  const auto own = std::find(elsewhere.begin(), elsewhere.end(), false);
  return static_cast<std::uint16_t>(own == elsewhere.end() ? 0 : own - elsewhere.begin());
}

Placement on_one(const PlantDescription& plant, const Placement& given) {
  return given.empty() ? Placement(plant.subsystems.size(), 0) : given;
}

}  // namespace

Executive::Executive(const PlantDescription& plant, Options options, Surroundings surroundings)
    : plant_(plant),
      macro_step_(plant.macro_step_ns),
      options_(std::move(options)),
      clock_(surroundings.clock),
      io_(surroundings.io),
      recorder_(surroundings.recorder),
      script_(std::move(surroundings.script)),
      schedule_(plant),
      work_(plant, schedule_, on_one(plant, options_.placement)),
      part_(options_.apart ? own_part(options_.elsewhere) : std::uint16_t{0}),
      is_alone_(options_.apart || work_.parts().size() == 1),
      inputs_(doubles(plant, plant.inputs_offset), plant.plant_inputs.size()),
      latch_(schedule_, inputs_, work_.parts().size() > 1),
      exchanges_(plant, {.sample_fluxes = options_.sample_fluxes,
                         .workers = work_.parts().size() > 1 ? work_.placement() : std::span<const std::uint16_t>{},
                         .apart = options_.apart}),
      pacer_(clock_, {.period = macro_step_,
                      .spin = WallDuration{options_.rig.spin_ns},
                      .shortest = shortest_of(schedule_),
                      .max_catch_up = options_.apart ? never_drops : options_.rig.max_catch_up,
                      .skip = options_.rig.policy == OverrunPolicy::skip}),
      judge_(schedule_.instants().size() * work_.parts().size()),
      logged_inputs_(plant.plant_inputs.size()),
      digest_(plant_, exchanges_, inputs_),
      policy_(policy_of_all(options_.rig)),
      policies_(policies_of(plant, options_.rig)),
      stats_(plant.subsystems.size()),
      histograms_(plant.subsystems.size()),
      team_(clock_, {.workers = work_.parts().size(),
                     .instants = schedule_.instants().size(),
                     .paced = options_.paced,
                     .distant = !options_.elsewhere.empty(),
                     .cpus = options_.cpus}),
      trace_(make_run_trace(work_, schedule_,
                            {.last = options_.trace_last,
                             .paced = options_.paced,
                             .macro_step = macro_step_,
                             .macro_steps = options_.macro_steps,
                             .ns_per_tick = clock_.ns_per_tick()})),
      own_busy_(2 * Team::run_ahead),
      stored_start_(plant.subsystems.size()) {
  for (std::size_t i = 0; i < stats_.size(); ++i) stats_[i].begin(histograms_[i], i);
  const bool several_hosts = !options_.elsewhere.empty() && !options_.apart;  // in lock-step
  if (!surroundings.directors.empty() || options_.resume != nullptr || several_hosts)
    steering_.emplace(plant_, schedule_,
                      Steering::Options{.directors = surroundings.directors,
                                        .folder = surroundings.folder,
                                        .paced = options_.paced,
                                        .outside = surroundings.io,
                                        .disturb =
                                            [](void* io, std::uint32_t fault, std::uint64_t word) noexcept {
                                              static_cast<IoPort*>(io)->disturb(fault, word);
                                            },
                                        .followers = several_hosts ? &followers_ : nullptr,
                                        .tell = several_hosts ? Followers::tell : nullptr});
  sends_within_.resize(plant.subsystems.size());
  for (std::size_t i = 0; i < sends_within_.size(); ++i)
    sends_within_[i] = io_ != nullptr && schedule_.instants().size() > 1 && io_->sends_from(i);
  const Worker::Shared shared{.plant = plant_,
                              .work = work_,
                              .exchanges = exchanges_,
                              .latch = latch_,
                              .digest = digest_,
                              .clock = clock_,
                              .team = team_,
                              .stats = stats_,
                              .sends_within = sends_within_,
                              .policies = policies_,
                              .instants = schedule_.instants(),
                              .recorder = recorder_,
                              .bundled = options_.bundled,
                              .trace = trace_.get(),
                              .readings = steering_ ? &steering_->readings() : nullptr,
                              .copies = steering_ ? steering_->window_copies() : nullptr,
                              .looked_ns = looked_ns_,
                              .has_io = io_ != nullptr,
                              .paced = options_.paced,
                              .observes_always = options_.sample_fluxes,
                              .alone = is_alone_,
                              .ledger_alarm = options_.ledger_alarm,
                              .spin = pacer_.spin()};
  for (std::uint16_t i = 0; i < work_.parts().size(); ++i) workers_.emplace_back(shared, i);
  if (steering_ && options_.elsewhere.empty()) make_room_for_checkpoints(surroundings.folder, surroundings.guest);
  if (options_.keep_copies)
    copies_.emplace(plant_, exchanges_, PlantCopies::Options{.macro_steps = options_.macro_steps});
}

std::string Executive::prepare() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = plant_.plant_inputs[i].start;
  script_.apply(SimTime{}, inputs_);
  if (steering_) steering_->start(inputs_);
  latch_.begin();
  const int unsettled = exchanges_.settle();
  if (options_.steady) {
    start_ = find_steady_state(plant_);
    exchanges_.begin_histories();
  }
  start_histories(plant_, schedule_, exchanges_);
  for (std::size_t i = 0; i < stored_start_.size(); ++i) {
    stored_start_[i] = doubles(plant_, plant_.subsystems[i].energy_offset)[3];
  }
  if (steering_) steering_->begin();
  if (options_.apart)
    apart_ = std::make_unique<Apart>(Apart::Settings{.part = part_, .leads = part_ == 0, .macro_step = macro_step_},
                                     HostInputs::Of{.script = script_, .start = inputs_, .crosses = read_elsewhere()});
  else if (!options_.elsewhere.empty() && options_.elsewhere.front())
    steering_->follow(followed_);
  if (options_.resume != nullptr) resume();
  if (io_ != nullptr) observe_all(start_of(steps_done_));  // what steps before time 0 send
  return unsettled < 0 ? "" : plant_.exchanges[static_cast<std::size_t>(unsettled)].from;
}

void Executive::run() noexcept {
  const RealtimeSection section;
  status_.running.store(true, std::memory_order_relaxed);
  if (trace_) trace_->begin = read_anchor(clock_);
  origin_ = apart_ ? apart_->origin() : clock_.now() + (options_.paced ? lead_in : WallDuration{});
  first_step_ = steps_done_;
  const WallTime time_0 = origin_ - at_real_time(macro_step_ * static_cast<std::int64_t>(first_step_));
  pacer_.begin(time_0);
  const bool sound = start_values();
  team_.begin(time_0);
  if (!sound) team_.end_at(0);
  bool whole = sound;
  while (whole && (options_.macro_steps == 0 || steps_done_ + jumped_ < options_.macro_steps)) {
    if (ends_here()) {
      end_ = End::asked;
      whole = false;
      break;
    }
    whole = step(steps_done_);
  }
  if (!whole) leave_safe();  // at once: other workers may sleep till their next release
  end();
  if (whole && end_ == End::time_reached) send_last();
  if (whole) leave_safe();
  for (WindowStats& stats : stats_) stats.flush();
  finish_ = clock_.now();
  if (trace_) trace_->end = read_anchor(clock_);
  status_.running.store(false, std::memory_order_relaxed);
}

/// Of plant inputs: a subsystem that is not computed here reads them.
std::vector<bool> Executive::read_elsewhere() const {
  std::vector<bool> read(inputs_.size());
  for (const InputRoute& route : plant_.input_routes)
    if (work_.worker_of(route.consumer) != part_) read[route.plant_input] = true;
  return read;
}

/// What has been opened is computed to its end, by everybody.
bool Executive::ends_here() noexcept {
  const bool asked = stop_.load(std::memory_order_relaxed) != nullptr;
  if (!apart_) return asked && steps_done_ >= opened_steps_;
  if (asked && apart_->ends_after() == Apart::never) apart_->end_in_concert(steps_done_);
  return steps_done_ >= apart_->ends_after();
}

void Executive::leave_safe() noexcept {
  if (end_ == End::asked && steps_done_ == 0)
    send(SimTime{}, clock_.now(),
         Publish::on_time);  // nothing has left yet, and what has no safe value keeps its last one
  if (io_ != nullptr) io_->publish_safe(start_of(steps_done_));
}

void Executive::help(std::size_t worker) noexcept {
  const RealtimeSection section;
  workers_[worker].help();
}

/// What can be seen at time 0, or where a checkpoint was taken.  @return it is finite
bool Executive::start_values() noexcept {
  const SimTime now = start_of(steps_done_);
  if (options_.resume == nullptr)
    for (Worker& worker : workers_) worker.begin();
  observe_all(now);
  for (Worker& worker : workers_)
    if (!worker.look_at_start()) end_ = End::bad_values;
  if (end_ == End::bad_values) return false;
  send(now, clock_.now(), Publish::early);
  record(now);
  if (options_.resume != nullptr) return true;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < stats_.size(); ++i)
    (void)digest_.add(static_cast<std::uint16_t>(i), sum);  // finite: observe_all() has looked
  digest_.close(0, sum);
  if (copies_) copies_->take(0);
  return true;
}

/// What is to take effect before this macro-step does, and directors look at the plant. All have met.
/// @return false: the run ends here
bool Executive::direct(std::uint64_t k) noexcept {
  if (!steering_) return true;
  const SimTime now = start_of(k);
  if (k == first_step_ || steering_->is_due(now))
    while (!steering_->direct(now)) clock_.sleep_until(clock_.now() + back_pressure);
  if (steering_->inputs_changed()) changed_in_ = k;
  looked_ns_.store(steering_->looks_at(now + macro_step_) ? (now + macro_step_).ns() : -1, std::memory_order_relaxed);
  if (steering_->stop_because() == nullptr) return true;
  request_stop(steering_->stop_because());
  if (apart_) return true;  // in concert: ends_here()
  end_ = End::asked;
  return false;
}

/// One macro-step.  @return false: the run ends here
bool Executive::step(std::uint64_t k) noexcept {
  StepWork work{.macro_step = k, .number = k + jumped_, .start = start_of(k)};
  work.stretch = injected(Injection::Kind::long_computation, k);
  if (!begin_step(k)) return false;
  const auto opens = [&](std::uint32_t instant) { return open(instant, work); };
  if (!leader().compute(work, opens)) return false;  // nothing of what has just been computed is sent or recorded
  while (work.opened < schedule_.instants().size())
    if (!open(work.opened++, work)) return false;
  if (!leader().end_step(work)) return false;
  const SimTime end = work.start + macro_step_;
  if (!end_step(work, end)) return false;
  if (!stops_) send(end, clock_.now(), Publish::early);
  work.waited_ticks += record(end);
  if (copies_ && copies_->is_due(k + 1)) {
    exchanges_.deliver();
    copies_->take(k + 1);
  }
  account(work);
  if (options_.paced && !stops_) judge(work);
  count_late_step();
  return !stops_;
}

/// Statistics of the whole macro-step.
void Executive::account(const StepWork& work) noexcept {
  const std::uint64_t busy = leader().account(work);
  steps_done_ = work.macro_step + 1;
  if (is_alone_)
    count_busy(work.macro_step, busy);
  else
    own_busy_[work.macro_step % own_busy_.size()] = busy, count_busy_of_all();
  status_.macro_steps.store(steps_done_ + jumped_, std::memory_order_relaxed);
  status_.busy.store(clock_.duration_of(busy_total_), std::memory_order_relaxed);
}

/// @param busy  ticks, of the worker that had most to do
void Executive::count_busy(std::uint64_t macro_step, std::uint64_t busy) noexcept {
  busy_ticks_.record(busy);
  busy_total_ += busy;
  const double rtf = static_cast<double>(busy) * clock_.ns_per_tick() / static_cast<double>(macro_step_.ns());
  rtf_series_.add(start_of(macro_step).seconds(), rtf);
}

void Executive::observe_all(SimTime now) noexcept {
  if (options_.apart) {  // what others compute is not here
    if (!leader().observe(now)) end_ = End::bad_values;
    return;
  }
  for (Worker& worker : workers_)
    if (!worker.observe(now)) end_ = End::bad_values;
}

/// @return ticks waited for the recorder
std::uint64_t Executive::record(SimTime now) noexcept {
  if (recorder_ == nullptr || recorder_->try_record(now)) return 0;
  if (options_.paced) {
    recorder_->skip(now);
    return 0;
  }
  const std::uint64_t before = clock_.ticks();
  do {
    clock_.sleep_until(clock_.now() + back_pressure);
  } while (!recorder_->try_record(now));
  return clock_.ticks() - before;
}

}  // namespace takt
