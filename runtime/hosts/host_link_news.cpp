// The part of the link that is about a run under way: what has been computed here is told, what the others tell is
// taken.

#include <algorithm>
#include <stdexcept>

#include "runtime/hosts/host_link.hpp"

namespace takt::hosts {
namespace {

constexpr std::chrono::milliseconds sign_of_life{200};

}  // namespace

/// What is read first was written last: what it says has come is in what is read after it.
bool HostLink::send_news() {
  const Team& team = inside_.team;
  const std::uint64_t end = team.ends_at();
  const bool left = team.has_left(plan_.own);
  const std::uint64_t steps = team.macro_steps_of(plan_.own), slots = team.slots_of(plan_.own);
  const std::uint64_t opened = plan_.leads() ? team.opened() : told_opened_;
  const bool same =
      opened == told_opened_ && slots == told_slots_ && steps == told_steps_ && end == told_end_ && left == told_left_;
  if (!same || Clock::now() - told_ > sign_of_life) {
    ByteWriter to = sender_.begin(Kind::news);
    put_mails(to, slots);
    put_memory(to, steps);
    to.put(slots), to.put(steps), to.put(inside_.ns_per_tick);
    for (std::uint64_t k = told_steps_; k < steps; ++k) to.put(team.sum_of(plan_.own, k));
    to.put(end), to.put(left);
    put_openings(to, opened);
    told_slots_ = slots, told_steps_ = steps, told_end_ = end, told_left_ = left;
    send();
  }
  if (!plan_.leads() && told_left_ && !told_part_ && others_have_left()) send_part();
  return !same;
}

void HostLink::put_mails(ByteWriter& to, std::uint64_t slots) {
  std::uint32_t count = 0;
  for (const OutMail& mail : out_mails_) count += messages_at(mail, slots) > mail.sent ? 1 : 0;
  to.put(count);
  for (OutMail& mail : out_mails_) {
    const std::uint64_t there = messages_at(mail, slots);
    if (there == mail.sent) continue;
    const Mail& carried = inside_.exchanges.mail(mail.mail);
    to.put(static_cast<std::uint32_t>(mail.mail)), to.put(static_cast<std::uint32_t>(there - mail.sent));
    for (; mail.sent < there; ++mail.sent)
      to.put_bytes(std::as_bytes(std::span(carried.message(mail.sent), carried.values().size())));
  }
}

/// The leader looks at the end of the macro-step that was opened last; nobody goes on before it has.
void HostLink::put_memory(ByteWriter& to, std::uint64_t macro_steps) {
  const std::int64_t looked_ns = inside_.looked_ns.load(std::memory_order_relaxed);
  const bool looked_at = !plan_.leads() && macro_steps > told_steps_ &&
                         looked_ns == inside_.plant.macro_step_ns * static_cast<std::int64_t>(macro_steps);
  to.put(looked_at);
  if (looked_at) executive_.save_memory(plan_.own, to);
}

/// The leader's.
void HostLink::put_openings(ByteWriter& to, std::uint64_t opened) {
  const bool news = opened > told_opened_;
  to.put(news);
  if (!news) return;
  to.put(opened);
  const std::uint64_t last = (opened - 1) / inside_.schedule.instants().size();
  to.put(executive_.looks_at_end_of(last));
  put_inputs(to, opened);
  put_actions(to);
  told_opened_ = opened;
}

/// Those of each instant stay as they are until it is opened again, for which the leader waits till all have computed
/// what these openings allow. Where every instant has the same, nothing more is told.
void HostLink::put_inputs(ByteWriter& to, std::uint64_t opened) {
  const std::uint64_t instants = inside_.schedule.instants().size();
  const std::uint64_t first = std::max(told_opened_, opened - std::min(opened, instants));
  for (std::uint64_t k = first; k < opened; ++k) {
    const std::span<const double> row = inside_.latch.taken(static_cast<std::uint32_t>(k % instants));
    const bool same =
        told_inputs_.size() == row.size() && std::memcmp(told_inputs_.data(), row.data(), row.size_bytes()) == 0;
    told_same_ = same ? told_same_ + 1 : 0;
    const bool told = told_same_ <= instants;
    to.put(told);
    if (!told) continue;
    to.put_bytes(std::as_bytes(row));
    told_inputs_.assign(row.begin(), row.end());
  }
}

/// What has been done to the plant before this opening.
void HostLink::put_actions(ByteWriter& to) {
  if (inside_.followers.has_lost())
    throw std::runtime_error("more has been done to the plant at once than can be told to other hosts");
  std::vector<Followed> done;
  for (Followed one{}; inside_.followers.take(one);) done.push_back(one);
  to.put(static_cast<std::uint32_t>(done.size()));
  for (const Followed& one : done) to.put(one);
}

bool HostLink::take_messages() {
  bool any = false;
  for (; transport_.try_receive(received_); any = true) take(received_);
  return any;
}

void HostLink::take(std::span<const std::byte> message) {
  ByteReader from(opened(message));
  const auto [kind, host, identity] = take_head(from);
  if (host >= peers_.size() || host == plan_.own || identity != identities_[host]) return;  // of another run
  Peer& peer = peers_[host];
  peer.heard = Clock::now();
  if (peer.is_done) return;
  if (kind == Kind::news) return take_news(from, host);
  if (kind == Kind::part) return take_part(from, host);
  if (kind != Kind::bye) return;
  const std::string name = "host " + plan_.names[host], why = from.take_text();
  if (!why.empty()) return lose(host, name + ": " + why);
  const bool in_order = plan_.leads() ? false : host == 0 ? told_part_ : peer.has_left;  // its part has not come
  if (!in_order) return lose(host, name + " has ended its run");
  peer.is_done = true;
}

void HostLink::take_news(ByteReader& from, std::size_t host) {
  Team& team = inside_.team;
  const auto worker = static_cast<std::uint16_t>(host);
  take_mails(from);
  const bool has_memory = from.take<bool>();
  if (has_memory) executive_.restore_memory(host, from);
  const auto slots = from.take<std::uint64_t>(), steps = from.take<std::uint64_t>();
  if (slots > team.slots_of(host)) team.computed(worker, slots);
  const double factor = from.take<double>() / inside_.ns_per_tick;
  for (std::uint64_t k = team.macro_steps_of(host); k < steps; ++k) {
    auto sum = from.take<Team::StepSum>();
    sum.busy = static_cast<std::uint64_t>(static_cast<double>(sum.busy) * factor);
    team.ended(worker, k, sum);
  }
  team.end_at(from.take<std::uint64_t>());
  if (from.take<bool>() && !peers_[host].has_left) {
    peers_[host].has_left = true;
    if (!plan_.leads()) team.leave(worker);  // the leader waits for its part
  }
  take_openings(from);
}

void HostLink::take_mails(ByteReader& from) {
  const auto count = from.take<std::uint32_t>();
  std::vector<double> values;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t number = from.take<std::uint32_t>();
    if (number >= inside_.exchanges.mail_routes().size())
      throw std::runtime_error("a host sends values that this plant does not have");
    const auto messages = from.take<std::uint32_t>();
    Mail& mail = inside_.exchanges.mail(number);
    const bool taken_here = inside_.work.worker_of(inside_.exchanges.mail_routes()[number].consumer) == plan_.own;
    values.resize(mail.values().size());
    for (std::uint32_t k = 0; k < messages; ++k) {
      const auto bytes = from.take_bytes(values.size() * sizeof(double));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      if (taken_here) mail.accept(values.data());
    }
  }
}

