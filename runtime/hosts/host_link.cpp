#include "runtime/hosts/host_link.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace takt::hosts {
namespace {

constexpr std::int64_t nap_ns = 50'000;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

}  // namespace

HostLink::HostLink(const Of& of, Transport& transport, const Settings& settings)
    : executive_(of.executive),
      inside_(of.executive.inside()),
      plan_(of.plan),
      transport_(transport),
      settings_(settings),
      identities_(of.identities),
      peers_(of.plan.names.size()),
      sender_(transport, {.host = static_cast<std::uint16_t>(plan_.own), .identity = identities_[plan_.own]}),
      told_end_(never) {
  find_out_mails();
  std::vector<std::byte> memory;
  ByteWriter to(memory);
  executive_.save_memory(plan_.own, to);
  constexpr std::size_t besides = 1U << 20U;  // what else is told at once
  if (memory.size() + besides > Transport::longest)
    throw std::runtime_error("host " + plan_.names[plan_.own] + " computes subsystems of " +
                             std::to_string(memory.size() >> 20U) +
                             " MB, more than can be told at once (15 MB): share the plant out among more hosts");
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

/// Who cannot send must not keep others from it. Where nothing goes through, look_for_lost() sees why.
void HostLink::send() {
  (void)sender_.send([this] { (void)take_messages(); });
  told_ = Clock::now();
}

void HostLink::start() {
  const auto now = Clock::now();
  for (Peer& peer : peers_) peer.heard = now;
  thread_ = std::thread([this] { carry(); });
}

void HostLink::carry() {
  try {
    while (!is_over()) {
      // Who has lost another host ends, and says so: what it computes now is not the run any more.
      const bool came = take_messages(), went = (plan_.leads() || problem_.empty()) && send_news();
      look_for_lost();
      if (!came && !went) transport_.wait(nap_ns);
    }
  } catch (const std::exception& error) {
    for (std::size_t host = 0; host < peers_.size(); ++host) lose(host, error.what());
    inside_.team.end_at(0);  // what has been told before need not fit together
  }
  sender_.begin(Kind::bye).put_text(problem_);
  (void)sender_.send();
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
    if (host != plan_.own && !peers_[host].is_done &&
        now - peers_[host].heard > std::chrono::nanoseconds(settings_.silence_ns))
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
