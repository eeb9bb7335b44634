#include "runtime/hosts/meeting.hpp"

#include <random>
#include <stdexcept>

namespace takt::hosts {
namespace {

constexpr std::uint32_t layout = 2;  // of messages
constexpr std::chrono::milliseconds between_hellos{100};

std::uint64_t random_number() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U | device()) | 1U;
}

void put(ByteWriter& to, const Conditions& conditions) {
  to.put(conditions.steady), to.put(conditions.sample_fluxes);
  to.put(conditions.ledger_alarm);
  to.put(static_cast<std::uint32_t>(conditions.parameters.size()));
  for (const auto& [name, value] : conditions.parameters) to.put_text(name), to.put_text(value);
  to.put(static_cast<std::uint32_t>(conditions.inputs.size()));
  for (const double value : conditions.inputs) to.put(value);
  to.put(conditions.real_time), to.put(conditions.accepts_late);
  to.put(conditions.macro_steps);
  to.put(static_cast<std::uint32_t>(conditions.changes.size()));
  for (const ScriptedInput& change : conditions.changes) to.put(change);
}

Conditions conditions_in(ByteReader& from) {
  Conditions conditions;
  conditions.steady = from.take<bool>(), conditions.sample_fluxes = from.take<bool>();
  conditions.ledger_alarm = from.take<double>();
  for (auto left = from.take<std::uint32_t>(); left > 0; --left) {
    std::string name = from.take_text(), value = from.take_text();
    conditions.parameters.emplace_back(std::move(name), std::move(value));
  }
  for (auto left = from.take<std::uint32_t>(); left > 0; --left) conditions.inputs.push_back(from.take<double>());
  conditions.real_time = from.take<bool>(), conditions.accepts_late = from.take<bool>();
  conditions.macro_steps = from.take<std::uint64_t>();
  for (auto left = from.take<std::uint32_t>(); left > 0; --left)
    conditions.changes.push_back(from.take<ScriptedInput>());
  return conditions;
}

}  // namespace

Meeting::Meeting(const HostPlan& plan, Transport& transport, const Settings& settings)
    : plan_(plan),
      transport_(transport),
      settings_(settings),
      identities_(plan.names.size()),
      peers_(plan.names.size()),
      sender_(transport, {.host = static_cast<std::uint16_t>(plan.own), .identity = random_number()}) {
  identities_[plan.own] = sender_.identity();
}

void Meeting::send() {
  if (!sender_.send()) throw std::runtime_error(transport_.problem());
}

bool Meeting::all_of(bool Peer::*fact) const {
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !(peers_[host].*fact)) return false;
  return true;
}

std::string Meeting::without(bool Peer::*fact) const {
  std::string names;
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !(peers_[host].*fact)) names += (names.empty() ? "" : ", ") + plan_.names[host];
  return names;
}

/// @return it is of another host in this step
bool Meeting::take_message(ByteReader& from, Head& head) {
  head = take_head(from);
  if (head.host >= peers_.size())
    throw std::runtime_error("somebody with a longer list of hosts is in the same session: number " +
                             std::to_string(head.host));
  std::uint64_t& known = identities_[head.host];
  if (known != 0 && head.identity != known)
    throw std::runtime_error("two processes call themselves host " + plan_.names[head.host] +
                             ", or it was started again while this one waited");
  known = head.identity;
  if (head.kind == Kind::bye && head.host != plan_.own)
    throw std::runtime_error("host " + plan_.names[head.host] + " has left: " + from.take_text());
  return head.host != plan_.own;
}

void Meeting::wait(const std::function<bool()>& done, const std::function<void()>& now_and_then,
                   const char* waited_for) {
  try {
    wait_or_throw(done, now_and_then, waited_for);
  } catch (const std::exception& error) {
    leave(error.what());
    throw;
  }
}

