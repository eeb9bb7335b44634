#include "codegen/dae/algebra/subsystem_kind.hpp"

namespace takt::codegen {

bool is_circuit(const SubsystemKind& kind) {
  return by_kind(
      kind, [](const SmoothCircuit&) { return true; }, [](const SwitchedCircuit&) { return true; },
      [](const ControlTask&) { return false; }, [](const ForeignTask&) { return false; });
}

bool is_integrated(const SubsystemKind& kind) {
  return by_kind(
      kind, [](const SmoothCircuit&) { return true; }, [](const SwitchedCircuit&) { return false; },
      [](const ControlTask&) { return false; }, [](const ForeignTask&) { return false; });
}

bool is_evaluable(const SubsystemKind& kind) {
  return by_kind(
      kind, [](const SmoothCircuit&) { return true; }, [](const SwitchedCircuit&) { return false; },
      [](const ControlTask&) { return true; }, [](const ForeignTask&) { return false; });
}

std::optional<std::int64_t> sampling_period_ns(const SubsystemKind& kind) {
  using Period = std::optional<std::int64_t>;
  return by_kind(
      kind, [](const SmoothCircuit&) { return Period{}; },
      [](const SwitchedCircuit&) { return Period{}; },
      [](const ControlTask& task) { return Period{task.period_ns}; },
      [](const ForeignTask&) { return Period{}; });
}

std::vector<Assignment> updates_of(const SubsystemKind& kind) {
  using Updates = std::vector<Assignment>;
  return by_kind(
      kind, [](const SmoothCircuit&) { return Updates{}; },
      [](const SwitchedCircuit&) { return Updates{}; },
      [](const ControlTask& task) { return task.updates; },
      [](const ForeignTask&) { return Updates{}; });
}

}  // namespace takt::codegen
