#include "tools/dds/run_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"
#include "tools/takt/tap_socket.hpp"

namespace takt::dds {

RunLink::RunLink(const std::filesystem::path& directory, const std::string& name, Then on_hello)
    : socket_(tools::connect_to_tap(directory)) {
  if (socket_ < 0) throw std::runtime_error(tools::why_no_tap(directory, errno));
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
  ask({{"verb", "hello"}, {"name", name}}, std::move(on_hello));
}

RunLink::~RunLink() {
  if (socket_ >= 0) ::close(socket_);
}

void RunLink::ask(Json request, Then then) {
  const std::uint64_t id = ++id_;
  Json numbered{{"id", id}};
  numbered.update(request);
  waiting_.emplace(id, std::move(then));
  output_ += numbered.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

short RunLink::waits_for() const noexcept { return static_cast<short>(POLLIN | (output_.empty() ? 0 : POLLOUT)); }

void RunLink::serve() {
  if (is_open()) send();
  if (is_open()) take_input();
}

void RunLink::send() {
  while (!output_.empty()) {
    const ssize_t size = ::send(socket_, output_.data(), output_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;  // no room yet; where it is broken, reading says so, behind what has come before
    output_.erase(0, static_cast<std::size_t>(size));
  }
}

void RunLink::take_input() {
  static thread_local std::array<char, 1U << 18U> piece;
  for (;;) {
    const ssize_t size = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) return close("the tap of the run has closed the connection before it has answered");
    input_.append(piece.data(), static_cast<std::size_t>(size));
    std::size_t begin = 0;
    while (is_open()) {
      const std::size_t used = take_line(std::string_view(input_).substr(begin));
      if (used == 0) break;
      begin += used;
    }
    input_.erase(0, begin);
  }
}

std::size_t RunLink::take_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return 0;
  const auto line = json_or_none<Json>(text.substr(0, end));
  if (line.is_discarded() || !line.is_object()) return close("the tap of the run speaks another language"), 0;
  if (line.contains("bytes")) {
    const auto bytes = line["bytes"].get<std::size_t>();
    if (text.size() < end + 1 + bytes) return 0;
    values_.resize(bytes / sizeof(double));
    std::memcpy(values_.data(), text.data() + end + 1, values_.size() * sizeof(double));
    on_row({.watch = line.value("watch", std::uint64_t{0}),
            .time_ns = line.value("time_ns", std::int64_t{0}),
            .values = values_});
    return end + 1 + bytes;
  }
  const bool answers = line.contains("id") && line["id"].is_number_unsigned();
  auto found = waiting_.extract(answers ? line["id"].get<std::uint64_t>() : 0);
  if (!found.empty())
    found.mapped()(line);
  else if (line.contains("error"))  // it has no room for one client more, or does not understand
    close(line["error"].is_string() ? line["error"].get<std::string>() : "refused");
  else
    on_line(line);
  return end + 1;
}

void RunLink::close(const std::string& why) {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  const auto left = std::move(waiting_);
  waiting_.clear();
  for (const auto& [id, then] : left) then({{"ok", false}, {"error", why}, {"closed", true}});
}

}  // namespace takt::dds
