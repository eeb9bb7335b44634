#include "runtime/coupling/exchange.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
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

template <class Items>
std::uint32_t size_of(const Items& items) {
  return static_cast<std::uint32_t>(items.size());
}

bool same_bits(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

Exchanges::Exchanges(const PlantDescription& plant, Options options)
    : plant_(plant),
      options_(options),
      ports_(plant.subsystems.size()),
      plant_inputs_(reinterpret_cast<const double*>(plant.memory + plant.inputs_offset)) {
  for (const ExchangePlan& plan : plant.exchanges) links_.push_back(make_link(plan));
  for (const InputRoute& route : plant.input_routes) {
    const SubsystemDescription& consumer = subsystem(plant, route.consumer);
    if (route.plant_input >= plant.plant_inputs.size() || route.input >= consumer.inputs) {
      throw std::invalid_argument("plan: input route out of range");
    }
  }
  std::vector<std::uint16_t> order;  // of the windows; tests have subsystems without
  for (const WindowPlan& window : plant.windows) order.push_back(window.subsystem);
  for (std::size_t index = 0; index < plant.subsystems.size(); ++index)
    if (std::find(order.begin(), order.end(), index) == order.end()) order.push_back(static_cast<std::uint16_t>(index));
  std::vector<std::size_t> turn(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) turn[order[i]] = i;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const ExchangePlan& plan = plant.exchanges[i];
    links_[i].rule.deferred = plan.lag == 1 && turn[plan.producer] < turn[plan.consumer];
  }
  const std::span<const std::uint16_t> workers = options.workers;
  for (std::size_t i = 0; options.apart && i < links_.size(); ++i) {  // what comes is entered when it is to be known
    const ExchangePlan& plan = plant.exchanges[i];
    const bool crosses = workers[plan.producer] != workers[plan.consumer];
    if (crosses && plan.lag == 0) throw std::invalid_argument("plan: lag 0 between hosts that do not wait");
    require(!crosses || plan.delay.travel_s == 0.0, plan,
            "the ends of a line are on hosts that do not wait for each other");
    if (crosses) links_[i].rule.deferred = false;
  }
  if (!workers.empty()) {
    if (workers.size() != plant.subsystems.size()) throw std::invalid_argument("placement: not of this plant");
    if (options.sample_fluxes) throw std::invalid_argument("fluxes can be sampled on one core only");
    // What one worker touches stands together: no line of the cache is written by two.
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return workers[a] < workers[b]; });
  }
  lay_out(order);
  lay_out_lines();
  lay_out_mails();
}

Exchanges::Link Exchanges::make_link(const ExchangePlan& plan) const {
  const SubsystemDescription& producer = subsystem(plant_, plan.producer);
  const SubsystemDescription& consumer = subsystem(plant_, plan.consumer);
  const bool flux = plan.kind == CouplingKind::flux;
  const std::uint16_t output = flux ? plan.flux_value : plan.output;
  require(output < producer.outputs, plan, "no such output");
  require(plan.input < consumer.inputs, plan, "no such input");
  require(plan.lag <= 1, plan, "lag is 0 or 1");
  require(plan.order <= 3, plan, "order is 0 to 3");
  const std::int64_t period_ns = period_of(plan);
  require(producer.period_ns > 0 && period_ns % producer.period_ns == 0 && consumer.period_ns > 0 &&
              period_ns % consumer.period_ns == 0,
          plan, "its time is no multiple of the windows on both sides");
  require(plan.producer != plan.consumer || plan.lag == 1, plan, "a subsystem cannot wait for itself");
  require(!flux || plan.output < producer.fluxes_out, plan, "no such flux sent");
  require(!flux || plan.received < consumer.fluxes_in, plan, "no such flux received");
  if (plan.delay.travel_s > 0.0) {
    require(!flux && plan.lag == 1, plan, "a delay is of a potential, with lag 1");
    require(producer.period_ns == period_ns && consumer.period_ns == period_ns, plan,
            "a delay needs windows of one length on both sides");
    require(
        plan.delay.travel_s * 1e9 >= static_cast<double>(period_ns) * (1.0 - 1e-9), plan,
        "what travels would arrive in the window in which it leaves: the synchronisation time is longer than it takes");
    require(plan.delay.samples > 0, plan, "a delay needs samples");
  }
  return {.output = at<double>(plant_, producer.outputs_offset + output * sizeof(double)),
          .input = at<InputPolynomial>(plant_, consumer.inputs_offset + plan.input * sizeof(InputPolynomial)),
          .rule = {.window_s = static_cast<double>(period_ns) * 1e-9,
                   .lag = plan.lag,
                   .order = plan.order,
                   .smooth = plan.smooth},
          .kind = plan.kind,
          .cell = 0};
}

