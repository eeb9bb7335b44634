#include "codegen/emit/paired_statements.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace takt::codegen {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_name(char c) { return begins_name(c) || is_digit(c) || c == '.' || c == ':' || c == '[' || c == ']'; }

/// Names with their members and indices, numbers, and every other character.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (begins_name(text[at])) {
      while (end < text.size() && in_name(text[end])) ++end;
    } else if (is_digit(text[at])) {
      while (end < text.size() && (is_digit(text[end]) || text[end] == '.' || text[end] == 'e' ||
                                   (text[end - 1] == 'e' && (text[end] == '-' || text[end] == '+'))))
        ++end;
    } else if (end < text.size() &&
               (text[end] == '=' || (text[end] == text[at] && (text[at] == '&' || text[at] == '|')))) {
      ++end;
    }
    if (text[at] != ' ') tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::string text_of(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    const bool operation = std::string_view("+-*/?:<>&|=").find(token.front()) != std::string_view::npos;
    const bool sign = token == "-" && (text.empty() || text.back() == '(' || text.back() == ' ');
    if (operation && !sign) text += ' ';
    text += token;
    if ((operation && !sign) || token == ",") text += ' ';
  }
  return text;
}

bool is_name(const std::string& token) { return begins_name(token.front()); }
bool is_member(const std::string& token) {
  return token.size() > 2 && token[1] == '.' && std::string_view("fgk").find(token[0]) != std::string_view::npos;
}
bool is_element(const std::string& token) { return is_name(token) && token.back() == ']'; }
bool is_value(const std::string& token) { return is_name(token) && token.find(':') == std::string::npos; }

/// Nothing that a pair cannot do: conditions and functions.
bool is_arithmetic(const std::vector<std::string>& tokens) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (std::string_view("?:<>&|=,!").find(tokens[k].front()) != std::string_view::npos) return false;
    if (is_name(tokens[k]) && (!is_value(tokens[k]) || (k + 1 < tokens.size() && tokens[k + 1] == "("))) return false;
  }
  return true;
}

constexpr const char* invariant_array = "f.pairs";
constexpr char pair_mark = '#';  ///< before the name of a whole pair, where the same text could name a number

std::string element(const std::string& array, std::size_t index) { return array + "[" + std::to_string(index) + "]"; }

/// "w[3]" -> w, 3; "y[1][0]" -> y, 2
std::optional<std::pair<std::string, std::size_t>> place_of(const std::string& token) {
  if (!is_element(token)) return std::nullopt;
  const std::size_t open = token.find('['), close = token.find(']');
  const auto digits = [](std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
  };
  const std::string first = token.substr(open + 1, close - open - 1);
  if (!digits(first)) return std::nullopt;
  if (close + 1 == token.size()) return std::pair{token.substr(0, open), std::stoul(first)};
  const std::string second = token.substr(close + 2, token.size() - close - 3);
  if (token[close + 1] != '[' || (second != "0" && second != "1")) return std::nullopt;
  return std::pair{token.substr(0, open), 2 * std::stoul(first) + std::stoul(second)};
}

}  // namespace

std::optional<PairedStatements> PairedStatements::read(const std::string& body, const std::vector<std::string>& known,
                                                       std::map<std::string, std::string> lanes) {
  PairedStatements result;
  result.lanes_ = std::move(lanes);
  for (std::size_t start = 0; start < body.size();) {
    const std::size_t end = std::min(body.find('\n', start), body.size());
    std::string line = body.substr(start, end - start);
    start = end + 1;
    if (std::find(known.begin(), known.end(), line) != known.end()) continue;
    Statement statement;
    if (const std::size_t comment = line.find("  // "); comment != std::string::npos) {
      statement.comment = line.substr(comment + 5);
      line.resize(comment);
    }
    if (!line.ends_with(";")) return std::nullopt;
    line.pop_back();
    for (const std::string type : {"double", "bool"})
      if (const std::string head = "const " + type + " "; line.starts_with(head)) {
        statement.type = type;
        line.erase(0, head.size());
      }
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) return std::nullopt;
    const std::string target = line.substr(0, equals);
    if (statement.type.empty() ? !place_of(target) : tokens_of(target).size() != 1) return std::nullopt;
    statement.tokens = tokens_of(line.substr(equals + 3));
    if (statement.tokens.empty() || !result.statements_.emplace(target, std::move(statement)).second)
      return std::nullopt;
  }
  return result;
}

