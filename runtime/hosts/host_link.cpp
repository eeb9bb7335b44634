#include "runtime/hosts/host_link.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>

namespace takt::hosts {
namespace {

constexpr std::uint32_t layout = 1;  // of messages
constexpr std::int64_t nap_ns = 50'000;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

std::uint64_t random_number() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U | device()) | 1U;
}

/// The first line in which they differ.
std::string difference(const std::string& own, const std::string& other) {
  std::size_t begin = 0;
  while (begin < own.size() && begin < other.size()) {
    const std::size_t end_a = std::min(own.find('\n', begin), own.size());
    const std::size_t end_b = std::min(other.find('\n', begin), other.size());
    const std::string a = own.substr(begin, end_a - begin), b = other.substr(begin, end_b - begin);
    if (a != b) return "'" + b + "' there, '" + a + "' here";
    begin = end_a + 1;
  }
  return "one has more settings than the other";
}

}  // namespace

HostLink::HostLink(Executive& executive, const HostPlan& plan, Transport& transport, const Settings& settings)
    : executive_(executive),
      inside_(executive.inside()),
      plan_(plan),
      transport_(transport),
      settings_(settings),
      identity_(random_number()),
      slots_per_step_(inside_.work.parts()[plan.own].slots.size()),
      peers_(plan.names.size()),
      told_end_(never) {
  find_out_mails();
}

HostLink::~HostLink() {
  ends_.store(true);
  if (thread_.joinable()) thread_.join();
}

void HostLink::find_out_mails() {
  const std::vector<Schedule::Slot>& slots = inside_.work.parts()[plan_.own].slots;
  const auto& routes = inside_.exchanges.mail_routes();
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (inside_.work.worker_of(routes[i].producer) != plan_.own) continue;
    OutMail mail{.mail = i, .due = {0}};
    std::uint64_t windows = 0;
    for (const Schedule::Slot& slot : slots) {
      if (slot.subsystem == routes[i].producer) ++windows;
      mail.due.push_back(windows / routes[i].windows);
    }
    out_mails_.push_back(std::move(mail));
  }
}

/// After so many slots since the start.
std::uint64_t HostLink::messages_at(const OutMail& mail, std::uint64_t slots) {
  const std::uint64_t per_step = mail.due.size() - 1;
  return slots / per_step * mail.due.back() + mail.due[slots % per_step];
}

ByteWriter HostLink::begin(Kind kind) {
  message_.clear();
  ByteWriter to(message_);
  to.put(kind);
  to.put(static_cast<std::uint16_t>(plan_.own));
  to.put(identity_);
  return to;
}

void HostLink::send() {
  while (!transport_.try_send(message_)) {
    if (!transport_.problem().empty()) return;
    transport_.wait(nap_ns);
    if (thread_.joinable()) take_messages();  // who cannot send must not keep others from it
  }
  told_ = Clock::now();
}

// Meeting.

void HostLink::send_hello(const Agreement& own) {
  ByteWriter to = begin(Kind::hello);
  to.put(layout);
  to.put_text(own.generator), to.put_text(own.plant), to.put_text(own.conditions);
  to.put(all_heard());
  send();
}

bool HostLink::all_heard() const {
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].is_heard) return false;
  return true;
}

void HostLink::take_hello(ByteReader& from, std::size_t host, const Agreement& own) {
  const std::string& name = plan_.names[host];
  if (from.take<std::uint32_t>() != layout)
    throw std::runtime_error("host " + name + " speaks another version of the link: build the plant there again");
  const std::string generator = from.take_text(), plant = from.take_text(), conditions = from.take_text();
  if (generator != own.generator)
    throw std::runtime_error("host " + name + " runs a plant of takt " + generator + ", this one of " + own.generator);
  if (plant != own.plant)
    throw std::runtime_error("host " + name + " runs another plant, or another build of it: hash " + plant +
                             " there, " + own.plant + " here");
  if (conditions != own.conditions)
    throw std::runtime_error("host " + name + " runs under other conditions: " + difference(own.conditions, conditions));
  peers_[host].is_heard = true;
  peers_[host].sees_all = from.take<bool>();
}

std::string HostLink::missing() const {
  std::string names;
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].is_heard) names += (names.empty() ? "" : ", ") + plan_.names[host];
  return names;
}

