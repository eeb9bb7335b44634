#include "codegen/dbc/dbc_reader.hpp"

#include <charconv>
#include <set>
#include <utility>

#include "codegen/dbc/dbc_parser.hpp"

namespace takt::codegen {

using Kind = DbcToken::Kind;

namespace {

const std::set<std::string_view>& keywords() {
  static const std::set<std::string_view> words{"VERSION",
                                                "NS_",
                                                "BS_",
                                                "BU_",
                                                "BO_",
                                                "SG_",
                                                "BO_TX_BU_",
                                                "CM_",
                                                "BA_DEF_",
                                                "BA_DEF_DEF_",
                                                "BA_",
                                                "VAL_",
                                                "VAL_TABLE_",
                                                "SIG_VALTYPE_",
                                                "SG_MUL_VAL_",
                                                "SIG_GROUP_",
                                                "EV_",
                                                "ENVVAR_DATA_",
                                                "EV_DATA_",
                                                "SGTYPE_",
                                                "SGTYPE_VAL_",
                                                "BA_DEF_SGTYPE_",
                                                "BA_SGTYPE_",
                                                "SIG_TYPE_REF_",
                                                "SIGTYPE_VALTYPE_",
                                                "BA_DEF_REL_",
                                                "BA_REL_",
                                                "BA_DEF_DEF_REL_",
                                                "BU_SG_REL_",
                                                "BU_EV_REL_",
                                                "BU_BO_REL_",
                                                "CAT_DEF_",
                                                "CAT_",
                                                "FILTER",
                                                "NS_DESC_"};
  return words;
}

}  // namespace

bool DbcReader::known_keyword(std::string_view word) { return keywords().contains(word); }

Location DbcReader::at(const DbcToken& token) const { return {file_, token.line, token.column}; }

void DbcReader::fail(const DbcToken& token, const std::string& wanted, std::string hint) {
  std::string found = "the end of the file";
  if (token.kind != Kind::end)
    found = std::string(1, '\'').append(dbc_utf8(token.raw.substr(0, 40))).append("'");
  broken(token, "expected " + wanted + ", found " + found, std::move(hint));
}

void DbcReader::broken(const DbcToken& token, const std::string& what, std::string hint) {
  last_ = {what, at(token)};
  if (mistakes_ == 0) first_ = last_;
  if (++mistakes_ <= max_told) diagnostics_.warning("B011", at(token), what, std::move(hint));
  throw Broken{};
}

bool DbcReader::is_keyword(const DbcToken& token) const {
  return token.kind == Kind::word && token.first_on_line && known_keyword(token.raw);
}

void DbcReader::recover() {
  while (lexer_.peek().kind != Kind::end && !is_keyword(lexer_.peek())) lexer_.take();
}

bool DbcReader::is_mark(char c) const {
  const auto& token = lexer_.peek();
  return token.kind == Kind::mark && token.raw[0] == c;
}

bool DbcReader::accept(char c) {
  if (!is_mark(c)) return false;
  lexer_.take();
  return true;
}

void DbcReader::expect(char c, const char* where) {
  if (!accept(c)) fail(lexer_.peek(), std::string("'") + c + "' " + where);
}

std::string DbcReader::word(const char* what) {
  if (lexer_.peek().kind != Kind::word) fail(lexer_.peek(), what);
  return dbc_utf8(lexer_.take().raw);
}

std::string DbcReader::text(const char* what) {
  const auto token = lexer_.peek();
  if (token.kind != Kind::text) fail(token, std::string(what) + " in quotes");
  lexer_.take();
  if (token.broken) broken(token, "this text has no closing quote");
  return dbc_utf8(token.raw);
}

double DbcReader::number(const char* what) {
  const auto token = lexer_.peek();
  const auto value = token.kind == Kind::number ? dbc_double(token.raw) : std::nullopt;
  if (!value) fail(token, what);
  lexer_.take();
  return *value;
}

std::uint64_t DbcReader::natural(const char* what, std::uint64_t largest) {
  const auto token = lexer_.peek();
  std::uint64_t value = 0;
  const auto* end = token.raw.data() + token.raw.size();
  if (token.kind != Kind::number) fail(token, what);
  const auto [stop, error] = std::from_chars(token.raw.data(), end, value);
  if (stop != end || error != std::errc{} || value > largest) {
    fail(token, std::string(what) + ", a whole number from 0 to " + std::to_string(largest));
  }
  lexer_.take();
  return value;
}

void DbcReader::skip_to_semicolon() {
  while (lexer_.peek().kind != Kind::end && !is_mark(';')) {
    if (is_keyword(lexer_.peek())) return;  // a forgotten ';' must not swallow the next statement
    lexer_.take();
  }
  accept(';');
}

}  // namespace takt::codegen