void Meeting::wait_or_throw(const std::function<bool()>& done, const std::function<void()>& now_and_then,
                            const char* waited_for) {
  const auto until = Clock::now() + std::chrono::nanoseconds(settings_.wait_ns);
  auto next = Clock::now();
  while (!done()) {
    if (const std::string wrong = transport_.problem(); !wrong.empty()) throw std::runtime_error(wrong);
    const std::string missing = awaited_ != nullptr ? without(awaited_) : plan_.names.front();
    if (!settings_.goes_on()) throw std::runtime_error("stopped while it waited for host " + missing);
    if (Clock::now() > until)
      throw std::runtime_error("host " + missing + " " + waited_for + " after " +
                               std::to_string(settings_.wait_ns / 1'000'000'000) + " s");
    if (now_and_then && Clock::now() >= next) {
      now_and_then();
      next = Clock::now() + between_hellos;
    }
    if (!transport_.try_receive(received_)) {
      transport_.wait(20'000'000);
      continue;
    }
    ByteReader from(opened(received_));
    Head head;
    if (take_message(from, head)) takes_(head, from);
  }
}

/// The others need not wait for what does not come.
void Meeting::leave(const std::string& because) noexcept {
  try {
    sender_.begin(Kind::bye).put_text(because);
    (void)sender_.try_send();
  } catch (const std::exception&) {  // they will see that nothing comes
  }
}

void Meeting::say_hello(const Agreement& own) {
  ByteWriter to = sender_.begin(Kind::hello);
  to.put(layout);
  to.put_text(own.generator), to.put_text(own.plant);
  to.put(all_of(&Peer::is_heard));
  send();
}

void Meeting::take_hello(ByteReader& from, std::size_t host, const Agreement& own) {
  const std::string& name = plan_.names[host];
  if (from.take<std::uint32_t>() != layout)
    throw std::runtime_error("host " + name + " speaks another version of the link: build the plant there again");
  const std::string generator = from.take_text(), plant = from.take_text();
  if (generator != own.generator)
    throw std::runtime_error("host " + name + " runs a plant of takt " + generator + ", this one of " + own.generator);
  if (plant != own.plant)
    throw std::runtime_error("host " + name + " runs another plant, or another build of it: hash " + plant +
                             " there, " + own.plant + " here");
  peers_[host].is_heard = true;
  peers_[host].hears_all = from.take<bool>();
}

/// What was sent before a host was heard it may have missed: so a last word when all are.
void Meeting::meet(const Agreement& own) {
  bool has_told = false;
  takes_ = [&](const Head& head, ByteReader& from) {
    if (head.kind == Kind::hello) return take_hello(from, head.host, own);
    if (head.kind == Kind::conditions && head.host == 0 && has_told) {  // the leader has heard all before this one
      peers_[0].is_heard = peers_[0].hears_all = true;
      kept_.assign(received_.begin(), received_.end());
      return;
    }
    throw std::runtime_error("host " + plan_.names[head.host] + " computes already: it has not waited for this one");
  };
  awaited_ = &Peer::hears_all;
  wait([&] { return has_told && all_of(&Peer::hears_all); },
       [&] {
         has_told = all_of(&Peer::is_heard);
         say_hello(own);
       },
       "is not there, or does not hear this one,");
}

void Meeting::tell(const Conditions& conditions) {
  ByteWriter to = sender_.begin(Kind::conditions);
  put(to, conditions);
  send();
}

Conditions Meeting::take() {
  Conditions conditions;
  bool has_come = false;
  takes_ = [&](const Head& head, ByteReader& from) {
    if (head.kind != Kind::conditions || head.host != 0) return;  // hellos that were under way
    conditions = conditions_in(from);
    has_come = true;
  };
  if (!kept_.empty()) {
    ByteReader from(opened(kept_));
    takes_(take_head(from), from);
  }
  awaited_ = nullptr;
  wait([&] { return has_come; }, {}, "has not said what is to be run");
  return conditions;
}

void Meeting::agree(const std::string& start) {
  ByteWriter to = sender_.begin(Kind::ready);
  to.put_text(start);
  send();
}

void Meeting::expect(const std::string& start) {
  takes_ = [&](const Head& head, ByteReader& from) {
    if (head.kind != Kind::ready) return;
    if (const std::string there = from.take_text(); there != start)
      throw std::runtime_error("host " + plan_.names[head.host] + " starts from other values: hash " + there +
                               " there, " + start + " here; its processor or its libraries compute otherwise");
    peers_[head.host].is_ready = true;
  };
  awaited_ = &Peer::is_ready;
  wait([&] { return all_of(&Peer::is_ready); }, {}, "is not ready");
}

}  // namespace takt::hosts
