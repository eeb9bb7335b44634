#include "codegen/dbc/dbc.hpp"

#include <algorithm>
#include <charconv>

#include "codegen/dbc/dbc_parser.hpp"
#include "codegen/library/toml_tree.hpp"
#include "runtime/io/can/parameter_group.hpp"

namespace takt::codegen {

const DbcMessage* Dbc::find(std::string_view message) const {
  const auto it = std::find_if(messages.begin(), messages.end(),
                               [&](const auto& m) { return m.name == message; });
  return it == messages.end() ? nullptr : &*it;
}

const DbcMessage* Dbc::find(std::uint32_t id, bool extended) const {
  const auto it = std::find_if(messages.begin(), messages.end(),
                               [&](const auto& m) { return m.id == id && m.extended == extended; });
  return it == messages.end() ? nullptr : &*it;
}

const DbcMessage* Dbc::heard_as(std::uint32_t id, bool extended) const {
  const DbcMessage* const exact = find(id, extended);
  if (exact != nullptr || !extended) return exact;
  const auto is_group = [&](const DbcMessage& message) {
    return message.j1939 && can::is_same_group(message.id, id);
  };
  const auto it = std::find_if(messages.begin(), messages.end(), is_group);
  if (it == messages.end()) return nullptr;
  const DbcMessage* const heard = find(can::heard_as(group_of(*it), id), true);
  return heard != nullptr && heard->j1939 ? heard : nullptr;
}

std::vector<std::uint32_t> Dbc::group_of(const DbcMessage& message) const {
  std::vector<std::uint32_t> ids;
  if (!message.j1939) return ids;
  for (const DbcMessage& other : messages)
    if (other.extended && can::is_same_group(message.id, other.id)) ids.push_back(other.id);
  return ids;
}

const DbcBroken* find_broken(const Dbc& dbc, std::string_view message, std::string_view signal) {
  const auto it = std::find_if(dbc.broken.begin(), dbc.broken.end(), [&](const DbcBroken& b) {
    return b.message == message && (b.signal.empty() || b.signal == signal);
  });
  return it == dbc.broken.end() ? nullptr : &*it;
}

std::optional<std::size_t> find_signal(const DbcMessage& message, std::string_view name) {
  for (std::size_t k = 0; k < message.signals.size(); ++k) {
    if (message.signals[k].name == name) return k;
  }
  return std::nullopt;
}

void set_fd(DbcMessage& message, bool fd) {
  message.fd =
      fd &&
      message
          .usable;  // longer than a frame: a transport protocol sends it, whatever the frames are
  message.fd_by_length = false;
}

void set_fd(Dbc& dbc, bool fd) {
  for (DbcMessage& message : dbc.messages) set_fd(message, fd);
}

void set_j1939(Dbc& dbc, bool j1939) {
  for (DbcMessage& message : dbc.messages) {
    if (j1939 && message.extended && message.fd_by_length) set_fd(message, false);
    message.j1939 = j1939 && message.extended && !message.fd;
  }
}

std::optional<double> dbc_double(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {  // 1e-400 is 0, 1e400 is refused
    const auto exponent = text.find_first_of("eE");
    if (exponent == std::string_view::npos || text.substr(exponent + 1, 1) != "-")
      return std::nullopt;
    return 0.0;
  }
  return value;
}

std::optional<Dbc> load_dbc(const std::string& file, Diagnostics& diagnostics) {
  const auto text = read_text_file(file);
  if (!text) {
    diagnostics.error("B010", {file, 0, 0},
                      "cannot read the CAN database " + file + ": " + text.error(),
                      "check the path; it is relative to the rig file");
    return std::nullopt;
  }
  return parse_dbc(*text, file, diagnostics);
}

}  // namespace takt::codegen
