#include "codegen/modelica/read_base_modelica.hpp"

#include "codegen/modelica/base_modelica_parser.hpp"

namespace takt::codegen::modelica {

std::optional<FlatModel> read_base_modelica(std::string_view text, FileName file,
                                            Diagnostics& diagnostics) {
  try {
    return ModelParser(tokens_of(text, file)).run();
  } catch (const Refusal& refusal) {
    diagnostics.error(refusal.code, refusal.where, refusal.message, refusal.hint);
  }
  return std::nullopt;
}

}  // namespace takt::codegen::modelica
