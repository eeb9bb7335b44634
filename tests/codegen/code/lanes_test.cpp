#include "codegen/code/lanes.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"

using namespace takt::codegen;
using namespace takt::codegen::code;

namespace {

/// Statements as codegen/emit makes them, of a block of one unknown.
struct Function {
  Values v;
  Block body;

  Value damping = v.variable("damping"), move = v.variable("move"), tried = v.variable("tried"), x = v.variable("x"),
        step = v.variable("step");
  void define(Block& to, std::string_view type, std::string_view name, Value value, bool constant = true) {
    to.add(Definition{v.name(type), v.variable(name), value, v.note("comment"), constant});
  }
  Value of(Value object, std::string_view member) { return v.member(object, member); }
  Value ask(Value object, std::string_view member, std::initializer_list<Value> operands) {
    return v.call(of(object, member), operands);
  }
  std::string lanes() {
    const Block made = in_lanes(v, std::move(body));
    return printed(v, made);
  }
};

}  // namespace

TEST_CASE("numbers, truth values and what is stored of a stage are in lanes") {
  Function of;
  of.define(of.body, "double", "a", of.v.number(2.0));
  of.define(of.body, "double", "b", of.v.variable("a"), false);
  of.define(of.body, "bool", "hot", of.v.operation(Form::greater, of.v.variable("b"), of.v.variable("a")));
  const Value given[] = {of.v.variable("a"), of.v.variable("b")};
  of.define(of.body, runtime::array_of("double", 2), "pow_of", of.v.list(given), false);
  of.body.act(
      of.v.call(runtime::pow_each, {of.v.variable("pow_of"), of.v.list({of.v.number(0.5), of.v.variable("a")})}));
  of.body.assign(of.v.element("dz", 0), of.v.variable("b"), of.v.note("comment"));
  of.body.assign(of.v.element("warm", 0), of.v.variable("b"));
  of.body.add(Finding{of.v.variable("hot"), of.v.element("left", 3), of.v.note("too hot")});
  CHECK(of.lanes() ==
        "const takt::Lanes a = takt::in_lanes(2.0);\n"
        "takt::Lanes b = takt::in_lanes(a);\n"
        "const takt::LaneTruths hot = b > a;\n"
        "std::array<takt::Lanes, 2> pow_of = {takt::in_lanes(a), takt::in_lanes(b)};\n"
        "takt::math::pow_each(pow_of, {takt::in_lanes(0.5), takt::in_lanes(a)});\n"
        "dz[0] = takt::in_lanes(b);\n"
        "warm[0] = b;\n"
        "takt::count_left(hot, left[3], alert);\n");
}

TEST_CASE("a Newton block in lanes takes its plain iterations, then all lanes give up") {
  Function of;
  Values& v = of.v;
  of.define(of.body, runtime::newton_damping, "damping", v.list({v.integer(5)}), false);
  of.define(of.body, runtime::newton_unknown, "tried", v.list({of.x, v.number(1e-3)}), false);
  auto inside = std::make_unique<Block>();
  of.define(*inside, "double", "step", of.x);
  of.define(*inside, "double", "scale", of.x);  // read by what is left out alone
  of.define(*inside, runtime::newton_move, "move",
            of.ask(of.damping, runtime::judge, {v.variable("iteration"), of.step}));
  Block& looks = inside->branch(of.ask(of.damping, runtime::looks, {v.variable("iteration")}));
  looks.act(of.ask(of.damping, runtime::look, {v.variable("scale")}));
  Block& limits = inside->branch(v.operation(Form::equal, of.move, v.variable(runtime::move_limited)));
  limits.act(of.ask(of.damping, runtime::begin_limit, {}));
  const Value whole = of.ask(of.damping, runtime::whole, {of.move}),
              still = v.call(runtime::newton_settled, {of.x, of.step, v.number(1.0)});
  const Value conditions[] = {whole, still};
  of.define(*inside, "bool", "settled", v.all(conditions));
  inside->assign(of.x, of.ask(of.tried, runtime::next, {of.move, of.of(of.damping, runtime::share), of.x, of.step}));
  inside->when(v.variable("settled"), Action{of.ask(of.damping, runtime::settle, {})});
  const Value undone = v.operation(Form::equal, of.move, v.variable(runtime::move_undo));
  inside->when(v.operation(Form::either, of.of(of.damping, runtime::solved), undone), Leave{});
  const Value iteration = v.variable("iteration");
  of.body.add(Loop{v.name("int"), iteration, v.integer(0), v.operation(Form::less_equal, iteration, v.integer(5)),
                   std::move(inside)});
  of.body.branch(v.operation(Form::negation, of.of(of.damping, runtime::solved))).add(Event{v.element("unsolved", 0)});
  of.body.branch(of.of(of.damping, runtime::turned)).add(Event{v.element("turned", 0)});
  CHECK(of.lanes() ==
        "takt::LaneDamping damping = {5};\n"
        "for (int iteration = 0; iteration <= 5; ++iteration) {\n"
        "  const takt::Lanes step = takt::in_lanes(x);\n"
        "  if (!damping.judge(iteration, step)) gives_up = true;\n"
        "  if (gives_up) break;\n"
        "  const takt::LaneTruths settled = takt::newton_settled(x, step, 1.0);\n"
        "  x = damping.next(x, step);\n"
        "  if (damping.settle(settled)) break;\n"
        "}\n"
        "takt::count_turned(damping.turned, turned[0], alert);\n");
}

TEST_CASE("a statement without a form in lanes ends the generator instead of staying as it is") {
  Function tables;
  tables.body.add(Table{tables.v.name("double"), tables.v.variable("table"), {1.0, 2.0}});
  CHECK_THROWS_AS(tables.lanes(), std::logic_error);
  Function text;
  text.body.act(text.v.verbatim("factor(x)", {}));
  CHECK_THROWS_AS(text.lanes(), std::logic_error);
  Function unknown;
  unknown.define(unknown.body, runtime::law_inverse, "inverse", unknown.v.list({unknown.x}), false);
  CHECK_THROWS_AS(unknown.lanes(), std::logic_error);
}

TEST_CASE("operations are those between two operands, and functions of numbers") {
  Function of;
  const Value sum = of.v.operation(Form::sum, of.x, of.v.number(1.0));
  of.define(of.body, "double", "a", of.v.operation(Form::product, sum, of.v.call(runtime::abs, {of.x})));
  of.body.when(of.v.operation(Form::less, of.x, of.step), Assignment{of.v.element("dz", 0), of.v.negated(of.x)});
  CHECK(operations_in(of.v, of.body) == 4);
}
