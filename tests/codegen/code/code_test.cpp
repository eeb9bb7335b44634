#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/code/unused_locals.hpp"

using namespace takt::codegen;
using code::Form;
using code::Value;

TEST_CASE("operations are bracketed where C++ would group them otherwise") {
  code::Values v;
  const Value a = v.variable("a"), b = v.variable("b"), c = v.variable("c");
  const auto text = [&](Form form, Value left, Value right) {
    return code::printed(v, v.operation(form, left, right));
  };
  const Value sum = v.operation(Form::sum, b, c), product = v.operation(Form::product, b, c);
  CHECK(text(Form::difference, a, sum) == "a - (b + c)");
  CHECK(text(Form::difference, sum, a) == "b + c - a");
  CHECK(text(Form::quotient, a, product) == "a / (b * c)");
  CHECK(text(Form::product, sum, a) == "(b + c) * a");
  CHECK(text(Form::less, a, v.number(-2.5)) == "a < (-2.5)");
  CHECK(text(Form::either, v.operation(Form::both, a, b), v.operation(Form::equal, b, c)) == "(a && b) || b == c");
  CHECK(code::printed(v, v.as_number(v.operation(Form::less, a, b))) == "a < b ? 1.0 : 0.0");
  CHECK(code::printed(v, v.operation(Form::outside, a, sum)) == "!(a <= b + c)");
}

