#pragma once
// The tap's service: a socket in the run directory and its clients. The inside of a process of its own.

#include <memory>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/tap/connection.hpp"
#include "runtime/tap/segment.hpp"
#include "runtime/tap/session.hpp"

namespace takt {

/// Name of the socket in the run directory.
inline constexpr const char* tap_socket_name = "tap";

class TapServer {
 public:
  static constexpr std::size_t most_clients = 32;       ///< that have asked something
  static constexpr std::size_t most_of_a_process = 24;  ///< so that none can keep all others out
  /// That have not asked anything yet. Where all these places are taken the oldest gives way, after a grace.
  static constexpr std::size_t most_waiting = 16;
  static constexpr WallDuration grace{500'000'000};

  /// @param listener  a listening, non-blocking socket; owned from here on
  TapServer(const PlantDescription& plant, TapSegment& segment, int listener);
  ~TapServer();
  TapServer(const TapServer&) = delete;
  TapServer& operator=(const TapServer&) = delete;

  /// Waits for clients and plant, and serves them once.
  /// @param end  hangs up, or has something to read, where the service is to end
  /// @return false: that has come
  bool serve(int end);
  /// Tells clients that the run has ended, and waits a little while for those that read slowly.
  void say_good_bye();

 private:
  void accept_clients();
  [[nodiscard]] std::size_t seated() const;
  /// The one that has waited longest; nullptr: there is room.
  [[nodiscard]] Connection* in_the_way() const;
  [[nodiscard]] bool has_place() const;
  /// Why it gets no seat; empty: it gets one.
  [[nodiscard]] std::string usher(const Connection& client);
  void send_all();
  [[nodiscard]] int patience_ms() const;

  TapSegment& segment_;
  TapDesk desk_;
  int listener_;
  std::vector<std::unique_ptr<Connection>> clients_;
  std::vector<pollfd> polled_;
};

/// A Unix socket in the working directory, for this user only.  @throw std::system_error
[[nodiscard]] int listen_in_working_directory();

}  // namespace takt
