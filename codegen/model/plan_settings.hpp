#pragma once
// What [solve], [sync] and [record] of a plant say, or another file in their place.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/text/diagnostics.hpp"
#include "codegen/text/words.hpp"

namespace takt::codegen {

/// Order of members of different rates within a group.
enum class Scheme : std::uint8_t { by_dependency, fast_first, slow_first, decoupled, jacobi };
inline constexpr Words<Scheme, 4> scheme_words{{{"fast-first", Scheme::fast_first},
                                                {"slow-first", Scheme::slow_first},
                                                {"decoupled", Scheme::decoupled},
                                                {"jacobi", Scheme::jacobi}}};

/// Gates change where they do, or at the ends of micro-steps only.
enum class EdgeTreatment : std::uint8_t { exact, sampled };
inline constexpr Words<EdgeTreatment, 2> edge_words{
    {{"exact", EdgeTreatment::exact}, {"sampled", EdgeTreatment::sampled}}};

/// How a switched circuit is solved: potentials eliminated in every step, or one affine map per
/// switch state.
enum class NetworkForm : std::uint8_t { eliminated, affine };
inline constexpr Words<NetworkForm, 2> form_words{
    {{"eliminated", NetworkForm::eliminated}, {"affine", NetworkForm::affine}}};

/// Settings of a circuit or control block, or of several by wildcard ("solid.*").
struct SolveSetting {
  std::string pattern;  ///< on circuit names and element paths
  std::optional<std::int64_t> step_ns;
  std::optional<std::string> method;  ///< a name of codegen/methods, or auto
  std::optional<int> stages;          ///< of methods that choose them
  std::optional<int> newton_iterations;
  std::optional<EdgeTreatment> edges;
  std::optional<NetworkForm> network;  ///< the cheaper where silent
  std::optional<double> tolerance{};   ///< relative, of the methods adaptive and bdf
  Location where;
};

struct SyncSetting {
  std::string name;
  std::vector<std::string> members;  ///< circuits, domains, patterns, or other groups
  std::int64_t period_ns = 0;
  Scheme scheme = Scheme::by_dependency;  ///< between rates
  std::optional<int> order;               ///< of inter/extrapolation: 0 to 3
  std::optional<int> history;             ///< versions kept of each coupled value
  bool smooth = false;                    ///< extrapolation without jumps where a window begins
  std::vector<std::string>
      sequence;  ///< patterns and groups to be evaluated in this order, before all others
  Location where, order_where, sequence_where;
};

struct RecordSetting {
  std::int64_t period_ns = 0;
  std::vector<std::string> patterns;
  Location where;
};

}  // namespace takt::codegen
