// The part of the real-time link that is about a run under way: what has been computed here is sent, what others send
// is taken.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/hosts/real_time_link.hpp"

namespace takt::hosts {
namespace {

constexpr std::chrono::milliseconds sign_of_life{100}, between_questions{50}, between_first_questions{10};
constexpr std::size_t most_waiting = std::size_t{1} << 22U;

}  // namespace

void RealTimeLink::send() {
  if (!sender_.send()) fail(transport_.problem());
}

// Clocks.

void RealTimeLink::ask_time() {
  const auto now = Clock::now();
  if (now - asked_ < (has_begun_.load() ? between_questions : between_first_questions)) return;
  if (std::none_of(asks_.begin(), asks_.end(), [](bool asks) { return asks; })) return;
  asked_ = now;
  std::uint64_t whom = 0;
  for (std::size_t host = 0; host < asks_.size(); ++host)
    if (asks_[host]) whom |= std::uint64_t{1} << host;
  ByteWriter to = sender_.begin(Kind::ask_time);
  to.put(whom), to.put(inside_.clock.now().ns());
  send();
}

void RealTimeLink::answer(ByteReader& from, std::size_t host) {
  const std::int64_t received = inside_.clock.now().ns();
  const auto whom = from.take<std::uint64_t>();
  const auto asked = from.take<std::int64_t>();
  if ((whom >> plan_.own & 1U) == 0) return;
  ByteWriter to = sender_.begin(Kind::tell_time);
  to.put(static_cast<std::uint16_t>(host)), to.put(asked), to.put(received), to.put(inside_.clock.now().ns());
  send();
}

void RealTimeLink::hear_time(ByteReader& from, std::size_t host) {
  const std::int64_t heard = inside_.clock.now().ns();
  if (from.take<std::uint16_t>() != plan_.own) return;
  const auto asked = from.take<std::int64_t>(), received = from.take<std::int64_t>(), sent = from.take<std::int64_t>();
  clocks_[host].add({.asked = asked, .heard = heard, .received = received, .sent = sent});
}

// What goes.

bool RealTimeLink::send_flow() {
  ByteWriter to = sender_.begin(Kind::flow);
  const bool left = ends_.load(std::memory_order_acquire);  // before what it has sent last is looked for
  // Who has failed ends alone: what becomes of the others is for them to say (WhenLost).
  const std::uint64_t end = problem_.empty() ? apart_.ends_after() : Apart::never;
  std::uint64_t gives_up = 0;
  for (std::size_t host = 0; host < peers_.size(); ++host)
    if (peers_[host].is_lost) gives_up |= std::uint64_t{1} << host;
  const bool synchronised = is_synchronised() && !fails_before_.load();
  to.put(end), to.put(gives_up), to.put(synchronised), to.put(left);
  std::uint32_t news = put_mails(to);
  news += put_sums(to);
  news += put_inputs(to);
  const bool same = news == 0 && end == told_end_ && left == told_left_ && synchronised == told_synchronised_;
  if (!same || Clock::now() - told_ > sign_of_life) {
    told_end_ = end, told_left_ = left, told_synchronised_ = synchronised, told_ = Clock::now();
    send();
  }
  if (left && !why_.empty()) fail(why_);
  if (!plan_.leads() && told_left_ && !told_part_ && others(&Peer::has_left)) send_part();
  return !same;
}

std::uint32_t RealTimeLink::put_mails(ByteWriter& to) {
  std::uint32_t count = 0;
  for (const CrossingMail& out : out_) {
    const Mail& mail = inside_.exchanges.mail(out.mail);
    count += mail.sent() > mail.taken() ? 1 : 0;
  }
  to.put(count);
  std::uint32_t left = count;  // meanwhile more may have come
  for (const CrossingMail& out : out_) {
    Mail& mail = inside_.exchanges.mail(out.mail);
    const std::uint64_t sent = mail.sent();
    if (left == 0 || sent == mail.taken()) continue;
    --left;
    to.put(static_cast<std::uint32_t>(out.mail)), to.put(static_cast<std::uint32_t>(sent - mail.taken()));
    for (; mail.taken() < sent; mail.drop()) to.put_bytes(std::as_bytes(std::span(mail.next(), out.values)));
  }
  return count;
}

/// To the leader.
std::uint32_t RealTimeLink::put_sums(ByteWriter& to) {
  std::vector<std::uint64_t> sums;
  for (std::uint64_t sum = 0; apart_.take_sum(sum);) sums.push_back(sum);
  if (plan_.leads()) own_sums_.insert(own_sums_.end(), sums.begin(), sums.end()), sums.clear();
  to.put(static_cast<std::uint32_t>(sums.size()));
  to.put_bytes(std::as_bytes(std::span(sums)));
  return static_cast<std::uint32_t>(sums.size());
}

/// From the leader.
std::uint32_t RealTimeLink::put_inputs(ByteWriter& to) {
  std::vector<HostInputs::Change> changes;
  if (plan_.leads())
    for (HostInputs::Change change; apart_.inputs().told(change);) changes.push_back(change);
  to.put(static_cast<std::uint32_t>(changes.size()));
  for (const HostInputs::Change& change : changes) to.put(change.input), to.put(change.value);
  return static_cast<std::uint32_t>(changes.size());
}

// What comes.

bool RealTimeLink::take_messages() {
  bool any = false;
  for (int most = 1000; most > 0 && transport_.try_receive(received_); --most, any = true) take(received_);
  return any;
}

void RealTimeLink::take(std::span<const std::byte> message) {
  ByteReader from(opened(message));
  const Head head = take_head(from);
  if (head.host >= peers_.size() || head.host == plan_.own || head.identity != identities_[head.host])
    return;  // of another run
  Peer& peer = peers_[head.host];
  if (peer.is_done || peer.is_lost) return;
  peer.heard = Clock::now();
  try {
    take(head, from);
  } catch (const std::exception& error) {  // what it says is of no use any more
    lose(head.host, "host " + plan_.names[head.host] + ": " + error.what());
  }
}

void RealTimeLink::take(const Head& head, ByteReader& from) {
  const std::size_t host = head.host;
  switch (head.kind) {
    case Kind::ask_time:
      return answer(from, host);
    case Kind::tell_time:
      return hear_time(from, host);
    case Kind::flow:
      return take_flow(from, host);
    case Kind::part:
      return take_part(from, host);
    case Kind::begin:
      return take_beginning(from, host);
    case Kind::bye:
      return take_leave(from, host);
    default:
      return;  // of the meeting
  }
}

void RealTimeLink::take_beginning(ByteReader& from, std::size_t host) {
  if (host != 0 || has_begun_.load()) return;
  if (!is_synchronised()) throw std::runtime_error("it begins before this host knows its clock");
  leader_origin_ns_ = from.take<std::int64_t>();
  keep_to_the_leader();
  has_begun_.store(true);
}

void RealTimeLink::take_leave(ByteReader& from, std::size_t host) {
  if (const std::string why = from.take_text(); !why.empty()) throw std::runtime_error(why);
  const bool in_order = !plan_.leads() && (host == 0 ? told_part_ : peers_[host].has_left);  // else its part is missing
  if (!in_order) throw std::runtime_error("it has ended its run");
  peers_[host].is_done = true;
}

void RealTimeLink::take_flow(ByteReader& from, std::size_t host) {
  Peer& peer = peers_[host];
  const auto end = from.take<std::uint64_t>();
  peer.gives_up = from.take<std::uint64_t>();
  peer.is_synchronised = from.take<bool>();
  const bool left = from.take<bool>();
  take_mails(from, host);
  for (auto count = from.take<std::uint32_t>(); count > 0; --count) {
    const auto sum = from.take<std::uint64_t>();
    if (plan_.leads()) peer.sums.push_back(sum);
  }
  take_inputs(from);
  peer.has_left = peer.has_left || left;
  if (end >= apart_.ends_after()) return;
  apart_.end_after(end);
  if (asked_to_end_.empty()) {
    asked_to_end_ = "stopped by host " + plan_.names[host];
    executive_.request_stop(asked_to_end_.c_str());
  }
}

void RealTimeLink::take_mails(ByteReader& from, std::size_t host) {
  const auto& routes = inside_.exchanges.mail_routes();
  for (auto count = from.take<std::uint32_t>(); count > 0; --count) {
    const std::size_t number = from.take<std::uint32_t>();
    if (number >= routes.size() || inside_.work.worker_of(routes[number].producer) != host)
      throw std::runtime_error("it sends values that are not its own");
    const std::size_t messages = from.take<std::uint32_t>();
    const auto in = std::find_if(in_.begin(), in_.end(), [&](const CrossingMail& one) { return one.mail == number; });
    const std::size_t values = inside_.exchanges.mail(number).values().size();
    const auto bytes = from.take_bytes(messages * values * sizeof(double));
    if (in == in_.end()) continue;
    for (std::size_t k = 0; k < messages * values; ++k) {
      double value = 0.0;
      std::memcpy(&value, bytes.data() + k * sizeof value, sizeof value);
      if (!std::isfinite(value)) throw std::runtime_error("it sends what is no finite number");
      in->waits.push_back(value);
    }
    if (in->waits.size() > most_waiting) throw std::runtime_error("it sends more than is taken here");
  }
}

void RealTimeLink::take_inputs(ByteReader& from) {
  for (auto count = from.take<std::uint32_t>(); count > 0; --count) {
    HostInputs::Change change;
    change.input = from.take<std::uint32_t>(), change.value = from.take<double>();
    if (!plan_.leads() && !apart_.inputs().tell(change))
      throw std::runtime_error("it changes more inputs than can be taken here");
  }
}

/// What has come, to where windows find it.
bool RealTimeLink::hand_over() {
  bool any = false;
  std::vector<double> message;
  for (CrossingMail& in : in_) {
    Mail& mail = inside_.exchanges.mail(in.mail);
    while (in.waits.size() >= in.values && mail.has_room()) {
      message.assign(in.waits.begin(), in.waits.begin() + static_cast<std::ptrdiff_t>(in.values));
      in.waits.erase(in.waits.begin(), in.waits.begin() + static_cast<std::ptrdiff_t>(in.values));
      mail.accept(message.data());
      any = true;
    }
  }
  return any;
}

/// Where all have ended a macro-step, its digest is known.
void RealTimeLink::close_digests() {
  if (!plan_.leads()) return;
  const auto has_one = [&](std::size_t host) { return host == 0 ? !own_sums_.empty() : !peers_[host].sums.empty(); };
  for (;;) {
    for (std::size_t host = 0; host < peers_.size(); ++host)
      if (!has_one(host)) return;
    std::uint64_t terms = own_sums_.front();
    own_sums_.pop_front();
    for (std::size_t host = 1; host < peers_.size(); ++host)
      terms += peers_[host].sums.front(), peers_[host].sums.pop_front();
    executive_.close_digest(++closed_, terms);
  }
}

// The end.

HostResult RealTimeLink::own_result() const {
  HostResult own{.name = plan_.names[plan_.own], .lost = {}};
  own.overruns = executive_.overruns().overruns;
  own.worst_miss_ms = std::max(executive_.overruns().worst_miss, executive_.overruns().worst_inner).seconds() * 1e3;
  const auto& routes = inside_.exchanges.mail_routes();
  const std::uint64_t steps = executive_.status().macro_steps.load();
  for (const CrossingMail& in : in_) {
    const Mail::Late& late = inside_.exchanges.mail(in.mail).late();
    const auto& route = routes[in.mail];
    own.windows +=
        steps * static_cast<std::uint64_t>(inside_.plant.macro_step_ns /
                                           (inside_.plant.subsystems[route.producer].period_ns * route.windows));
    own.late_windows += late.windows;
    own.most_missing = std::max(own.most_missing, late.most);
  }
  const ClockOffset& clock = clocks_[0];
  if (!plan_.leads() && clock.is_known()) {
    own.offset_us = -static_cast<double>(clock.offset()) * 1e-3;
    own.drift_ppm = -clock.drift_ppm();
    own.drift_within_ppm = clock.drift_within_ppm();
    own.clock_jumps = clock.jumps();
    own.round_trip_us[0] = static_cast<double>(clock.smallest_round_trip()) * 1e-3;
    own.round_trip_us[1] = static_cast<double>(clock.usual_round_trip()) * 1e-3;
    own.round_trip_us[2] = static_cast<double>(clock.largest_round_trip()) * 1e-3;
  }
  own.digest_void = executive_.is_digest_void() || own.late_windows > 0;
  return own;
}

/// Nobody computes any more: what has come is on the account of whom it was sent to.
void RealTimeLink::take_the_last() {
  while (hand_over()) inside_.exchanges.deliver();
  inside_.exchanges.deliver();
}

void RealTimeLink::send_part() {
  const auto& routes = inside_.exchanges.mail_routes();
  for (std::size_t i = 0; i < routes.size(); ++i)
    if (inside_.work.worker_of(routes[i].consumer) != plan_.own) inside_.exchanges.mail(i).forget();
  take_the_last();
  std::vector<std::byte> part;
  ByteWriter writer(part);
  const std::vector<std::string> said = settings_.said ? settings_.said() : std::vector<std::string>{};
  writer.put(static_cast<std::uint32_t>(said.size()));
  for (const std::string& text : said) writer.put_text(text);
  const HostResult own = own_result();
  writer.put(own.overruns), writer.put(own.worst_miss_ms), writer.put(own.windows), writer.put(own.late_windows);
  writer.put(own.most_missing), writer.put(own.offset_us), writer.put(own.drift_ppm);
  writer.put(own.drift_within_ppm), writer.put(own.clock_jumps);
  for (const double us : own.round_trip_us) writer.put(us);
  writer.put(own.digest_void);
  executive_.save_part(plan_.own, writer);
  if (!sender_.send_in_pieces(Kind::part, part)) fail(transport_.problem());
  told_part_ = true;
}

void RealTimeLink::take_part(ByteReader& from, std::size_t host) {
  if (!plan_.leads()) return;
  Peer& peer = peers_[host];
  if (!take_piece(from, peer.part)) return;
  if (!ends_.load()) throw std::runtime_error("it has ended before the run has");
  ByteReader part(peer.part);
  for (auto left = part.take<std::uint32_t>(); left > 0; --left) said_.push_back(part.take_text());
  if (results_.empty()) results_.resize(plan_.names.size());
  HostResult& its = results_[host];
  its.overruns = part.take<std::uint64_t>(), its.worst_miss_ms = part.take<double>();
  its.windows = part.take<std::uint64_t>(), its.late_windows = part.take<std::uint64_t>();
  its.most_missing = part.take<std::uint64_t>();
  its.offset_us = part.take<double>(), its.drift_ppm = part.take<double>();
  its.drift_within_ppm = part.take<double>();
  its.clock_jumps = part.take<std::uint64_t>();
  for (double& us : its.round_trip_us) us = part.take<double>();
  its.digest_void = part.take<bool>();
  if (its.digest_void) executive_.void_digest();
  executive_.restore_part(host, part);
  peer.is_done = true;
}

}  // namespace takt::hosts
