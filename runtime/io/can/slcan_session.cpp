#include "runtime/io/can/slcan_session.hpp"

#include <algorithm>
#include <utility>

#include "runtime/plant/bus_token.hpp"

namespace takt::can {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bit timing registers or a token.
bool is_word(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_token_letter); }

}  // namespace

SlcanSession::SlcanSession(BusAccess access, std::string_view greeting)
    : access_(std::move(access)), has_token_(access_.token.empty()) {
  reply(greeting);
  reply("\r");  // ends what the client may take for a line
}

bool SlcanSession::begins(char first) {
  return std::string_view("\rCOLSYsVvNFZtTrRdDbB").find(first) != std::string_view::npos;
}

std::size_t SlcanSession::feed(std::string_view bytes, WallTime /*now*/, std::optional<Frame>& frame) {
  const std::size_t taken = cutter_.feed(bytes);
  if (cutter_.too_long() > 0) end(spoke_ ? End::line_too_long : End::not_the_protocol);
  if (cutter_.complete()) handle(cutter_.line(), frame);
  return taken;
}

void SlcanSession::handle(std::string_view line, std::optional<Frame>& frame) {
  if (command(line)) {
    spoke_ = true;
    return;
  }
  frame = parse_slcan(line);
  // Whoever begins with something else is no client: a request of a browser, say, whose other lines could be frames.
  if (!frame && !spoke_) return end(End::not_the_protocol);
  spoke_ = true;
  if (frame && state_ == State::open) {
    count_from(*frame);
  } else {
    frame.reset();
    ++counts_.garbage;
    reply("\a");
  }
}

void SlcanSession::open(State state) {
  if (!has_token_) return end(End::without_token);
  state_ = state, opened_ = true;
  reply("\r");
}

/// @return false: no command
bool SlcanSession::command(std::string_view line) {
  if (line == "C") {
    state_ = State::closed;
    reply("\r");
  } else if (line == "O" || line == "L") {
    open(line == "O" ? State::open : State::listens);
  } else if (!line.empty() && line[0] == 's' && is_word(line.substr(1))) {
    has_token_ = has_token_ || is_same_token(line.substr(1), access_.token);
    if (!has_token_) end(End::without_token);  // one guess per connection
    reply("\r");
  } else if (line.size() == 2 && (line[0] == 'S' || line[0] == 'Y') && is_digit(line[1])) {
    reply("\r");
  } else if (line == "V" || line == "v") {
    reply(line);
    reply("1013\r");
  } else if (line == "N") {
    reply("NTAKT\r");
  } else if (line == "F") {
    reply("F00\r");
  } else if (line.empty() || line == "Z0") {
    reply("\r");
  } else {
    return false;
  }
  return true;
}

}  // namespace takt::can
