#include <algorithm>
#include <sstream>

#include "codegen/partition/make_plan.hpp"
#include "codegen/plan/travel_delays.hpp"
#include "codegen/stability/step_limits.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/solver/state_events.hpp"

namespace takt::codegen {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

void write_groups(std::ostream& out, const Plan& plan) {
  for (const SyncGroup& group : plan.groups) {
    out << "sync group " << group.name << ": every " << duration_text(group.period_ns) << ", "
        << scheme_text(group.scheme) << ", " << group.members.size() << " subsystems"
        << (group.parent ? ", in " + plan.groups[*group.parent].name : "")
        << (group.smooth ? ", smooth" : "") << (group.proposed ? " (proposed)" : "") << '\n';
  }
}

void write_subsystems(std::ostream& out, const Plan& plan) {
  out << "\nevaluation order\n";
  std::size_t widest = 16;
  for (const PlanSubsystem& s : plan.subsystems) widest = std::max(widest, s.name.size());
  std::size_t place = 1;
  for (const std::size_t index : plan.order) {
    const PlanSubsystem& s = plan.subsystems[index];
    out << "  " << padded(std::to_string(place++) + ".", 4) << padded(s.name, widest + 2)
        << padded(std::string(s.method->name) +
                      (s.stages > 0 ? "(" + std::to_string(s.stages) + ")" : ""),
                  12)
        << "step " << padded(duration_text(s.step_ns), 9) << "window "
        << duration_text(s.period_ns);
    if (s.every_ns > s.period_ns) out << ", executed every " << duration_text(s.every_ns);
    if (s.events > 0)
      out << ", cut at " << s.events << " events, " << most_event_cuts
          << " times in a step at most";
    if (s.affine) out << ", an affine map per switch state";
    if (s.sampled_edges) out << ", gate edges sampled";
    if (!s.reason.empty()) out << "  (" << s.reason << ")";
    out << '\n';
  }
}

/// Largest stable steps, where a subsystem has been linearised.
void write_stability(std::ostream& out, const Plan& plan) {
  std::size_t widest = 16;
  for (const PlanSubsystem& s : plan.subsystems) widest = std::max(widest, s.name.size());
  bool any = false;
  for (const PlanSubsystem& s : plan.subsystems) {
    const PlanStability& known = s.stability;
    if (!known.known && known.problem.empty()) continue;
    if (!any) out << "\nlargest stable steps, linearised at " << plan.linearised_at << '\n';
    any = true;
    out << "  " << padded(s.name, widest + 2);
    if (!known.known) {
      out << "not known: " << known.problem << '\n';
      continue;
    }
    for (const PlanStability::Limit& limit : known.limits) {
      const std::string step = limit.step_s ? rounded_text(*limit.step_s, "s") : "any";
      if (limit.method == &methods::ros1) continue;  // as ros2
      const std::string stages = limit.stages > 0 ? "(" + std::to_string(limit.stages) + ")" : "";
      out << padded(std::string(limit.method->name) + stages + " " + step,
                    limit.method->chooses_stages ? 18 : 15);
    }
    if (std::abs(known.eigenvalue) == 0.0)
      out << "nothing moves by itself";
    else
      out << "fastest mode " << eigenvalue_text(known.eigenvalue) << ", mostly " << known.state;
    if (!known.complete) out << "; the largest eigenvalues only";
    out << '\n';
  }
}

void write_couplings(std::ostream& out, const Plan& plan, const Network& network) {
  out << "\ncouplings\n";
  for (const PlanCoupling& c : plan.couplings) {
    out << "  "
        << (c.delay                        ? "wave       "
            : c.kind == CouplingKind::flux ? "flux       "
                                           : "potential  ")
        << network.graph().symbol(c.from).path << ": " << plan.subsystems[c.producer].name << " -> "
        << plan.subsystems[c.consumer].name;
    if (c.delay) {
      out << ", " << travel_text(plan, network, c);
    } else if (c.kind == CouplingKind::flux) {
      out << (c.lag == 0     ? ", integrated over this "
              : c.order == 0 ? ", integrated over the last "
                             : ", extrapolated with its integral over ")
          << duration_text(plan.groups[c.group].period_ns);
      if (c.order > 1 || (c.lag == 1 && c.order > 0)) out << ", order " << int{c.order};
    } else {
      const bool sampled = plan.subsystems[c.consumer].method->is_sampled();
      const bool held = plan.subsystems[c.producer].method->is_sampled();
      if (sampled) {
        out << ", sampled at the window's start";
      } else if (held) {
        out << (c.lag == 0 ? ", held" : ", held, one window late");
      } else {
        out << (c.lag == 0 ? ", interpolated" : ", extrapolated") << ", order " << int{c.order};
      }
    }
    if (!c.reason.empty()) out << " (" << c.reason << ")";
    if (c.paradigm) out << "; coupling paradigm " << *c.paradigm << ": " << c.paradigm_reason;
    out << '\n';
  }
  for (const PlanRoute& route : plan.routes) {
    out << "  input      " << network.graph().symbol(network.inputs[route.plant_input].symbol).path
        << " -> " << plan.subsystems[route.consumer].name << ", held\n";
  }
}

}  // namespace

std::string text(const Plan& plan, const Network& network) {
  std::ostringstream out;
  if (const double error = network.error_to_plan_for(); error > 0.0)
    out << "times for an error of " << three_digits(error)
        << " are found when the plant is built (`takt plan` shows them); this is where the search "
           "begins\n";
  write_groups(out, plan);
  write_subsystems(out, plan);
  write_stability(out, plan);
  write_couplings(out, plan, network);
  if (!plan.coupling_stability.empty()) out << "\ncoupling: " << plan.coupling_stability << '\n';
  for (const PlanRecord& record : plan.records) {
    out << "\nrecord every " << duration_text(record.period_ns) << ":";
    for (const SymbolId symbol : record.symbols) out << ' ' << network.graph().symbol(symbol).path;
    out << '\n';
  }
  return out.str();
}

}  // namespace takt::codegen
