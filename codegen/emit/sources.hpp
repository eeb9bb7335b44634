#pragma once
// Emitted C++ of one plant.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/source/source_file.hpp"

namespace takt::codegen {

/// One row of the table of plant memory.
struct TableRow {
  std::string path;
  std::string unit;
  std::string role;                      ///< enumerator of takt::Role
  std::optional<std::size_t> subsystem;  ///< none: of the plant
  std::string array;                     ///< member of the plant
  std::size_t index = 0;                 ///< in it
  std::string element;                   ///< its type
  bool start_only = false;
};

struct EmitOptions {
  std::string generator;  ///< version of takt
  bool rig = false;       ///< main.cpp passes the rig that rig.hpp declares
  bool lanes =
      false;  ///< copies of a part are computed side by side where that pays (lane_source.hpp)
};

/// A pure function: the same input gives the same bytes.
/// Files: one pair <subsystem>.hpp/.cpp per subsystem, tables.hpp, plant.hpp, plan.hpp, plant.cpp,
/// main.cpp.
/// @throws std::logic_error  where surrogates are not consistent (a defect of the generator)
[[nodiscard]] Sources emit_sources(const Network& network, const DaeResult& dae, const Plan& plan,
                                   const EmitOptions& options);

/// Writes into the description the hash of everything the plant was made from, which is that of its
/// sources without it.
void set_input_hash(Sources& sources, const std::string& hash);

/// The same with the table of plant memory that they contain, row by row.
struct EmittedPlant {
  Sources sources;
  std::vector<TableRow> table;
};
[[nodiscard]] EmittedPlant emit_plant(const Network& network, const DaeResult& dae,
                                      const Plan& plan, const EmitOptions& options);

}  // namespace takt::codegen
