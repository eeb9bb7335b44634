#include "codegen/flat_source/flat_description.hpp"

#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::string range(std::uint32_t first, std::uint32_t end) {
  return "{" + std::to_string(first) + ", " + std::to_string(end - first) + "}";
}

}  // namespace

void write_flat_description(Writer& text, const FlatModel& model, const FlatLayout& layout) {
  const auto family = [](const std::string& of) {
    return "{" + of + "_values, " + of + "_slopes, " + of + "_row_start, " + of + "_column}";
  };
  const auto total = static_cast<std::uint32_t>(layout.places.size());
  text.blank();
  text.open("const takt::flat::Description& flat_plant() noexcept");
  text.open("static const takt::flat::Description description");
  const auto field = [&](const std::string& named, const std::string& value) {
    text.line("." + named + " = " + value + ",");
  };
  field("time", std::to_string(layout.time));
  field("points", std::to_string(total));
  field("inputs", range(layout.inputs,
                        layout.inputs + static_cast<std::uint32_t>(model.network.inputs.size())));
  field("parameters", range(layout.parameters, layout.variables));
  field("variables", range(layout.variables, layout.rates));
  field("rates", range(layout.rates, total));
  field("start", "start_values");
  field("role", "roles");
  field("path", "paths");
  field("usual", "usual");
  field("unit", "units");
  field("states", "states");
  field("rate_row", "rate_row");
  field("rows", family("rows"));
  field("start_rows", family("start_rows"));
  field("variable_rows", family("variable"));
  field("algebra", "{algebra_start, algebra_row, algebra_unknown}");
  field("start_blocks", "{start_blocks_start, start_blocks_row, start_blocks_unknown}");
  field("guesses", "guesses");
  for (const char* same : {"outputs", "block_states", "legs", "timed", "gates", "modes", "edges",
                           "befores", "limits", "impulses"})
    field(same, same);
  field("turns_s", "turns");
  field("look_s", double_literal(model.look_s));
  text.close("};");
  text.line("return description;");
  text.close();
  text.blank();
}

}  // namespace takt::codegen
