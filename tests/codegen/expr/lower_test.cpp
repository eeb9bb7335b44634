#include "codegen/expr/lower.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "runtime/units/predefined.hpp"

using namespace takt::codegen;

namespace {

class Scope {
 public:
  Scope() {
    add("v", "V"), add("w", "V"), add("i", "A"), add("r", "Ohm"), add("t", "K"), add("x", "1"), add("y", "1"),
        add("time", "s");
    add("area", "m^2");
    add("hot", "K", takt::temperature_kind(1.0)), add("gap", "K", takt::temperature_kind(0.0));
    add("f", "Hz", takt::kind_of_unit("Hz")), add("speed", "rad/s", takt::kind_of_unit("rad/s"));
    names_["anything"] = {graph.use(graph.make_symbol("anything", "")), std::nullopt};
    ocv_ = graph.make_table({"ocv", {0.0, 1.0}, {3.0, 4.2}});
    resolver.name = [this](std::string_view name) {
      const auto found = names_.find(std::string(name));
      return found == names_.end() ? std::nullopt : std::optional(found->second);
    };
    resolver.table = [this](std::string_view name) -> std::optional<TableUse> {
      if (name != "ocv") return std::nullopt;
      return TableUse{ocv_, Dimension{}, parse_unit("V")->dimension};
    };
    resolver.candidates = [this] {
      std::vector<std::string> known;
      for (const auto& entry : names_) known.push_back(entry.first);
      return known;
    };
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// "text [dimension]", or the codes of the findings, each after '!'.
  std::string lowered(std::string_view text) {
    Diagnostics diagnostics;
    const Location where{"f", 1, 1};
    const auto ast = parse_expression(text, where, diagnostics);
    const auto result = ast ? lower({*ast, where}, graph, resolver, diagnostics) : std::nullopt;
    last = diagnostics.all();
    CHECK(diagnostics.has_errors() != result.has_value());
    if (result)
      return graph.text(result->value) + " [" + (result->dimension ? dimension_text(*result->dimension) : "?") + "]";
    std::string codes;
    for (const Diagnostic& finding : last) codes += '!' + finding.code;
    return codes;
  }

  Graph graph;
  Resolver resolver;
  std::vector<Diagnostic> last;

 private:
  void add(const char* name, const char* unit, const takt::QuantityKind& kind = {}) {
    names_[name] = {graph.use(graph.make_symbol(name, unit)), parse_unit(unit)->dimension, kind};
  }
  std::map<std::string, Lowered> names_;
  TableId ocv_{};
};

}  // namespace

TEST_CASE("expressions_carry_their_dimension") {
  Scope s;
  CHECK(s.lowered("r*i + v") == "r*i + v [V]");
  CHECK(s.lowered("v*i") == "v*i [W]");
  CHECK(s.lowered("v^2/r") == "v*v/r [W]");
  CHECK(s.lowered("sqrt(v^2 + w^2)") == "sqrt(v*v + w*w) [V]");
  CHECK(s.lowered("area^0.5") == "sqrt(area) [m]");
  CHECK(s.lowered("t - 25 degC") == "t - 298.15 [K]");
  CHECK(s.lowered("sin(2*pi*50 Hz*time)") == "sin(314.1592653589793*time) [1]");
  CHECK(s.lowered("ocv(x)") == "ocv(x) [V]");
  CHECK(s.lowered("anything*v") == "anything*v [?]");
  CHECK(s.lowered("anything + v") == "anything + v [V]");
  CHECK(s.lowered("max(0, v)") == "max(0, v) [V]");
  CHECK(s.lowered("-v") == "-v [V]");
  CHECK(s.lowered("atan2(v, w)") == "atan2(v, w) [1]");
}

TEST_CASE("functions_have_their_meaning") {
  Scope s;
  CHECK(s.lowered("clamp(x, 0, 1)") == "min(max(x, 0), 1) [1]");
  CHECK(s.lowered("min(x, y, 3)") == "min(min(x, y), 3) [1]");
  CHECK(s.lowered("step(x)") == "0 <= x [1]");
  CHECK(s.lowered("if(x > y, v, 1 V)") == "if(y < x, v, 1) [V]");
  CHECK(s.lowered("x >= y") == "y <= x [1]");
  CHECK(s.lowered("x != y") == "not(x == y) [1]");
  CHECK(s.lowered("not (x < 1 and y < 1)") == "not(x < 1 and y < 1) [1]");
  CHECK(s.lowered("pow(x, 3)") == "x*x*x [1]");
  CHECK(s.lowered("mod(x, 2)") == "mod(x, 2) [1]");
}

TEST_CASE("wrong_dimensions_are_refused_naming_both") {
  Scope s;
  CHECK(s.lowered("v + i") == "!E013");
  CHECK(s.last[0].message.find("V") != std::string::npos);
  CHECK(s.last[0].message.find("A") != std::string::npos);
  CHECK(s.last[0].where.column == 3);
  CHECK(s.lowered("v > 1") == "!E013");
  CHECK(s.last[0].hint.find("1 V") != std::string::npos);
  CHECK(s.lowered("if(x, v, i)") == "!E013");
  CHECK(s.lowered("min(v, i)") == "!E013");
  CHECK(s.lowered("clamp(v, 0, 1)") == "!E013");
  CHECK(s.lowered("exp(v)") == "!E014");
  CHECK(s.lowered("x^v") == "!E014");
  CHECK(s.lowered("v and x") == "!E014");
  CHECK(s.lowered("not v") == "!E014");
  CHECK(s.lowered("if(v, 1, 2)") == "!E014");
  CHECK(s.lowered("v^x") == "!E015");
  CHECK(s.lowered("v^0.3") == "!E015");
  CHECK(s.lowered("sqrt(r)*1") == "!E015");
  CHECK(s.lowered("ocv(v)") == "!E016");
  CHECK(s.lowered("((area^30)*(area^30))") == "!E015");
  CHECK(s.lowered("v^1e300") == "!E015");
}

TEST_CASE("unknown_names_are_refused_with_the_nearest") {
  Scope s;
  CHECK(s.lowered("tiem") == "!E010");
  CHECK(s.last[0].hint == "did you mean \"time\"?");
  CHECK(s.lowered("sqr(x)") == "!E011");
  CHECK(s.last[0].hint == "did you mean \"sqrt\"?");
  CHECK(s.lowered("min(x)") == "!E012");
  CHECK(s.lowered("atan2(x)") == "!E012");
  CHECK(s.lowered("ocv(x, y)") == "!E012");
  CHECK(s.lowered("sin()") == "!E012");
  // The list of names that tables may not have is that of the functions: each is known (and lacks its arguments).
  for (const std::string_view function : takt::function_names())
    CHECK(s.lowered(std::string(function) + "()") == "!E012");
}

TEST_CASE("temperatures_and_their_differences_are_two_kinds") {
  Scope s;
  for (const char* right :
       {"hot > 20 degC", "hot > -5 degC", "hot > 300 K", "hot - 20 degC > 1 K", "hot > 80 degC - 5 K", "t > 20 degC",
        "(hot + hot)/2 > 20 degC", "hot - gap > 20 degC", "20 degC + 5 K > hot", "abs(hot - 20 degC) < 1 K",
        "max(hot, 20 degC) > t", "if(x > 1, hot, 25 degC) > hot", "hot + 0.5*(hot - 20 degC) > 20 degC",
        "x*hot + (1 - x)*hot > 40 degC", "25 degC - 20 degC < gap", "clamp(gap, -5 K, 5 K) > 1 K", "68 degF < hot",
        "gap*2 W/K > 1 W", "hot > gap*0 + hot"}) {
    CAPTURE(right);
    CHECK(s.lowered(right).starts_with('!') == false);
  }
  for (const char* wrong :
       {"hot - 20 degC > 1 degC", "gap > 1 degC", "1 degF < gap", "gap + 1 degC > 3 K", "20 degC + 5 degC",
        "hot + 5 degC > hot", "hot + 5 degC > 300 K", "hot > gap", "max(gap, 1 degC)", "clamp(gap, 0, 10 degC)",
        "if(x > 1, gap, 25 degC)", "hot - 293.15 K > 1 degC", "t - t > 1 degC"}) {
    CAPTURE(wrong);
    CHECK(s.lowered(wrong) == "!E018");
  }
  CHECK(s.lowered("gap > 1 degC") == "!E018");
  CHECK(s.last[0].hint == "write \"1 K\" for a difference, \"274.15 K\" for a temperature");
  CHECK(s.lowered("hot > 20 degC") == "293.15 < hot [1]");
}

TEST_CASE("frequencies_and_angular_velocities_are_two_kinds") {
  Scope s;
  for (const char* right :
       {"speed > 100 rad/s", "speed > 3000 rpm", "speed > 2*pi*50 Hz", "speed/(2*pi) > f", "f > 1 1/s", "speed > 1 1/s",
        "max(f, 50 Hz)", "sin(2*pi*f*time)", "sin(speed*time + x)", "sin(2*pi*50 Hz*time - 2*pi/3)", "sin(6.28*f*time)",
        "sin(pi*speed/(100 rad/s))", "mod(f*time, 1)", "sin(x)", "cos(2*pi*x)"}) {
    CAPTURE(right);
    CHECK(s.lowered(right).starts_with('!') == false);
  }
  for (const char* wrong :
       {"speed > 50 Hz", "f + 3000 rpm", "max(f, speed)", "if(x > 1, f, speed)", "sin(2*pi*speed*time)",
        "cos(x + 2*pi*speed*time)", "sin(2*pi*3000 rpm*time)", "sin(50 Hz*time)", "tan(f*time - x)"}) {
    CAPTURE(wrong);
    CHECK(s.lowered(wrong) == "!E018");
  }
}

TEST_CASE("several_mistakes_of_one_expression_are_reported_together") {
  Scope s;
  CHECK(s.lowered("foo1 + (v + i)*bar2") == "!E010!E013!E010");
}
