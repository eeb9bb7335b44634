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
                    ::listen(socket, 16) == 0;
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
  polled_.push_back({listener_, POLLIN, 0});
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
    client->session().tell_events();
    if (client->has_output()) client->send();
  }
  std::erase_if(clients_, [](const auto& client) { return !client->is_open(); });
}

void TapServer::accept_clients() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    if (clients_.size() < most_clients) {
      clients_.push_back(std::make_unique<Connection>(socket, desk_));
      continue;
    }
    constexpr std::string_view full =
        "{\"ok\":false,\"error\":\"the tap serves 32 clients at once: try again later\"}\n";
    (void)!::send(socket, full.data(), full.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::close(socket);
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
