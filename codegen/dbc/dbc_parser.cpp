// The statements of a DBC file: version, nodes, messages and signals here, what is said about them
// later in dbc_details.

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "codegen/dbc/dbc_details.hpp"

namespace takt::codegen {

using Kind = DbcToken::Kind;

namespace {

class DbcParser : public DbcDetails {
 public:
  DbcParser(std::string_view text, const std::string& file, Diagnostics& diagnostics)
      : DbcDetails(text, file, diagnostics) {
    draft_.dbc.file = file;
  }

  Dbc run() {
    while (lexer_.peek().kind != Kind::end) {
      try {
        subject_.reset();
        statement();
      } catch (const Broken&) {
        lose_subject();
        recover();
      }
    }
    if (mistakes_ > max_told)
      diagnostics_.note(
          "B011", last_.where,
          std::to_string(mistakes_ - max_told) + " more mistakes are not listed; this is the last");
    if (mistakes_ > 0 && draft_.dbc.messages.empty())
      diagnostics_.error("B011", first_.where,
                         "no message can be read: is this a CAN database (DBC)?");
    finish_dbc(draft_, diagnostics_);
    return std::move(draft_.dbc);
  }

 private:
  /// After a mistake: what the statement was about is kept as broken.
  void lose_subject();
  // --- statements
  void statement();
  /// Statements without meaning for a plant. Unknown ones are named once per kind.
  void other(const DbcToken& token);
  void new_symbols();
  void nodes();
  void message();
  void add_message(DbcMessage message, const DbcToken& id_token, std::uint32_t raw_id);
  MuxMark mux_mark(const DbcToken& token, const std::string& signal_name);
  void signal(const DbcToken& keyword);
  void signal_layout(DbcSignal& signal);
  void signal_scale(DbcSignal& signal);
  /// Minimum or maximum, up to the mark behind; one that is no double limits nothing.
  double limit(const DbcSignal& signal, const char* what, char end);