void HostLink::take_openings(ByteReader& from) {
  if (!from.take<bool>()) return;
  const auto opened = from.take<std::uint64_t>();
  const bool looks = from.take<bool>();
  const std::uint64_t instants = inside_.schedule.instants().size();
  if (opened <= taken_opened_) throw std::runtime_error("the leading host opens what was open");
  std::vector<double> row(inside_.latch.row_size());
  for (std::uint64_t k = std::max(taken_opened_, opened - std::min(opened, instants)); k < opened; ++k) {
    if (!from.take<bool>()) continue;
    const auto bytes = from.take_bytes(row.size() * sizeof(double));
    if (!row.empty()) std::memcpy(row.data(), bytes.data(), bytes.size());
    inside_.latch.put(static_cast<std::uint32_t>(k % instants), row);
  }
  std::vector<Followed> done(std::min<std::size_t>(from.take<std::uint32_t>(), from.left() / sizeof(Followed)));
  for (Followed& one : done) one = from.take<Followed>();
  if (taken_opened_ % instants == 0) executive_.follow(taken_opened_ / instants, done);
  if (inside_.followers.has_lost())
    throw std::runtime_error("what has been done to the plant on the leading host could not be done here");
  taken_opened_ = opened;
  const auto last = static_cast<std::int64_t>((opened - 1) / instants);
  inside_.looked_ns.store(looks ? inside_.plant.macro_step_ns * (last + 1) : -1, std::memory_order_relaxed);
  inside_.team.open(opened);
}

/// Windows have ended everywhere.
void HostLink::send_part() {
  const auto& routes = inside_.exchanges.mail_routes();
  for (std::size_t i = 0; i < routes.size(); ++i)
    if (inside_.work.worker_of(routes[i].consumer) != plan_.own) inside_.exchanges.mail(i).forget();
  inside_.exchanges.deliver();
  std::vector<std::byte> part;
  ByteWriter writer(part);
  const std::vector<std::string> said = settings_.said ? settings_.said() : std::vector<std::string>{};
  writer.put(static_cast<std::uint32_t>(said.size()));
  for (const std::string& text : said) writer.put_text(text);
  executive_.save_part(plan_.own, writer);
  (void)sender_.send_in_pieces(Kind::part, part, [this] { (void)take_messages(); });
  told_part_ = true;
}

void HostLink::take_part(ByteReader& from, std::size_t host) {
  if (!plan_.leads()) return;
  Peer& peer = peers_[host];
  if (!take_piece(from, peer.part)) return;
  ByteReader part(peer.part);
  for (auto left = part.take<std::uint32_t>(); left > 0; --left) said_.push_back(part.take_text());
  executive_.restore_part(host, part);
  peer.is_done = true;
  inside_.team.leave(static_cast<std::uint16_t>(host));
}

}  // namespace takt::hosts
