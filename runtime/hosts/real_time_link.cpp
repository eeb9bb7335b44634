#include "runtime/hosts/real_time_link.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/stats/format.hpp"

namespace takt::hosts {
namespace {

constexpr std::int64_t nap_ns = 50'000;
constexpr std::int64_t least_lead_ns = 500'000'000;  // from the leader's word to time 0

std::string ms_of(double ns) { return formatted("%.3g", ns * 1e-6) + " ms"; }

}  // namespace

RealTimeLink::RealTimeLink(const Of& of, Transport& transport, const Settings& settings)
    : executive_(of.executive),
      inside_(of.executive.inside()),
      apart_(*inside_.apart),
      plan_(of.plan),
      transport_(transport),
      settings_(settings),
      identities_(of.identities),
      peers_(plan_.names.size()),
      sender_(transport, {.host = static_cast<std::uint16_t>(plan_.own), .identity = identities_[plan_.own]}),
      clocks_(plan_.names.size()),
      asks_(plan_.names.size()) {
  find_mails();
  asks_[0] = !plan_.leads();
  for (const CrossingMail& mail : in_) asks_[mail.host] = true;
}

RealTimeLink::~RealTimeLink() { (void)finish("it has failed"); }

void RealTimeLink::find_mails() {
  const auto& routes = inside_.exchanges.mail_routes();
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const std::size_t from = inside_.work.worker_of(routes[i].producer),
                      to = inside_.work.worker_of(routes[i].consumer);
    const std::size_t values = inside_.exchanges.mail(i).values().size();
    if (from == plan_.own) out_.push_back({.mail = i, .host = to, .values = values});
    if (to == plan_.own) in_.push_back({.mail = i, .host = from, .values = values});
  }
}

void RealTimeLink::start() {
  for (Peer& peer : peers_) peer.heard = Clock::now();
  thread_ = std::thread([this] { carry(); });
}

