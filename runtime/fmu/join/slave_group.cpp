#include "runtime/fmu/join/slave_group.hpp"

#include <algorithm>
#include <cmath>

namespace takt::fmu::join {
namespace {

constexpr double solved = 1e-6;  ///< of a gap, beside the values themselves and 1 of their unit

Fault of_body(std::size_t body, const Result& result) noexcept { return {Fault::What::body, body, 0.0, result}; }

}  // namespace

SlaveGroup::SlaveGroup(std::vector<Slave> slaves, std::vector<Constraint> constraints, const Settings& settings)
    : constraints_(std::move(constraints)),
      settings_(settings),
      solver_(constraints_.size()),
      ledgers_(constraints_.size()),
      l_(constraints_.size()),
      g_(l_),
      dl_(l_),
      jacobian_(l_.size() * l_.size()),
      a0_(l_),
      b0_(l_),
      a1_(l_),
      b1_(l_) {
  for (Slave& slave : slaves) {
    const Version version = slave.instance->table().version;
    Of made{slave,
            joined_rows(version, slave.terminals.throughs, Use::input_continuous),
            joined_rows(version, slave.terminals.acrosses, Use::read),
            {},
            {},
            {}};
    made.u.resize(slave.terminals.throughs.size()), made.y.resize(slave.terminals.acrosses.size());
    of_.push_back(std::move(made));
  }
  found_.iterations = settings.iterations > 0 ? settings.iterations : 2;
}

SlaveGroup::~SlaveGroup() {
  for (Of& of : of_) (void)of.slave.instance->free_state(of.saved);
}

Fault SlaveGroup::save() noexcept {
  for (std::size_t body = 0; body < of_.size(); ++body)
    if (const Result saved = of_[body].slave.instance->get_state(of_[body].saved); !saved.done())
      return of_body(body, saved);
  return {};
}

Fault SlaveGroup::restore() noexcept {
  for (std::size_t body = 0; body < of_.size(); ++body)
    if (const Result restored = of_[body].slave.instance->set_state(of_[body].saved); !restored.done())
      return of_body(body, restored);
  return {};
}

Fault SlaveGroup::read() noexcept {
  for (std::size_t body = 0; body < of_.size(); ++body) {
    Of& of = of_[body];
    if (const Result got = of.slave.instance->get(of.across_rows, of.y); !got.done()) return of_body(body, got);
    for (std::size_t k = 0; k < of.y.size(); ++k) {
      of.y[k] = of.slave.terminals.acrosses[k].factor * of.y[k] + of.slave.terminals.acrosses[k].offset;
      if (!std::isfinite(of.y[k])) return {Fault::What::not_finite, body};
    }
  }
  return {};
}

Fault SlaveGroup::step(double t, double h, bool& terminate) noexcept {
  for (Of& of : of_) std::fill(of.u.begin(), of.u.end(), 0.0);
  for (std::size_t c = 0; c < l_.size(); ++c) {
    of_[constraints_[c].a.body].u[constraints_[c].a.through] -= constraints_[c].a.sign * l_[c];
    of_[constraints_[c].b.body].u[constraints_[c].b.through] += constraints_[c].b.sign * l_[c];
  }
  for (std::size_t body = 0; body < of_.size(); ++body) {
    Of& of = of_[body];
    for (std::size_t k = 0; k < of.u.size(); ++k)
      of.u[k] = (of.u[k] - of.slave.terminals.throughs[k].offset) / of.slave.terminals.throughs[k].factor;
    Result result = of.slave.inputs->all(*of.slave.instance, t);
    if (result.done() && !of.u.empty()) result = of.slave.instance->set(of.through_rows, of.u);
    StepEnd end;
    if (result.done()) result = of.slave.instance->do_step(t, h, end);
    ++steps_;
    if (!result.done()) return of_body(body, result);
    terminate = terminate || end.terminate;
  }
  return read();
}

Fault SlaveGroup::within(double limit, Fault::What what) noexcept {
  for (std::size_t c = 0; c < l_.size(); ++c) {
    const double size = std::max({1.0, std::abs(across(constraints_[c].a)), std::abs(across(constraints_[c].b))});
    const double allowed = settings_.limit > 0.0 ? settings_.limit : limit * size;
    if (!(std::abs(gap(c)) <= allowed)) return {what, c, std::abs(gap(c))};
  }
  return {};
}

Fault SlaveGroup::start(double) {
  for (Ledger& ledger : ledgers_) ledger = {};
  std::fill(l_.begin(), l_.end(), 0.0);
  first_ = true;
  if (const Fault fault = read(); !fault.none()) return fault;
  constexpr double apart = 0.01;
  return within(apart, Fault::What::start_apart);
}

/// More force that flows from a to b slows a and hastens b. Of the first step only: what an FMU holds may swing later.
Fault SlaveGroup::check_signs(std::size_t c) const noexcept {
  if (across(constraints_[c].a) > a1_[c]) return {Fault::What::turned, c, 0.0};
  if (across(constraints_[c].b) < b1_[c]) return {Fault::What::turned, c, 1.0};
  return {};
}

/// J by differences, then corrections; ends with the step that counts.
Fault SlaveGroup::find_force(double t, double h, bool& terminate) noexcept {
  const std::size_t n = l_.size();
  if (const Fault fault = step(t, h, terminate); !fault.none()) return fault;
  for (std::size_t c = 0; c < n; ++c)
    g_[c] = gap(c), a1_[c] = across(constraints_[c].a), b1_[c] = across(constraints_[c].b);
  for (std::size_t column = 0; column < n; ++column) {
    const double kept = l_[column];
    l_[column] += 1e-3 * std::max(1.0, std::abs(kept));
    const double change = l_[column] - kept;
    if (const Fault fault = restore(); !fault.none()) return fault;
    if (const Fault fault = step(t, h, terminate); !fault.none()) return fault;
    l_[column] = kept;
    if (const Fault fault = check_signs(column); first_ && !fault.none()) return fault;
    for (std::size_t row = 0; row < n; ++row) jacobian_[row * n + column] = (gap(row) - g_[row]) / change;
  }
  first_ = false;
  if (!solver_.factor(jacobian_)) return {Fault::What::singular};
  for (int round = 0; round < found_.iterations; ++round) {
    solver_.solve(g_, dl_);
    for (std::size_t c = 0; c < n; ++c) l_[c] -= dl_[c];
    if (const Fault fault = restore(); !fault.none()) return fault;
    if (const Fault fault = step(t, h, terminate); !fault.none()) return fault;
    for (std::size_t c = 0; c < n; ++c) g_[c] = gap(c);
  }
  return within(solved, Fault::What::unsolved);
}

Fault SlaveGroup::advance(double t, double end, bool& terminate) noexcept {
  const std::size_t n = l_.size();
  for (std::size_t c = 0; c < n; ++c) a0_[c] = across(constraints_[c].a), b0_[c] = across(constraints_[c].b);
  if (const Fault fault = save(); !fault.none()) return fault;
  if (const Fault fault = find_force(t, end - t, terminate); !fault.none()) return fault;
  for (std::size_t c = 0; c < n; ++c) {
    Ledger& ledger = ledgers_[c];
    const double a = across(constraints_[c].a), b = across(constraints_[c].b);
    ledger.through = l_[c], ledger.power_a = l_[c] * a, ledger.power_b = l_[c] * b;
    ledger.given += 0.5 * (end - t) * l_[c] * (a + a0_[c]), ledger.received += 0.5 * (end - t) * l_[c] * (b + b0_[c]);
    ledger.violation = a - b, ledger.drift = std::max(ledger.drift, std::abs(a - b));
  }
  return {};
}

std::vector<double> SlaveGroup::kept() const {
  std::vector<double> values(l_);
  for (Ledger ledger : ledgers_) ledger.each([&](double& value) { values.push_back(value); });
  return values;
}

Fault SlaveGroup::resume(double, std::span<const double> values) {
  std::size_t at = 0;
  for (double& value : l_) value = values[at++];
  for (Ledger& ledger : ledgers_) ledger.each([&](double& value) { value = values[at++]; });
  first_ = false;
  return read();
}

}  // namespace takt::fmu::join
