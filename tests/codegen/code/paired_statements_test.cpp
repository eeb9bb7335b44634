#include "codegen/code/paired_statements.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "codegen/code/print.hpp"

using namespace takt::codegen::code;

namespace {

/// A function that reads histories w, in pairs u, and rows of a map, y.
struct Function {
  Values v;
  Block body;

  Value y(std::size_t block, std::size_t lane) { return v.element(v.element("y", block), lane); }
  Value w(std::size_t index) { return v.element("w", index); }
  Value f(const char* name) { return v.member("f", name); }
  Value times(Value a, Value b) { return v.operation(Form::product, a, b); }
  Value plus(Value a, Value b) { return v.operation(Form::sum, a, b); }
  Value define(const char* name, Value value, const char* comment = "") {
    body.add(Definition{v.name("double"), v.variable(name), value, v.note(comment)});
    return v.variable(name);
  }
  void set(const char* array, std::size_t index, Value value) { body.assign(v.element(array, index), value); }

  std::optional<PairedStatements> read() {
    std::vector<const Statement*> statements;
    for (const Statement& statement : body.statements()) statements.push_back(&statement);
    return PairedStatements::read(v, statements,
                                  {{v.variable("w"), v.variable("u")}, {v.variable("y"), v.variable("y")}});
  }
  bool pair(PairedStatements& statements, std::initializer_list<const char*> names) {
    std::vector<Value> arrays;
    for (const char* name : names) arrays.push_back(v.variable(name));
    return statements.pair(arrays);
  }
};

}  // namespace

TEST_CASE("neighbours that differ in lanes and coefficients become one") {
  Function of;
  const Value a = of.define("a", of.plus(of.times(of.y(0, 0), of.f("a")), of.f("b")), "A");
  const Value b = of.define("b", of.plus(of.times(of.y(0, 1), of.f("c")), of.f("d")), "B");
  of.set("dq", 0, of.times(of.y(0, 0), a));
  of.set("dq", 1, of.times(of.y(0, 1), b));
  auto statements = of.read();
  REQUIRE(statements);
  REQUIRE(of.pair(*statements, {"dq"}));
  Block lines;
  PairedCode code(*statements, lines);
  CHECK(code.pair_value(of.v.variable("dq"), 0) == of.v.variable("both_1"));
  CHECK(printed(of.v, lines) ==
        "const takt::TwoDoubles both_0 = y[0] * f.pairs[0] + f.pairs[1];  // A; B\n"
        "const takt::TwoDoubles both_1 = y[0] * both_0;\n");
  REQUIRE(statements->invariants().size() == 2);
  CHECK(statements->invariants()[0][0].member == "a");
  CHECK(statements->invariants()[0][1].member == "c");
  CHECK(statements->invariants()[1][0].member == "b");
  CHECK(statements->invariants()[1][1].member == "d");
}

TEST_CASE("what is read elsewhere is read from its half") {
  Function of;
  of.set("dz", 0, of.times(of.v.number(2.0), of.w(0)));
  of.set("dz", 1, of.times(of.v.number(2.0), of.w(1)));
  of.set("v", 0, of.v.operation(Form::difference, of.v.element("dz", 1), of.w(2)));
  auto statements = of.read();
  REQUIRE(statements);
  REQUIRE(of.pair(*statements, {"dz", "v"}));
  Block lines;
  PairedCode code(*statements, lines);
  CHECK(code.value(of.v.variable("v"), 0) == of.v.variable("of_v_0"));
  CHECK(printed(of.v, std::span(lines.statements()).last(1)) == "const double of_v_0 = both_0[1] - u[1][0];\n");
}

TEST_CASE("values that stand in no pair are put together for it, one at most") {
  for (const bool twice : {false, true}) {
    Function of;
    for (std::size_t lane : {0, 1}) {
      const Value other = of.v.element("other", lane);
      of.set("dz", lane, of.plus(of.times(of.y(0, lane), other), twice ? of.v.element("more", lane) : of.f("a")));
    }
    auto statements = of.read();
    REQUIRE(statements);
    REQUIRE(of.pair(*statements, {"dz"}));
    Block lines;
    PairedCode code(*statements, lines);
    CHECK(code.pair_value(of.v.variable("dz"), 0).has_value() == !twice);
    if (!twice)
      CHECK(printed(of.v, lines) ==
            "const takt::TwoDoubles both_0 = y[0] * takt::TwoDoubles{other[0], other[1]} + f.a;\n");
  }
}

TEST_CASE("the order of operands counts: lanes that are swapped, conditions and functions are no pairs") {
  const auto second = [](Function& of, int which) {
    if (which == 0) return of.times(of.y(0, 0), of.f("a"));
    const Value above = of.v.operation(Form::greater, of.y(0, 1), of.v.number(0.0));
    if (which == 1) return of.v.operation(Form::choice, above, of.f("a"), of.f("b"));
    if (which == 2) return of.v.call("takt::math::abs", {of.y(0, 1)});
    return of.times(of.f("a"), of.y(0, 1));
  };
  for (int which = 0; which < 4; ++which) {
    Function of;
    of.set("dz", 0, of.times(of.y(0, 1), of.f("a")));
    of.set("dz", 1, second(of, which));
    auto statements = of.read();
    REQUIRE(statements);
    REQUIRE(of.pair(*statements, {"dz"}));
    Block lines;
    PairedCode code(*statements, lines);
    CHECK_FALSE(code.pair_value(of.v.variable("dz"), 0));
    CHECK(code.value(of.v.variable("dz"), 0) == of.v.variable("of_dz_0"));
    CHECK(printed(of.v, lines) == "const double of_dz_0 = y[0][1] * f.a;\n");
  }
}

TEST_CASE("halves that wait for each other are seen") {
  Function of;
  const Value a = of.define("a", of.times(of.w(0), of.v.number(2.0)));
  const Value c = of.define("c", of.plus(a, of.w(2)));
  const Value b = of.define("b", of.times(of.w(1), of.v.number(2.0)));
  of.set("dz", 0, c);
  of.set("dz", 1, of.define("d", of.plus(b, of.w(3))));
  auto statements = of.read();
  REQUIRE(statements);
  CHECK(of.pair(*statements, {"dz"}));
  Function in;
  const Value first = in.define("a", in.times(in.w(0), in.v.variable("e")));
  const Value other = in.define("b", in.times(in.w(1), in.f("g")));
  in.define("e", in.plus(other, in.f("g")));
  in.set("dz", 0, first);
  in.set("dz", 1, other);
  auto circle = in.read();
  REQUIRE(circle);  // a waits for e, which waits for b: a and b would be computed at once
  CHECK_FALSE(in.pair(*circle, {"dz"}));
}

TEST_CASE("a body with anything but definitions and assignments is left alone") {
  const auto add = [](Function& of, int which) {
    const Value place = of.v.element("v", 0), one = of.v.number(1.0);
    if (which == 0) of.body.when(of.v.operation(Form::greater, of.w(0), one), Assignment{place, one});
    if (which == 1) of.body.act(of.v.call("helper", {of.v.variable("w")}));
    if (which == 2) of.body.change(place, Change::add, one);
    if (which == 3) of.body.add(Definition{of.v.name("double"), of.v.variable("a"), one, {}, false});
    if (which == 4) of.define("a", of.v.verbatim("w[1]", {}));
  };
  for (int which = 0; which < 5; ++which) {
    Function of;
    of.set("dz", 0, of.w(0));
    REQUIRE(of.read());
    add(of, which);
    CHECK_FALSE(of.read());
  }
}
