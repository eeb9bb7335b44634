// Names of the runtime that codegen writes in heads, members and tables, beside those of
// runtime_names.hpp: what is renamed there does not compile here. tests/house/written_names_test.py
// finds what is written and stands in neither.
#include "runtime/flat/description.hpp"
#include "runtime/foreign/port.hpp"
#include "runtime/math/affine_map.hpp"
#include "runtime/math/conductance_network.hpp"
#include "runtime/math/lanes.hpp"
#include "runtime/math/sparse_lu.hpp"
#include "runtime/math/table.hpp"
#include "runtime/math/table2.hpp"
#include "runtime/offline/integrate.hpp"
#include "runtime/plant/bundled_run.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/packed_table.hpp"
#include "runtime/plant/window.hpp"
#include "runtime/program/plant_main.hpp"
#include "runtime/solver/concepts.hpp"
#include "runtime/solver/exact.hpp"
#include "runtime/solver/explicit_rk.hpp"
#include "runtime/solver/explicit_stability.hpp"
#include "runtime/solver/flow_network.hpp"
#include "runtime/solver/pwm_leg.hpp"
#include "runtime/solver/rkc.hpp"
#include "runtime/solver/rosenbrock.hpp"
#include "runtime/solver/ssprk43.hpp"
#include "runtime/solver/state_events.hpp"
#include "runtime/solver/time_instants.hpp"
#include "runtime/solver/timed_gate.hpp"
#include "runtime/solver/travel_delay.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "runtime/solver/switched.hpp"
#pragma GCC diagnostic pop

namespace takt::codegen::code::written {

// Descriptions of plants.
using takt::BundledRun, takt::CouplingKind, takt::EventDescription, takt::ExchangePlan,
    takt::FaultChange, takt::FaultDescription, takt::ForeignDescription, takt::GroupPlan,
    takt::InputRoute, takt::MemoryEntry, takt::PackedTable, takt::PlantDescription,
    takt::PlantInputDescription, takt::plant_main, takt::RecordPlan, takt::Role,
    takt::SubsystemDescription, takt::unpacked, takt::Window, takt::WindowPlan;
using takt::EventWeight;
using Place = takt::PackedTable::Place;
constexpr takt::EventWeight verdict = takt::EventWeight::verdict;

// Methods, and what they ask of a subsystem.
template <class S>
concept demanded = takt::Stepped<S> || takt::LinearlyImplicit<S> || takt::ExactlySolved<S> ||
    takt::SwitchedCircuit<S>;
using takt::chebyshev_stability, takt::Euler, takt::explicit_stability, takt::Heun, takt::Rk3,
    takt::Rk4, takt::run, takt::run_exact, takt::run_rkc, takt::run_rosenbrock, takt::Ssprk43;
using takt::factor_dense, takt::rates_switched, takt::resume_switched, takt::solve_dense,
    takt::start_switched;
using takt::foreign::begin, takt::foreign::integral;

// Members of subsystems.
using takt::AffineMap, takt::Arriving, takt::ConductancePattern, takt::EventSet, takt::FixedSizes,
    takt::FlowNetwork, takt::FlowPattern, takt::Inside, takt::leave, takt::leaves, takt::Leaving,
    takt::PwmLeg, takt::SparsePattern, takt::TimedGate;
using takt::math::lanes, takt::math::make_table2_view, takt::math::make_table_view,
    takt::math::Table2View, takt::math::TableView;

// Plants as one system.
using takt::flat::Description, takt::flat::no_place;

namespace offline {
using takt::offline::make_adaptive, takt::offline::make_bdf, takt::offline::run;
}
namespace foreign {
using takt::foreign::run;
}
namespace flat {
using takt::flat::Place, takt::flat::Role;
}

}  // namespace takt::codegen::code::written
