#pragma once
// Parts of plant.cpp and plan.hpp. Internal to codegen/emit.

#include <set>
#include <string>
#include <vector>

#include "codegen/emit/plant_source.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

[[nodiscard]] inline std::string number(std::size_t value) { return std::to_string(value); }

/// inline constexpr std::array<type, n> name{{ rows }};  an empty array has no inner braces.
void write_array(Writer& text, const std::string& type, const std::string& name,
                 const std::vector<std::string>& rows);

/// inline constexpr std::array<std::uint32_t, n> name{...};  on as few lines as need be.
void write_indices(Writer& text, const std::string& name, const std::vector<std::size_t>& indices);

/// What a subsystem counts while it runs: takt::SwitchedEvent, loops, inductors and timed gates;
/// blocks left unsolved; windows without flow through junctions without volume; what has left its
/// range.
/// @return false: nothing, and nothing written
bool write_events(Writer& text, const SubsystemView& view);

/// Counts and places of the arrays that a subsystem has, for its row in the description.
void add_layout(Aggregate& row, const SubsystemView& view);

/// Assertions that the arrays have these counts.
void write_sizes(Writer& text, const PlantView& plant);

/// Why the energy account need not close: the energy stored is no function of the states, a source,
/// an input or the time changes it at fixed states. Empty where it is one.
[[nodiscard]] std::string why_energy_is_left_out(const SubsystemView& view);

/// What --set must not break: the limits of the element library, over the parameters in memory.
void write_check(Writer& text, const PlantView& plant);

/// Rows of the table of plant memory beyond which it is text that is read when the plant starts.
inline constexpr std::size_t most_table_rows = 4000;
/// constexpr takt::PackedTable packed_table.
void write_packed_table(Writer& text, const std::vector<TableRow>& table);

/// Faults of elements and the parameters that each changes.
void write_faults(Writer& text, const Network& network);

/// Whether some copies are computed side by side; the functions that do so, and
/// takt_plant::bundled(), which names them.
[[nodiscard]] bool has_lanes(const PlantView& plant);
void write_lane_heads(Writer& text, const PlantView& plant);
void write_bundled(Writer& text, const PlantView& plant);

/// States that a steady start leaves at their start values. What a cutset or loop of dependent
/// storages holds together is fixed with the storage it is named after.
class FixedStates {
 public:
  explicit FixedStates(const Network& network);
  /// Indices of a subsystem's states, with their names as comments.
  [[nodiscard]] std::vector<std::string> rows(const SubsystemView& view) const;

 private:
  std::set<std::string> paths_;
};

}  // namespace takt::codegen
