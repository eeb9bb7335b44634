#include "codegen/dbc/dbc_details.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace takt::codegen {

using Kind = DbcToken::Kind;

std::optional<std::size_t> DbcDetails::known_message(const DbcToken& token, std::uint64_t raw_id) {
  const auto it = draft_.by_id.find(static_cast<std::uint32_t>(raw_id));
  if (it != draft_.by_id.end()) return it->second;
  if (!draft_.drawers.contains(static_cast<std::uint32_t>(raw_id)))
    diagnostics_.note("B016", at(token),
                      "no message with the id " + std::to_string(raw_id) + "; ignored");
  return std::nullopt;
}

std::optional<std::size_t> DbcDetails::message_reference() {
  const auto token = lexer_.peek();
  return known_message(token, natural("the id of a message", 0xFFFFFFFFU));
}

std::optional<std::pair<std::size_t, std::size_t>> DbcDetails::signal_reference() {
  const auto message = message_reference();
  const auto token = lexer_.peek();
  const std::string name = word("the name of a signal");
  if (!message) return std::nullopt;
  const auto index = find_signal(draft_.dbc.messages[*message], name);
  if (!index) {
    diagnostics_.note(
        "B016", at(token),
        "message " + draft_.dbc.messages[*message].name + " has no signal " + name + "; ignored");
    return std::nullopt;
  }
  return std::pair{*message, *index};
}

void DbcDetails::at_stake(const std::optional<std::pair<std::size_t, std::size_t>>& signal) {
  if (!signal) return;
  const auto& message = draft_.dbc.messages[signal->first];
  subject_ = {message.name, message.signals[signal->second].name};
}

void DbcDetails::senders() {
  const auto message = message_reference();
  expect(':', "after the id");
  while (lexer_.peek().kind == Kind::word && !is_keyword(lexer_.peek())) {
    std::string name = word("a node");
    accept(',');
    if (!message || name == "Vector__XXX") continue;
    auto& senders = draft_.dbc.messages[*message].senders;
    if (std::find(senders.begin(), senders.end(), name) == senders.end())
      senders.push_back(std::move(name));
  }
  skip_to_semicolon();
}

void DbcDetails::comment() {
  const auto token = lexer_.peek();
  if (token.kind == Kind::text) {
    draft_.dbc.comment = text("the comment");
  } else {
    const std::string target = word("BU_, BO_, SG_ or a text");
    if (target == "BO_") {
      const auto message = message_reference();
      std::string comment = text("the comment");
      if (message) draft_.dbc.messages[*message].comment = std::move(comment);
    } else if (target == "SG_") {
      const auto signal = signal_reference();
      std::string comment = text("the comment");
      if (signal)
        draft_.dbc.messages[signal->first].signals[signal->second].comment = std::move(comment);
    }
  }
  skip_to_semicolon();
}

std::vector<ValueName> DbcDetails::value_names() {
  std::vector<ValueName> values;
  while (lexer_.peek().kind == Kind::number) {
    const auto token = lexer_.peek();
    const double value = number("a value");
    std::string name = text("the name of the value");
    std::int64_t whole = 0;  // a double would round large ones
    const auto [stop, error] =
        std::from_chars(token.raw.data(), token.raw.data() + token.raw.size(), whole);
    if (error == std::errc{} && stop == token.raw.data() + token.raw.size())
      values.push_back({whole, std::move(name)});
    else if (std::abs(value) < 9.2e18)
      values.push_back({static_cast<std::int64_t>(value), std::move(name)});
  }
  if (!is_mark(';') && !is_keyword(lexer_.peek()) && lexer_.peek().kind != Kind::end)
    fail(lexer_.peek(), "';' after the last value");
  accept(';');
  return values;
}

void DbcDetails::signal_values() {
  if (lexer_.peek().kind == Kind::word) {  // of an environment variable
    skip_to_semicolon();
    return;
  }
  const auto signal = signal_reference();
  auto values = value_names();
  if (signal) draft_.dbc.messages[signal->first].signals[signal->second].values = std::move(values);
}

