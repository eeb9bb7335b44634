#pragma once
// The socket of one client of the tap: never waits, bounded in both directions. It waits for a seat until it has asked
// something.

#include <poll.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "runtime/plant/wall_clock.hpp"
#include "runtime/tap/session.hpp"

namespace takt {

class Connection {
 public:
  /// Why a client gets no seat; empty: it has one.
  using Usher = std::function<std::string(const Connection&)>;
  /// @param socket  owned from here on, non-blocking
  /// @param usher   asked at the first request, before it is done
  Connection(int socket, TapDesk& desk, Usher usher);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// What to wait for: requests only while their answers have room.
  [[nodiscard]] pollfd waited_for() const noexcept;
  /// Reads and answers what has come.
  void receive();
  /// Sends what there is.
  void send();
  [[nodiscard]] bool is_seated() const noexcept { return seated_; }
  [[nodiscard]] WallTime since() const noexcept { return since_; }
  /// Of the client; 0: not known.
  [[nodiscard]] pid_t process() const noexcept { return process_; }
  /// Tells it why and ends when that is sent.
  void refuse(const std::string& why);
  [[nodiscard]] bool is_open() const noexcept { return socket_ >= 0; }
  [[nodiscard]] bool has_output() const noexcept { return sent_ < session_->output.size(); }
  [[nodiscard]] Session& session() noexcept { return *session_; }

 private:
  [[nodiscard]] bool takes_requests() const noexcept {
    return session_->output.size() - sent_ <= Session::most_waiting;
  }
  void take_lines();
  [[nodiscard]] bool has_seat();
  void close() noexcept;

  int socket_;
  pid_t process_;
  WallTime since_;
  Usher usher_;
  bool seated_ = false;
  std::shared_ptr<Session> session_;
  std::string input_;
  std::size_t sent_ = 0;  // of the session's output
  bool ends_ = false;     // when all is sent
};

/// "user 1000, process 4711".
[[nodiscard]] std::string peer_of(int socket);

}  // namespace takt
