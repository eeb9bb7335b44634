#include "runtime/tap/server.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "runtime/plant/wall_clock.hpp"

namespace takt {
namespace {

constexpr int idle_ms = 250;
constexpr WallDuration longest_good_bye{200'000'000};

}  // namespace

int listen_in_working_directory() {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, tap_socket_name);
  ::unlink(tap_socket_name);  // of a run that was killed: the directory is ours
  const mode_t mask = ::umask(0177);
  const bool good = socket >= 0 && ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                    ::listen(socket, 64) == 0;
  const int error = errno;
  ::umask(mask);
  if (good) return socket;
  if (socket >= 0) ::close(socket);
  throw std::system_error(error, std::generic_category(), "no socket \"tap\" in the run directory");
}

TapServer::TapServer(const PlantDescription& plant, TapSegment& segment, int listener)
    : segment_(segment), desk_(plant, segment), listener_(listener) {}

TapServer::~TapServer() { ::close(listener_); }

int TapServer::patience_ms() const { return desk_.end.patience_ms(clients_.empty() ? idle_ms : 20); }

bool TapServer::serve(int end) {
  segment_.services.server_beats.fetch_add(1, std::memory_order_relaxed);
  polled_.clear();
  polled_.push_back({end, POLLIN, 0});
  polled_.push_back({has_place() ? listener_ : -1, POLLIN, 0});
  for (const auto& client : clients_) polled_.push_back(client->waited_for());
  (void)::poll(polled_.data(), polled_.size(), patience_ms());
  desk_.poll();
  for (std::size_t k = 0; k < clients_.size(); ++k)
    if ((polled_[k + 2].revents & (POLLIN | POLLHUP | POLLERR)) != 0) clients_[k]->receive();
  if (polled_[1].revents != 0) accept_clients();
  send_all();
  return polled_[0].revents == 0;
}

void TapServer::send_all() {
  for (const auto& client : clients_) {
    client->session().tell_pieces();
    client->session().tell_events();
    if (client->has_output()) client->send();
  }
  std::erase_if(clients_, [](const auto& client) { return !client->is_open(); });
}

std::size_t TapServer::seated() const {
  return static_cast<std::size_t>(
      std::count_if(clients_.begin(), clients_.end(), [](const auto& client) { return client->is_seated(); }));
}

/// They stand in the order they came.
Connection* TapServer::in_the_way() const {
  if (clients_.size() - seated() < most_waiting) return nullptr;
  return std::find_if(clients_.begin(), clients_.end(), [](const auto& client) { return !client->is_seated(); })->get();
}

/// Until the oldest has had its time others wait in the queue of the kernel.
bool TapServer::has_place() const {
  const Connection* oldest = in_the_way();
  return oldest == nullptr || wall_now() - oldest->since() >= grace;
}

std::string TapServer::usher(const Connection& client) {
  const auto of_its_process = std::count_if(clients_.begin(), clients_.end(), [&](const auto& other) {
    return other->is_seated() && other->process() == client.process();
  });
  if (seated() < most_clients && static_cast<std::size_t>(of_its_process) < most_of_a_process) return {};
  segment_.services.clients_refused.fetch_add(1, std::memory_order_relaxed);
  return "the tap serves " + std::to_string(most_clients) + " clients at once, " + std::to_string(most_of_a_process) +
         " of one process: try again later";
}

void TapServer::accept_clients() {
  while (has_place()) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    if (Connection* oldest = in_the_way()) {
      segment_.services.clients_gave_way.fetch_add(1, std::memory_order_relaxed);
      oldest->refuse("nothing was asked here, and others wait");
      oldest->send();
      std::erase_if(clients_, [&](const auto& client) { return client.get() == oldest; });
    }
    clients_.push_back(
        std::make_unique<Connection>(socket, desk_, [this](const Connection& client) { return usher(client); }));
  }
}

void TapServer::say_good_bye() {
  desk_.poll();
  for (const auto& client : clients_) client->session().tell_end();
  send_all();
  for (const WallTime until = wall_now() + longest_good_bye; wall_now() < until;) {
    const auto waits = [](const auto& client) { return client->has_output(); };
    if (std::none_of(clients_.begin(), clients_.end(), waits)) return;
    (void)::poll(nullptr, 0, 5);
    send_all();
  }
}

}  // namespace takt
