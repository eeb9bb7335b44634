#include "codegen/text/expression.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "codegen/text/quantity.hpp"

using namespace takt::codegen;

namespace {

/// Prefix notation: op(arg, ...); literals as SI value, a unit literal followed by {dimension}.
std::string dump(const Ast& ast) {
  if (ast.kind == Ast::Kind::number) {
    return number_text(ast.value) + (ast.unit ? '{' + dimension_text(ast.unit->dimension) + '}' : "");
  }
  std::string out = ast.name;
  if (ast.kind == Ast::Kind::name) return out;
  out += '(';
  for (std::size_t k = 0; k < ast.args.size(); ++k) out += (k > 0 ? ", " : "") + dump(*ast.args[k]);
  return out + ')';
}

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += piece;
  return text;
}

std::string parsed(std::string_view text) {
  Diagnostics diagnostics;
  const auto ast = parse_expression(text, {"", 1, 1}, diagnostics);
  if (!ast) return "!" + diagnostics.all().at(0).code;
  CHECK(diagnostics.all().empty());
  return dump(*ast);
}

}  // namespace

TEST_CASE("operators_bind_as_in_mathematics") {
  CHECK(parsed("a+b*c") == "+(a, *(b, c))");
  CHECK(parsed("a-b-c") == "-(-(a, b), c)");
  CHECK(parsed("a/b*c") == "*(/(a, b), c)");
  CHECK(parsed("a^b^c") == "^(a, ^(b, c))");
  CHECK(parsed("-a^2") == "-(^(a, 2))");
  CHECK(parsed("2^-x") == "^(2, -(x))");
  CHECK(parsed("-a*b") == "*(-(a), b)");
  CHECK(parsed("(a+b)*c") == "*(+(a, b), c)");
  CHECK(parsed("+a") == "a");
  CHECK(parsed("a < b + c") == "<(a, +(b, c))");
  CHECK(parsed("not a < b and c or d") == "or(and(not(<(a, b)), c), d)");
  CHECK(parsed("if(a >= 0, b, c)") == "if(>=(a, 0), b, c)");
  CHECK(parsed("f()") == "f()");
  CHECK(parsed("true and false") == "and(1, 0)");
}

TEST_CASE("units_behind_numbers_belong_to_them") {
  CHECK(parsed("5 mOhm") == "0.005{Ohm}");
  CHECK(parsed("4 W/K*x") == "*(4{W/K}, x)");
  CHECK(parsed("4W/K") == "4{W/K}");
  CHECK(parsed("2 V / r") == "/(2{V}, r)");
  CHECK(parsed("2 V/r") == "/(2{V}, r)");
  CHECK(parsed("1 Ohm*(1 + 0.01*i)") == "*(1{Ohm}, +(1, *(0.01, i)))");
  CHECK(parsed("2*pi*50 Hz*time") == "*(*(*(2, pi), 50{1/s}), time)");
  CHECK(parsed("3 m^2") == "3{m^2}");
  CHECK(parsed("3 m^0.5") == "^(3{m}, 0.5)");
  CHECK(parsed("3 1/s") == "3{1/s}");
  CHECK(parsed("1/s") == "/(1, s)");
  CHECK(parsed("50 %*x") == "*(0.5{1}, x)");
  CHECK(parsed("(2 V)^2") == "^(2{V}, 2)");
  CHECK(parsed("x > 1 and y") == "and(>(x, 1), y)");
  CHECK(parsed("25 degC") == "298.15{K}");
  CHECK(parsed("t - 25 degC") == "-(t, 298.15{K})");
  CHECK(parsed("-10 degC") == "263.15{K}");
  CHECK(parsed("-10 V") == "-(10{V})");
}

TEST_CASE("names_have_dots_and_indices") {
  CHECK(parsed("electric.pack[3].r0.v") == "electric.pack[3].r0.v");
  CHECK(parsed("a[i+1] - b[i]") == "-(a[i+1], b[i])");
  CHECK(parsed("a[0][1].x") == "a[0][1].x");
}

TEST_CASE("malformed_expressions_are_refused_with_their_code") {
  CHECK(parsed("") == "!E001");
  CHECK(parsed("  \t\n") == "!E001");
  CHECK(parsed("a = b") == "!E002");
  CHECK(parsed("a & b") == "!E002");
  CHECK(parsed("\"x\"") == "!E002");
  CHECK(parsed("a.") == "!E002");
  CHECK(parsed("a +") == "!E003");
  CHECK(parsed("* a") == "!E003");
  CHECK(parsed("f(,)") == "!E003");
  CHECK(parsed("and b") == "!E003");
  CHECK(parsed("(a") == "!E004");
  CHECK(parsed("f(a, b") == "!E004");
  CHECK(parsed("a[") == "!E004");
  CHECK(parsed("a[-") == "!E004");
  CHECK(parsed("a)") == "!E005");
  CHECK(parsed("a b") == "!E005");
  CHECK(parsed("a not b") == "!E005");
  CHECK(parsed("a < b < c") == "!E007");
  CHECK(parsed("1e999") == "!E008");
  CHECK(parsed("5 mohm") == "!E009");
  CHECK(parsed("3x") == "!E009");
  CHECK(parsed("1.2.3") == "!E005");
  CHECK(parsed(repeated("1", 70000)) == "!E006");
  CHECK(parsed(repeated("(", 300)) == "!E006");
  CHECK(parsed(repeated("-", 300)) == "!E006");
  CHECK(parsed(repeated("a+", 2500)) == "!E006");
  CHECK(parsed(repeated("a^", 300)) == "!E006");
}

TEST_CASE("large_expressions_within_the_limits_are_accepted") {
  CHECK(parsed(repeated("a+", 1900) + "a").size() > 1900);
  CHECK(parsed(repeated("(", 150) + "a" + repeated(")", 150)) == "a");
}

TEST_CASE("findings_point_at_the_column_of_the_mistake") {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_expression("1 + foo * 3 bananas", {"plant.toml", 14, 9}, diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].where == Location{"plant.toml", 14, 9 + 12});
}

TEST_CASE("every_refusal_reports_exactly_one_error") {
  // Random token soup, fixed seed: either a tree and silence, or one error.
  static constexpr std::string_view pieces[] = {"a",    "1", "2.5", " V", " K", "+",  "-",  "*",  "/",    "^",
                                                "(",    ")", ",",   "<",  ">=", "==", "if", "f(", "not ", " and ",
                                                " or ", ".", "[",   "]",  "%",  "1e", "=",  " ",  "degC", "\xC2\xB5"};
  std::mt19937 random(7);
  std::size_t accepted = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string text;
    const auto length = 1 + random() % 8;
    for (unsigned k = 0; k < length; ++k) text += pieces[random() % std::size(pieces)];
    Diagnostics diagnostics;
    const auto ast = parse_expression(text, {"", 1, 1}, diagnostics);
    accepted += ast ? 1U : 0U;
    if (diagnostics.error_count() != (ast ? 0U : 1U)) FAIL("\"" << text << "\" reported " << diagnostics.error_count());
  }
  CHECK(accepted > 1000);
}
