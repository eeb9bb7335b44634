#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "codegen/propose/propose.hpp"
#include "codegen/stability/step_limits.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t longest_list = 4;

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string names(const Plan& plan, const std::vector<std::size_t>& members) {
  std::string text;
  for (std::size_t k = 0; k < std::min(members.size(), longest_list); ++k)
    text += (k > 0 ? ", " : "") + plan.subsystems[members[k]].name;
  return members.size() > longest_list ? text + " and " + std::to_string(members.size() - longest_list) + " more"
                                       : text;
}

void write_clusters(std::ostream& out, const Proposal& proposal) {
  const Plan& plan = proposal.alternatives.back().plan;
  out << "clusters: alike in domain and speed, or strongly coupled\n";
  for (std::size_t k = 0; k < proposal.clusters.size(); ++k) {
    const Cluster& cluster = proposal.clusters[k];
    out << "  " << padded(std::to_string(k + 1) + ".", 4) << names(plan, cluster.members);
    if (cluster.kind == Cluster::Kind::control)
      out << ": sampled control";
    else if (cluster.kind == Cluster::Kind::switched)
      out << ": switches, step " << duration_text(plan.subsystems[cluster.members.front()].step_ns);
    else
      out << ": fastest mode " << three_digits(cluster.fastest) << " 1/s";
    if (cluster.coupling > 0.0)
      out << ", coupled most with " << cluster.partner + 1 << ". (" << three_digits(cluster.coupling) << " 1/s)";
    out << '\n';
  }
}

std::string times_of(const Plan& plan) {
  std::set<std::int64_t> periods;
  for (const SyncGroup& group : plan.groups) periods.insert(group.period_ns);
  std::string text;
  for (const std::int64_t period : periods) text += (text.empty() ? "" : ", ") + duration_text(period);
  return text;
}

void write_alternatives(std::ostream& out, const Proposal& proposal) {
  const double own = proposal.alternatives.back().cost;
  out << "\nestimated over " << duration_text(proposal.duration_ns)
      << (proposal.runs > 1 ? " from each of " + std::to_string(proposal.runs) + " points of the operating range" : "")
      << ", against a run of small steps whose own error is about " << three_digits(proposal.reference_error) << ":\n  "
      << padded("", 28) << padded("exchange every", 24) << padded("operations a second", 22) << padded("relative", 10)
      << "largest RMS error over range\n";
  for (const Alternative& a : proposal.alternatives) {
    out << "  " << padded(a.name, 28);
    if (!a.refused.empty()) {
      out << a.refused << '\n';
      continue;
    }
    out << padded(times_of(a.plan), 24) << padded(three_digits(a.cost), 22) << padded(three_digits(a.cost / own), 10)
        << three_digits(a.error) << " (" << a.worst << ")\n";
  }
}

bool same(const SolveSetting& a, const SolveSetting& b) {
  return a.method == b.method && a.step_ns == b.step_ns && a.newton_iterations == b.newton_iterations &&
         a.edges == b.edges;
}

void write_solve(std::ostream& out, const SolveSetting& setting, const std::string& name) {
  const bool plain = name.find_first_of(".[]") == std::string::npos;
  out << (plain ? name : '"' + name + '"') << " = { step = \"" << duration_text(setting.step_ns.value_or(0)) << '"';
  if (setting.method) out << ", method = \"" << *setting.method << '"';
  if (setting.newton_iterations) out << ", newton = " << *setting.newton_iterations;
  if (setting.edges) out << ", edges = \"" << word_of(edge_words, *setting.edges) << '"';
  out << " }\n";
}

using Domains = std::map<std::string, std::vector<std::string>>;  // names of subsystems

Domains domains_of(const Plan& plan) {
  Domains domains;
  for (const PlanSubsystem& subsystem : plan.subsystems) domains[text_of(subsystem.domain)].push_back(subsystem.name);
  return domains;
}

/// A line for the domain by what most of its circuits have, then one for each of the others.
void write_domain(std::ostream& out, const std::string& domain, const std::vector<SolveSetting>& of) {
  const auto like = [&](const SolveSetting& a) {
    return std::count_if(of.begin(), of.end(), [&](const SolveSetting& b) { return same(a, b); });
  };
  const auto usual = std::max_element(of.begin(), of.end(),
                                      [&](const SolveSetting& a, const SolveSetting& b) { return like(a) < like(b); });
  write_solve(out, *usual, domain);
  for (const SolveSetting& setting : of)
    if (!same(setting, *usual)) write_solve(out, setting, setting.pattern);
}

/// Members by their domain where all of it is in the group.
std::vector<std::string> members_of(const SyncSetting& group, const Domains& domains) {
  std::vector<std::string> members = group.members;
  for (const auto& set : domains) {
    const std::vector<std::string>& all = set.second;
    const auto in_group = [&](const std::string& name) {
      return std::find(members.begin(), members.end(), name) != members.end();
    };
    if (!std::all_of(all.begin(), all.end(), in_group)) continue;
    std::erase_if(members,
                  [&](const std::string& name) { return std::find(all.begin(), all.end(), name) != all.end(); });
    members.push_back(set.first);
  }
  return members;
}

}  // namespace

std::string text(const Proposal& proposal, const Network&) {
  std::ostringstream out;
  write_clusters(out, proposal);
  write_alternatives(out, proposal);
  if (!proposal.alternatives.back().plan.coupling_stability.empty())
    out << "\ncoupling of the proposal: " << proposal.alternatives.back().plan.coupling_stability << '\n';
  return out.str();
}

std::string parametrisation(const Proposal& proposal, const Network& network) {
  std::ostringstream out;
  const Alternative& best = proposal.alternatives.back();
  const Domains domains = domains_of(best.plan);
  out << "# Proposed by takt check --propose: estimated error " << three_digits(best.error) << " (RMS over range, "
      << best.worst << ").\n"
      << "title = \"proposed: synchronisation times " << times_of(best.plan) << "\"\n\n[solve]\n";
  for (const auto& [domain, all] : domains) {
    std::vector<SolveSetting> settings;
    for (const SolveSetting& setting : proposal.solve)
      if (std::find(all.begin(), all.end(), setting.pattern) != all.end()) settings.push_back(setting);
    if (!settings.empty()) write_domain(out, domain, settings);
  }
  out << "\n[sync]\n";
  for (const SyncSetting& group : proposal.sync) {
    out << group.name << " = { members = [";
    const std::vector<std::string> members = members_of(group, domains);
    for (std::size_t k = 0; k < members.size(); ++k) out << (k > 0 ? ", " : "") << '"' << members[k] << '"';
    out << "], every = \"" << duration_text(group.period_ns) << "\", order = " << group.order.value_or(1) << " }\n";
  }
  const std::int64_t outermost = best.plan.macro_step_ns;
  if (network.record.empty()) return out.str();
  out << "\n[record]\n";
  std::map<std::int64_t, std::vector<std::string>> records;  // periods rounded up to multiples of the outermost time
  for (const RecordSetting& record : network.record) {
    auto& patterns = records[(record.period_ns + outermost - 1) / outermost * outermost];
    patterns.insert(patterns.end(), record.patterns.begin(), record.patterns.end());
  }
  for (const auto& [period, patterns] : records) {
    out << '"' << duration_text(period) << "\" = [";
    for (std::size_t k = 0; k < patterns.size(); ++k) out << (k > 0 ? ", " : "") << '"' << patterns[k] << '"';
    out << "]\n";
  }
  return out.str();
}

}  // namespace takt::codegen
