#include "runtime/io/can/socketcand_session.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "runtime/plant/bus_token.hpp"

namespace takt::can {

SocketcandSession::SocketcandSession(BusAccess access) : access_(std::move(access)) { reply("< hi >"); }

void SocketcandSession::refuse(std::string_view reason) {
  ++counts_.garbage;
  // In raw mode python-can takes every "< error ... >" for an error frame: stay silent there.
  if (mode_ == Mode::raw) return;
  reply("< error ");
  reply(reason);
  reply(" >");
}

std::size_t SocketcandSession::feed(std::string_view bytes, WallTime now, std::optional<Frame>& frame) {
  const std::size_t taken = cutter_.feed(bytes);
  counts_.garbage += cutter_.garbage() - cut_;
  cut_ = cutter_.garbage();
  if (cutter_.too_long() > 0) end(End::line_too_long);
  // A client has no reason to send something else first: what it hides might be meant for another server.
  if (mode_ == Mode::no_bus && cut_ > 0) end(End::not_the_protocol);
  if (cutter_.complete()) handle(cutter_.message(), now, frame);
  return taken;
}

void SocketcandSession::handle(std::string_view message, WallTime now, std::optional<Frame>& frame) {
  std::string_view arguments = message;
  const auto word = next_word(arguments);
  if (word == "echo") {
    reply("< echo >");
    return;
  }
  if (mode_ == Mode::no_bus) {
    if (word != "open") return refuse("open a bus first");
    handle_open(next_word(arguments));
  } else if (word == "rawmode") {
    if (mode_ != Mode::raw) ready_ = now + settle;
    mode_ = Mode::raw;
    reply("< ok >");
  } else if (word == "controlmode") {
    mode_ = Mode::control;
    reply("< ok >");
  } else if (word == "send") {
    ready_ = std::min(ready_, now);
    handle_send(arguments, frame);
  } else if (word == "statistics") {
    handle_statistics(arguments, now);
  } else {
    refuse("unknown command");
  }
}

/// @param name  of the bus, with the token behind a slash where there is one
void SocketcandSession::handle_open(std::string_view name) {
  const auto slash = name.find('/');
  if (name.substr(0, slash) != access_.channel) return refuse("could not open bus");
  const auto token = slash == std::string_view::npos ? std::string_view{} : name.substr(slash + 1);
  if (!access_.token.empty() && !is_same_token(token, access_.token)) {
    refuse("this bus wants its token: open NAME/TOKEN");
    return end(End::without_token);
  }
  mode_ = Mode::bus;
  reply("< ok >");
}

void SocketcandSession::handle_send(std::string_view arguments, std::optional<Frame>& frame) {
  frame = parse_send(arguments);
  if (!frame) return refuse("could not send frame");
  count_from(*frame);
}

void SocketcandSession::handle_statistics(std::string_view arguments, WallTime now) {
  const auto word = next_word(arguments);
  std::uint32_t ms = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ms);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return refuse("bad interval");
  // 0 switches off; faster than 10 ms serves nobody.
  statistics_every_ = WallDuration{ms == 0 ? 0 : std::max<std::int64_t>(ms, 10) * 1'000'000};
  statistics_due_ = now + statistics_every_;
}

void SocketcandSession::tick(WallTime now) {
  if (statistics_every_ == WallDuration{} || now < statistics_due_) return;
  statistics_due_ = now + statistics_every_;
  std::string text = "< stat";
  for (const auto count : {counts_.bytes_from, counts_.frames_from, counts_.bytes_to, counts_.frames_to}) {
    text += ' ';
    text += std::to_string(count);
  }
  reply(text += " >");
}

}  // namespace takt::can
