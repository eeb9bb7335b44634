#include "runtime/io/can/virtual_bus.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "runtime/io/can/peer_user.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

namespace {

std::int64_t time_of_day_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Of several clients; number and texts are those of the first.
ClientReport& operator+=(ClientReport& sum, const ClientReport& client) {
  sum.frames_from += client.frames_from, sum.frames_to += client.frames_to;
  sum.dropped += client.dropped, sum.not_carried += client.not_carried, sum.garbage += client.garbage;
  return sum;
}

}  // namespace

std::size_t messages_per_grid(WallDuration grid) {
  constexpr std::int64_t per_ms = 32, least = 4;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(grid.ns() * per_ms / 1'000'000, least, 4096));
}

VirtualBus::VirtualBus(VirtualBusSettings settings)
    : settings_(std::move(settings)), most_messages_(messages_per_grid(settings_.grid)) {
  left_.reserve(max_reports);
  clients_.reserve(max_clients + max_waiting);
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) throw BusError("bus " + settings_.channel + ": no TCP socket: " + std::strerror(errno));
  try {
    listen();
  } catch (...) {
    ::close(listener_);
    throw;
  }
}

void VirtualBus::listen() {
  const int on = 1;  // allows connections that still linger, not a second listener
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(settings_.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, max_queued) != 0) {
    const int reason = errno;
    const std::string where = "127.0.0.1:" + std::to_string(settings_.port);
    if (reason == EADDRINUSE) {
      throw BusError("bus " + settings_.channel + ": " + where +
                     " is taken; is another plant running on this bus? Give it another port "
                     "([bus.NAME] port, or --bus NAME.port=N)");
    }
    throw BusError("bus " + settings_.channel + ": cannot listen on " + where + ": " + std::strerror(reason));
  }
  socklen_t size = sizeof address;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  settings_.port = ntohs(address.sin_port);
}

VirtualBus::~VirtualBus() {
  clients_.clear();
  if (listener_ >= 0) ::close(listener_);
}

void VirtualBus::adopt(int socket) {
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
  clients_.push_back(std::make_unique<VirtualClient>(socket, ++connections_,
                                                     BusAccess{settings_.channel, settings_.token}, wall_now()));
}

std::size_t VirtualBus::seated() const {
  return static_cast<std::size_t>(
      std::count_if(clients_.begin(), clients_.end(), [](const auto& client) { return client->is_seated(); }));
}

/// One more may be accepted: there is room, or one that waits has had its time. They stand in the order they came.
bool VirtualBus::has_place(WallTime now) const {
  if (clients_.size() - seated() < max_waiting) return true;
  const auto oldest =
      std::find_if(clients_.begin(), clients_.end(), [](const auto& client) { return !client->is_seated(); });
  return now - (*oldest)->since() >= grace;
}

void VirtualBus::make_place() {
  if (clients_.size() - seated() < max_waiting) return;
  const auto oldest =
      std::find_if(clients_.begin(), clients_.end(), [](const auto& client) { return !client->is_seated(); });
  (*oldest)->send_off(VirtualClient::End::gave_way);
  remove_gone();
}

void VirtualBus::give_seat(VirtualClient& client) {
  if (seated() >= max_clients) return client.send_off(VirtualClient::End::no_seat);
  const auto user = settings_.token.empty() ? user_of_peer(client.socket()) : std::nullopt;
  if (!user || *user == 0 || *user == ::geteuid()) return client.take_seat();
  const auto others = std::count_if(clients_.begin(), clients_.end(), [&](const auto& other) {
    return other->is_seated() && user_of_peer(other->socket()) == user;
  });
  if (static_cast<std::size_t>(others) < max_of_a_user) return client.take_seat();
  ++refused_of_users_;
  client.send_off(VirtualClient::End::no_seat);
}

void VirtualBus::accept_clients() {
  for (std::size_t taken = 0; taken < max_accepts && has_place(wall_now()); ++taken) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    make_place();
    const int on = 1;  // a frame is worth its own segment: without this it waits for the last one's acknowledgement
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    adopt(socket);
  }
}