std::uint32_t Exchanges::place_of(std::size_t offset) const {
  (void)at<double>(plant_, offset);
  return static_cast<std::uint32_t>(offset / sizeof(double));
}

std::int64_t Exchanges::period_of(const ExchangePlan& plan) const {
  return plan.period_ns > 0 ? plan.period_ns : plant_.macro_step_ns;
}

std::uint32_t Exchanges::beat_of(Range range, std::uint32_t windows) const {
  while (beats_[range.begin].windows != windows) ++range.begin;
  return range.begin;
}

void Exchanges::lay_out(const std::vector<std::uint16_t>& order) {
  std::vector<std::vector<std::uint32_t>> in(ports_.size()), routes(ports_.size());
  sends_.resize(ports_.size());
  for (std::uint32_t index = 0; index < links_.size(); ++index) {
    in[plant_.exchanges[index].consumer].push_back(index);
    sends_[plant_.exchanges[index].producer].push_back(index);
  }
  for (std::uint32_t index = 0; index < plant_.input_routes.size(); ++index)
    routes[plant_.input_routes[index].consumer].push_back(index);
  const auto is = [&](std::uint32_t index, CouplingKind kind) {
    return links_[index].kind == kind && plant_.exchanges[index].delay.travel_s == 0.0;  // lines have their own way
  };
  const std::span<const std::uint16_t> workers = options_.workers;
  const auto crosses = [workers](const ExchangePlan& plan) {
    return !workers.empty() && workers[plan.producer] != workers[plan.consumer];
  };
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    const std::uint16_t s = order[turn];
    if (!workers.empty() && turn > 0 && workers[s] != workers[order[turn - 1]]) {
      beats_.resize(beats_.size() + 64 / sizeof(Beat));  // nobody's
      incoming_.resize(incoming_.size() + 2), opened_.resize(opened_.size() + 2);
    }
    Ports& ports = ports_[s];
    const SubsystemDescription& own = plant_.subsystems[s];
    ports.beats.begin = size_of(beats_);
    for (const auto* side : {&in[s], &sends_[s]})
      for (const std::uint32_t index : *side) {
        const auto windows = static_cast<std::uint32_t>(period_of(plant_.exchanges[index]) / own.period_ns);
        const auto same = [&](const Beat& beat) { return beat.windows == windows; };
        if (std::none_of(beats_.begin() + ports.beats.begin, beats_.end(), same))
          beats_.push_back({.windows = windows});
      }
    ports.beats.end = size_of(beats_);
    ports.first_potential = size_of(potentials_), ports.first_flux = size_of(fluxes_);
    for (const CouplingKind kind : {CouplingKind::potential, CouplingKind::flux}) {
      Range& range = kind == CouplingKind::flux ? ports.fluxes_in : ports.potentials_in;
      range.begin = size_of(incoming_);
      const bool flux = kind == CouplingKind::flux;
      const auto is_plain = [&](std::uint32_t index) { return flux && links_[index].rule.plain_flux(); };
      std::stable_partition(in[s].begin(), in[s].end(), is_plain);
      for (const std::uint32_t index : in[s]) {
        if (!is(index, kind)) continue;
        const ExchangePlan& plan = plant_.exchanges[index];
        links_[index].cell = flux ? size_of(fluxes_) : size_of(potentials_);
        if (is_plain(index)) ++ports.plain_fluxes;
        if (flux)
          fluxes_.emplace_back();
        else
          potentials_.emplace_back();
        incoming_.push_back(
            {.input = place_of(own.inputs_offset + plan.input * sizeof(InputPolynomial)),
             .received = flux ? place_of(own.received_offset + plan.received * sizeof(double)) : 0,
             .cell = links_[index].cell,
             .beat = beat_of(ports.beats, static_cast<std::uint32_t>(period_of(plan) / own.period_ns))});
        opened_.push_back({.polynomial = {}, .window_s = static_cast<double>(own.period_ns) * 1e-9});
      }
      range.end = size_of(incoming_);
    }
    ports.routes.begin = size_of(routes_);
    for (const std::uint32_t index : routes[s]) {
      const InputRoute& route = plant_.input_routes[index];
      (void)place_of(plant_.inputs_offset + route.plant_input * sizeof(double));
      routes_.push_back({route.plant_input, place_of(own.inputs_offset + route.input * sizeof(InputPolynomial))});
    }
    ports.routes.end = size_of(routes_);
  }
  for (const std::uint16_t s : order) {  // all cells have their places now
    Ports& ports = ports_[s];
    const SubsystemDescription& own = plant_.subsystems[s];
    for (const CouplingKind kind : {CouplingKind::potential, CouplingKind::flux}) {
      Range& range = kind == CouplingKind::flux ? ports.fluxes_out : ports.potentials_out;
      range.begin = size_of(outgoing_);
      for (const std::uint32_t index : sends_[s]) {
        const ExchangePlan& plan = plant_.exchanges[index];
        if (!is(index, kind) || crosses(plan)) continue;
        const bool flux = kind == CouplingKind::flux;
        outgoing_.push_back(
            {.output = place_of(own.outputs_offset + (flux ? plan.flux_value : plan.output) * sizeof(double)),
             .sent = flux ? place_of(own.sent_offset + plan.output * sizeof(double)) : 0,
             .cell = links_[index].cell,
             .beat = beat_of(ports.beats, static_cast<std::uint32_t>(period_of(plan) / own.period_ns)) & 0x7fff'ffffU,
             .plain = flux && links_[index].rule.plain_flux()});
      }
      range.end = size_of(outgoing_);
    }
  }
}

