#pragma once
// All circuits as one subsystem: what a single solver integrates, without couplings among them.

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

/// Circuits become the subsystem `whole`: their states together, their algebra in one order of
/// evaluation, each received flux the value that is sent at the same instant. Sampled control stays
/// as it is, and samples and feeds `whole`. Findings: S082 circuits with switches, which have a
/// solver of their own; S083 their algebra has no order of evaluation.
[[nodiscard]] DaeResult join_subsystems(const Network& network, const DaeResult& dae,
                                        Diagnostics& diagnostics);

}  // namespace takt::codegen