std::size_t VirtualBus::read_clients() {
  std::size_t bytes = 0;
  for (const auto& client : clients_) bytes += client->read();
  return bytes;
}

/// Whoever waits for a seat takes a quarter of the turns at most: those who have one must not feel a crowd at the door.
void VirtualBus::serve_clients(WallTime now) {
  std::size_t messages = serve_some(now, false, std::max<std::size_t>(1, most_messages_ / 4));
  messages += serve_some(now, true, most_messages_ - messages);
  largest_messages_ = std::max(largest_messages_, messages);
}

/// One message of each client with input after the other, until nothing is left or the bus is full.
std::size_t VirtualBus::serve_some(WallTime now, bool seated, std::size_t most) {
  std::size_t messages = 0;
  for (std::size_t idle = 0; idle < clients_.size() && messages < most;) {
    turn_ = (turn_ + 1) % clients_.size();
    VirtualClient& client = *clients_[turn_];
    std::optional<Frame> frame;
    if (client.is_seated() != seated || !client.serve(now, frame)) {
      ++idle;
      continue;
    }
    idle = 0, ++messages;
    if (client.wants_seat()) give_seat(client);
    if (!frame || !client.is_seated()) continue;
    frame->stamp = now;
    dropped_received_ += received_.push(*frame) ? 0U : 1U;
    distribute(*frame, &client, now);
  }
  return messages;
}

void VirtualBus::distribute(const Frame& frame, const VirtualClient* sender, WallTime now) {
  if (clients_.empty()) return;
  const OutgoingFrame outgoing(frame, (time_of_day_ns() - (now - frame.stamp).ns()) / 1000);
  for (const auto& client : clients_)
    if (client.get() != sender) client->deliver(outgoing, now);
}

void VirtualBus::flush_clients(WallTime now) {
  for (const auto& client : clients_) {
    client->flush(now);
    if (taker_ && !client->passed_on && client->takes_frames(now))
      client->passed_on = taker_(client->socket(), client->speaks_slcan());
  }
}

void VirtualBus::remove_gone() {
  std::erase_if(clients_, [&](const auto& client) {
    if (!client->is_over()) return false;
    ++ends_[static_cast<std::size_t>(client->why())];
    const bool counts = client->is_seated() || reports_without_seat_++ < max_reports / 4;
    if (counts && left_.size() < max_reports)
      left_.push_back(client->report());
    else
      others_left_ += client->report();
    return true;
  });
}

bool VirtualBus::has_input() const {
  return std::any_of(clients_.begin(), clients_.end(), [](const auto& client) { return client->has_input(); });
}

void VirtualBus::wait(WallTime until) {
  flush_clients(wall_now());
  remove_gone();
  std::array<pollfd, max_clients + max_waiting + 1> polled{};
  std::size_t count = 0;
  polled[count++] = {has_place(wall_now()) ? listener_ : -1, POLLIN, 0};
  for (const auto& client : clients_)
    if (count < polled.size())
      polled[count++] = {client->socket(), static_cast<short>(client->waits_for_room() ? POLLIN | POLLOUT : POLLIN), 0};
  const bool at_once = !received_.empty() || has_input();
  const timespec timeout = to_timespec(at_once ? WallDuration{} : until - wall_now());
  const bool is_ready = ::ppoll(polled.data(), count, &timeout, nullptr) > 0;
  if (!is_ready && !has_input()) return;
  const WallTime now = wall_now();
  largest_bytes_ = std::max(largest_bytes_, read_clients());
  if ((polled[0].revents & POLLIN) != 0) accept_clients();
  serve_clients(now);
  flush_clients(now);
  remove_gone();
}

void VirtualBus::finish() {
  constexpr WallDuration longest{500'000'000};
  if (listener_ >= 0) ::close(listener_);
  listener_ = -1;
  remove_gone();
  const WallTime until = wall_now() + longest;
  for (const auto& client : clients_) client->hang_up();
  std::vector<VirtualClient*> open;
  for (const auto& client : clients_) open.push_back(client.get());
  for (;;) {
    std::erase_if(open, [](VirtualClient* client) { return !client->drain(); });
    const WallTime now = wall_now();
    if (open.empty() || now >= until) return;
    std::vector<pollfd> polled;
    for (const VirtualClient* client : open) polled.push_back({client->socket(), POLLIN, 0});
    const timespec timeout = to_timespec(until - now);
    (void)::ppoll(polled.data(), polled.size(), &timeout, nullptr);
  }
}