bool PairedStatements::assigns(const std::string& array, std::size_t index) const {
  return statements_.contains(element(array, index));
}

bool PairedStatements::is_text(const std::string& array, std::size_t index, const std::string& text) const {
  return text_of(statements_.at(element(array, index)).tokens) == text;
}

bool PairedStatements::reads(const std::string& name) const {
  return std::any_of(statements_.begin(), statements_.end(), [&](const auto& statement) {
    const auto& tokens = statement.second.tokens;
    return std::find(tokens.begin(), tokens.end(), name) != tokens.end();
  });
}

bool PairedStatements::pair(const std::vector<std::string>& arrays) {
  for (const std::string& array : arrays)
    for (std::size_t index = 0; assigns(array, index + 1); index += 2)
      static_cast<void>(merged(element(array, index), element(array, index + 1)));
  std::map<std::string, int> state;
  return std::none_of(statements_.begin(), statements_.end(),
                      [&](const auto& statement) { return waits_in_circle(statement.first, state); });
}

std::optional<std::string> PairedStatements::merged(const std::string& first, const std::string& second) {
  if (const auto half = halves_.find(first); half != halves_.end()) {
    const auto other = halves_.find(second);
    const bool both = other != halves_.end() && other->second.name == half->second.name && half->second.lane == 0;
    return both ? std::optional(half->second.name) : std::nullopt;
  }
  if (first == second || halves_.contains(second) || failed_.contains({first, second})) return std::nullopt;
  failed_.emplace(first, second);  // until the end, and for what would need itself
  const Statement &a = statements_.at(first), &b = statements_.at(second);
  if (a.type == "bool" || b.type == "bool" || a.tokens.size() != b.tokens.size()) return std::nullopt;
  if (!is_arithmetic(a.tokens) || !is_arithmetic(b.tokens)) return std::nullopt;
  Statement both;
  std::size_t vectors = 0, gathered = 0;
  for (std::size_t k = 0; k < a.tokens.size(); ++k) {
    const auto token = merged_token(a.tokens[k], b.tokens[k], vectors, gathered);
    if (!token) return std::nullopt;
    both.tokens.push_back(*token);
  }
  if (vectors == 0 || gathered > 1 || halves_.contains(first) || halves_.contains(second)) return std::nullopt;
  both.comment = a.comment + (a.comment.empty() || b.comment.empty() ? "" : "; ") + b.comment;
  const bool renames = both.tokens.size() == 1 && pairs_.contains(both.tokens.front());
  const std::string name = renames ? both.tokens.front() : "both_" + std::to_string(pairs_.size());
  halves_[first] = {name, 0}, halves_[second] = {name, 1};
  pairs_.emplace(name, std::move(both));
  return name;
}

std::optional<std::string> PairedStatements::merged_token(const std::string& first, const std::string& second,
                                                          std::size_t& vectors, std::size_t& gathered) {
  const auto one = lane_of(first), other = lane_of(second);
  if (one && other && one->first == other->first && one->second == 0 && other->second == 1) {
    ++vectors;
    return pair_mark + one->first;
  }
  if (first == second) return first;
  if (!is_value(first) || !is_value(second)) return std::nullopt;
  if (is_member(first) && is_member(second)) {
    const std::string value = "{" + first + ", " + second + "}";
    const auto [found, is_new] = invariant_of_.emplace(value, element(invariant_array, invariants_.size()));
    if (is_new) invariants_.push_back(value);
    return found->second;
  }
  if (statements_.contains(first) && statements_.contains(second))
    if (auto name = merged(first, second)) {
      ++vectors;
      return name;
    }
  for (const std::string& name : {first, second})
    if (const auto found = statements_.find(name); found != statements_.end() && found->second.type == "bool")
      return std::nullopt;
  ++gathered;
  return "{" + first + ", " + second + "}";
}

