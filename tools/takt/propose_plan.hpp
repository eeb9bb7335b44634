#pragma once
// `takt check --propose`: plans for several errors, run whole and compared with `takt reference`.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/takt/planned_times.hpp"
#include "tools/takt/plant_arguments.hpp"

namespace takt::tools {

struct ProposalWish {
  double error = codegen::usual_error;
  double duration_s = 0.0;  ///< of trials and runs; 0: the plant's, or 1 s
};

/// One plan, estimated and run.
struct ProposedPlan {
  PlannedTimes planned;
  double work = 0.0;          ///< evaluations of equations in a simulated second, about
  double rtf = 0.0;           ///< of the free run
  std::optional<double> off;  ///< its difference to the reference: RMS over the scale, of the worst signal
  std::string signal;         ///< that one
  std::string problem;        ///< why it was not run
};

struct Proposal {
  double error = 0.0, duration_s = 0.0;
  std::vector<ProposedPlan> plans;    ///< the first by the plan as it is, then for smaller and smaller errors
  std::optional<std::size_t> chosen;  ///< for the error asked for
  double reference_to_s = 0.0;        ///< simulated
  double reference_error = 0.0;       ///< two tolerances of the reference differ by this
  std::string no_reference;           ///< why there is none
};

/// Takes minutes. Progress goes to stderr.
[[nodiscard]] Proposal propose_plan(const BuiltPlant& plant, const PlantArguments& arguments, const ProposalWish& wish);

/// The plan for the error asked for meets it; as far as that was measured, too.
[[nodiscard]] bool is_right(const Proposal& proposal);
[[nodiscard]] std::string proposal_text(const BuiltPlant& plant, const Proposal& proposal);
/// Work against precision, an SVG image.
[[nodiscard]] std::string proposal_picture(const BuiltPlant& plant, const Proposal& proposal);

}  // namespace takt::tools