bool VirtualBus::receive(Frame& frame) { return received_.take(frame); }

bool VirtualBus::send(const Frame& frame) {
  if (!carries(frame)) return false;
  distribute(frame, nullptr, wall_now());
  return true;
}

std::string VirtualBus::text() const {
  return "virtual bus " + settings_.channel + " on 127.0.0.1:" + std::to_string(settings_.port) +
         " (this machine only; socketcand and slcan" + (settings_.token.empty() ? ")" : ", with a token)");
}

std::vector<ClientReport> VirtualBus::clients() const {
  std::vector<ClientReport> all = left_;
  for (const auto& client : clients_) all.push_back(client->report());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return all;
}

std::vector<std::pair<std::string, std::uint64_t>> VirtualBus::counters() const {
  ClientReport sum = others_left_;
  for (const ClientReport& client : clients()) sum += client;
  const auto ended = [&](VirtualClient::End why) { return ends_[static_cast<std::size_t>(why)]; };
  return {
      {"client_connections", connections_},
      {"clients_refused", ended(VirtualClient::End::no_seat)},
      {"clients_refused_by_user", refused_of_users_},
      {"clients_gave_way", ended(VirtualClient::End::gave_way)},
      {"clients_ended_not_the_protocol", ended(VirtualClient::End::not_the_protocol)},
      {"clients_ended_line_too_long", ended(VirtualClient::End::line_too_long)},
      {"clients_ended_without_token", ended(VirtualClient::End::without_token)},
      {"clients_ended_not_opened", ended(VirtualClient::End::not_opened)},
      {"frames_dropped_to_slow_clients", sum.dropped},
      {"frames_not_carried_to_clients", sum.not_carried},
      {"frames_dropped_from_clients", dropped_received_},
      {"garbage", sum.garbage},
      {"most_messages_per_grid", largest_messages_},
      {"limit_messages_per_grid", most_messages_},
      {"most_bytes_per_grid", largest_bytes_},
      {"limit_bytes_per_grid", max_clients * VirtualClient::input_bytes + max_waiting * VirtualClient::waiting_bytes}};
}

std::uint64_t VirtualBus::kept_out() const {
  return ends_[static_cast<std::size_t>(VirtualClient::End::no_seat)] +
         ends_[static_cast<std::size_t>(VirtualClient::End::gave_way)];
}

std::vector<std::string> VirtualBus::remarks() const {
  constexpr std::size_t most = 8;
  std::vector<std::string> all;
  std::size_t more = 0;
  for (const ClientReport& client : clients()) {
    if (client.not_carried == 0) continue;
    if (all.size() == most) {
      ++more;
      continue;
    }
    all.push_back("client " + std::to_string(client.number) + " has not got " + std::to_string(client.not_carried) +
                  " CAN FD frames or remote requests: " + client.protocol + " has none; connect it by slcan");
  }
  if (more > 0) all.push_back(std::to_string(more) + " more clients have not got CAN FD frames or remote requests");
  for (auto why = static_cast<std::size_t>(VirtualClient::End::not_the_protocol);
       why < static_cast<std::size_t>(VirtualClient::End::no_seat); ++why) {
    if (ends_[why] > 0)
      all.push_back("connections " + std::string(text_of(static_cast<VirtualClient::End>(why))) + ": " +
                    std::to_string(ends_[why]));
  }
  if (const std::uint64_t refused = ends_[static_cast<std::size_t>(VirtualClient::End::no_seat)]; refused > 0)
    all.push_back(
        "clients refused: " + std::to_string(refused) + ", more than " + std::to_string(max_clients) + " at a time" +
        (refused_of_users_ > 0 ? ", or, of " + std::to_string(refused_of_users_) + ", more than the " +
                                     std::to_string(max_of_a_user) + " of one other user where there is no token"
                               : ""));
  return all;
}

}  // namespace takt::can