void RealTimeLink::begin() {
  const auto until = Clock::now() + std::chrono::nanoseconds(settings_.wait_ns);
  is_ready_.store(true);
  while (!has_begun_.load() && !fails_before_.load()) {
    if (Clock::now() > until) {
      ends_.store(true);
      thread_.join();
      throw std::runtime_error("the clocks of all hosts are not known after " +
                               std::to_string(settings_.wait_ns / 1'000'000'000) + " s");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (!fails_before_.load()) return;
  ends_.store(true);
  thread_.join();
  throw std::runtime_error(problem_);
}

void RealTimeLink::carry() {
  if (settings_.priority > 0) {  // where it may not, it is an ordinary thread
    const sched_param of{.sched_priority = settings_.priority};
    (void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &of);
  }
  try {
    while (!is_over()) {
      bool busy = take_messages();
      busy = hand_over() || busy;
      ask_time();
      if (!has_begun_.load())
        lead_off();
      else
        keep_to_the_leader();
      busy = send_flow() || busy;
      close_digests();
      look_for_lost();
      look_at_itself();
      if (!busy) transport_.wait(nap_ns);
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  sender_.begin(Kind::bye).put_text(problem_);
  (void)sender_.send();
}

/// What this host cannot go on with.
void RealTimeLink::fail(const std::string& because) {
  if (!problem_.empty()) return;
  problem_ = because;
  executive_.lose(plan_.own, problem_.c_str());
  executive_.void_digest();
  if (!has_begun_.load()) fails_before_.store(true);
}

/// The leader has all parts; another host has handed over its own.
bool RealTimeLink::is_over() const {
  if (!problem_.empty()) return ends_.load() || !has_begun_.load();
  if (!ends_.load()) return false;
  if (plan_.leads()) return others(&Peer::is_done);
  return told_part_ && peers_[0].is_done;
}

bool RealTimeLink::others(bool Peer::*fact) const {
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].is_lost && !(peers_[host].*fact)) return false;
  return true;
}

bool RealTimeLink::is_synchronised() const {
  if (!is_ready_.load()) return false;
  for (std::size_t host = 0; host < clocks_.size(); ++host)
    if (asks_[host] && !clocks_[host].is_known()) return false;
  return true;
}

/// Where a message takes longer than the time after which the next one is due, every window is late.
std::string RealTimeLink::too_slow_for() const {
  if (settings_.accepts_late) return {};
  const auto& routes = inside_.exchanges.mail_routes();
  for (const CrossingMail& mail : in_) {
    const auto& route = routes[mail.mail];
    const std::int64_t left_ns = inside_.plant.subsystems[route.producer].period_ns;  // after its last release in H
    const std::int64_t one_way = clocks_[mail.host].usual_round_trip() / 2;
    if (one_way <= left_ns) continue;
    return std::string("what ") + inside_.plant.subsystems[route.producer].name + " sends takes " +
           ms_of(static_cast<double>(one_way)) + " from host " + plan_.names[mail.host] + " to host " +
           plan_.names[plan_.own] + " (half of the usual round trip), more than the " +
           ms_of(static_cast<double>(left_ns)) + " from the release of its last window till " +
           inside_.plant.subsystems[route.consumer].name +
           " reads it: let one host compute both, give the sender a longer 'every' in [sync], or give --accept-late";
  }
  return {};
}

/// Before time 0: when all know their clocks, the leader says when it is.
void RealTimeLink::lead_off() {
  if (!is_synchronised()) return;
  if (const std::string slow = too_slow_for(); !slow.empty()) return fail(slow);
  if (!plan_.leads()) return;
  if (!others(&Peer::is_synchronised)) return;
  std::int64_t slowest = 0;
  for (const ClockOffset& clock : clocks_) slowest = std::max(slowest, clock.largest_round_trip());
  const WallTime origin = inside_.clock.now() + WallDuration{least_lead_ns + 4 * slowest};
  sender_.begin(Kind::begin).put(origin.ns());
  send();
  apart_.begin_at(origin);
  has_begun_.store(true);
}

/// Time 0 as the own clock shows it, corrected as both run.
void RealTimeLink::keep_to_the_leader() {
  if (!plan_.leads()) apart_.begin_at(WallTime{leader_origin_ns_ - clocks_[0].offset()});
}

void RealTimeLink::look_for_lost() {
  if (const std::string wrong = transport_.problem(); !wrong.empty()) throw std::runtime_error(wrong);
  if (!has_begun_.load() && !settings_.goes_on()) throw std::runtime_error("stopped by a signal");
  const auto now = Clock::now();
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].is_done && !peers_[host].is_lost &&
        now - peers_[host].heard > std::chrono::nanoseconds(settings_.silence_ns))
      lose(host, "host " + plan_.names[host] + " has been silent for " +
                     std::to_string(settings_.silence_ns / 1'000'000) + " ms");
}

/// What makes this host one of those that are lost.
void RealTimeLink::look_at_itself() {
  if (!problem_.empty()) return;
  const std::uint64_t own = std::uint64_t{1} << plan_.own;
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (host != plan_.own && !peers_[host].is_lost && (peers_[host].gives_up & own) != 0)
      return fail("host " + plan_.names[host] + " has given this one up: it had not heard of it for " +
                  std::to_string(settings_.silence_ns / 1'000'000) + " ms");
  if (apart_.has_lost() || apart_.inputs().has_lost()) return fail("what is to be told to other hosts finds no room");
  for (const CrossingMail& mail : out_)
    if (inside_.exchanges.mail(mail.mail).has_lost()) return fail("what is to be sent to other hosts finds no room");
  if (!has_begun_.load() || ends_.load()) return;
  const WallDuration since = inside_.clock.now() - apart_.origin();
  const auto done = static_cast<std::int64_t>(executive_.status().macro_steps.load(std::memory_order_relaxed));
  const std::int64_t behind = since.ns() - done * inside_.plant.macro_step_ns;
  if (behind > settings_.silence_ns + inside_.plant.macro_step_ns)
    fail("this host is " + ms_of(static_cast<double>(behind)) + " behind: it cannot keep up");
}

/// Nothing that comes from there counts any more.
void RealTimeLink::lose(std::size_t host, const std::string& because) {
  Peer& peer = peers_[host];
  if (host == plan_.own || peer.is_lost || peer.is_done) return;
  peer.is_lost = true;
  executive_.void_digest();
  lost_texts_.push_back(because);
  const WhenLost when = settings_.when_lost.empty() ? WhenLost::stop : settings_.when_lost[host];
  if (when == WhenLost::stop || host == 0 || !has_begun_.load()) return fail(because);
  if (when == WhenLost::hold) return;
  for (const CrossingMail& mail : in_)
    if (mail.host == host) inside_.exchanges.mail(mail.mail).isolate();
}

std::string RealTimeLink::finish(const std::string& why) {
  if (!thread_.joinable()) return problem_;
  why_ = why;
  ends_.store(true);
  thread_.join();
  if (results_.empty()) results_.resize(plan_.names.size());
  results_[plan_.own] = own_result();
  if (results_[plan_.own].digest_void) executive_.void_digest();
  if (plan_.leads()) take_the_last();
  // Somebody has computed less than the others: the digest ends there.
  if (plan_.leads() && closed_ != executive_.status().macro_steps.load()) executive_.void_digest();
  for (std::size_t host = 0; host < peers_.size(); ++host) results_[host].name = plan_.names[host];
  std::string all = problem_;
  for (const std::string& lost : lost_texts_) {
    for (std::size_t host = 0; host < peers_.size(); ++host)
      if (lost.find("host " + plan_.names[host] + " ") == 0 || lost.find("host " + plan_.names[host] + ":") == 0)
        results_[host].lost = lost;
    if (lost != problem_) all += (all.empty() ? "" : "; ") + lost;
  }
  return all;
}

}  // namespace takt::hosts
