#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "codegen/code/print.hpp"
#include "codegen/emit/build/build.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/partition/make_plan.hpp"
#include "codegen/source/aggregate.hpp"
#include "codegen/source/layout.hpp"
#include "codegen/source/template.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;

namespace {

Sources sources_of(const sample::Plant& plant, const char* input_hash = "abc") {
  Diagnostics diagnostics;
  const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  Sources sources = emit_sources(plant.network, plant.dae, plan, {.generator = "1.2.3", .rig = false});
  set_input_hash(sources, input_hash);
  return sources;
}

const std::string& file(const Sources& sources, const std::string& name) {
  for (const SourceFile& source : sources) {
    if (source.name == name) return source.text.bytes();
  }
  FAIL("no file " << name);
  return sources.front().text.bytes();
}

std::string text_of(const Statements& statements) { return code::printed(statements.values(), statements.body()); }

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

TEST_CASE("another rig or comment changes one source: the others are not compiled again") {
  const Sources first = sources_of(sample::make_plant(), "abc"), second = sources_of(sample::make_plant(), "def");
  for (std::size_t index = 0; index < first.size(); ++index)
    CHECK((first[index].text == second[index].text) == (first[index].name != "plant.cpp"));
}

TEST_CASE("every emitted file has a banner with the version, and none calls libm or the heap") {
  for (const SourceFile& source : sources_of(sample::make_plant())) {
    INFO(source.name);
    CHECK(source.text.bytes().find("takt 1.2.3. Do not edit") != std::string::npos);
    for (const char* banned : {"std::exp", "std::pow", "= new", "malloc", "virtual", "__DATE__", "__FILE__"}) {
      CHECK(source.text.bytes().find(banned) == std::string::npos);
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
  CHECK(identifier_of("errno") == "errno_");  // a macro
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
  statements.bind(x, statements.values().variable("x0"));
  statements.count(value);
  statements.define(y, value, "");
  CHECK(text_of(statements) ==
        "const double t1 = takt::math::sin(x0);\nconst double a_y = k.coefficient * t1 + t1 * t1;\n");
  REQUIRE(coefficients.expressions().size() == 1);
  CHECK(coefficients.expressions()[0] == fixed);
}

TEST_CASE("coefficients are named after a parameter, what they are made of, or what they are part of") {
  Graph g;
  const SymbolId m = g.make_symbol("solid.foil.m", "kg"), cp = g.make_symbol("solid.foil.cp", "J/kg/K");
  const Expr heat = g.mul(g.use(m), g.use(cp)), other = g.unary(Op::exp, g.use(m));
  Quantities quantities;
  quantities.name.emplace(other, "solid_foil_loss");
  Coefficients coefficients(g, {{m, true}, {cp, true}});
  coefficients.name_after(quantities);
  code::Values values;
  const auto text = [&](code::Value value) { return code::printed(values, value); };
  CHECK(text(coefficients.value_of(g.use(m), values)) == "k.solid_foil_m");
  CHECK(text(coefficients.reciprocal_of(heat, values)) == "k.inverse_of_solid_foil_m_times_cp");
  // Not the same: whether a function divides or takes a reciprocal that it shares is up to the divisions it sees.
  CHECK(text(coefficients.value_of(g.div(g.constant(1.0), heat), values)) == "k.inverse_of_solid_foil_m_times_cp_2");
  CHECK(text(coefficients.value_of(other, values)) == "k.solid_foil_loss");
  const std::string part = "solid_foil_t";
  const Expr sine = g.unary(Op::sin, heat), cosine = g.unary(Op::cos, heat);
  coefficients.serve(sine, &part);
  coefficients.serve(cosine, &part);
  CHECK(text(coefficients.value_of(sine, values)) == "k.solid_foil_t_coefficient");
  CHECK(text(coefficients.value_of(cosine, values)) == "k.solid_foil_t_coefficient_2");
  CHECK(coefficients.formulas()[1] == "1/(solid.foil.m*solid.foil.cp)");
}

TEST_CASE("a negative coefficient is kept without its sign, which the sum or product around it takes") {
  Graph g;
  const SymbolId r = g.make_symbol("r", "Ohm"), v = g.make_symbol("v", "V"), w = g.make_symbol("w", "A");
  const Expr slope = g.div(g.constant(-1.0), g.use(r)), product = g.mul(g.use(v), slope);
  Coefficients coefficients(g, {{r, true}});
  const auto text = [&](Expr e) {
    Statements statements(g, &coefficients);
    statements.bind(v, statements.values().variable("v"));
    statements.bind(w, statements.values().variable("w"));
    const code::Value value = statements.value(e);
    return code::printed(statements.values(), value);
  };
  CHECK(text(g.neg(product)) == "v * k.inverse_of_r_");
  CHECK(text(product) == "-v * k.inverse_of_r_");
  CHECK(text(g.add(g.use(w), product)) == "w - v * k.inverse_of_r_");
  CHECK(text(g.sub(g.use(w), product)) == "w + v * k.inverse_of_r_");
  CHECK(text(g.mul(product, slope)) == "v * k.inverse_of_r_ * k.inverse_of_r_");
  REQUIRE(coefficients.all().size() == 1);
}

TEST_CASE("a symbol that renames a local is that local, and a value used before its symbol has the symbol's name") {
  Graph g;
  const SymbolId a = g.make_symbol("a", "1"), b = g.make_symbol("b", "1"), c = g.make_symbol("c", "1"),
                 d = g.make_symbol("d", "1");
  const Expr sine = g.unary(Op::sin, g.use(a));
  Statements statements(g, nullptr);
  statements.bind(a, statements.values().variable("a0"));
  statements.announce(c, sine, "c [1]");
  for (const Expr root : {g.add(sine, g.one()), sine, g.use(c)}) statements.count(root);
  statements.define(b, g.add(sine, g.one()), "");
  statements.define(c, sine, "");
  statements.define(d, g.use(c), "");
  CHECK(text_of(statements) == "const double c = takt::math::sin(a0);  // c [1]\nconst double b_ = c + 1.0;\n");
  CHECK(code::printed(statements.values(), statements.value_of(d)) == "c");
}

TEST_CASE("parameters are named, and an alias is there, where the statements use them") {
  code::Values v;
  code::Block body;
  body.branch(v.variable("a")).change(v.element("z", 0), code::Change::add, v.member("m", "mass"));
  body.act(v.verbatim("[this, h] { look(h); }", {v.variable("h")}));
  const code::UsedNames used(v, {body.statements()});
  CHECK(list_of({{"double", "t"}, {"const double*", "z"}, {"double", "h"}}, used) ==
        "double, const double* z, double h");
  CHECK(list_of({{"double", "t"}, {"double", "s"}}, false) == "double, double");
  const code::Definition m = alias_of(v, {"const auto&", "m"}, v.variable("n")),
                         f = alias_of(v, {"const auto&", "f"}, v.variable("n"));
  CHECK(code::printed(v, where_used(v, m, used)) == "const auto& m = n;\n");
  CHECK(where_used(v, f, used).empty());
}

TEST_CASE("long lines are broken where operands hang together least, their comments stand above them") {
  const std::string a(40, 'a'), b(40, 'b');
  CHECK(with_short_lines("  x = " + a + " * 2 + " + b + " * 3;  // sum\n").bytes() ==
        "  // sum\n  x = " + a + " * 2 + " + b + " * 3;\n");
  CHECK(with_short_lines("  x = " + a + " * 2 + " + b + " * 3 + (" + a + " - " + b + ");\n").bytes() ==
        "  x = " + a + " * 2 + " + b + " * 3 +\n      (" + a + " - " + b + ");\n");
  CHECK(with_short_lines("/// " + a + " " + b + " " + a + "\n").bytes() == "/// " + a + " " + b + "\n/// " + a + "\n");
  CHECK(with_short_lines("f(\"" + a + " + // " + b + "\", " + a + ");\n").bytes() ==
        "f(\"" + a + " + // " + b + "\",\n    " + a + ");\n");
}

TEST_CASE("what is filled in later stands in its place, also behind lines that are broken; once") {
  Writer text;
  text.comment(std::string(150, 'a') + " " + std::string(50, 'b'));
  text.open("struct A");
  text.line_to_fill(".hash = \"", "\",");
  text.close("};");
  SourceText page = text.page();
  page.fill("abc");
  CHECK(page.bytes().ends_with("\nstruct A {\n  .hash = \"abc\",\n};\n"));
  CHECK_THROWS_AS(page.fill("def"), std::logic_error);
}

TEST_CASE("rows of an array have members by name, what users write in them is a literal") {
  Writer text;
  write_array(text, {"Row", "rows"},
              {Aggregate().text("name", "a\"b").number("gain", 2.0).number("on", true).code("next", "&x").code()});
  write_array(text, {"Row", "none", "static"}, {});
  CHECK(text.as_written().bytes() ==
        "constexpr std::array<Row, 1> rows{{\n"
        "    {.name = \"a\\\"b\", .gain = 2.0, .on = true, .next = &x},\n}};\n"
        "static std::array<Row, 0> none{};\n");
}

TEST_CASE("holes of a fixed text and values for them belong together") {
  CHECK(filled("@a@ and @b@@a@", {{"a", "@b@"}, {"b", "2"}}) == "@b@ and 2@b@");
  CHECK_THROWS_AS(filled("@a@", {}), std::logic_error);
  CHECK_THROWS_AS(filled("a", {{"a", "1"}}), std::logic_error);
}

TEST_CASE("what changes in a loop is printed inside it, the rest before it") {
  Graph g;
  const SymbolId u = g.make_symbol("u", "1"), a = g.make_symbol("a", "1");
  const Expr outside = g.unary(Op::exp, g.use(a));
  const Expr value = g.mul(g.unary(Op::sin, g.use(u)), outside);
  Coefficients coefficients(g, {});
  Statements statements(g, &coefficients);
  statements.bind(a, statements.values().variable("a"));
  statements.bind(u, statements.values().variable("u"));
  statements.count(value);
  statements.open_loop({u});
  code::Values& values = statements.values();
  const code::Value place = values.variable("u"), n = values.variable("n"), change = statements.value(value);
  statements.block().change(place, code::Change::subtract, change);
  statements.close_loop(
      code::Loop{values.name("int"), n, values.integer(0), values.operation(code::Form::less, n, place), nullptr});
  CHECK(text_of(statements) ==
        "const double t1 = takt::math::exp(a);\nfor (int n = 0; n < u; ++n) {\n  u -= takt::math::sin(u) * t1;\n}\n");
}

TEST_CASE("operators keep the order of the expression") {
  Graph g;
  std::vector<SymbolId> s;
  for (const char* name : {"a", "b", "c"}) s.push_back(g.make_symbol(name, "1"));
  const Expr a = g.use(s[0]), b = g.use(s[1]), c = g.use(s[2]);
  const auto text = [&](Expr e) {
    Coefficients coefficients(g, {});
    Statements statements(g, &coefficients);
    for (const SymbolId symbol : s) statements.bind(symbol, statements.values().variable(g.symbol(symbol).path));
    const code::Value value = statements.value(e);
    return code::printed(statements.values(), value);
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

TEST_CASE("numbers of large functions stand in plant memory: no thread has a stack for them") {
  const auto most_in_a_frame = [](const Sources& sources) {
    std::size_t most = 0;
    for (const SourceFile& source : sources) {
      constexpr const char* declared = "  double value[";
      for (std::size_t at = 0; (at = source.text.bytes().find(declared, at)) != std::string::npos; ++at)
        most = std::max<std::size_t>(most, std::stoul(source.text.bytes().substr(at + std::strlen(declared))));
    }
    return most;
  };
  CHECK(most_in_a_frame(sources_of(sample::make_ladder_plant(2000))) > 1000);
  const Sources large = sources_of(sample::make_ladder_plant(20000));
  CHECK(most_in_a_frame(large) <= 8192);
  const bool in_memory = std::any_of(large.begin(), large.end(), [](const SourceFile& source) {
    return source.text.bytes().find("_values{};") != std::string::npos;
  });
  CHECK(in_memory);
}
