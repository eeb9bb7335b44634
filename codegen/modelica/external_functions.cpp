#include "codegen/modelica/external_functions.hpp"

#include <algorithm>
#include <array>

namespace takt::codegen::modelica {
namespace {

/// With as many arguments, the same in both languages.
struct Known {
  std::string_view name;
  std::size_t arguments;
};
constexpr auto of_both = std::to_array<Known>({{"sin", 1},
                                               {"cos", 1},
                                               {"tan", 1},
                                               {"asin", 1},
                                               {"acos", 1},
                                               {"atan", 1},
                                               {"atan2", 2},
                                               {"sinh", 1},
                                               {"cosh", 1},
                                               {"tanh", 1},
                                               {"exp", 1},
                                               {"log", 1},
                                               {"log10", 1},
                                               {"sqrt", 1},
                                               {"floor", 1},
                                               {"ceil", 1}});

FlatExpression of_modelica(FlatExpression call, bool of_c) {
  if (of_c && call.text == "fabs" && call.parts.size() == 1) call.text = "abs";
  if (of_c && call.text == "pow" && call.parts.size() == 2) {
    call.kind = FlatExpression::Kind::binary;
    call.text = "^";
  }
  return call;
}

bool known(const FlatExpression& call, bool of_c) {
  if (call.kind == FlatExpression::Kind::binary) return true;
  if (call.kind != FlatExpression::Kind::call) return false;
  if (call.text == "abs") return call.parts.size() == 1;  // of C it takes whole numbers
  if (!of_c && (call.text == "min" || call.text == "max")) return call.parts.size() == 2;
  return std::any_of(of_both.begin(), of_both.end(), [&](const Known& each) {
    return each.name == call.text && each.arguments == call.parts.size();
  });
}

}  // namespace

void take_mathematics(FlatFunction& function, std::string_view language, std::string output,
                      const FlatExpression& call) {
  const bool of_c = language.empty() || language == "C";
  if (!of_c && language != "builtin") return;
  if (of_c && call.text == "abs") return;
  const FlatExpression made = of_modelica(call, of_c);
  if (!known(made, of_c) || function.outputs.size() != 1) return;
  if (output.empty()) output = function.outputs.front().name;
  if (output != function.outputs.front().name || !function.body.empty()) return;
  FlatStatement body{.kind = FlatStatement::Kind::assign};
  body.name = std::move(output);
  body.value = std::make_shared<FlatExpression>(made);
  body.where = function.where;
  function.body.push_back(std::move(body));
  function.is_external = false;
}

}  // namespace takt::codegen::modelica
