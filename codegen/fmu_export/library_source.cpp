#include "codegen/fmu_export/library_source.hpp"

#include "codegen/source/template.hpp"
#include "codegen/text/escape.hpp"
#include "fmu_templates.hpp"

namespace takt::codegen {

SourceFile library_source(const ExportedFmu& fmu, const LibraryPlant& plant) {
  return {"fmu.cpp", SourceText(filled(fmu_cpp_in, {{"identifier", fmu.identifier},
                                                    {"generator", fmu.how.generator},
                                                    {"includes", plant.includes},
                                                    {"definition", plant.definition},
                                                    {"token", string_literal(fmu.token)},
                                                    {"kind", fmu.how.kind == FmuKind::co_simulation
                                                                 ? "co_simulation"
                                                                 : "model_exchange"}}) +
                                "\n")};
}

}  // namespace takt::codegen
