#include <algorithm>
#include <bitset>

#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/dbc/dbc_parser.hpp"

namespace takt::codegen {
namespace {

void drop(DbcSignal& signal, const std::string& reason, Diagnostics& diagnostics,
          const char* code) {
  diagnostics.warning(code, signal.where,
                      "signal " + signal.name + ": " + reason + "; it cannot be used");
  signal.usable = false;
}

/// mN without SG_MUL_VAL_: the one plain M of the message decides.
void join_plain_multiplexing(DbcMessage& message, const std::vector<MuxMark>& marks,
                             Diagnostics& diagnostics) {
  std::optional<std::size_t> root;
  bool several = false;
  for (std::size_t k = 0; k < marks.size(); ++k) {
    if (!marks[k].multiplexer || marks[k].value) continue;
    several = root.has_value();
    if (!root) root = k;
  }
  for (std::size_t k = 0; k < marks.size(); ++k) {
    auto& signal = message.signals[k];
    if (!marks[k].value || signal.multiplexed_by) continue;
    if (!root || several) {
      drop(signal,
           root ? "several multiplexers and no SG_MUL_VAL_ that says which"
                : "message " + message.name + " has no multiplexer (M)",
           diagnostics, "B015");
      continue;
    }
    signal.multiplexed_by = root;
    signal.mux_values = {{*marks[k].value, *marks[k].value}};
  }
}

void apply_rules(DbcDraft& draft, Diagnostics& diagnostics) {
  for (auto& rule : draft.rules) {
    auto& message = draft.dbc.messages[rule.message];
    const auto multiplexer = find_signal(message, rule.multiplexer);
    if (!multiplexer || *multiplexer == rule.signal) {
      diagnostics.warning(
          "B015", rule.where,
          "message " + message.name + " has no multiplexer " + rule.multiplexer + "; ignored");
      continue;
    }
    auto& signal = message.signals[rule.signal];
    message.signals[*multiplexer].multiplexer = true;
    signal.multiplexed_by = multiplexer;
    signal.mux_values = std::move(rule.ranges);
  }
}

/// A chain of multiplexers ends at a signal that is always present; multiplexers are whole numbers.
void check_chains(DbcMessage& message, Diagnostics& diagnostics) {
  for (auto& signal : message.signals) {
    std::size_t steps = 0;
    for (auto by = signal.multiplexed_by; by; by = message.signals[*by].multiplexed_by) {
      const auto& multiplexer = message.signals[*by];
      const bool whole = multiplexer.type == RawType::unsigned_integer ||
                         multiplexer.type == RawType::signed_integer;
      if (++steps > message.signals.size() || !whole || !multiplexer.usable) {
        const char* reason = !whole                ? "its multiplexer is a floating-point number"
                             : !multiplexer.usable ? "its multiplexer cannot be used"
                                                   : "its multiplexers form a circle";
        if (signal.usable) drop(signal, reason, diagnostics, "B015");
        break;
      }
    }
  }
}

using Bits = std::bitset<512>;

Bits occupied(const DbcSignal& signal) {
  Bits bits;
  for (const auto& piece : bit_pieces(signal)) {
    for (unsigned k = 0; k < piece.width; ++k) bits.set(piece.byte * 8U + piece.low_bit + k);
  }
  return bits;
}

/// Can both be in one frame? Not if one of their common multiplexers excludes it.
bool together(const DbcSignal& a, const DbcSignal& b) {
  if (!a.multiplexed_by || !b.multiplexed_by || a.multiplexed_by != b.multiplexed_by) {
    return !a.multiplexed_by && !b.multiplexed_by;  // different levels: not judged
  }
  for (const auto& x : a.mux_values) {
    for (const auto& y : b.mux_values) {
      if (x.first <= y.last && y.first <= x.last) return true;
    }
  }
  return false;
}

void check_layout(DbcMessage& message, Diagnostics& diagnostics) {
  std::vector<std::pair<const DbcSignal*, Bits>> placed;
  for (auto& signal : message.signals) {
    if (!signal.usable) continue;
    if (signal.length > 64) {
      drop(signal, "more than 64 bits", diagnostics, "B013");
    } else if (!fits(signal, message.length)) {
      drop(signal,
           "does not fit into the " + std::to_string(message.length) + " bytes of " + message.name,
           diagnostics, "B013");
    }
    if (!signal.usable || !message.usable || message.signals.size() > 512) continue;
    const Bits bits = occupied(signal);
    for (const auto& [other, other_bits] : placed) {
      if ((bits & other_bits).none() || !together(signal, *other)) continue;
      diagnostics.warning(
          "B019", signal.where,
          "signal " + signal.name + " shares bits with " + other->name + " in " + message.name);
      break;
    }
    placed.emplace_back(&signal, bits);
  }
}

std::optional<std::string> attribute(const DbcDraft& draft,
                                     const std::map<std::string, std::string>& own,
                                     const std::string& name) {
  if (const auto it = own.find(name); it != own.end()) return it->second;
  if (const auto it = draft.defaults.find(name); it != draft.defaults.end()) return it->second;
  return std::nullopt;
}

/// VFrameFormat is an enumeration, written as an index or as text, or a whole number with the same
/// meaning.
std::string format_name(const DbcDraft& draft, const std::string& value) {
  const auto index = dbc_double(value);
  if (!index) return value;
  const auto it = draft.enumerations.find("VFrameFormat");
  if (it == draft.enumerations.end() ||
      it->second.empty())  // INT: the indices of Vector's own enumeration
    return *index == 14 || *index == 15 ? "CAN_FD" : *index == 3 ? "J1939PG" : "";
  if (*index >= 0 && *index < static_cast<double>(it->second.size()))
    return it->second[static_cast<std::size_t>(*index)];
  return value;
}

bool is_text_of(std::string text, std::string_view wanted) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return text == wanted;
}

std::optional<double> positive(const std::optional<std::string>& text) {
  const auto value = text ? dbc_double(*text) : std::nullopt;
  return value && *value > 0.0 ? value : std::nullopt;
}

/// By its VFrameFormat, else by the ProtocolType of the database.
bool says_j1939(const DbcDraft& draft, std::size_t m) {
  const auto& own = draft.message_attributes[m];
  const auto format = attribute(draft, own, "VFrameFormat");
  if (format && format_name(draft, *format) == "J1939PG") return true;
  const auto protocol = attribute(draft, draft.network_attributes, "ProtocolType");
  return !own.contains("VFrameFormat") && protocol && is_text_of(*protocol, "J1939");
}

/// A database that does not know VFrameFormat says by the length alone what is CAN FD.
void apply_frame_formats(DbcDraft& draft) {
  const bool is_known =
      draft.enumerations.contains("VFrameFormat") || draft.defaults.contains("VFrameFormat");
  for (std::size_t m = 0; m < draft.dbc.messages.size(); ++m) {
    auto& message = draft.dbc.messages[m];
    const auto format = attribute(draft, draft.message_attributes[m], "VFrameFormat");
    const bool is_fd = format && format_name(draft, *format).ends_with("CAN_FD");
    message.j1939 = message.extended && !is_fd && says_j1939(draft, m);
    message.fd_by_length =
        !message.j1939 && !is_known && !format && message.length > 8 && message.length <= 64;
    message.fd = message.fd_by_length || is_fd;
    message.brs = attribute(draft, draft.message_attributes[m], "CANFD_BRS") != "0";
  }
}

void apply_message_attributes(DbcDraft& draft) {
  for (std::size_t m = 0; m < draft.dbc.messages.size(); ++m) {
    auto& message = draft.dbc.messages[m];
    const auto& own = draft.message_attributes[m];
    message.cycle_ms = positive(attribute(draft, own, "GenMsgCycleTime"));
    message.delay_ms = positive(attribute(draft, own, "GenMsgDelayTime"));
    message.start_delay_ms = positive(attribute(draft, own, "GenMsgStartDelayTime"));
    if (const auto it = own.find("SystemMessageLongSymbol"); it != own.end() && !it->second.empty())
      message.name = it->second;
    for (auto& sender : message.senders) {
      if (const auto it = draft.node_long_names.find(sender); it != draft.node_long_names.end())
        sender = it->second;
    }
  }
}

void apply_signal_attributes(DbcDraft& draft) {
  const std::map<std::string, std::string> none;
  for (std::size_t m = 0; m < draft.dbc.messages.size(); ++m) {
    for (std::size_t s = 0; s < draft.dbc.messages[m].signals.size(); ++s) {
      auto& signal = draft.dbc.messages[m].signals[s];
      const auto found = draft.signal_attributes.find({m, s});
      const auto& own = found != draft.signal_attributes.end() ? found->second : none;
      if (const auto start = attribute(draft, own, "GenSigStartValue"))
        signal.start_raw = dbc_double(*start);
      if (const auto it = own.find("SystemSignalLongSymbol");
          it != own.end() && !it->second.empty())
        signal.name = it->second;
    }
  }
}

void apply_node_names(DbcDraft& draft) {
  for (auto& node : draft.dbc.nodes) {
    if (const auto it = draft.node_long_names.find(node); it != draft.node_long_names.end())
      node = it->second;
  }
}

}  // namespace

void finish_dbc(DbcDraft& draft, Diagnostics& diagnostics) {
  apply_rules(draft, diagnostics);
  apply_frame_formats(draft);
  for (std::size_t m = 0; m < draft.dbc.messages.size(); ++m) {
    auto& message = draft.dbc.messages[m];
    if (message.length > 64) {  // without CAN FD no mistake: a transport protocol sends it
      if (message.fd)
        diagnostics.warning("B018", message.where,
                            "message " + message.name + ": " + std::to_string(message.length) +
                                " bytes are more than a frame carries (64); it cannot be used");
      message.usable = false;
    }
    join_plain_multiplexing(message, draft.marks[m], diagnostics);
    check_layout(message, diagnostics);
    check_chains(message, diagnostics);
  }
  apply_message_attributes(draft);
  apply_signal_attributes(draft);
  apply_node_names(draft);
}

}  // namespace takt::codegen
