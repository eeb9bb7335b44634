#pragma once
// A connection to a server of a text protocol, for programs that are clients of a bus.

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/io/can/bus.hpp"

namespace takt::can {

class TcpClient {
 public:
  /// Connects; calls do not wait from then on. Throws BusError, whose text begins with `text`.
  /// @param host  IPv4 address in numbers, or "localhost"
  TcpClient(const std::string& host, std::uint16_t port, std::string text);
  ~TcpClient();
  TcpClient(const TcpClient&) = delete;
  TcpClient& operator=(const TcpClient&) = delete;

  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Throws BusError where not all of it is taken.
  void write_all(std::string_view text) const;
  /// What is there, into `bytes`; empty where nothing is. Throws BusError where the server has closed.
  [[nodiscard]] std::string_view read(char* bytes, std::size_t size) const;
  /// @param is_writing  also until there is room
  /// @return something is there to read
  [[nodiscard]] bool wait(WallDuration longest, bool is_writing) const;
  [[noreturn]] void fail(const std::string& what) const { throw BusError(text_ + ": " + what); }

 private:
  int socket_ = -1;
  std::string text_;
};

}  // namespace takt::can
