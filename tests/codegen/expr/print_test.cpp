#include "codegen/expr/print.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace takt::codegen;

namespace {

struct Fixture {
  Graph g;
  Expr x = g.use(g.make_symbol("x", "1")), y = g.use(g.make_symbol("y", "1")), p = g.use(g.make_symbol("p", "1")),
       q = g.use(g.make_symbol("q", "1"));
  TableId curve = g.make_table({"curve", {0.0, 1.0}, {0.0, 1.0}});
  std::string print(const std::vector<PrintRoot>& roots, const PrintOptions& options = {}) {
    const PrintNames names{[this](SymbolId id) { return "m." + g.symbol(id).path; }, [this](TableId id) { return g.table(id).name; }};
    return print_cpp(g, roots, names, options).statements;
  }
  bool is_parameter(SymbolId id) const { return g.symbol(id).path == "p" || g.symbol(id).path == "q"; }
};

}  // namespace

TEST_CASE("expressions_print_as_statements") {
  Fixture f;
  Graph& g = f.g;
  CHECK(f.print({{"a", g.mul(f.x, g.add(g.one(), f.y))}}) == "  a = m.x*(1.0 + m.y);\n");
  CHECK(f.print({{"a", g.constant(-2.5e-9)}}) == "  a = -2.5e-09;\n");
  CHECK(f.print({{"a", g.sub(f.x, g.sub(f.y, g.one()))}}) == "  a = m.x - (m.y - 1.0);\n");
  CHECK(f.print({{"a", g.lookup(f.curve, f.x)}}) == "  a = takt::math::lookup(curve, m.x);\n");
  CHECK(f.print({{"a", g.unary(Op::exp, f.x)}}) == "  a = takt::math::exp(m.x);\n");
  const Expr less = g.binary(Op::less, f.x, f.y);
  CHECK(f.print({{"a", g.select(less, f.x, g.neg(f.y))}}) == "  a = m.x < m.y ? m.x : -m.y;\n");
  CHECK(f.print({{"a", less}}) == "  a = m.x < m.y ? 1.0 : 0.0;\n");
  CHECK(f.print({{"a", g.select(f.x, f.y, g.zero())}}) == "  a = m.x > 0.5 ? m.y : 0.0;\n");
  CHECK(f.print({{"a", g.unary(Op::logical_not, less)}}) == "  a = !(m.x < m.y) ? 1.0 : 0.0;\n");
}

TEST_CASE("shared_subexpressions_become_temporaries_at_their_first_use") {
  Fixture f;
  Graph& g = f.g;
  const Expr shared = g.unary(Op::sin, f.x);
  const std::string text = f.print({{"a", f.y}, {"b", g.add(shared, f.y)}, {"c", g.mul(shared, shared)}});
  CHECK(text == "  a = m.y;\n  const double t0 = takt::math::sin(m.x);\n  b = t0 + m.y;\n  c = t0*t0;\n");
  PrintOptions options;
  options.first_temporary = 7;
  options.temporary = "k";
  options.indent = "";
  CHECK(f.print({{"c", g.mul(shared, shared)}}, options) == "const double k7 = takt::math::sin(m.x);\nc = k7*k7;\n");
}

TEST_CASE("shared_conditions_become_bool") {
  Fixture f;
  Graph& g = f.g;
  const Expr less = g.binary(Op::less, f.x, f.y);
  CHECK(f.print({{"a", g.select(less, f.x, f.p)}, {"b", g.select(less, f.y, f.q)}}) ==
        "  const bool t0 = m.x < m.y;\n  a = t0 ? m.x : m.p;\n  b = t0 ? m.y : m.q;\n");
}

TEST_CASE("long_expressions_are_broken_into_lines") {
  Fixture f;
  Graph& g = f.g;
  Expr sum = f.x;
  for (int k = 0; k < 20'000; ++k) sum = g.add(g.mul(sum, f.y), g.constant(k + 0.5));
  const std::string text = f.print({{"a", sum}});
  std::size_t longest = 0, begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin)) {
    longest = std::max(longest, end - begin);
  }
  CHECK(longest < 200);
}

TEST_CASE("literals_read_back_as_the_same_double") {
  CHECK(double_literal(1.0) == "1.0");
  CHECK(double_literal(0.1) == "0.1");
  CHECK(double_literal(1e22) == "1e+22");
  CHECK(double_literal(4.7e-11) == "4.7e-11");
  CHECK(double_literal(std::numeric_limits<double>::infinity()) == "std::numeric_limits<double>::infinity()");
}

TEST_CASE("what_depends_on_parameters_only_is_hoisted_once_and_whole") {
  Fixture f;
  Graph& g = f.g;
  const Expr fixed = g.div(f.p, g.add(f.q, g.one()));
  const std::vector<Expr> roots{g.mul(fixed, f.x), g.add(f.y, fixed), g.mul(f.p, f.x), g.unary(Op::sqrt, fixed), g.sub(f.x, f.y)};
  const Hoisted result = hoist(g, roots, [&](SymbolId id) { return f.is_parameter(id); }, "k");
  REQUIRE(result.constants.size() == 2);
  CHECK(g.text(result.constants[0].value) == "p/(q + 1)");
  CHECK(g.text(result.roots[0]) == "k0*x");
  CHECK(g.text(result.roots[1]) == "y + k0");
  CHECK(g.text(result.roots[2]) == "p*x");
  CHECK(g.text(result.roots[3]) == "k1");
  CHECK(g.text(result.constants[1].value) == "sqrt(p/(q + 1))");
  CHECK(result.roots[4] == roots[4]);
}
