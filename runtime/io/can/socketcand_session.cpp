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

void SocketcandSession::feed(std::string_view bytes, std::int64_t now_ns, std::vector<Frame>& frames) {
  while (!bytes.empty()) {
    bytes.remove_prefix(cutter_.feed(bytes));
    if (cutter_.complete()) handle(cutter_.message(), now_ns, frames);
  }
}

void SocketcandSession::handle(std::string_view message, std::int64_t now_ns, std::vector<Frame>& frames) {
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
    if (mode_ != Mode::raw) ready_ns_ = now_ns + settle_ns;
    mode_ = Mode::raw;
    reply("< ok >");
  } else if (word == "controlmode") {
    mode_ = Mode::control;
    reply("< ok >");
  } else if (word == "send") {
    ready_ns_ = std::min(ready_ns_, now_ns);
    handle_send(arguments, frames);
  } else if (word == "statistics") {
    handle_statistics(arguments, now_ns);
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

void SocketcandSession::handle_statistics(std::string_view arguments, std::int64_t now_ns) {
  const auto word = next_word(arguments);
  std::uint32_t ms = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ms);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return refuse("bad interval");
  // 0 switches off; faster than 10 ms serves nobody.
  statistics_every_ns_ = ms == 0 ? 0 : std::max<std::int64_t>(ms, 10) * 1'000'000;
  statistics_due_ns_ = now_ns + statistics_every_ns_;
}

void SocketcandSession::tick(std::int64_t now_ns) {
  if (statistics_every_ns_ == 0 || now_ns < statistics_due_ns_) return;
  statistics_due_ns_ = now_ns + statistics_every_ns_;
  std::string text = "< stat";
  for (const auto count : {received_bytes_, received_frames_, sent_bytes_, sent_frames_}) {
    text += ' ';
    text += std::to_string(count);
  }
  reply(text += " >");
}

void SocketcandSession::deliver(const Frame& frame, std::int64_t now_ns, std::int64_t wall_clock_us) {
  if (mode_ != Mode::raw || now_ns < ready_ns_) return;
  if (frame.fd || frame.len > 8 || frame.remote || !reply(frame_message(frame, wall_clock_us).view())) {
    ++dropped_;
    return;
  }
  ++sent_frames_;
  sent_bytes_ += frame.len;
}

}  // namespace takt::can