TEST_CASE("a sign stands at the first factor of a product and is taken off there") {
  code::Values v;
  const Value a = v.variable("a"), b = v.variable("b"), sum = v.operation(Form::sum, a, b);
  const Value product = v.operation(Form::product, v.operation(Form::quotient, a, b), b);
  const auto text = [&](Value value) { return code::printed(v, value); };
  CHECK_FALSE(v.has_sign(product));
  CHECK(text(v.negated(product)) == "-a / b * b");
  CHECK(text(v.negated(v.negated(product))) == "a / b * b");
  CHECK(text(v.negated(sum)) == "-(a + b)");
  CHECK(text(v.negated(v.negated(sum))) == "(a + b)");
  CHECK(text(v.negated(v.operation(Form::quotient, v.number(-1.0), a))) == "1.0 / a");
  CHECK_FALSE(v.has_sign(v.operation(Form::difference, v.negated(a), b)));
  CHECK(v.has_sign(v.number(-0.0)));
  CHECK_FALSE(v.has_sign(v.number(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("places print as they are written, and one name is one place") {
  code::Values v;
  CHECK(code::printed(v, v.place({"legs", 2, "high", true})) == "legs[2].high");
  CHECK(v.is_truth(v.place({"legs", 2, "high", true})));
  CHECK(code::printed(v, v.element_at(v.variable("y"), v.variable("Map::blocks"))) == "y[Map::blocks]");
  CHECK(v.member("k", "mass") == v.member("k", "mass"));
  CHECK(v.same(v.element("x", 3), v.element("x", 3)));
  CHECK_FALSE(v.same(v.element("x", 3), v.element("x", 4)));
  CHECK_FALSE(v.same(v.element("x", 3), v.element("z", 3)));
  CHECK_FALSE(v.same(v.number(0.0), v.number(-0.0)));
}

TEST_CASE("statements are lines, their blocks two columns further in") {
  code::Values v;
  code::Block block;
  const Value x = v.variable("x"), n = v.variable("n");
  block.add(code::Definition{v.name("double"), x, v.element("z", 1), v.note("x [V]")});
  block.add(code::Finding{v.operation(Form::outside_strictly, x, v.number(1.0)), v.element("left", 0)});
  block.when(v.operation(Form::greater, x, v.number(2.0)), code::Leave{});
  code::Block& inside = block.branch(v.operation(Form::negation, v.member("damping", runtime::solved)));
  inside.add(code::Event{v.element("unsolved", 3)});
  code::Loop loop{v.name("int"), n, v.integer(0), v.operation(Form::less, n, v.integer(4)), nullptr};
  loop.body = std::make_unique<code::Block>();
  loop.body->change(v.element_at(v.variable("y"), n), code::Change::add, v.call(runtime::abs, {x}));
  block.scope().add(std::move(loop));
  block.give(v.list({x, n}, "Pair"));
  CHECK(code::printed(v, block) ==
        "const double x = z[1];  // x [V]\n"
        "if (!(x < 1.0)) [[unlikely]] alert = left[0] += 1.0;\n"
        "if (x > 2.0) break;\n"
        "if (!damping.solved) {\n"
        "  unsolved[3] += 1.0, alert = 1.0;\n"
        "}\n"
        "{\n"
        "  for (int n = 0; n < 4; ++n) {\n"
        "    y[n] += takt::math::abs(x);\n"
        "  }\n"
        "}\n"
        "return Pair{x, n};\n");
}

TEST_CASE("what verbatim text reads is known all the same") {
  code::Values v;
  const Value x = v.variable("x"), call = v.verbatim("[&] { f(x); }", {x});
  std::vector<Value> read;
  v.for_operands(call, [&](Value operand) { read.push_back(operand); });
  CHECK(read == std::vector<Value>{x});
  CHECK(code::printed(v, call) == "[&] { f(x); }");
}

TEST_CASE("locals that nothing reads are left out, and those that only these read") {
  code::Values v;
  code::Block body, last;
  const auto define = [&](const char* name, Value value) {
    body.add(code::Definition{v.name("double"), v.variable(name), value});
    return v.variable(name);
  };
  const Value a = define("a", v.element("x", 0)), b = define("b", a), c = define("c", v.element("x", 1));
  define("d", v.operation(Form::sum, b, c));
  const Value e = define("e", v.element("x", 2)), f = define("f", v.element("x", 3));
  body.branch(v.variable("t")).add(code::Definition{v.name("double"), v.variable("g"), v.call("h", {c})});
  body.act(v.verbatim("[&] { use(e); }", {e}));
  body.add(code::Definition{v.name("takt::NewtonDamping"), v.variable("damping"), v.list({})});
  last.give(f);
  code::drop_unused_locals(v, body, last);
  CHECK(code::printed(v, body) ==
        "const double e = x[2];\nconst double f = x[3];\nif (t) {\n}\n[&] { use(e); };\n"
        "const takt::NewtonDamping damping = {};\n");
}

TEST_CASE("what runs in a line is counted as one, what has a block as its lines") {
  code::Values v;
  code::Block block;
  block.when(v.variable("a"), code::Leave{});
  block.branch(v.variable("a")).scope().give(v.variable("b"));
  block.add(code::Rows{v.name("T"), v.variable("rows"), {v.number(1.0), v.number(2.0)}, {}});
  std::size_t lines = 0;
  for (const code::Statement& statement : block.statements()) lines += code::lines_of(statement);
  const std::string text = code::printed(v, block);
  CHECK(lines == static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
}

TEST_CASE("functions that differ in comments and in the names of numbers are one text under numbered names") {
  const auto key = [](const char* local, const char* coefficient, const char* comment, code::Naming& names) {
    code::Values v;
    code::Block body, last;
    const Value mass = v.variable(local);
    body.add(code::Definition{v.name("double"), mass,
                              v.operation(Form::product, v.member("k", coefficient), v.element("x", 0)),
                              v.note(comment)});
    body.add(code::Definition{v.name("bool"), v.variable("closed"), v.operation(Form::less, mass, v.variable("t"))});
    last.give(mass);
    return code::printed(v, {body.statements(), last.statements()}, names);
  };
  code::NumberedNames one, other, third;
  const std::string text = key("mass", "area", "A", one);
  CHECK(text == "const double $0 = k.$1 * x[0];\nconst bool closed = $0 < t;\nreturn $0;\n");
  CHECK(key("volume", "length", "", other) == text);
  CHECK(key("same", "same", "", third) != text);
}

TEST_CASE("coefficients can be called by the names of another part") {
  code::Values v;
  code::Block body;
  body.assign(v.member("k", "area"), v.variable("width"), v.note("[m^2]"));
  body.assign(v.member("l", "area"), v.variable("area"));
  code::RenamedCoefficients names(std::unordered_map<std::string, std::string>{{"area", "first_area"}});
  CHECK(code::printed(v, {body.statements()}, names) == "k.first_area = width;  // [m^2]\nl.area = area;\n");
}
