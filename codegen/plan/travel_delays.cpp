#include "codegen/plan/travel_delays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "codegen/stability/divisors.hpp"
#include "codegen/stability/step_limits.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/coupling/travel_line.hpp"

namespace takt::codegen {
namespace {

constexpr double rounding = 1e-9;  // of a delay, as the runtime does

const TravelDelay& delay_of(const Network& network, const PlanCoupling& coupling) {
  return network.delays[*coupling.delay];
}

/// "electric.line", the element
const std::string& line_of(const Network& network, const TravelDelay& delay) {
  return network.elements[static_cast<std::size_t>(delay.element)].path;
}

TravelLine::Rule rule_of(const Plan& plan, const Network& network, const PlanCoupling& coupling) {
  const TravelDelay& delay = delay_of(network, coupling);
  return TravelLine::rule_of(static_cast<double>(plan.groups[coupling.group].period_ns) * 1e-9,
                             delay.travel_s, delay.power, coupling.samples);
}

/// Where between two samples a wave is read: 0 at one, 1 at the next.
double between(const TravelLine::Rule& rule) { return std::ceil(rule.position) - rule.position; }

/// What one end computes between samples the other does not see.
bool steps_differ(const Plan& plan, const PlanCoupling& coupling) {
  return plan.subsystems[coupling.producer].step_ns != plan.subsystems[coupling.consumer].step_ns;
}

/// The longest one that serves all delays of the group and divides its own time.
std::string that_would_do(const Plan& plan, const Network& network, const PlanCoupling& coupling) {
  const std::int64_t period_ns = plan.groups[coupling.group].period_ns;
  return duration_text(
      nearest_divisors(period_ns, std::max<std::int64_t>(1, shortest_travel_ns(network))).below);
}

class DelayPlanner {
 public:
  DelayPlanner(Plan& plan, const Network& network, Diagnostics& diagnostics)
      : plan_(plan), network_(network), diagnostics_(diagnostics) {}

  void run() {
    for (PlanCoupling& coupling : plan_.couplings)
      if (coupling.delay && fits(coupling)) sample(coupling);
    tell();
  }

 private:
  void refuse(const PlanCoupling& coupling, const std::string& what, const std::string& hint) {
    const TravelDelay& delay = delay_of(network_, coupling);
    diagnostics_.error("S091", delay.where, line_of(network_, delay) + what, hint);
  }

  [[nodiscard]] bool fits(const PlanCoupling& coupling) {
    const TravelDelay& delay = delay_of(network_, coupling);
    const SyncGroup& group = plan_.groups[coupling.group];
    for (const std::size_t end : {coupling.producer, coupling.consumer}) {
      const PlanSubsystem& subsystem = plan_.subsystems[end];
      if (subsystem.method->is_switched() || subsystem.method->is_offline() ||
          subsystem.method->is_sampled()) {
        refuse(
            coupling,
            " ends in " + subsystem.name + ", which method " + std::string(subsystem.method->name) +
                " computes: it does not take part in lines",
            subsystem.method->is_switched() ? "put a circuit without switches between: an inductor "
                                              "or a capacitor at the end of the line, cut "
                                              "from the switches by sources that follow each other"
                                            : "choose a method with fixed steps");
        return false;
      }
      if (subsystem.period_ns != group.period_ns) {
        refuse(coupling,
               " joins windows of " + duration_text(subsystem.period_ns) + " (" + subsystem.name +
                   ") and a synchronisation time of " + duration_text(group.period_ns) + " (" +
                   group.name + ")",
               "put the circuits at both ends into one sync group");
        return false;
      }
    }
    if (delay.travel_s * 1e9 >= static_cast<double>(group.period_ns) * (1.0 - rounding))
      return true;
    refuse(coupling,
           " delays by " + rounded_text(delay.travel_s, "s") +
               ", but the circuits at its ends exchange every " + duration_text(group.period_ns) +
               ": what travels would arrive before it is handed over",
           "with every = \"" + that_would_do(plan_, network_, coupling) + "\" for sync group '" +
               group.name + "' it fits");
    return false;
  }

