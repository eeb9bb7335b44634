#include "codegen/trial/plan_run.hpp"

#include <utility>

#include "codegen/plan/couplings.hpp"
#include "codegen/plan/groups.hpp"

namespace takt::codegen {

PlanRun::PlanRun(const Plan& plan, std::vector<std::unique_ptr<WindowModel>> models)
    : plan_(plan),
      models_(std::move(models)),
      read_(plan.subsystems.size()),
      written_(plan.subsystems.size()) {
  for (const PlanCoupling& coupling : plan_.couplings) {
    const WindowModel *from = models_[coupling.producer].get(),
                      *to = models_[coupling.consumer].get();
    if (from == nullptr || to == nullptr || from->outputs.empty() || to->inputs.empty()) continue;
    if (coupling.delay) continue;  // what arrives rests
    const std::int64_t period_ns = plan_.groups[coupling.group].period_ns;
    Link link{.producer = coupling.producer,
              .consumer = coupling.consumer,
              .output = index_in(plan_.subsystems[coupling.producer].outputs, coupling.from),
              .input = index_in(plan_.subsystems[coupling.consumer].inputs, coupling.to),
              .flux = coupling.kind == CouplingKind::flux,
              .period_ns = period_ns,
              .potential = {},
              .cell = {},
              .open = {}};
    const CrossingRule rule{.window_s = static_cast<double>(period_ns) * 1e-9,
                            .lag = coupling.lag,
                            .order = coupling.order,
                            .smooth = plan_.groups[coupling.group].smooth,
                            .through_jumps = true};
    const double value = from->outputs[link.output];
    link.potential.reset(value, rule), link.cell.reset(value, rule);
    read_[link.consumer].push_back(links_.size()), written_[link.producer].push_back(links_.size());
    links_.push_back(link);
  }
}

void PlanRun::macro_step() {
  group(0, 0, plan_.order.size(), now_ns_);
  now_ns_ += plan_.macro_step_ns;
}

/// Windows [begin, end) of the order, all members of one group, over one H of it.
void PlanRun::group(std::size_t own, std::size_t begin, std::size_t end, std::int64_t start_ns) {
  for (std::size_t place = begin; place < end;) {
    const auto inner = member_towards(plan_, plan_.subsystems[plan_.order[place]].group, own);
    std::size_t next = place + 1;
    if (!inner) {
      window(plan_.order[place], start_ns);
    } else {
      while (next < end &&
             member_towards(plan_, plan_.subsystems[plan_.order[next]].group, own) == inner)
        ++next;
      for (std::int64_t at = start_ns; at < start_ns + plan_.groups[own].period_ns;
           at += plan_.groups[*inner].period_ns)
        group(*inner, place, next, at);
    }
    place = next;
  }
}

void PlanRun::window(std::size_t index, std::int64_t start_ns) {
  WindowModel* model = models_[index].get();
  if (model == nullptr) return;
  const std::int64_t end_ns = start_ns + plan_.subsystems[index].period_ns;
  for (const std::size_t number : read_[index]) {
    Link& link = links_[number];
    if (start_ns % link.period_ns == 0)
      link.open = link.flux ? link.cell.open(start_ns / link.period_ns)
                            : link.potential.open(start_ns / link.period_ns);
    model->inputs[link.input] =
        link.open.from(static_cast<double>(start_ns % link.period_ns) * 1e-9);
  }
  model->run(start_ns);
  for (const std::size_t number : written_[index]) {
    Link& link = links_[number];
    if (link.flux) link.cell.gather(model->sent[link.output]);
    if (end_ns % link.period_ns != 0) continue;
    if (link.flux)
      link.cell.put(end_ns / link.period_ns - 1);
    else
      link.potential.put(end_ns / link.period_ns, model->outputs[link.output]);
  }
}

}  // namespace takt::codegen
