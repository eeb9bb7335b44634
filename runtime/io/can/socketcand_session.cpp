#include "runtime/io/can/socketcand_session.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace takt::can {

SocketcandSession::SocketcandSession(std::string channel) : channel_(std::move(channel)) { reply("< hi >"); }

void SocketcandSession::refuse(std::string_view reason) {
  ++garbage_;
  // In raw mode python-can takes every "< error ... >" for an error frame: stay silent there.
  if (mode_ == Mode::raw) return;
  reply("< error ");
  reply(reason);
  reply(" >");
}

void SocketcandSession::feed(std::string_view bytes, WallTime now, std::vector<Frame>& frames) {
  while (!bytes.empty()) {
    bytes.remove_prefix(cutter_.feed(bytes));
    if (cutter_.complete()) handle(cutter_.message(), now, frames);
  }
}

void SocketcandSession::handle(std::string_view message, WallTime now, std::vector<Frame>& frames) {
  std::string_view arguments = message;
  const auto word = next_word(arguments);
  if (word == "echo") {
    reply("< echo >");
    return;
  }
  if (mode_ == Mode::no_bus) {
    if (word != "open") return refuse("open a bus first");
    if (next_word(arguments) != channel_) return refuse("could not open bus");
    mode_ = Mode::bus;
    reply("< ok >");
  } else if (word == "rawmode") {
    if (mode_ != Mode::raw) ready_ = now + settle;
    mode_ = Mode::raw;
    reply("< ok >");
  } else if (word == "controlmode") {
    mode_ = Mode::control;
    reply("< ok >");
  } else if (word == "send") {
    ready_ = std::min(ready_, now);
    handle_send(arguments, frames);
  } else if (word == "statistics") {
    handle_statistics(arguments, now);
  } else {
    refuse("unknown command");
  }
}

void SocketcandSession::handle_send(std::string_view arguments, std::vector<Frame>& frames) {
  const auto frame = parse_send(arguments);
  if (!frame) return refuse("could not send frame");
  ++received_frames_;
  received_bytes_ += frame->len;
  frames.push_back(*frame);
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
  for (const auto count : {received_bytes_, received_frames_, sent_bytes_, sent_frames_}) {
    text += ' ';
    text += std::to_string(count);
  }
  reply(text += " >");
}

void SocketcandSession::deliver(const Frame& frame, WallTime now, std::int64_t time_of_day_us) {
  if (!takes_frames(now)) return;
  if (frame.fd || frame.len > 8 || frame.remote || !reply(frame_message(frame, time_of_day_us).view())) {
    ++dropped_;
    return;
  }
  ++sent_frames_;
  sent_bytes_ += frame.len;
}

}  // namespace takt::can