bool Exchanges::hand_on(std::uint16_t producer, int& changed) noexcept {
  bool any = false;
  for (const std::uint32_t index : sends_[producer]) {
    const Link& link = links_[index];
    // Before all inputs are known a value may come out as no number; in a cycle it would never heal.
    if (link.line >= 0) continue;  // comes later
    if (same_bits(link.input->c0, *link.output) || !std::isfinite(*link.output)) continue;
    *link.input = {*link.output};
    if (!any) changed = static_cast<int>(index);
    any = true;
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
  for (const Route& route : routes_)
    *reinterpret_cast<InputPolynomial*>(memory(route.input)) = {plant_inputs_[route.plant_input]};
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].line >= 0) *links_[i].input = {plant_.exchanges[i].delay.start};
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
  for (Beat& beat : beats_) beat.done = 0, beat.number = 0;
  for (const Link& link : links_) {
    if (link.kind == CouplingKind::flux)
      fluxes_[link.cell].reset(*link.output, link.rule);
    else if (link.line < 0)
      potentials_[link.cell].reset(*link.output, link.rule);
    if (link.mail < 0 || link.line >= 0) continue;
    const bool flux = link.kind == CouplingKind::flux;
    mails_[static_cast<std::size_t>(link.mail)].begin(link.place_in_mail,
                                                      flux ? *link.output * link.rule.window_s : *link.output);
  }
  begin_lines();
}

void Exchanges::begin_with_first() noexcept {
  const std::vector<PotentialCell> potentials(potentials_.begin(), potentials_.end());
  const std::vector<FluxCell> fluxes(fluxes_.begin(), fluxes_.end());
  begin_histories();
  for (const Link& link : links_) {
    if (link.rule.order < 2 || link.line >= 0) continue;
    if (link.kind == CouplingKind::potential) {
      potentials_[link.cell].begin_with_first(potentials[link.cell]);
    } else {
      fluxes_[link.cell].begin_with_first(fluxes[link.cell]);
    }
  }
}

int Exchanges::highest_order() const noexcept {
  int highest = 0;
  for (const Link& link : links_) highest = std::max(highest, int{link.rule.order});
  return highest;
}

template <CouplingKind kind>
inline InputPolynomial Exchanges::open(std::uint32_t cell, std::int64_t window) noexcept {
  if constexpr (kind == CouplingKind::potential) return potentials_[cell].open(window);
  const InputPolynomial planned = fluxes_[cell].open(window);
  return options_.sample_fluxes ? InputPolynomial{fluxes_[cell].sampled()} : planned;
}

