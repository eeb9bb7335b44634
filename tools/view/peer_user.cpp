#include "tools/view/peer_user.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace takt::view {
namespace {

constexpr const char* established = "01";

/// As /proc/net/tcp has it: words of 32 bits as this machine sees them, in hexadecimal digits.
std::string text_of(const LocalEnd& end) {
  std::string text;
  std::array<char, 16> digits{};
  for (std::size_t k = 0; k < (end.is_v6 ? 4U : 1U); ++k) {
    std::uint32_t word = 0;
    std::memcpy(&word, end.address.data() + 4 * k, 4);
    (void)std::snprintf(digits.data(), digits.size(), "%08X", word);
    text += digits.data();
  }
  (void)std::snprintf(digits.data(), digits.size(), ":%04X", end.port);
  return text + digits.data();
}

}  // namespace

/// Sockets whose process has gone are shown as root's: they are not established any more.
bool is_of_own_user(const LocalEnd& theirs, const LocalEnd& ours) {
  const std::string from = text_of(theirs), to = text_of(ours);
  std::ifstream table(theirs.is_v6 ? "/proc/net/tcp6" : "/proc/net/tcp");
  for (std::string line; std::getline(table, line);) {
    if (line.find(from) == std::string::npos) continue;
    std::istringstream words(line);
    std::string number, local, remote, state, queues, timer, again;
    unsigned long user = 0;
    if (words >> number >> local >> remote >> state >> queues >> timer >> again >> user && local == from &&
        remote == to && state == established)
      return user == 0 || user == ::getuid();
  }
  return false;
}

}  // namespace takt::view
