// The rules by which the long run of an FMU is judged.

#include <fmt/format.h>

#include "tools/takt/fmu_fitness.hpp"

namespace takt::tools {
namespace {

using Weight = Reason::Weight;

void judge_times(const nlohmann::json& times, double budget_us, std::vector<Reason>& reasons) {
  const double p999 = times["p999_us"], most = times["max_us"];
  if (p999 > budget_us)
    reasons.push_back(
        {Weight::unfit, fmt::format("one step in a thousand takes more than {:.4g} us, above the budget of {:.4g} us",
                                    p999, budget_us)});
  else if (most > budget_us)
    reasons.push_back({Weight::care, fmt::format("step {} took {:.4g} us, above the budget of {:.4g} us; the machine "
                                                 "may have caused it: repeat on an isolated core",
                                                 times["worst_step"].get<std::uint64_t>(), most, budget_us)});
  const double early = times["early_median_us"], late = times["late_median_us"];
  if (late > 1.5 * early && late - early > 1.0)
    reasons.push_back(
        {Weight::unfit, fmt::format("steps become slower: {:.4g} us early, {:.4g} us late", early, late)});
}

void judge_memory(const nlohmann::json& memory, std::uint64_t steps, std::vector<Reason>& reasons) {
  const double heap = memory["heap_bytes_per_step"], resident = memory["resident_bytes_per_step"];
  // Below a page over the whole run nothing can be said of resident memory.
  const bool grows = heap > 0.5 && heap * static_cast<double>(steps) > 16'384.0;
  const bool swells = resident > 0.5 && resident * static_cast<double>(steps) > 1'048'576.0;
  if (grows || swells)
    reasons.push_back(
        {Weight::unfit,
         fmt::format("its memory grows: {:.4g} bytes of heap, {:.4g} bytes resident per step", heap, resident)});
}

}  // namespace

void judge_long_run(const nlohmann::json& found, const FitnessLimits& limits, std::vector<Reason>& reasons) {
  const std::uint64_t steps = found["steps"];
  judge_times(found["times"], limits.budget_s * 1e6, reasons);
  judge_memory(found["memory"], steps, reasons);
  const auto count = [&](const char* name) { return found[name].get<std::uint64_t>(); };
  if (found["ended_by_fmu"].get<bool>())
    reasons.push_back({Weight::care, fmt::format("it ended the simulation after {} steps", steps)});
  if (count("not_finite") > 0)
    reasons.push_back({Weight::unfit, fmt::format("{} of its values are NaN or infinite", count("not_finite"))});
  if (const double part = static_cast<double>(count("waits")) / static_cast<double>(steps); part > 0.01)
    reasons.push_back({Weight::unfit, fmt::format("it waits in its steps (sleeps, locks, reads): {} times in {} steps",
                                                  count("waits"), steps)});
  if (count("threads_started") > 0)
    reasons.push_back({Weight::care, fmt::format("it starts {} threads: give its host process cores of its own",
                                                 count("threads_started"))});
  if (!found["files"].empty()) {
    std::string names;
    for (const auto& one : found["files"]) names += (names.empty() ? "" : ", ") + one.get<std::string>();
    reasons.push_back({Weight::care, "it keeps files or sockets open while it steps: " + names});
  }
  if (count("major_faults") > 0)
    reasons.push_back(
        {Weight::care, fmt::format("{} pages were read from disk while it stepped", count("major_faults"))});
  if (const std::uint64_t faults = count("page_faults"); faults > 64 && faults * 100 > steps)
    reasons.push_back({Weight::care, fmt::format("{} page faults in {} steps: lock its memory", faults, steps)});
  if (count("subnormal") > 0)
    reasons.push_back(
        {Weight::note, fmt::format("{} of its values were subnormal numbers, which some processors compute slowly",
                                   count("subnormal"))});
  if (count("messages") > 0) reasons.push_back({Weight::note, fmt::format("it logged {} messages", count("messages"))});
  if (count("float_control_changes") > 0)
    reasons.push_back(
        {Weight::note,
         fmt::format("it changed rounding or floating-point traps of its thread {} times (put back by takt)",
                     count("float_control_changes"))});
}

}  // namespace takt::tools
