#pragma once
// The files that bind the subsystems of a plant: memory, table, plan, entry.

#include <vector>

#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_view.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// Everything the plant's own files are printed from.
struct PlantView {
  const Network& network;
  const DaeResult& dae;
  const Plan& plan;
  const EmitOptions& options;
  const std::vector<SubsystemView>& subsystems;
};

/// Sorted by path; every path once.
[[nodiscard]] std::vector<TableRow> memory_table(const PlantView& plant);

/// tables.hpp
[[nodiscard]] Writer tables_header(const Network& network, const EmitOptions& options);
[[nodiscard]] SourceFile plant_header(const PlantView& plant);
[[nodiscard]] SourceFile plan_header(const PlantView& plant);
[[nodiscard]] SourceFile plant_source(const PlantView& plant);
[[nodiscard]] SourceFile main_source(const PlantView& plant);

}  // namespace takt::codegen
