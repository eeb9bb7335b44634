#include "tools/fmu_host/hosted_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"
#include "tools/fmu_host/kept_state.hpp"
#include "tools/fmu_host/step_judge.hpp"

namespace takt::fmu_host {

using nlohmann::json;

namespace {

constexpr const char* of_another = "its state is of another FMU, or cut off";

}  // namespace

void WindowInputs::compute(double t) noexcept {
  const double r = h_ > 0.0 ? std::clamp((t - t_) / h_, 0.0, 1.0) : 0.0;
  const double* a = block_->fed(0) + first_;
  const double* m = block_->fed(1) + first_;
  const double* e = block_->fed(2) + first_;
  for (std::size_t i = 0; i < ports_.slots.size(); ++i) {
    // At the nodes their own bits; held inputs stay what they are.
    double value = a[i];
    if (r == 1.0)
      value = e[i];
    else if (r == 0.5)
      value = m[i];
    else if (r > 0.0)
      value = a[i] + r * ((-3.0 * a[i] + 4.0 * m[i] - e[i]) + r * 2.0 * (a[i] - 2.0 * m[i] + e[i]));
    ports_.values[ports_.slots[i]] = value;
  }
}

void WindowInputs::sort_rows(const fmu::Table& table) {
  std::vector<fmu::Row> continuous;
  for (const fmu::Row& row : ports_.rows.rows())
    if (row.use == fmu::Use::input_continuous)
      continuous.push_back(row);
    else
      for (std::uint32_t element = 0; element < row.count; ++element) discrete_.push_back(row.first + element);
  continuous_ = fmu::RowSet(table.version, continuous);
  last_.resize(discrete_.size());
  if (!table.can.interpolates_inputs || table.kind != fmu::Kind::co_simulation) return;
  for (const fmu::Row& row : continuous)
    if (row.type == fmu::Type::float64)
      sloped_.push_back({row.first, 0.0, 0.0}), slope_references_.push_back(row.reference);
  slope_orders_.assign(sloped_.size(), 1), slopes_.resize(sloped_.size());
}

bool WindowInputs::have_jumped(double t) noexcept {
  compute(t);
  bool jumped = false;
  for (std::size_t i = 0; i < discrete_.size(); ++i) {
    jumped = jumped || last_[i] != ports_.values[discrete_[i]];
    last_[i] = ports_.values[discrete_[i]];
  }
  return jumped;
}

/// Over the step that begins at t, so that both its ends are right. A value that jumps within it, most of all at its
/// end, is held: it is not on the way there in the middle.
fmu::Result WindowInputs::set_slopes(fmu::Instance& instance, double t) noexcept {
  if (sloped_.empty() || !(h_ > 0.0)) return {};
  for (Sloped& one : sloped_) one.begin = ports_.values[one.value];
  compute(t + h_);
  for (Sloped& one : sloped_) one.end = ports_.values[one.value];
  compute(t + 0.5 * h_);
  for (std::size_t i = 0; i < sloped_.size(); ++i) {
    const auto& [value, begin, end] = sloped_[i];
    const double rise = end - begin, bend = ports_.values[value] - 0.5 * (begin + end);
    slopes_[i] = std::abs(bend) <= 0.25 * std::abs(rise) ? rise / h_ : 0.0;
  }
  return instance.set_input_derivatives({slope_references_, slope_orders_, slopes_});
}

fmu::Result WindowInputs::continuous(fmu::Instance& instance, double t) noexcept {
  compute(t);
  return continuous_.rows().empty() ? fmu::Result{} : instance.set(continuous_, ports_.values);
}

fmu::Result WindowInputs::all(fmu::Instance& instance, double t) noexcept {
  compute(t);
  const fmu::Result result = ports_.slots.empty() ? fmu::Result{} : instance.set(ports_.rows, ports_.values);
  return result.done() ? set_slopes(instance, t) : result;
}

HostedModel::HostedModel(std::istream& text, const std::filesystem::path& folder) : window_(inputs_) {
  const auto table = parse_json<json>(std::string(std::istreambuf_iterator<char>(text), {}));
  table_ = table_of(table, folder);
  method_ = table.at("method").get<std::string>();
  step_s_ = table.at("step").get<double>();
  inputs_ = ports_of(table_.version, table.at("inputs"));
  parameters_ = ports_of(table_.version, table.at("parameters"));
  outputs_ = ports_of(table_.version, table.at("outputs"));
  window_.sort_rows(table_);
  instance_ = std::make_unique<fmu::Instance>(table_);
}

std::string HostedModel::said(const fmu::Result& result) {
  return result.done() ? std::string() : describe(result, *instance_);
}

/// A step of FMI 2 that is discarded may have been so for good.
std::string HostedModel::come_to(const fmu::Advanced& advanced) {
  ended_ = advanced.terminate && (advanced.result.done() || advanced.result.status == fmu::Status::discard);
  if (!advanced.result.done() && integrates_)
    if (std::string unstable = text_of_refused_step(*integrates_, step_s_); !unstable.empty()) return unstable;
  return ended_ ? describe_end(advanced.reached, *instance_, messages_before_) : said(advanced.result);
}

fmu::Result HostedModel::read_outputs(foreign::Block& block) {
  if (outputs_.slots.empty()) return {};
  const fmu::Result result = instance_->get(outputs_.rows, outputs_.values);
  for (std::size_t i = 0; i < outputs_.slots.size(); ++i) block.results()[i] = outputs_.values[outputs_.slots[i]];
  if (result.done() && growth_ && growth_->beyond(outputs_.values) != fmu::Growth::none)
    return {fmu::Status::refused, "outputs", "a value has grown beyond 1e30 of what it was at the start"};
  return result;
}

/// Whatever was before: the same instance, reset, where it has run; a new one first.
std::string HostedModel::begin(foreign::Block& block) {
  steps_.reset(), integrates_.reset(), growth_.reset();
  fmu::Result result;
  if (instance_->mode() != fmu::Mode::none && instance_->mode() != fmu::Mode::instantiated)
    instance_ = std::make_unique<fmu::Instance>(table_);
  messages_before_ = instance_->message().count();
  if (instance_->mode() == fmu::Mode::none)
    result = instance_->instantiate({.name = table_.model_identifier, .event_mode = table_.can.has_event_mode});
  if (!result.done()) return said(result);
  parameters_.values = parameters_.start;
  inputs_.values = inputs_.start;
  for (std::size_t i = 0; i < parameters_.slots.size(); ++i)
    parameters_.values[parameters_.slots[i]] = block.given()[i];
  window_.set_window(0.0, 0.0, block);
  const auto then = [&](auto&& act) {
    if (result.done()) result = act();
  };
  then(
      [&] { return parameters_.slots.empty() ? fmu::Result{} : instance_->set(parameters_.rows, parameters_.values); });
  then([&] { return instance_->enter_initialization({.start = 0.0}); });
  (void)window_.have_jumped(0.0);  // known from the beginning
  then([&] { return window_.all(*instance_, 0.0); });
  then([&] { return read_outputs(block); });
  then([&] { return instance_->exit_initialization(); });
  if (!result.done()) return said(result);
  fmu::Advanced begun;
  if (table_.kind == fmu::Kind::model_exchange) {
    const fmu::Tableau* method = method_ == fmu::automatic ? fmu::usual_method : fmu::find_tableau(method_);
    if (method == nullptr) return "there is no method " + method_ + " for FMUs";
    begun = integrates_.emplace(*instance_, *method, window_).start(0.0);
    integrates_->set_choosing(method_ == fmu::automatic);
    result = begun.result;
    if (result.done() && !begun.terminate) {
      if (const Judged judged = judge_step(*integrates_, *instance_, step_s_, method_ == fmu::automatic);
          judged.refused)
        return judged.text;
      else if (!judged.text.empty())
        std::fprintf(stderr, "note: %s is integrated by ros2: %s\n", table_.model_identifier.c_str(),
                     judged.text.c_str());
    }
    then([&] { return read_outputs(block); });
  } else {
    begun = steps_.emplace(*instance_, window_).start(0.0);
    result = begun.result;
  }
  growth_.emplace(outputs_.values.size()).begin(outputs_.values, {});
  return begun.terminate ? come_to(begun) : said(result);
}

std::string HostedModel::step(foreign::Block& block) {
  if (!integrates_ && !steps_) return "a step before the initialisation";
  const double t = static_cast<double>(block.start_ns) / 1e9,
               end = static_cast<double>(block.start_ns + block.step_ns) / 1e9;
  window_.set_window(t, end - t, block);
  messages_before_ = instance_->message().count();
  std::string problem;
  // Steps that a paced plant could not wait for: their inputs are those of now.
  for (std::int64_t at = block.reached_ns; at < block.start_ns && problem.empty(); at += block.step_ns)
    problem = step(at, std::min(at + block.step_ns, block.start_ns));
  if (problem.empty()) problem = step(block.start_ns, block.start_ns + block.step_ns);
  if (problem.empty()) problem = said(read_outputs(block));
  return problem;
}

/// The inputs of a co-simulation are held over its step, as they are at its beginning, or rise by slopes.
std::string HostedModel::step(std::int64_t start_ns, std::int64_t end_ns) {
  const double t = static_cast<double>(start_ns) / 1e9, end = static_cast<double>(end_ns) / 1e9;
  // Inputs that are not continuous are set at events only; a co-simulation without event mode sets all before each
  // step.
  if (window_.have_jumped(t)) {
    const fmu::Advanced event = integrates_ ? integrates_->input_event(t) : steps_->input_event(t);
    if (std::string problem = come_to(event); !problem.empty()) return problem;
  }
  return come_to(integrates_ ? integrates_->advance(t, end) : steps_->advance(t, end));
}

std::string HostedModel::save(foreign::Block& block) {
  StateWriter to;
  fmu::EventInfo next;
  if (integrates_) next = integrates_->next_event();
  to.numbers(std::array{next.has_next_time ? 1.0 : 0.0, next.next_time});
  to.numbers(window_.last());
  if (const fmu::Result saved = to.instance(*instance_); !saved.done()) return said(saved);
  return to.into(block);
}

std::string HostedModel::load(foreign::Block& block) {
  if (!integrates_ && !steps_) return "a state before the initialisation";
  StateReader from(block);
  std::array<double, 2> next{};
  bool well = from.numbers(next) && from.numbers(window_.last());
  if (!well) return of_another;
  fmu::Result result = from.instance(*instance_, well);
  if (!well) return of_another;
  if (!integrates_ || !result.done()) return said(result);
  const double t = static_cast<double>(block.start_ns) / 1e9;
  result = instance_->set_time(t);
  if (!result.done()) return said(result);
  return said(integrates_->resume(t, {.has_next_time = next[0] != 0.0, .next_time = next[1]}).result);
}

void HostedModel::end() noexcept {
  if (instance_->mode() == fmu::Mode::step || instance_->mode() == fmu::Mode::continuous_time)
    (void)instance_->terminate();
}

}  // namespace takt::fmu_host