  std::optional<std::size_t> current_;  ///< message that SG_ lines belong to
  bool skip_signals_ = false;           ///< signals of a message that is not kept
  std::set<std::string> skipped_, message_names_;
};

void DbcParser::lose_subject() {
  if (!subject_) return;
  auto& dbc = draft_.dbc;
  const auto message =
      std::find_if(dbc.messages.begin(), dbc.messages.end(),
                   [&](const DbcMessage& m) { return m.name == subject_->message; });
  const auto signal =
      message != dbc.messages.end() ? find_signal(*message, subject_->signal) : std::nullopt;
  if (signal) message->signals[*signal].usable = false;
  dbc.broken.push_back({subject_->message, subject_->signal, last_.what, last_.where});
}

void DbcParser::statement() {
  const auto token = lexer_.take();
  if (token.kind == Kind::mark && token.raw == ";") return;
  if (token.kind != Kind::word) fail(token, "a statement such as BO_ or SG_");
  const std::string_view key = token.raw;
  if (key == "VERSION") {
    draft_.dbc.version = text("the version");
  } else if (key == "NS_") {
    new_symbols();
  } else if (key == "BS_") {
    expect(':', "after BS_");
    while (lexer_.peek().kind != Kind::end && !lexer_.peek().first_on_line) lexer_.take();
  } else if (key == "BU_") {
    nodes();
  } else if (key == "BO_") {
    message();
  } else if (key == "SG_") {
    signal(token);
  } else if (key == "BO_TX_BU_") {
    senders();
  } else if (key == "CM_") {
    comment();
  } else if (key == "VAL_") {
    signal_values();
  } else if (key == "VAL_TABLE_") {
    value_table();
  } else if (key == "SIG_VALTYPE_") {
    signal_type();
  } else if (key == "SG_MUL_VAL_") {
    mux_rule(token);
  } else if (key == "BA_DEF_") {
    attribute_definition();
  } else if (key == "BA_DEF_DEF_") {
    std::string name = text("the attribute");
    draft_.defaults[name] = attribute_value();
    skip_to_semicolon();
  } else if (key == "BA_") {
    attribute(token);
  } else {
    other(token);
  }
}

void DbcParser::other(const DbcToken& token) {
  const std::string key(token.raw);
  if (!known_keyword(token.raw)) {
    if (!token.first_on_line || !key.ends_with('_')) fail(token, "a statement such as BO_ or SG_");
    if (skipped_.insert(key).second)
      diagnostics_.note("B017", at(token), "'" + key + "' is not known and skipped");
  }
  skip_to_semicolon();
}

void DbcParser::new_symbols() {
  expect(':', "after NS_");
  // The names are indented; the next statement is not. BS_: and BU_: end the list in files without
  // indents.
  while (lexer_.peek().kind == Kind::word) {
    const auto& token = lexer_.peek();
    if (token.column == 1 && (token.raw == "BS_" || token.raw == "BU_" || token.raw == "BO_"))
      return;
    lexer_.take();
  }
}

void DbcParser::nodes() {
  expect(':', "after BU_");
  while (lexer_.peek().kind == Kind::word && !is_keyword(lexer_.peek())) {
    std::string name = word("a node");
    if (std::find(draft_.dbc.nodes.begin(), draft_.dbc.nodes.end(), name) ==
        draft_.dbc.nodes.end()) {
      draft_.dbc.nodes.push_back(std::move(name));
    }
    accept(',');
  }
}

void DbcParser::message() {
  current_.reset();
  skip_signals_ = true;  // those of a message that cannot be read, too
  const auto id_token = lexer_.peek();
  const auto raw_id = static_cast<std::uint32_t>(natural("the id of the message", 0xFFFFFFFFU));
  DbcMessage message;
  message.where = at(lexer_.peek());
  message.name = word("the name of the message");
  subject_ = {message.name, ""};
  expect(':', "after the name of the message");
  message.length = static_cast<std::uint16_t>(natural("the length in bytes", 65535));
  if (lexer_.peek().kind == Kind::word && !is_keyword(lexer_.peek())) {
    std::string sender = word("the sender");
    if (sender != "Vector__XXX") message.senders.push_back(std::move(sender));
  }
  constexpr std::uint32_t extended_bit = 0x80000000U;
  message.extended = (raw_id & extended_bit) != 0 || raw_id > 0x7FF;
  message.id = raw_id & ~extended_bit;
  if (raw_id == 0xC0000000U || message.name == "VECTOR__INDEPENDENT_SIG_MSG") {
    draft_.drawers.insert(raw_id);  // a drawer for signals that belong to no message
    return;
  }
  if (message.id > 0x1FFFFFFFU) {
    const std::string why = "an id has 29 bits, at most 0x1FFFFFFF";
    diagnostics_.warning("B014", at(id_token),
                         "message " + message.name + ": " + why + "; it cannot be used",
                         "bit 31 marks a 29-bit id; bits 29 and 30 must be 0");
    draft_.dbc.broken.push_back({message.name, "", why, at(id_token)});
    return;
  }
  if ((raw_id & extended_bit) == 0 && raw_id > 0x7FF) {
    diagnostics_.warning(
        "B014", at(id_token),
        "message " + message.name + ": id above 0x7FF without bit 31, taken as a 29-bit id",
        "write " + std::to_string(raw_id | extended_bit));
  }
  add_message(std::move(message), id_token, raw_id);
}

void DbcParser::add_message(DbcMessage message, const DbcToken& id_token, std::uint32_t raw_id) {
  const auto key = message.extended ? message.id | 0x80000000U : message.id;
  if (draft_.by_id.contains(key)) {
    diagnostics_.warning(
        "B012", at(id_token),
        "a second message with the id " + std::to_string(raw_id) + "; this one is ignored");
    draft_.dbc.broken.push_back({message.name, "", "a second message with its id", at(id_token)});
    return;
  }
  if (!message_names_.insert(message.name).second) {
    diagnostics_.warning(
        "B012", message.where,
        "a second message named " + message.name + "; the name means the first one");
  }
  skip_signals_ = false;
  current_ = draft_.dbc.messages.size();
  draft_.by_id.emplace(key, *current_);
  if (raw_id != key) draft_.by_id.emplace(raw_id, *current_);
  draft_.dbc.messages.push_back(std::move(message));
  draft_.marks.emplace_back();
  draft_.message_attributes.emplace_back();
}

MuxMark DbcParser::mux_mark(const DbcToken& token, const std::string& signal_name) {
  MuxMark mark;
  std::string_view s = token.raw;
  if (s == "M") return {true, std::nullopt};
  std::uint64_t value = 0;
  const auto* end = s.data() + s.size();
  if (s.starts_with('m')) {
    const auto [stop, error] = std::from_chars(s.data() + 1, end, value);
    const bool also = stop + 1 == end && *stop == 'M';
    if (error == std::errc{} && (stop == end || also)) return {also, value};
    if (s == "m") {
      diagnostics_.warning(
          "B015", at(token),
          "signal " + signal_name + ": multiplex mark 'm' without a number, taken as M",
          "M marks the multiplexer, m0, m1, ... the signals present for its value 0, 1, ...");
      return {true, std::nullopt};
    }
  }
  fail(token, "':' or a multiplex mark (M, m0, m1M)");
}

void DbcParser::signal(const DbcToken& keyword) {
  if (!current_ && !skip_signals_) fail(keyword, "BO_ before the first SG_");
  DbcSignal signal;
  signal.where = at(lexer_.peek());
  signal.name = word("the name of the signal");
  if (!skip_signals_) subject_ = {draft_.dbc.messages[*current_].name, signal.name};
  MuxMark mark;
  if (lexer_.peek().kind == Kind::word) {
    const auto token = lexer_.take();
    mark = mux_mark(token, signal.name);
  }
  expect(':', "after the name of the signal");
  signal_layout(signal);
  signal_scale(signal);
  signal.unit = text("the unit");
  while (lexer_.peek().kind == Kind::word && !is_keyword(lexer_.peek())) {
    std::string receiver = word("a receiver");
    if (receiver != "Vector__XXX") signal.receivers.push_back(std::move(receiver));
    accept(',');
  }
  signal.multiplexer = mark.multiplexer;
  if (skip_signals_) return;
  auto& message = draft_.dbc.messages[*current_];
  if (find_signal(message, signal.name)) {
    diagnostics_.warning("B012", signal.where,
                         "message " + message.name + " has a second signal " + signal.name +
                             "; this one is ignored");
    return;
  }
  message.signals.push_back(std::move(signal));
  draft_.marks[*current_].push_back(mark);
}

void DbcParser::signal_layout(DbcSignal& signal) {
  signal.start = static_cast<std::uint16_t>(natural("the start bit", 65535));
  expect('|', "between start bit and length");
  const auto length = lexer_.peek();
  signal.length = static_cast<std::uint16_t>(natural("the length in bits", 65535));
  if (signal.length == 0) fail(length, "a length of at least 1 bit");
  expect('@', "before the byte order");
  signal.order = natural("the byte order, 0 (Motorola) or 1 (Intel)", 1) == 1 ? ByteOrder::little
                                                                              : ByteOrder::big;
  if (accept('-')) {
    signal.type = RawType::signed_integer;
  } else {
    expect('+', "or '-' for the sign");
  }
}

void DbcParser::signal_scale(DbcSignal& signal) {
  expect('(', "before the factor");
  const auto factor = lexer_.peek();
  signal.factor = number("the factor");
  if (signal.factor == 0.0) {
    diagnostics_.warning("B013", at(factor),
                         "signal " + signal.name + ": the factor is 0 and taken as 1");
    signal.factor = 1.0;
  }
  expect(',', "between factor and offset");
  signal.offset = number("the offset");
  expect(')', "after the offset");
  expect('[', "before the minimum");
  signal.minimum = limit(signal, "minimum", '|');
  expect('|', "between minimum and maximum");
  signal.maximum = limit(signal, "maximum", ']');
  expect(']', "after the maximum");
}

double DbcParser::limit(const DbcSignal& signal, const char* what, char end) {
  const auto token = lexer_.peek();
  std::optional<double> value;
  if (token.kind == Kind::number) value = dbc_double(lexer_.take().raw);
  if (value && is_mark(end)) return *value;
  const auto behind = lexer_.peek();
  while (!is_mark(end) && lexer_.peek().kind != Kind::end && lexer_.peek().line == token.line)
    lexer_.take();
  if (!is_mark(end)) fail(behind, std::string("'") + end + "' after the " + what);
  diagnostics_.warning("B013", at(token),
                       "signal " + signal.name + ": the " + what +
                           " is no number that a double holds; none is taken");
  constexpr double most = std::numeric_limits<double>::max();
  return end == '|' ? -most : most;
}

}  // namespace

Dbc parse_dbc(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  return DbcParser(text, file, diagnostics).run();
}

}  // namespace takt::codegen