void DbcDetails::value_table() {
  ValueTable table;
  table.name = word("the name of the table");
  table.values = value_names();
  draft_.dbc.value_tables.push_back(std::move(table));
}

void DbcDetails::signal_type() {
  const auto signal = signal_reference();
  at_stake(signal);
  accept(':');  // some tools leave it out
  const auto token = lexer_.peek();
  const auto type = natural("the type, 0 (integer), 1 (float) or 2 (double)", 3);
  skip_to_semicolon();
  if (!signal || type == 0) return;
  auto& target = draft_.dbc.messages[signal->first].signals[signal->second];
  const std::uint16_t bits = type == 1 ? 32 : 64;
  if (type == 3 || target.length != bits) {
    diagnostics_.warning("B013", at(token),
                         "signal " + target.name +
                             ": a float has 32 bits, a double 64, this signal " +
                             std::to_string(target.length) + "; it cannot be used");
    target.usable = false;
    return;
  }
  target.type = type == 1 ? RawType::float32 : RawType::float64;
}

void DbcDetails::mux_rule(const DbcToken& keyword) {
  const auto signal = signal_reference();
  at_stake(signal);
  MuxRule rule{};
  rule.where = at(keyword);
  rule.multiplexer = word("the multiplexer");
  while (lexer_.peek().kind == Kind::number) {
    const auto first = natural("the first value", UINT64_MAX);
    // "5-7" reads as 5 and -7
    if (!accept('-') &&
        !(lexer_.peek().kind == Kind::number && lexer_.peek().raw.starts_with('-'))) {
      fail(lexer_.peek(), "'-' and the last value");
    }
    const auto token = lexer_.take();
    const auto digits = token.raw.starts_with('-') ? token.raw.substr(1) : token.raw;
    std::uint64_t last = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), last);
    if (error != std::errc{} || stop != digits.data() + digits.size() || last < first)
      fail(token, "the last value, not below the first");
    rule.ranges.push_back({first, last});
    accept(',');
  }
  skip_to_semicolon();
  if (!signal || rule.ranges.empty()) return;
  rule.message = signal->first;
  rule.signal = signal->second;
  draft_.rules.push_back(std::move(rule));
}

std::string DbcDetails::attribute_value() {
  const auto token = lexer_.peek();
  if (token.kind == Kind::text) return text("a value");
  if (token.kind != Kind::number && token.kind != Kind::word)
    fail(token, "the value of the attribute");
  return std::string(lexer_.take().raw);
}

void DbcDetails::attribute_definition() {
  if (lexer_.peek().kind == Kind::word) lexer_.take();  // BU_, BO_, SG_, EV_
  const std::string name = text("the attribute");
  const std::string type = word("the type of the attribute");
  auto& values = draft_.enumerations[name];
  if (type == "ENUM") {
    while (lexer_.peek().kind == Kind::text) {
      values.push_back(text("a value"));
      accept(',');
    }
  }
  skip_to_semicolon();
}

void DbcDetails::attribute(const DbcToken&) {
  const std::string name = text("the attribute");
  const auto target = lexer_.peek();
  if (target.kind == Kind::word && target.raw == "BO_") {
    lexer_.take();
    const auto message = message_reference();
    std::string value = attribute_value();
    if (message) draft_.message_attributes[*message][name] = std::move(value);
  } else if (target.kind == Kind::word && target.raw == "SG_") {
    lexer_.take();
    const auto signal = signal_reference();
    std::string value = attribute_value();
    if (signal) draft_.signal_attributes[*signal][name] = std::move(value);
  } else if (target.kind == Kind::word && target.raw == "BU_") {
    lexer_.take();
    const std::string node = word("a node");
    const std::string value = attribute_value();
    if (name == "SystemNodeLongSymbol") draft_.node_long_names[node] = value;
  } else if (target.kind == Kind::text || target.kind == Kind::number) {
    draft_.network_attributes[name] = attribute_value();
  }
  skip_to_semicolon();
}

}  // namespace takt::codegen
