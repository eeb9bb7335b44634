#include "codegen/modelica/base_modelica_lexer.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace takt::codegen::modelica {
namespace {

constexpr std::size_t most_bytes = 200'000'000;

// Longest first.
constexpr auto signs = std::to_array<std::string_view>(
    {":=", "<=", ">=", "==", "<>", ".+", ".-", ".*", "./", ".^", "(", ")", "[", "]",
     "{",  "}",  ";",  ",",  ":",  "=",  "+",  "-",  "*",  "/",  "^", "<", ">", "."});

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(std::string_view text, FileName file) : text_(text), file_(file) {}

  std::vector<Token> run() {
    if (text_.size() > most_bytes) refuse("a text of more than 200 MB", "");
    for (;;) {
      skip_space();
      start_ = here();
      if (at_ == text_.size()) break;
      made_.push_back(next());
    }
    made_.push_back(
        {.kind = Token::Kind::end, .text = "the end of the file", .number = 0.0, .where = start_});
    return std::move(made_);
  }

 private:
  [[nodiscard]] Location here() const {
    return {file_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  }
  [[noreturn]] void refuse(std::string what, std::string hint) const {
    throw Refusal{"D001", std::move(what), std::move(hint), start_};
  }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void step() {
    if (text_[at_++] != '\n') return;
    ++line_;
    line_start_ = at_;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        step();
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && peek() != '\n') step();
      } else if (c == '/' && peek(1) == '*') {
        start_ = here();
        while (at_ < text_.size() && !(peek() == '*' && peek(1) == '/')) step();
        if (at_ == text_.size()) refuse("a comment that does not end", "close it with */");
        step(), step();
      } else {
        return;
      }
    }
  }

  Token next() {
    const char c = peek();
    if (is_letter(c)) {
      const std::size_t from = at_;
      while (is_letter(peek()) || is_digit(peek())) step();
      return made(Token::Kind::word, std::string(text_.substr(from, at_ - from)));
    }
    if (is_digit(c)) return number();
    if (c == '\'') return made(Token::Kind::quoted, enclosed('\'', "a name"));
    if (c == '"') return made(Token::Kind::text, enclosed('"', "a text"));
    for (const std::string_view sign : signs) {
      if (text_.substr(at_, sign.size()) != sign) continue;
      for (std::size_t k = 0; k < sign.size(); ++k) step();
      return made(Token::Kind::sign, std::string(sign));
    }
    const auto byte = static_cast<unsigned char>(c);
    refuse(byte >= 0x20 && byte < 0x7F
               ? std::string("'") + c + "' begins nothing in Base Modelica"
               : "the byte " + std::to_string(byte) + " begins nothing in Base Modelica",
           "names with other letters stand in quotes: 'name'");
  }

  [[nodiscard]] Token made(Token::Kind kind, std::string text) const {
    return {.kind = kind, .text = std::move(text), .number = 0.0, .where = start_};
  }

  std::string enclosed(char quote, const char* what) {
    std::string inside;
    step();
    while (at_ < text_.size() && peek() != quote) {
      if (peek() == '\\' && at_ + 1 < text_.size()) {
        step();
        const char escaped = peek();
        inside += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
      } else {
        if (quote == '\'' && peek() == '\n')
          refuse(std::string(what) + " that does not end in its line", "close it with '");
        inside += peek();
      }
      step();
    }
    if (at_ == text_.size())
      refuse(std::string(what) + " that does not end", std::string("close it with ") + quote);
    step();
    return inside;
  }

  Token number() {
    const std::size_t from = at_;
    bool real = false;
    while (is_digit(peek())) step();
    // 1.*x is not a number with a point.
    if (peek() == '.' && peek(1) != '*' && peek(1) != '/' && peek(1) != '^' && peek(1) != '+' &&
        peek(1) != '-') {
      real = true;
      step();
      while (is_digit(peek())) step();
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
      real = true;
      for (std::size_t k = 0; k < sign; ++k) step();
      while (is_digit(peek())) step();
    }
    Token token = made(real ? Token::Kind::real : Token::Kind::whole,
                       std::string(text_.substr(from, at_ - from)));
    const char* last = token.text.data() + token.text.size();
    const auto read = std::from_chars(token.text.data(), last, token.number);
    if (read.ec != std::errc() || !std::isfinite(token.number))
      refuse("the number " + token.text + " is beyond what a computer holds", "");
    return token;
  }

  std::string_view text_;
  FileName file_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
  Location start_{};
  std::vector<Token> made_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, FileName file) {
  return Lexer(text, file).run();
}

}  // namespace takt::codegen::modelica
