#include "runtime/fmu/join/model_body.hpp"

#include <algorithm>

namespace takt::fmu::join {
RowSet joined_rows(Version version, const std::vector<Joined>& variables, Use use) {
  std::vector<Row> rows;
  for (const Joined& one : variables)
    rows.push_back({.type = Type::float64,
                    .reference = one.reference,
                    .first = static_cast<std::uint32_t>(rows.size()),
                    .count = 1,
                    .use = use});
  return {version, rows};
}

ModelBody::ModelBody(Instance& instance, Inputs& inputs, ModelTerminals terminals)
    : instance_(instance),
      inputs_(inputs),
      terminals_(std::move(terminals)),
      through_rows_(joined_rows(instance.table().version, terminals_.throughs, Use::input_continuous)),
      across_rows_(joined_rows(instance.table().version, terminals_.acrosses, Use::read)),
      u_(terminals_.throughs.size()),
      y_(terminals_.acrosses.size()),
      last_u_(u_.size()) {
  for (const Joined& one : terminals_.acrosses) across_references_.push_back(one.reference);
}

Sizes ModelBody::sizes() const noexcept {
  return {instance_.table().states, u_.size(), y_.size(), instance_.table().indicators};
}

bool ModelBody::has_partials() const noexcept {
  return instance_.table().can.directional_derivatives && terminals_.derivatives.size() == instance_.table().states &&
         terminals_.states.size() == instance_.table().states && instance_.table().states > 0;
}

Result ModelBody::set_throughs(std::span<const double> u) noexcept {
  if (u.empty()) return {};
  std::copy(u.begin(), u.end(), last_u_.begin());
  for (std::size_t k = 0; k < u.size(); ++k)
    u_[k] = (u[k] - terminals_.throughs[k].offset) / terminals_.throughs[k].factor;
  return instance_.set(through_rows_, u_);
}

Result ModelBody::place(double t, std::span<const double> x, std::span<const double> u) noexcept {
  if (const Result time = instance_.set_time(t); !time.done()) return time;
  if (const Result inputs = inputs_.continuous(instance_, t); !inputs.done()) return inputs;
  if (const Result joined = set_throughs(u); !joined.done()) return joined;
  return x.empty() ? Result{} : instance_.set_states(x);
}

Result ModelBody::rates(std::span<double> dx) noexcept { return dx.empty() ? Result{} : instance_.get_derivatives(dx); }

Result ModelBody::across(std::span<double> y) noexcept {
  const Result result = instance_.get(across_rows_, y_);
  for (std::size_t k = 0; k < y.size(); ++k)
    y[k] = terminals_.acrosses[k].factor * y_[k] + terminals_.acrosses[k].offset;
  return result;
}

Result ModelBody::by_through(std::size_t through, std::span<double> column) noexcept {
  const double seed = 1.0 / terminals_.throughs[through].factor;
  return instance_.directional({.unknowns = terminals_.derivatives,
                                .knowns = std::span(&terminals_.throughs[through].reference, 1),
                                .seed = std::span(&seed, 1),
                                .sensitivity = column});
}

Result ModelBody::by_state(std::size_t state, std::span<double> column) noexcept {
  const double seed = 1.0;
  return instance_.directional({.unknowns = terminals_.derivatives,
                                .knowns = std::span(&terminals_.states[state], 1),
                                .seed = std::span(&seed, 1),
                                .sensitivity = column});
}

Result ModelBody::across_along(std::span<const double> direction, std::span<double> dy) noexcept {
  const Result result = instance_.directional(
      {.unknowns = across_references_, .knowns = terminals_.states, .seed = direction, .sensitivity = dy});
  for (std::size_t k = 0; k < dy.size(); ++k) dy[k] *= terminals_.acrosses[k].factor;
  return result;
}

Result ModelBody::start(double, EventInfo& next) noexcept {
  if (const Result settled = instance_.settle(next); !settled.done()) return settled;
  return next.terminate ? Result{} : instance_.leave_event_mode();
}

Result ModelBody::complete(StepCompletion& completion) noexcept {
  return instance_.table().can.completed_step_not_needed ? Result{} : instance_.completed_step(completion);
}

Result ModelBody::serve(double t, bool input, EventInfo& next) noexcept {
  if (const Result entered = instance_.enter_event_mode(); !entered.done()) return entered;
  if (input) {
    if (const Result inputs = inputs_.all(instance_, t); !inputs.done()) return inputs;
    if (const Result joined = set_throughs(last_u_); !joined.done()) return joined;
  }
  if (const Result settled = instance_.settle(next); !settled.done()) return settled;
  return next.terminate ? Result{} : instance_.leave_event_mode();
}

}  // namespace takt::fmu::join