std::optional<std::pair<std::string, std::size_t>> PairedStatements::lane_of(const std::string& token) const {
  const auto place = place_of(token);
  if (!place) return std::nullopt;
  const auto lanes = lanes_.find(place->first);
  if (lanes == lanes_.end()) return std::nullopt;
  return std::pair{element(lanes->second, place->second / 2), place->second % 2};
}

/// Names that stand in a token: both of "{a, b}".
static std::vector<std::string> names_in(const std::string& token) {
  if (token.front() != '{') return {token};
  const std::size_t comma = token.find(", ");
  return {token.substr(1, comma - 1), token.substr(comma + 2, token.size() - comma - 3)};
}

bool PairedStatements::waits_in_circle(const std::string& name, std::map<std::string, int>& state) const {
  const auto half = halves_.find(name);
  const std::string& key = half == halves_.end() ? name : half->second.name;
  const auto pair = pairs_.find(key);
  const auto single = statements_.find(key);
  if (pair == pairs_.end() && single == statements_.end()) return false;
  constexpr int open = 1, closed = 2;
  int& mine = state[key];
  if (mine != 0) return mine == open;
  mine = open;
  for (const std::string& token : pair != pairs_.end() ? pair->second.tokens : single->second.tokens)
    for (const std::string& read : names_in(token))
      if (waits_in_circle(read, state)) return true;
  state[key] = closed;
  return false;
}

std::string PairedStatements::scalar(const std::string& token) const {
  if (const auto half = halves_.find(token); half != halves_.end())
    return element(half->second.name, half->second.lane);
  if (const auto lane = lane_of(token)) return element(lane->first, lane->second);
  if (statements_.contains(token) && is_element(token)) {  // an assignment that others read has a local
    std::string name = "of_" + token;
    std::replace(name.begin(), name.end(), '[', '_');
    name.pop_back();
    return name;
  }
  return token;
}

void PairedStatements::define_reads(const std::vector<std::string>& tokens, std::vector<std::string>& lines) {
  for (const std::string& token : tokens)
    for (const std::string& read : names_in(token)) define(read, lines);
}

void PairedStatements::define(const std::string& name, std::vector<std::string>& lines) {
  const auto half = halves_.find(name);
  const std::string key = half == halves_.end() ? name : half->second.name;
  const auto pair = pairs_.find(key);
  const auto single = statements_.find(key);
  if ((pair == pairs_.end() && single == statements_.end()) || !defined_.insert(key).second) return;
  const Statement& statement = pair != pairs_.end() ? pair->second : single->second;
  define_reads(statement.tokens, lines);
  const std::string comment = statement.comment.empty() ? "" : "  // " + statement.comment;
  std::vector<std::string> tokens;
  for (const std::string& token : statement.tokens) {
    if (token.front() == pair_mark) {
      tokens.push_back(token.substr(1));
      continue;
    }
    const auto names = names_in(token);
    tokens.push_back(names.size() == 2 ? "takt::TwoDoubles{" + scalar(names[0]) + ", " + scalar(names[1]) + "}"
                                       : scalar(token));
  }
  const std::string type = pair != pairs_.end()     ? "takt::TwoDoubles"
                           : statement.type.empty() ? "double"
                                                    : statement.type;
  lines.push_back("const " + type + " " + (pair != pairs_.end() ? key : scalar(key)) + " = " + text_of(tokens) + ";" +
                  comment);
}

std::optional<std::string> PairedStatements::pair_value(const std::string& array, std::size_t block,
                                                        std::vector<std::string>& lines) {
  const auto half = halves_.find(element(array, 2 * block));
  if (half == halves_.end() || half->second.lane != 0) return std::nullopt;
  define(element(array, 2 * block), lines);
  return half->second.name;
}

std::string PairedStatements::value(const std::string& array, std::size_t index, std::vector<std::string>& lines) {
  define(element(array, index), lines);
  return scalar(element(array, index));
}

std::string PairedStatements::comment(const std::string& array, std::size_t index) const {
  return statements_.at(element(array, index)).comment;
}

}  // namespace takt::codegen