void HostLink::meet(const Agreement& own) {
  const auto until = Clock::now() + std::chrono::nanoseconds(settings_.wait_ns);
  auto next = Clock::now();
  const auto all_see_all = [&] {
    for (std::size_t host = 0; host < peers_.size(); ++host)
      if (host != plan_.own && !peers_[host].sees_all) return false;
    return true;
  };
  for (bool told_last = false; !all_see_all() || !told_last;) {
    if (const std::string wrong = transport_.problem(); !wrong.empty()) throw std::runtime_error(wrong);
    if (!settings_.goes_on()) throw std::runtime_error("stopped while it waited for host " + missing());
    if (Clock::now() > until) {
      const std::string names = missing();
      throw std::runtime_error(names.empty() ? "the hosts do not hear each other"
                                             : "host " + names + " is not there after " +
                                                   std::to_string(settings_.wait_ns / 1'000'000'000) +
                                                   " s: start the plant there with --host");
    }
    if (Clock::now() >= next) {
      told_last = all_heard();  // what each of the others may have missed was sent before it was heard
      send_hello(own);
      next = Clock::now() + std::chrono::milliseconds(100);
    }
    if (!transport_.try_receive(received_)) {
      transport_.wait(20'000'000);
      continue;
    }
    ByteReader from(received_);
    const Kind kind = from.take<Kind>();
    const std::size_t host = from.take<std::uint16_t>();
    const auto identity = from.take<std::uint64_t>();
    if (host >= peers_.size())
      throw std::runtime_error("somebody with another list of hosts is in the same session: number " +
                               std::to_string(host));
    if (host == plan_.own ? identity != identity_ : peers_[host].identity != 0 && identity != peers_[host].identity)
      throw std::runtime_error("two processes call themselves host " + plan_.names[host]);
    if (host == plan_.own) continue;
    peers_[host].identity = identity;
    if (kind == Kind::hello)
      take_hello(from, host, own);
    else if (kind == Kind::bye)
      throw std::runtime_error("host " + plan_.names[host] + " has left");
    else
      throw std::runtime_error("host " + plan_.names[host] + " computes already: it has not waited for this one");
  }
  const auto now = Clock::now();
  for (Peer& peer : peers_) peer.heard = now;
}

// Under way.

void HostLink::start() {
  thread_ = std::thread([this] { carry(); });
}

void HostLink::carry() {
  try {
    while (!is_over()) {
      const bool came = take_messages(), went = send_news();
      look_for_lost();
      if (!came && !went) transport_.wait(nap_ns);
    }
  } catch (const std::exception& error) {
    for (std::size_t host = 0; host < peers_.size(); ++host) lose(host, error.what());
  }
  (void)begin(Kind::bye);
  send();
}

/// The leader has all parts; another host has handed over its own.
bool HostLink::is_over() const {
  if (ends_.load() && plan_.leads()) return true;
  if (!problem_.empty() && ends_.load()) return true;
  return !plan_.leads() && told_part_ && peers_[0].is_done;
}

bool HostLink::others_have_left() const {
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].has_left) return false;
  return true;
}

void HostLink::look_for_lost() {
  if (const std::string wrong = transport_.problem(); !wrong.empty()) {
    for (std::size_t host = 0; host < peers_.size(); ++host) lose(host, wrong);
    return;
  }
  if (!plan_.leads() && !settings_.goes_on())
    for (std::size_t host = 0; host < peers_.size(); ++host) lose(host, "stopped by a signal");
  const auto now = Clock::now();
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].is_done && now - peers_[host].heard > std::chrono::nanoseconds(settings_.silence_ns))
      lose(host, "host " + plan_.names[host] + " has been silent for " +
                     std::to_string(settings_.silence_ns / 1'000'000) + " ms");
}

/// Nothing comes from there any more.
void HostLink::lose(std::size_t host, const std::string& because) {
  if (host == plan_.own || peers_[host].is_done) return;
  peers_[host].is_done = peers_[host].has_left = true;
  if (problem_.empty()) problem_ = because;
  executive_.lose(host, problem_.c_str());
}

std::string HostLink::finish() {
  ends_.store(true);
  if (thread_.joinable()) thread_.join();
  return problem_;
}

}  // namespace takt::hosts
