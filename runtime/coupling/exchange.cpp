#include "runtime/coupling/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace takt {
namespace {

template <class T>
T* at(const PlantDescription& plant, std::size_t offset) {
  if (offset + sizeof(T) > plant.memory_size) throw std::invalid_argument("plan: offset outside plant memory");
  return reinterpret_cast<T*>(plant.memory + offset);
}

const SubsystemDescription& subsystem(const PlantDescription& plant, std::uint16_t index) {
  if (index >= plant.subsystems.size()) throw std::invalid_argument("plan: no subsystem " + std::to_string(index));
  return plant.subsystems[index];
}

void require(bool holds, const ExchangePlan& plan, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("plan: exchange ") + plan.from + " -> " + plan.to + ": " + what);
}

bool same_bits(double a, double b) noexcept { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

Exchanges::Exchanges(const PlantDescription& plant, Options options)
    : plant_(plant), options_(options), ports_(plant.subsystems.size()) {
  links_.reserve(plant.exchanges.size());
  for (const ExchangePlan& plan : plant.exchanges) add_link(plan);
  for (const InputRoute& route : plant.input_routes) {
    const SubsystemDescription& consumer = subsystem(plant, route.consumer);
    if (route.plant_input >= plant.plant_inputs.size() || route.input >= consumer.inputs) {
      throw std::invalid_argument("plan: input route out of range");
    }
    ports_[route.consumer].routes.push_back(
        {at<double>(plant, plant.inputs_offset + route.plant_input * sizeof(double)),
         at<InputPolynomial>(plant, consumer.inputs_offset + route.input * sizeof(InputPolynomial))});
  }
}

void Exchanges::add_link(const ExchangePlan& plan) {
  const SubsystemDescription& producer = subsystem(plant_, plan.producer);
  const SubsystemDescription& consumer = subsystem(plant_, plan.consumer);
  const bool flux = plan.kind == CouplingKind::flux;
  const std::uint16_t output = flux ? plan.flux_value : plan.output;
  require(output < producer.outputs, plan, "no such output");
  require(plan.input < consumer.inputs, plan, "no such input");
  require(plan.lag <= 1, plan, "lag is 0 or 1");
  require(plan.order <= 3, plan, "order is 0 to 3");
  const std::int64_t period_ns = plan.period_ns > 0 ? plan.period_ns : plant_.macro_step_ns;
  require(producer.period_ns > 0 && period_ns % producer.period_ns == 0 && consumer.period_ns > 0 &&
              period_ns % consumer.period_ns == 0,
          plan, "its time is no multiple of the windows on both sides");
  require(plan.producer != plan.consumer || plan.lag == 1, plan, "a subsystem cannot wait for itself");
  Link link{};
  link.kind = plan.kind;
  const CrossingRule rule{.window_s = static_cast<double>(period_ns) * 1e-9, .lag = plan.lag, .order = plan.order, .smooth = plan.smooth};
  link.producer.windows = static_cast<std::uint32_t>(period_ns / producer.period_ns);
  link.consumer.windows = static_cast<std::uint32_t>(period_ns / consumer.period_ns);
  link.output = at<double>(plant_, producer.outputs_offset + output * sizeof(double));
  link.input = at<InputPolynomial>(plant_, consumer.inputs_offset + plan.input * sizeof(InputPolynomial));
  if (flux) {
    require(plan.output < producer.fluxes_out, plan, "no such flux sent");
    require(plan.received < consumer.fluxes_in, plan, "no such flux received");
    link.sent = at<double>(plant_, producer.sent_offset + plan.output * sizeof(double));
    link.received = at<double>(plant_, consumer.received_offset + plan.received * sizeof(double));
    link.cell = static_cast<std::uint32_t>(fluxes_.size());
    fluxes_.emplace_back();
  } else {
    link.cell = static_cast<std::uint32_t>(potentials_.size());
    potentials_.emplace_back();
  }
  const auto index = static_cast<std::uint32_t>(links_.size());
  links_.push_back(link);
  rules_.push_back(rule);
  opened_.push_back({{}, static_cast<double>(consumer.period_ns) * 1e-9});
  (flux ? ports_[plan.producer].outgoing_flux : ports_[plan.producer].outgoing).push_back(index);
  ports_[plan.consumer].incoming.push_back(index);
  if (flux) ports_[plan.consumer].incoming_flux.push_back(index);
}

bool Exchanges::hand_on(std::uint16_t producer, int& changed) noexcept {
  const Ports& ports = ports_[producer];
  bool any = false;
  for (const auto* indices : {&ports.outgoing, &ports.outgoing_flux}) {
    for (const std::uint32_t index : *indices) {
      Link& link = links_[index];
      // Before all inputs are known a value may come out as no number; in a cycle it would never heal.
      if (same_bits(link.input->c0, *link.output) || !std::isfinite(*link.output)) continue;
      *link.input = {*link.output};
      if (!any) changed = static_cast<int>(index);
      any = true;
    }
  }
  return any;
}

int Exchanges::settle() noexcept {
  const auto* parameters = reinterpret_cast<const double*>(plant_.memory + plant_.parameters_offset);
  std::vector<double> read;
  for (const SubsystemDescription& s : plant_.subsystems) {
    read.clear();
    for (const std::uint32_t parameter : s.parameters) read.push_back(parameters[parameter]);
    s.prepare(plant_.memory + s.offset, read.data());
  }
  for (const Ports& ports : ports_) {
    for (const Route& route : ports.routes) *route.input = {*route.value};
  }
  const auto count = static_cast<std::uint16_t>(plant_.subsystems.size());
  int changed = -1;
  bool any = true;
  for (int sweep = 0; any && sweep < count + 2; ++sweep) {
    any = false;
    for (const WindowPlan& window : plant_.windows) {
      const SubsystemDescription& s = plant_.subsystems[window.subsystem];
      s.initialize(plant_.memory + s.offset);
      any = hand_on(window.subsystem, changed) || any;
    }
  }
  begin_histories();
  return any ? changed : -1;
}

void Exchanges::begin_histories() noexcept {
  for (std::size_t index = 0; index < links_.size(); ++index) {
    Link& link = links_[index];
    link.producer.done = link.consumer.done = 0;
    link.producer.number = link.consumer.number = 0;
    if (link.kind == CouplingKind::potential) {
      potentials_[link.cell].reset(*link.output, rules_[index]);
    } else {
      fluxes_[link.cell].reset(*link.output, rules_[index]);
    }
  }
}

void Exchanges::begin_with_first() noexcept {
  std::vector<PotentialCell> potentials = potentials_;
  std::vector<FluxCell> fluxes = fluxes_;
  begin_histories();
  for (std::size_t index = 0; index < links_.size(); ++index) {
    const Link& link = links_[index];
    if (rules_[index].order < 2) continue;
    if (link.kind == CouplingKind::potential) {
      potentials_[link.cell].begin_with_first(potentials[link.cell]);
    } else {
      fluxes_[link.cell].begin_with_first(fluxes[link.cell]);
    }
  }
}

int Exchanges::highest_order() const noexcept {
  int highest = 0;
  for (const CrossingRule& rule : rules_) highest = std::max(highest, rule.order);
  return highest;
}

inline InputPolynomial Exchanges::open(const Link& link) noexcept {
  if (link.kind == CouplingKind::potential) return potentials_[link.cell].open(link.consumer.number);
  FluxCell& cell = fluxes_[link.cell];
  const InputPolynomial planned = cell.open(link.consumer.number);
  return options_.sample_fluxes ? InputPolynomial{cell.sampled()} : planned;
}

void Exchanges::feed(std::uint16_t subsystem) noexcept {
  const Ports& ports = ports_[subsystem];
  for (const std::uint32_t index : ports.incoming) {
    const Link& link = links_[index];
    if (link.consumer.windows == 1) {
      *link.input = open(link);
      continue;
    }
    Opened& opened = opened_[index];
    if (link.consumer.done == 0) opened.polynomial = open(link);
    const auto done = static_cast<double>(link.consumer.done);
    *link.input = link.consumer.done == 0 ? opened.polynomial : opened.polynomial.from(done * opened.window_s);
  }
  for (const Route& route : ports.routes) *route.input = {*route.value};
}

void Exchanges::collect(std::uint16_t subsystem) noexcept {
  const Ports& ports = ports_[subsystem];
  // Receipts first: a subsystem that feeds itself must book what it got before the cell takes the new integral.
  for (const std::uint32_t index : ports.incoming_flux)
    fluxes_[links_[index].cell].book_received(*links_[index].received);
  for (const std::uint32_t index : ports.incoming) links_[index].consumer.next();
  for (const std::uint32_t index : ports.outgoing) {
    Link& link = links_[index];
    if (link.producer.next()) potentials_[link.cell].put(link.producer.number, *link.output);
  }
  for (const std::uint32_t index : ports.outgoing_flux) {
    Link& link = links_[index];
    fluxes_[link.cell].gather(*link.sent, *link.output);
    if (link.producer.next()) fluxes_[link.cell].put(link.producer.number - 1);
  }
}

const double* Exchanges::value_at(std::size_t exchange) const noexcept {
  const Link& link = links_[exchange];
  return link.kind == CouplingKind::potential ? potentials_[link.cell].newest_at() : fluxes_[link.cell].latest_at();
}

bool Exchanges::all_close(double share) const noexcept {
  return std::all_of(fluxes_.begin(), fluxes_.end(), [&](const FluxCell& flux) { return flux.closes(share); });
}

bool Exchanges::closes(std::size_t exchange, double share) const noexcept {
  const Link& link = links_[exchange];
  return link.kind == CouplingKind::potential || fluxes_[link.cell].closes(share);
}

LedgerEntry Exchanges::ledger(std::size_t exchange) const noexcept {
  const Link& link = links_[exchange];
  return link.kind == CouplingKind::flux ? fluxes_[link.cell].ledger() : LedgerEntry{};
}

}  // namespace takt
