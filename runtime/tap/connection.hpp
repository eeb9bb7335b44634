#pragma once
// The socket of one client of the tap: never waits, bounded in both directions.

#include <poll.h>

#include <memory>
#include <string>

#include "runtime/tap/session.hpp"

namespace takt {

class Connection {
 public:
  /// @param socket  owned from here on, non-blocking
  Connection(int socket, TapDesk& desk);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// What to wait for: requests only while their answers have room.
  [[nodiscard]] pollfd waited_for() const noexcept;
  /// Reads and answers what has come.
  void receive();
  /// Sends what there is.
  void send();
  [[nodiscard]] bool is_open() const noexcept { return socket_ >= 0; }
  [[nodiscard]] bool has_output() const noexcept { return sent_ < session_->output.size(); }
  [[nodiscard]] Session& session() noexcept { return *session_; }

 private:
  [[nodiscard]] bool takes_requests() const noexcept {
    return session_->output.size() - sent_ <= Session::most_waiting;
  }
  void take_lines();
  void close() noexcept;

  int socket_;
  std::shared_ptr<Session> session_;
  std::string input_;
  std::size_t sent_ = 0;  // of the session's output
  bool ends_ = false;     // when all is sent
};

/// "user 1000, process 4711".
[[nodiscard]] std::string peer_of(int socket);

}  // namespace takt
