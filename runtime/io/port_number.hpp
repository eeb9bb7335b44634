#pragma once
// The port of a socket as --bus BUS.port=N gives it, for every kind of bus that has one.

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>

namespace takt {

/// value as a port, 0 (the system chooses) to 65535; else std::runtime_error, which names the override --bus key.
inline std::uint16_t port_number(const std::string& key, const std::string& value) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), port);
  if (error == std::errc{} && end == value.data() + value.size() && port <= 65535)
    return static_cast<std::uint16_t>(port);
  throw std::runtime_error("--bus " + key + "=" + value + ": a port is a number from 0 to 65535");
}

}  // namespace takt
