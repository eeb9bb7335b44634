#include "tools/takt/tap_client.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"
#include "tools/takt/tap_socket.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

std::string user_name() {
  const char* user = std::getenv("USER");
  return (user != nullptr && user[0] != '\0' ? std::string(user).substr(0, 40) : "user " + std::to_string(::getuid())) +
         " (takt)";
}

}  // namespace

TapClient::TapClient(const std::string& run) : directory_(run_directory(run)), socket_(connect_to_tap(directory_)) {
  if (socket_ < 0) throw std::runtime_error(why_no_tap(directory_, errno));
  hello_ = ask({{"verb", "hello"}, {"name", user_name()}});
}

TapClient::~TapClient() {
  if (socket_ >= 0) ::close(socket_);
}

TapClient::Json TapClient::ask(Json request) {
  const std::uint64_t id = ++id_;
  Json numbered{{"id", id}};
  numbered.update(request);
  const std::string text = numbered.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t size = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) break;  // what has come before may say why
    sent += static_cast<std::size_t>(size);
  }
  for (;;) {
    std::optional<Json> line = read_line(-1);
    if (!line)
      throw std::runtime_error(ended_ ? "the run has ended"
                                      : "the tap of this run has closed the connection; the run itself goes on");
    if (line->value("id", std::uint64_t{0}) != id) {
      if (line->contains("error") && !line->contains("id"))
        throw std::runtime_error((*line)["error"].get<std::string>());
      kept_.push_back(std::move(*line));
      continue;
    }
    if (!line->value("ok", false)) throw std::runtime_error(line->value("error", "refused"));
    return std::move(*line);
  }
}

std::optional<TapClient::Json> TapClient::next(int patience_ms) {
  if (kept_.empty()) return read_line(patience_ms);
  Json line = std::move(kept_.front());
  kept_.pop_front();
  return line;
}

/// @return false: nothing has come so soon, or nothing comes any more
bool TapClient::receive(int patience_ms) {
  pollfd state{socket_, POLLIN, 0};
  if (::poll(&state, 1, patience_ms) <= 0) return false;
  std::array<char, 1U << 16U> piece;
  const ssize_t size = ::recv(socket_, piece.data(), piece.size(), 0);
  if (size < 0 && errno == EINTR) return true;
  if (size <= 0) {
    if (!ended_ && patience_ms >= 0) throw std::runtime_error("the tap of this run has closed the connection");
    return false;
  }
  input_.append(piece.data(), static_cast<std::size_t>(size));
  return true;
}

std::optional<TapClient::Json> TapClient::read_line(int patience_ms) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(std::max(patience_ms, 0));
  std::size_t end = 0;
  while ((end = input_.find('\n')) == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (!receive(patience_ms < 0 ? -1 : static_cast<int>(std::max<std::int64_t>(left, 0)))) return std::nullopt;
  }
  Json line = json_or_none<Json>(std::string_view(input_).substr(0, end));
  input_.erase(0, end + 1);
  if (line.is_discarded() || !line.is_object()) throw std::runtime_error("the tap speaks another language");
  ended_ = ended_ || line.value("ended", false);
  if (const auto bytes = line.value("bytes", std::size_t{0}); bytes > 0) {
    while (input_.size() < bytes)
      if (!receive(-1)) return std::nullopt;
    line["data"] = Json::binary({input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(bytes)});
    input_.erase(0, bytes);
  }
  return line;
}

std::vector<fs::path> runs_with_tap() {
  std::vector<fs::path> found;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator("runs", unreadable)) {
    if (!entry.is_directory(unreadable)) continue;
    const int socket = connect_to_tap(entry.path());
    if (socket < 0) continue;
    ::close(socket);
    found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace takt::tools
