#include "codegen/emit/paired_statements.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using takt::codegen::PairedStatements;

namespace {

std::optional<PairedStatements> read(const std::string& body) {
  return PairedStatements::read(body, {"takt::TwoDoubles y[2];"}, {{"w", "u"}, {"y", "y"}});
}

}  // namespace

TEST_CASE("neighbours that differ in lanes and coefficients become one") {
  auto statements = read(
      "takt::TwoDoubles y[2];\n"
      "const double a = y[0][0] * f.a + f.b;  // A\n"
      "const double b = y[0][1] * f.c + f.d;  // B\n"
      "dq[0] = y[0][0] * a;\n"
      "dq[1] = y[0][1] * b;\n");
  REQUIRE(statements);
  REQUIRE(statements->pair({"dq"}));
  std::vector<std::string> lines;
  CHECK(statements->pair_value("dq", 0, lines) == "both_1");
  CHECK(lines == std::vector<std::string>{"const takt::TwoDoubles both_0 = y[0] * f.pairs[0] + f.pairs[1];  // A; B",
                                          "const takt::TwoDoubles both_1 = y[0] * both_0;"});
  CHECK(statements->invariants() == std::vector<std::string>{"{f.a, f.c}", "{f.b, f.d}"});
}

TEST_CASE("what is read elsewhere is read from its half") {
  auto statements = read(
      "dz[0] = 2.0 * w[0];\n"
      "dz[1] = 2.0 * w[1];\n"
      "v[0] = dz[1] - w[2];\n");
  REQUIRE(statements);
  REQUIRE(statements->pair({"dz", "v"}));
  std::vector<std::string> lines;
  CHECK(statements->value("v", 0, lines) == "of_v_0");
  CHECK(lines.back() == "const double of_v_0 = both_0[1] - u[1][0];");
}

TEST_CASE("the order of operands counts: lanes that are swapped, conditions and functions are no pairs") {
  for (const std::string second : {"dz[1] = y[0][0] * f.a;\n", "dz[1] = y[0][1] > 0.0 ? f.a : f.b;\n",
                                   "dz[1] = takt::math::abs(y[0][1]);\n", "dz[1] = f.a * y[0][1];\n"}) {
    auto statements = read("dz[0] = y[0][1] * f.a;\n" + second);
    REQUIRE(statements);
    REQUIRE(statements->pair({"dz"}));
    std::vector<std::string> lines;
    CHECK_FALSE(statements->pair_value("dz", 0, lines));
    CHECK(statements->value("dz", 0, lines) == "of_dz_0");
    CHECK(lines.back() == "const double of_dz_0 = y[0][1] * f.a;");
  }
}

TEST_CASE("halves that wait for each other are seen") {
  auto statements = read(
      "const double a = w[0] * 2.0;\n"
      "const double c = a + w[2];\n"
      "const double b = w[1] * 2.0;\n"
      "const double d = b + w[3];\n"
      "dz[0] = c;\n"
      "dz[1] = d;\n");
  REQUIRE(statements);
  CHECK(statements->pair({"dz"}));
  auto circle = read(
      "const double a = w[0] * e;\n"
      "const double b = w[1] * f.g;\n"
      "const double e = b + f.g;\n"
      "dz[0] = a;\n"
      "dz[1] = b;\n");
  REQUIRE(circle);  // a waits for e, which waits for b: a and b would be computed at once
  CHECK_FALSE(circle->pair({"dz"}));
}

TEST_CASE("a body with anything but definitions and assignments is left alone") {
  for (const std::string line :
       {"if (w[0] > 0.0) v[0] = 1.0;\n", "helper(w);\n", "v[0] += 1.0;\n", "double a = 1.0;\n"})
    CHECK_FALSE(read("dz[0] = w[0];\n" + line));
}
