#pragma once
// Serves pages and conversations to browsers. One thread; nothing it does is waited for by a plant.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>  // which Boost.Asio 1.74 forgets: this header stands before it
#include <vector>

#include "tools/view/door.hpp"
#include "tools/view/limits.hpp"

namespace takt::view {

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8800;  ///< 0: a free one
  Door door;
  std::vector<std::filesystem::path> runs;
  std::string name;  ///< in the logs of actions
  pid_t beside = 0;  ///< ends some time after this process; 0: with a signal alone
};

/// Until SIGINT or SIGTERM.  @return what clients were counted
/// @param on_open  the port that it listens on
/// @throw std::runtime_error  it cannot listen there
Counts serve(const ServerSettings& settings, const std::function<void(std::uint16_t)>& on_open);

}  // namespace takt::view
