#include "runtime/steering/steering.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "runtime/csv/csv.hpp"
#include "runtime/io/record/run_files.hpp"

namespace takt {
namespace {

double* doubles(const PlantDescription& plant, std::size_t offset) {
  return reinterpret_cast<double*>(plant.memory + offset);
}

constexpr std::size_t most_in_results = 100'000, most_sets = 10'000;

}  // namespace

SimDuration Steering::latency(const PlantDescription& plant) noexcept {
  const SimDuration h{plant.macro_step_ns};
  return h * std::max<std::int64_t>(1, (least_latency + h - SimDuration{1}) / h);
}

Steering::Steering(const PlantDescription& plant, const Schedule& schedule, Options options)
    : plant_(plant),
      schedule_(schedule),
      options_(std::move(options)),
      latency_(latency(plant)),
      directors_(options_.directors),
      readings_(plant),
      window_copies_(plant),
      tuned_(plant),
      forced_(plant.plant_inputs.size()),
      in_force_(plant.plant_inputs.size()),
      pending_(Tuner::most) {}

Steering::~Steering() {
  ends_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

void Steering::start(std::span<double> plant_inputs) {
  start_inputs_ = plant_inputs;
  for (director_ = 0; director_ < directors_.size(); ++director_) directors_[director_]->start(*this);
  start_inputs_ = {};
}

void Steering::begin() {
  tuned_ = Tuned(plant_);
  tuner_.emplace(plant_, tuned_);
}

void Steering::start_thread() {
  thread_ = std::thread([this] { work(); });
}

bool Steering::looks_at(SimTime now) const noexcept {
  return std::any_of(directors_.begin(), directors_.end(),
                     [&](const Director* director) { return director->looks_at(now); });
}

bool Steering::is_due(SimTime now) const noexcept {
  return (counts_.settled < counts_.asked && pending_[counts_.settled % pending_.size()].due <= now) ||
         std::any_of(directors_.begin(), directors_.end(),
                     [&](const Director* director) { return director->may_act_at(now) || director->looks_at(now); });
}

bool Steering::direct(SimTime now) noexcept {
  now_ = now;
  if (!take_effect(now)) return false;
  for (director_ = 0; director_ < directors_.size(); ++director_) directors_[director_]->direct(now, *this);
  if (std::exchange(wants_checkpoint_, false)) checkpoints_.take(checkpoints_.taker, now);
  return true;
}

/// Tunings whose time has come, in the order in which they were asked for.
bool Steering::take_effect(SimTime now) noexcept {
  while (counts_.settled < counts_.asked && pending_[counts_.settled % pending_.size()].due <= now) {
    const Pending& pending = pending_[counts_.settled % pending_.size()];
    const Patch* patch = tuner_->take();
    if (patch == nullptr) {
      if (!options_.paced) return false;
      ++late_;
      return true;  // at the next boundary
    }
    ++counts_.settled;
    Taken taken{.time = now, .action = pending.action, .director = pending.director, .author = pending.author};
    const bool refused = !patch->refused.empty();
    if (!refused) taken.booked_j = apply(*patch, now);
    acted_ = acted_ || !refused;
    if (!refused) keep_in_mind(pending.action);
    if (pending.director != nobody)
      directors_[pending.director]->settled(pending.action, now, refused ? patch->refused.c_str() : nullptr);
    if (refused) taken.refused = patch;
    log(taken);
    if (!refused) tuner_->give_back(patch);
  }
  return true;
}

/// @return energy that the storages have taken in, J
double Steering::apply(const Patch& patch, SimTime now) noexcept {
  double booked = 0.0;
  const auto observe = [&](const SubsystemDescription& s) {
    if (s.observe != nullptr)
      s.observe(plant_.memory + s.offset, now.seconds(), static_cast<double>(s.period_ns) * 1e-9);
  };
  for (const std::uint16_t subsystem : patch.subsystems) {
    observe(plant_.subsystems[subsystem]);
    booked -= doubles(plant_, plant_.subsystems[subsystem].energy_offset)[3];
  }
  for (const Patch::Word& word : patch.words) std::memcpy(plant_.memory + word.offset, &word.bits, sizeof word.bits);
  for (const std::uint16_t subsystem : patch.subsystems) {
    const SubsystemDescription& s = plant_.subsystems[subsystem];
    if (s.tuned == nullptr) continue;
    double* energy = doubles(plant_, s.energy_offset);
    const double before = energy[3];
    s.tuned(plant_.memory + s.offset, now.seconds(), static_cast<double>(s.period_ns) * 1e-9);
    energy[0] += energy[3] - before;
    energy[4] += std::abs(energy[3] - before);
  }
  for (const std::uint16_t subsystem : patch.subsystems)
    booked += doubles(plant_, plant_.subsystems[subsystem].energy_offset)[3];
  return booked;
}

SimTime Steering::set(const Action& action, std::uint16_t author) noexcept {
  if (!start_inputs_.empty()) {
    start_inputs_[action.target] = action.value;
    return SimTime{};
  }
  forced_[action.target] = action.value;
  in_force_[action.target] = 1;
  any_in_force_ = inputs_changed_ = true;
  const SimTime effective = now_ > SimTime{} ? now_ : schedule_.next_taking(SimTime{1});
  // What it has changed stands in the log of inputs; who it was is for the report.
  if (directors_[director_]->sets_by_hand() &&
      !set_.push({.time = effective, .action = action, .director = director_, .author = author}))
    ++sets_lost_;
  return effective;
}

void Steering::release(std::uint32_t row) noexcept {
  const MemoryEntry& entry = plant_.table[row];
  if (entry.role == Role::plant_input)
    inputs_changed_ = true, in_force_[(entry.offset - plant_.inputs_offset) / sizeof(double)] = 0;
  any_in_force_ = std::find(in_force_.begin(), in_force_.end(), 1) != in_force_.end();
  readings_.end(row, Action::Verb::release);
}

SimTime Steering::act(const Action& action, std::uint16_t author) noexcept {
  constexpr SimTime never{-1};
  using Verb = Action::Verb;
  if (ended_) return never;
  if (action.verb == Verb::set) return set(action, author);
  if (!start_inputs_.empty()) return never;
  if (action.verb == Verb::checkpoint) {
    if (checkpoints_.take == nullptr || !checkpoints_.is_free(checkpoints_.taker)) return never;
    wants_checkpoint_ = true;  // after all that is done at this boundary
    log({.time = now_, .action = action, .director = director_, .author = author});
    return now_;
  }
  if (action.verb == Verb::disturb) {  // the plant itself is not acted on: what comes of it is in the log of inputs
    if (options_.outside != nullptr) options_.disturb(options_.outside, action.target, action.word);
    log({.time = now_, .action = action, .director = director_, .author = author});
    return now_;
  }
  if (is_tuning(action.verb)) {
    if (counts_.asked - counts_.settled == pending_.size() || !tuner_->ask(action)) return never;
    const SimTime due = now_ + latency_;
    pending_[counts_.asked++ % pending_.size()] = {
        .due = due, .action = action, .director = director_, .author = author};
    tell(action);
    return due;
  }
  if (action.verb == Verb::override || action.verb == Verb::inject) {
    if (!readings_.begin(action, now_)) return never;
  } else if (action.verb == Verb::release) {
    release(action.target);
  } else {
    readings_.end(action.target, Verb::clear);
  }
  tell(action);
  acted_ = true;
  log({.time = now_, .action = action, .director = director_, .author = author});
  return now_;
}

bool Steering::force(SimTime now, std::span<double> plant_inputs) noexcept {
  if (!any_in_force_ || now == SimTime{}) return false;  // the first macro-step keeps what the plant began with
  for (std::size_t i = 0; i < plant_inputs.size(); ++i)
    if (in_force_[i] != 0) plant_inputs[i] = forced_[i];
  return true;
}

void Steering::end(SimTime now) noexcept {
  now_ = now;
  ended_ = true;
  for (director_ = 0; director_ < directors_.size(); ++director_) {
    directors_[director_]->direct(now, *this);
    directors_[director_]->end(now);
  }
}

void Steering::log(const Taken& taken) noexcept {
  if (!taken_.push(taken)) ++lost_;
}

void Steering::work() {
  while (!ends_.load(std::memory_order_acquire)) {
    const bool busy = tuner_->work();
    const bool wrote = checkpoints_.write && checkpoints_.write();
    const bool noted = note_sets();
    if (!write_log() && !noted && !busy && !wrote) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// The file is made with its first line: a run on which nobody acts has none.
void Steering::log_taken(const std::array<std::string, 5>& fields) {
  if (options_.folder.empty() || !log_problem_.empty()) return;
  try {
    if (!log_file_) {
      log_file_.emplace().open(run_file(options_.folder, "actions.csv"));
      log_file_->add(std::string("# takt actions 1\n# plant ") + plant_.name + "\n# hash " + plant_.input_hash +
                     "\n# macro_step_ns " + std::to_string(plant_.macro_step_ns) +
                     "\ntime_ns,author,verb,path,argument\n");
    }
    for (std::size_t k = 0; k < fields.size(); ++k)
      log_file_->add(csv_cell(fields[k]) + (k + 1 < fields.size() ? "," : "\n"));
    log_file_->flush();
    log_problem_ = log_file_->problem();
  } catch (const std::runtime_error& error) {
    log_problem_ = error.what();
  }
  if (!log_problem_.empty()) log_problem_ += ": this run cannot be replayed";
}

ActionResult Steering::result_of(const Taken& taken, const std::string& author) const {
  return {.time_s = taken.time.seconds(),
          .author = author,
          .text = action_text(plant_, taken.action),
          .refused = taken.refused == nullptr ? "" : taken.refused->refused,
          .shown = action_for_people(plant_, taken.action),
          .booked_j = taken.booked_j};
}

/// @return there was something
bool Steering::note_sets() {
  Taken taken;
  bool any = false;
  for (; set_.pop(taken); any = true)
    if (sets_.size() < most_sets)
      sets_.push_back(result_of(taken, directors_[taken.director]->name_of(taken.author)));
    else
      ++sets_left_out_;
  return any;
}

/// @return there was something
bool Steering::write_log() {
  Taken taken;
  bool any = false;
  for (; taken_.pop(taken); any = true) {
    const ActionWords words = action_words(plant_, taken.action);
    const std::string author =
        taken.director == nobody ? "checkpoint" : directors_[taken.director]->name_of(taken.author);
    if (taken.refused == nullptr && taken.action.verb != Action::Verb::checkpoint)
      log_taken({std::to_string(taken.time.ns()), author, words.verb, words.path, words.argument});
    if (results_.size() < most_in_results) results_.push_back(result_of(taken, author));
    delete taken.refused;
  }
  return any;
}

std::string Steering::finish() {
  ends_.store(true, std::memory_order_release);
  if (thread_.joinable()) thread_.join();
  write_log();
  note_sets();
  if (checkpoints_.write) checkpoints_.write();
  return log_problem_.empty() && checkpoints_.problem ? checkpoints_.problem() : log_problem_;
}

void Steering::report(RunResults& results) const {
  results.actions = results_;
  results.inputs_set = sets_;
  results.inputs_set_lost = sets_lost_ + sets_left_out_;
  results.actions_lost = lost_;
  results.tunings_late = late_;
  for (const BookedFlux& flux : readings_.booked()) results.booked.push_back({flux.path, flux.unit, flux.amount});
}

}  // namespace takt