  void sample(PlanCoupling& coupling) {
    const std::int64_t period_ns = plan_.groups[coupling.group].period_ns;
    const auto steps_of = [&](std::size_t end) {
      const std::int64_t step_ns = plan_.subsystems[end].step_ns;
      return step_ns > 0 ? period_ns / step_ns : 1;
    };
    coupling.samples = std::gcd(steps_of(coupling.producer), steps_of(coupling.consumer));
  }

  /// One note for all lines that are read between samples.
  void tell() {
    std::size_t count = 0;
    const PlanCoupling* worst = nullptr;
    double most = 0.0;
    for (const PlanCoupling& coupling : plan_.couplings) {
      if (!coupling.delay) continue;
      const double share = between(rule_of(plan_, network_, coupling)),
                   cost = share * (1.0 - share);
      count += cost > 0.0 ? 1 : 0;
      if (cost > most) most = cost, worst = &coupling;
    }
    tell_of_steps();
    if (worst == nullptr) return;
    const TravelDelay& delay = delay_of(network_, *worst);
    const TravelLine::Rule rule = rule_of(plan_, network_, *worst);
    // |1 - s + s*exp(i*w*d)| = 1 - s*(1 - s)*(w*d)^2/2 + ..., at 20 samples a period
    const double angle = 2.0 * 3.141592653589793 / 20.0;
    diagnostics_.note(
        "S092", delay.where,
        std::to_string(count) +
            " waves of lines arrive between samples and are interpolated, most of all that of " +
            line_of(network_, delay) + ": " + rounded_text(delay.travel_s, "s") + " are " +
            three_digits(rule.position) + " samples of " + rounded_text(rule.sample_s, "s") +
            ". A wave of 20 samples a period loses " +
            three_digits(100.0 * most * angle * angle / 2.0) +
            " % at each passage, the energy that is lost is told after the run",
        "nothing is lost where the delay is a multiple of the step, and both ends have the same "
        "step");
  }

  void tell_of_steps() {
    const auto differ = [&](const PlanCoupling& coupling) {
      return coupling.delay && steps_differ(plan_, coupling);
    };
    const auto found = std::find_if(plan_.couplings.begin(), plan_.couplings.end(), differ);
    if (found == plan_.couplings.end()) return;
    const TravelDelay& delay = delay_of(network_, *found);
    diagnostics_.note(
        "S092", delay.where,
        line_of(network_, delay) + " joins circuits with steps of " +
            duration_text(plan_.subsystems[found->producer].step_ns) + " and " +
            duration_text(plan_.subsystems[found->consumer].step_ns) +
            ": what crosses is sampled where both have a step, and goes straight between",
        "nothing is lost where both ends have the same step");
  }

  Plan& plan_;
  const Network& network_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::int64_t shortest_travel_ns(const Network& network) {
  double shortest = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 4);
  for (const TravelDelay& delay : network.delays)
    if (delay.travel_s > 0.0)
      shortest = std::min(shortest, std::floor(delay.travel_s * 1e9 * (1.0 + rounding)));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(shortest));
}

std::int64_t common_travel_ns(const Network& network) {
  std::int64_t common = 0;
  for (const TravelDelay& delay : network.delays) {
    const double ns = delay.travel_s * 1e9, whole = std::round(ns);
    if (!(whole < 9e15) || std::abs(ns - whole) > rounding * ns) return 1;
    common = std::gcd(common, static_cast<std::int64_t>(whole));
  }
  return common;
}

void plan_delays(Plan& plan, const Network& network, Diagnostics& diagnostics) {
  DelayPlanner(plan, network, diagnostics).run();
}

std::string travel_text(const Plan& plan, const Network& network, const PlanCoupling& coupling) {
  const TravelLine::Rule rule = rule_of(plan, network, coupling);
  const std::string samples = " samples of " + rounded_text(rule.sample_s, "s");
  return "travels for " + rounded_text(delay_of(network, coupling).travel_s, "s") + ", " +
         three_digits(rule.position) + samples +
         (between(rule) != 0.0           ? ": interpolated"
          : steps_differ(plan, coupling) ? ": straight from one to the next"
                                         : ": exact");
}

}  // namespace takt::codegen
