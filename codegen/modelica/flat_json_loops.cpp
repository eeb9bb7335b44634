#include "codegen/modelica/flat_json_loops.hpp"

#include <nlohmann/json.hpp>

namespace takt::codegen::modelica {
namespace {

FlatRef number(long long value) {
  auto made = std::make_shared<FlatExpression>();
  made->number = static_cast<double>(value);
  made->whole = true;
  return made;
}

}  // namespace

void LoopReader::read(const Json& loops, std::vector<FlatEquation>& equations) const {
  const std::size_t listed = equations.size();
  for (const Json& each : loops) {
    if (each.at("first_equation_index").get<std::size_t>() <= listed &&
        (each.at("interiors_materialized").get<bool>() || add_between(each, equations)))
      continue;
    diagnostics_.error("D002", {file_},
                       "a loop over equations whose members are not in the list of equations",
                       "take the version of rumoca that the manual names");
  }
}

/// @return false for loops in loops
bool LoopReader::add_between(const Json& loop, std::vector<FlatEquation>& equations) const {
  const Json& binders = loop.at("domain").at("binders");
  if (binders.size() != 1) return false;
  const Json& binder = binders.at(0);
  const auto lower = binder.at("lower").get<long long>(),
             upper = binder.at("upper").get<long long>(), step = binder.at("step").get<long long>();
  if (step <= 0 || upper < lower) return false;
  const long long last = lower + (upper - lower) / step * step;
  if (last - lower < 2 * step) return true;
  FlatEquation made;
  made.kind = FlatEquation::Kind::repeat;
  made.iterator = binder.at("display_name").get<std::string>();
  made.origin = "a loop over equations";
  auto range = std::make_shared<FlatExpression>();
  range->kind = FlatExpression::Kind::range;
  range->parts = {number(lower + step), number(step), number(last - step)};
  made.range = range;
  made.bodies.emplace_back();
  for (const Json& each : loop.at("template").at("body")) {
    const FlatRef residual = expressions_.expression(each);
    FlatEquation one;
    const bool difference = residual->kind == FlatExpression::Kind::binary && residual->text == "-";
    one.left = difference ? residual->parts[0] : nullptr;
    one.right = difference ? residual->parts[1] : residual;
    one.origin = made.origin;
    made.bodies.front().push_back(std::move(one));
  }
  equations.push_back(std::move(made));
  return true;
}

}  // namespace takt::codegen::modelica