template <CouplingKind kind>
inline void Exchanges::feed(Range range) noexcept {
  for (std::uint32_t place = range.begin; place < range.end; ++place) {
    const Incoming& incoming = incoming_[place];
    const Beat& beat = beats_[incoming.beat];
    auto& input = *reinterpret_cast<InputPolynomial*>(memory(incoming.input));
    if (beat.windows == 1) {
      input = open<kind>(incoming.cell, beat.number);
      continue;
    }
    Opened& opened = opened_[place];
    if (beat.done == 0) opened.polynomial = open<kind>(incoming.cell, beat.number);
    input =
        beat.done == 0 ? opened.polynomial : opened.polynomial.from(static_cast<double>(beat.done) * opened.window_s);
  }
}

void Exchanges::feed(std::uint16_t subsystem, const double* plant_inputs) noexcept {
  const Ports& ports = ports_[subsystem];
  if (!mail_ports_.empty()) take_messages(subsystem);
  feed<CouplingKind::potential>(ports.potentials_in);
  feed<CouplingKind::flux>(ports.fluxes_in);
  if (!travel_ports_.empty()) feed_lines(subsystem);
  for (std::uint32_t place = ports.routes.begin; place < ports.routes.end; ++place)
    *reinterpret_cast<InputPolynomial*>(memory(routes_[place].input)) = {plant_inputs[routes_[place].plant_input]};
}

void Exchanges::collect(std::uint16_t subsystem) noexcept {
  const Ports& ports = ports_[subsystem];
  // Receipts first: a subsystem that feeds itself must book what it got before the cell takes the new integral.
  for (std::uint32_t place = ports.fluxes_in.begin; place < ports.fluxes_in.end; ++place)
    fluxes_[incoming_[place].cell].book_received(*memory(incoming_[place].received));
  for (std::uint32_t place = ports.beats.begin; place < ports.beats.end; ++place) beats_[place].next();
  for (std::uint32_t place = ports.potentials_out.begin; place < ports.potentials_out.end; ++place) {
    const Outgoing& outgoing = outgoing_[place];
    const Beat& beat = beats_[outgoing.beat];
    if (beat.done == 0) potentials_[outgoing.cell].put(beat.number, *memory(outgoing.output));
  }
  for (std::uint32_t place = ports.fluxes_out.begin; place < ports.fluxes_out.end; ++place) {
    const Outgoing& outgoing = outgoing_[place];
    const Beat& beat = beats_[outgoing.beat];
    FluxCell& cell = fluxes_[outgoing.cell];
    if (options_.sample_fluxes) [[unlikely]]
      cell.sample(*memory(outgoing.output));
    if (beat.windows == 1) {
      cell.put_whole(beat.number - 1, *memory(outgoing.sent));
      continue;
    }
    cell.gather(*memory(outgoing.sent));
    if (beat.done == 0) cell.put(beat.number - 1);
  }
  if (!travel_ports_.empty()) collect_lines(subsystem);
  if (mail_ports_.empty()) return;
  for (const Post& post : mail_ports_[subsystem].out) {
    Mail& mail = mails_[post.mail];
    mail.gather();
    if (beats_[post.beat].done > 0) continue;
    if (options_.apart)
      mail.send_if_room();
    else
      mail.send();
  }
}

bool Exchanges::receipts_close(std::uint16_t subsystem, double share) const noexcept {
  const Range range = ports_[subsystem].fluxes_in;
  bool close = true;
  for (std::uint32_t place = range.begin; place < range.end; ++place)
    close = close && fluxes_[incoming_[place].cell].closes(share);
  return close;
}

const double* Exchanges::value_at(std::size_t exchange) const noexcept {
  const Link& link = links_[exchange];
  if (link.kind == CouplingKind::potential) return link.output;
  if (link.mail >= 0) return mails_[static_cast<std::size_t>(link.mail)].latest_at(link.place_in_mail);
  return fluxes_[link.cell].latest_at();
}

bool Exchanges::closes(std::size_t exchange, double share) const noexcept {
  const Link& link = links_[exchange];
  return link.kind == CouplingKind::potential || fluxes_[link.cell].closes(share);
}

LedgerEntry Exchanges::ledger(std::size_t exchange) const noexcept {
  const Link& link = links_[exchange];
  if (link.line >= 0)
    return lines_[static_cast<std::size_t>(link.line)].ledger(travels_[static_cast<std::size_t>(link.line)]);
  return link.kind == CouplingKind::flux ? fluxes_[link.cell].ledger() : LedgerEntry{};
}

}  // namespace takt
