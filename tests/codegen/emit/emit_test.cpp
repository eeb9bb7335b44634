#include <catch2/catch.hpp>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/partition/make_plan.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;

namespace {

Sources sources_of(const sample::Plant& plant) {
  Diagnostics diagnostics;
  const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  return emit_sources(plant.network, plant.dae, plan, {.generator = "1.2.3", .input_hash = "abc", .rig = false});
}

const std::string& file(const Sources& sources, const std::string& name) {
  for (const SourceFile& source : sources) {
    if (source.name == name) return source.text;
  }
  FAIL("no file " << name);
  return sources.front().text;
}

}  // namespace

TEST_CASE("the same input gives the same bytes") {
  const Sources first = sources_of(sample::make_plant());
  const Sources second = sources_of(sample::make_plant());
  REQUIRE(first.size() == second.size());
  for (std::size_t index = 0; index < first.size(); ++index) {
    CHECK(first[index].name == second[index].name);
    CHECK(first[index].text == second[index].text);
  }
}

TEST_CASE("every emitted file has a banner with version and input hash, and none calls libm or the heap") {
  for (const SourceFile& source : sources_of(sample::make_plant())) {
    INFO(source.name);
    CHECK(source.text.find("takt 1.2.3 from input abc") != std::string::npos);
    for (const char* banned : {"std::exp", "std::pow", "= new", "malloc", "virtual", "__DATE__", "__FILE__"}) {
      CHECK(source.text.find(banned) == std::string::npos);
    }
  }
}

TEST_CASE("a plant without parameters, states or couplings can be emitted") {
  sample::Plant plant;
  plant.network.name = "empty";
  plant.network.time = plant.network.graph().make_symbol("time", "s");
  const Sources sources = sources_of(plant);
  CHECK(file(sources, "plan.hpp").find("std::array<takt::ExchangePlan, 0> exchanges{}") != std::string::npos);
}

TEST_CASE("names of the plant become names of C++") {
  CHECK(identifier_of("electric.pack.cell[3].r0") == "electric_pack_cell_3_r0");
  CHECK(identifier_of("double") == "double_");
  CHECK(identifier_of("t7") == "t7_");
  CHECK(identifier_of("3phase") == "n3phase");
  CHECK(identifier_of("a__b") == "a_b");
  CHECK(type_name_of("electric.1") == "Electric1");
}

TEST_CASE("shared subexpressions are computed once, fixed ones become coefficients") {
  Graph g;
  const SymbolId p = g.make_symbol("p", "1"), x = g.make_symbol("a.x", "1"), y = g.make_symbol("a.y", "1");
  const Expr fixed = g.unary(Op::exp, g.use(p));
  const Expr shared = g.unary(Op::sin, g.use(x));
  const Expr value = g.add(g.mul(fixed, shared), g.mul(shared, shared));
  Coefficients coefficients(g, {{p, true}});
  Statements statements(g, &coefficients);
  statements.bind(x, "x0");
  statements.count(value);
  statements.define(y, value, "");
  CHECK(statements.text().text() ==
        "const double t1 = takt::math::sin(x0);\nconst double a_y = k[0] * t1 + t1 * t1;\n");
  REQUIRE(coefficients.expressions().size() == 1);
  CHECK(coefficients.expressions()[0] == fixed);
}

TEST_CASE("what changes in a loop is printed inside it, the rest before it") {
  Graph g;
  const SymbolId u = g.make_symbol("u", "1"), a = g.make_symbol("a", "1");
  const Expr outside = g.unary(Op::exp, g.use(a));
  const Expr value = g.mul(g.unary(Op::sin, g.use(u)), outside);
  Coefficients coefficients(g, {});
  Statements statements(g, &coefficients);
  statements.bind(a, "a");
  statements.bind(u, "u");
  statements.count(value);
  statements.open_loop({u});
  const std::string text = statements.value(value);
  statements.writer().line("u -= " + text + ";");
  statements.close_loop("for (;;)");
  CHECK(statements.text().text() ==
        "const double t1 = takt::math::exp(a);\nfor (;;) {\n  u -= takt::math::sin(u) * t1;\n}\n");
}

TEST_CASE("operators keep the order of the expression") {
  Graph g;
  std::vector<SymbolId> s;
  for (const char* name : {"a", "b", "c"}) s.push_back(g.make_symbol(name, "1"));
  const Expr a = g.use(s[0]), b = g.use(s[1]), c = g.use(s[2]);
  const auto text = [&](Expr e) {
    Coefficients coefficients(g, {});
    Statements statements(g, &coefficients);
    for (const SymbolId symbol : s) statements.bind(symbol, g.symbol(symbol).path);
    return statements.value(e);
  };
  CHECK(text(g.sub(a, g.add(b, c))) == "a - (b + c)");
  CHECK(text(g.div(a, g.mul(b, c))) == "a / (b * c)");
  CHECK(text(g.mul(g.add(a, b), c)) == "(a + b) * c");
  CHECK(text(g.select(g.binary(Op::logical_and, g.binary(Op::less, a, b), c), a, g.add(b, c))) ==
        "a < b && c > 0.5 ? a : b + c");
  CHECK(text(g.add(g.binary(Op::less, a, b), c)) == "(a < b ? 1.0 : 0.0) + c");
}

TEST_CASE("hashes name what they hash") {
  CHECK(hash_text("") == "cbf29ce484222325");
  CHECK(hash_text("a") == "af63dc4c8601ec8c");
}
