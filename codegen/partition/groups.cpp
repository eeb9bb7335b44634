#include "codegen/partition/settings.hpp"
#include "codegen/partition/subject_names.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t default_period_ns = 1'000'000;  // 1 ms: what a CAN-connected ECU expects of its plant

}  // namespace

void choose_groups(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  PlanGroup group;
  group.name = "plant";
  group.period_ns = default_period_ns;
  group.scheme = "fast-first";
  group.proposed = true;
  if (!network.sync.empty()) {
    const SyncSetting& setting = network.sync.front();
    group = {.name = setting.name,
             .parent = {},
             .period_ns = setting.period_ns,
             .scheme = setting.scheme,
             .order = setting.order,
             .members = {},
             .proposed = false};
    const std::vector<std::string> names = all_subject_names(network, dae);
    for (const std::string& member : setting.members) {
      if (names_match(member, names)) continue;
      diagnostics.error(
          "S005", setting.where,
          "[sync] " + setting.name + " names '" + member + "', but no circuit, domain, element or block is called so",
          subject_hint(member, names));
    }
    if (setting.order && *setting.order != 0 && *setting.order != 1) {
      diagnostics.error("S006", setting.where,
                        "order " + std::to_string(*setting.order) + " of inter- and extrapolation is not available",
                        "use 0 (hold) or 1 (linear)");
      group.order.reset();
    }
  }
  for (std::size_t extra = 1; extra < network.sync.size(); ++extra) {
    diagnostics.error("S007", network.sync[extra].where,
                      "a second synchronisation group '" + network.sync[extra].name + "': this version knows one",
                      "give all subsystems one synchronisation time");
  }
  if (group.period_ns <= 0) group.period_ns = default_period_ns;
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) group.members.push_back(index);
  plan.macro_step_ns = group.period_ns;
  plan.groups.push_back(std::move(group));
}

}  // namespace takt::codegen
