// Element definitions: what the library means, and what is wrong with a definition.

#include <catch2/catch.hpp>

#include "tests/codegen/model/network_of.hpp"

namespace takt::codegen::test {
namespace {

std::vector<std::string> definition_codes(const std::string& text) {
  Diagnostics diagnostics;
  Library library;
  const auto root = parse_toml(text, "library.toml", diagnostics);
  REQUIRE(root.has_value());
  add_definitions(library, *root, diagnostics);
  std::vector<std::string> codes;
  for (const auto& finding : diagnostics.all()) codes.push_back(finding.code);
  return codes;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("resistor_is_described_as_data") {
  const ElementDefinition* resistor = real_library().find("electric", "resistor");
  REQUIRE(resistor != nullptr);
  CHECK_FALSE(resistor->doc.empty());
  CHECK_FALSE(resistor->source.empty());
  const ParameterDefinition* r = resistor->parameter("r");
  REQUIRE(r != nullptr);
  CHECK(r->unit_text == "Ohm");
  CHECK_FALSE(r->optional);
  REQUIRE(r->constraints.size() == 1);
  CHECK(r->constraints[0].text == "> 0");
  CHECK(resistor->parameter("t_ref")->default_text == "298.15 K");
  REQUIRE(resistor->branches.size() == 1);
  CHECK(resistor->branches[0].kind == BranchKind::dissipator);
  CHECK(resistor->branches[0].form == LawForm::across_of);
  CHECK(real_library().find_all("electric.resistor") == real_library().find_all("resistor"));
}

TEST_CASE("every_element_of_the_library_says_what_it_is_and_where_it_is_from") {
  REQUIRE(real_library().all().size() > 40);
  for (const ElementDefinition* element : real_library().all()) {
    INFO(element->full_name());
    CHECK_FALSE(element->doc.empty());
    CHECK_FALSE(element->source.empty());
  }
}

TEST_CASE("parameters_state_unit_range_and_default") {
  Diagnostics diagnostics;
  const auto root = parse_toml(R"toml(a = "mOhm >= 1 and < 5 = 2"
b = "table(1 -> V) = [[0, 3.0], [1, 4.2]]"
c = { unit = "1 structural > 0", doc = "ratio" }
d = "bool = true"
e = "K = 20 degC")toml",
                               "p.toml", diagnostics);
  REQUIRE(root.has_value());
  const auto read = [&](const char* name) { return read_parameter(*root->find(name), diagnostics); };
  const ParameterDefinition a = read("a");
  REQUIRE(a.constraints.size() == 2);
  CHECK(a.constraints[0].limit == Approx(1e-3));  // limits are in the unit of the parameter
  CHECK(a.constraints[1].relation == Constraint::Relation::below);
  CHECK(a.default_text == "2");
  const ParameterDefinition b = read("b");
  CHECK(b.kind == ParameterDefinition::Kind::table);
  REQUIRE(b.default_table.has_value());
  CHECK(b.default_table->items.size() == 2);
  const ParameterDefinition c = read("c");
  CHECK(c.structural);
  CHECK(c.doc == "ratio");
  CHECK(read("d").default_value.text == "1");
  CHECK(read("e").optional);
  CHECK(diagnostics.all().empty());
}

TEST_CASE("wrong_definitions_are_refused") {
  CHECK(definition_codes("[electrical.a]\n") == Codes{"L001"});
  CHECK(definition_codes("[electric.a]\ndoc = \"no branch\"\n") == Codes{"L004"});
  CHECK(definition_codes("[electric.a]\nbrnch = 1\nbranch = { kind = \"R\", law = \"v = i*1 Ohm\" }\n") ==
        Codes{"L003"});
  CHECK(definition_codes("[electric.a]\nparam = { at = \"V\" }\nbranch = { kind = \"R\", law = \"v = i*1 Ohm\" }\n") ==
        Codes{"L005"});
  CHECK(definition_codes("[electric.a]\nbranch = { kind = \"X\", law = \"v = i\" }\n") == Codes{"L006"});
  CHECK(definition_codes("[solid.a]\nbranch = { kind = \"L\", law = \"h = t\" }\n") == Codes{"L006"});
  CHECK(definition_codes("[electric.a]\nbranch = { kind = \"R\", law = \"v = i\", at = [\"q\"] }\n") == Codes{"L007"});
  CHECK(definition_codes("[electric.a]\nbranch = { kind = \"C\", law = \"i = v\" }\n") == Codes{"L008"});
  CHECK(definition_codes("[electric.a]\nbranch = { kind = \"R\", law = \"v = x*i\" }\n") == Codes{"L009"});
  CHECK(
      definition_codes("[electric.a]\nparam = { r = \"Ohm >> 1\" }\nbranch = { kind = \"R\", law = \"v = r*i\" }\n") ==
      Codes{"E003"});
  CHECK(definition_codes("[electric.a]\nparam = { r = \"Ohm > q\" }\nbranch = { kind = \"R\", law = \"v = r*i\" }\n") ==
        Codes{"L009"});
  CHECK(definition_codes(
            "[electric.a]\nbranch = { kind = \"R\", law = \"v = a*i\" }\nlet = { a = \"b\", b = \"a\" }\n") ==
        Codes{"L011"});
  CHECK(definition_codes("[electric.a]\nlet = { v = \"2 V\" }\nbranch = { kind = \"R\", law = \"v = 2 Ohm*i\" }\n") ==
        Codes{"L005"});
  CHECK(definition_codes("[control.a]\ninput = { of = \"any\" }\n") == Codes{"L004"});
  CHECK(definition_codes(
            "[electric.a]\nbranch.one = { at = [\"p\"], kind = \"P\" }\nbranch.two = { at = [\"n\"], kind = \"P\" }\n"
            "two_port = { a = \"one\", b = \"three\", ratio = \"2\" }\n") == Codes{"L006"});
}

TEST_CASE("wrong_definitions_of_switching_are_refused") {
  const auto with = [](const std::string& lines) {
    return definition_codes("[electric.a]\nparam.gate = \"gate\"\nbranch = { kind = \"R\", law = \"v = 1 Ohm*i\" }\n" +
                            lines);
  };
  CHECK(with("mode.on = { on = \"v\", off = \"-i\" }\nedge.e = { of = \"on\", rise = \"before.v*before.i*1 s\" }\n")
            .empty());
  CHECK(with("mode.gate = { on = \"v\", off = \"-i\" }\n") == Codes{"L005"});
  CHECK(with("param.v = \"gate\"\n") == Codes{"L005"});
  CHECK(with("mode.on = \"v\"\n") == Codes{"M004"});
  CHECK(with("mode.On = { on = \"v\", off = \"-i\" }\n") == Codes{"M006"});
  CHECK(with("point.s = { unit = \"Vv\", next = \"v\", tolerance = \"1 uV\" }\n") == Codes{"U001"});
  CHECK(with("point.s = { unit = \"V\", next = \"v\", tolerance = \"v\" }\n") == Codes{"L009"});  // constant
  CHECK(with("edge.e = { rise = \"1 J\" }\n") == Codes{"L004"});
  CHECK(with("edge.e = { of = \"gate\", rise = \"1 J\", fal = \"1 J\" }\n") == Codes{"L003"});
  CHECK(with("edge.e = { of = \"v\", rise = \"1 J\" }\n") == Codes{"L013"});
  CHECK(with("gates = \"pwm_leg\"\n") == Codes{"L003"});  // of control blocks
  CHECK(definition_codes("[control.a]\nparam = { gate = \"gate\" }\noutput = { out = \"gate\" }\n") == Codes{"L010"});
  CHECK(
      definition_codes(
          "[control.a]\ngates = \"gate_edge\"\ninput = { level = \"1\", delay = \"s\" }\noutput = { out = \"1\" }\n") ==
      Codes{"M004", "L014"});
  CHECK(definition_codes("[control.a]\ngates = \"gate_edge\"\ninput = { level = \"1\", delay = \"s\" }\noutput = "
                         "[\"out\"]\nlet = { x = \"1\" }\n") == Codes{"L014"});
  CHECK(definition_codes("[control.a]\nparam = { w = \"text(one | two) = three\" }\noutput = { out = \"1\" }\n") ==
        Codes{"L010"});
  CHECK(definition_codes("[control.a]\nparam = { w = \"text(one | two = one\" }\noutput = { out = \"1\" }\n") ==
        Codes{"L010"});
}

TEST_CASE("an_element_of_the_library_cannot_be_replaced") {
  CHECK(codes_of("[element.electric.resistor]\nbranch = { kind = \"R\", law = \"v = i*1 Ohm\" }\n[electric]\n"
                 "a = { is = \"resistor\", at = [\"x\", \"gnd\"], r = \"1 Ohm\" }\nb = { is = \"resistor\", at = "
                 "[\"x\", \"gnd\"], r = \"1 Ohm\" }\n") == Codes{"L002"});
}

}  // namespace takt::codegen::test
