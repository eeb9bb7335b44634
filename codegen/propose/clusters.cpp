#include "codegen/propose/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "codegen/plan/couplings.hpp"
#include "codegen/trial/linear_blocks.hpp"

namespace takt::codegen {
namespace {

using Rates = std::map<std::pair<std::size_t, std::size_t>, double>;  // by pair of subsystems, the smaller first

/// What moving the states of one subsystem by `z` does to the rates of another: through all couplings from the one to
/// the other.
class Influence {
 public:
  Influence(const Plan& plan, const std::vector<LinearBlock>& blocks, std::size_t from, std::size_t to)
      : from_(blocks[from]), to_(blocks[to]) {
    for (const PlanCoupling& coupling : plan.couplings)
      if (coupling.producer == from && coupling.consumer == to)
        links_.emplace_back(index_in(plan.subsystems[from].outputs, coupling.from),
                            index_in(plan.subsystems[to].inputs, coupling.to));
  }
  [[nodiscard]] bool none() const { return links_.empty() || from_.states == 0 || to_.states == 0; }
  [[nodiscard]] std::vector<double> operator()(const std::vector<double>& z) const {
    const std::vector<double> still_inputs(from_.inputs, 0.0), still(to_.states, 0.0);
    std::vector<double> y(from_.outputs), u(to_.inputs, 0.0), rates(to_.states);
    from_.apply({from_.states, y.size()}, z.data(), still_inputs.data(), y.data());
    for (const auto& [output, input] : links_) u[input] += y[output];
    to_.apply({0, rates.size()}, still.data(), u.data(), rates.data());
    return rates;
  }

 private:
  const LinearBlock &from_, &to_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
};

double length(const std::vector<double>& v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

/// sqrt of the spectral radius of A_ij*A_ji, which no scaling of the states changes; by power iteration.
double mutual_rate(const Influence& there, const Influence& back, std::size_t states) {
  constexpr int rounds = 20;
  std::vector<double> z(states, 1.0);
  double gain = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const double before = length(z);
    z = back(there(z));
    const double after = length(z);
    gain = after / before;
    if (!(after > 0.0) || !std::isfinite(after)) return 0.0;
    for (double& x : z) x /= after;
  }
  return std::sqrt(gain);
}

void add_rates(Rates& rates, const Plan& plan, const std::vector<LinearBlock>& blocks) {
  if (blocks.empty()) return;
  for (const PlanCoupling& coupling : plan.couplings) {
    const std::size_t a = std::min(coupling.producer, coupling.consumer),
                      b = std::max(coupling.producer, coupling.consumer);
    if (coupling.producer != a) continue;  // each pair once, where both directions exist
    const Influence there(plan, blocks, a, b), back(plan, blocks, b, a);
    if (there.none() || back.none()) continue;
    double& rate = rates[{a, b}];
    rate = std::max(rate, mutual_rate(there, back, blocks[a].states));
  }
}

Rates mutual_rates(const Plan& plan, const Network& network, const DaeResult& dae, const OperatingRange& range) {
  Rates rates;
  add_rates(rates, plan, linear_blocks(plan, network, dae));
  constexpr std::size_t most_points = 4;
  const std::size_t points = std::min(most_points, range.rows.size());
  for (std::size_t k = 0; k < points; ++k)
    add_rates(rates, plan,
              linear_blocks(plan, network, dae,
                            {.range = &range, .row = points < 2 ? 0 : k * (range.rows.size() - 1) / (points - 1)}));
  return rates;
}

double fastest_of(const Spectrum& spectrum) {
  return spectrum.values.empty() ? 0.0 : std::abs(spectrum.values.front());
}

/// Alike: kind, domain, and the decade of the fastest mode; what is slower than a decade below 1/base counts as one.
std::vector<Cluster> alike(const DaeResult& dae, const std::vector<Spectrum>& spectra, double base_s) {
  std::map<std::pair<CircuitDomain, int>, std::size_t> known;
  std::vector<Cluster> clusters;
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
    const Surrogate& surrogate = dae.subsystems[index];
    const Cluster::Kind kind = by_kind(
        surrogate.kind, [](const SmoothCircuit&) { return Cluster::Kind::smooth; },
        [](const SwitchedCircuit&) { return Cluster::Kind::switched; },
        [](const ControlTask&) { return Cluster::Kind::control; });
    const double rate = fastest_of(spectra[index]);
    const int decade =
        kind != Cluster::Kind::smooth ? 0 : static_cast<int>(std::floor(std::log10(std::max(rate, 0.1 / base_s))));
    const auto [place, fresh] = known.emplace(std::pair{surrogate.domain, decade}, clusters.size());
    if (fresh) clusters.push_back({.kind = kind, .members = {}});
    Cluster& cluster = clusters[place->second];
    cluster.members.push_back(index);
    cluster.fastest = std::max(cluster.fastest, rate);
  }
  return clusters;
}

}  // namespace

std::vector<Cluster> find_clusters(const Plan& plan, const Network& network, const DaeResult& dae,
                                   const std::vector<Spectrum>& spectra, const OperatingRange& range, double base_s) {
  constexpr double together = 1.0 / 3.0;
  std::vector<Cluster> clusters = alike(dae, spectra, base_s);
  const Rates rates = mutual_rates(plan, network, dae, range);
  const auto cluster_of = [&](std::size_t subsystem) {
    return static_cast<std::size_t>(std::find_if(clusters.begin(), clusters.end(),
                                                 [&](const Cluster& c) {
                                                   return std::find(c.members.begin(), c.members.end(), subsystem) !=
                                                          c.members.end();
                                                 }) -
                                    clusters.begin());
  };
  for (const auto& [pair, rate] : rates) {
    const std::size_t a = cluster_of(pair.first), b = cluster_of(pair.second);
    if (a == b || rate * base_s < together) continue;
    Cluster &into = clusters[std::min(a, b)], &from = clusters[std::max(a, b)];
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    std::sort(into.members.begin(), into.members.end());
    into.fastest = std::max(into.fastest, from.fastest);
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
  }
  for (const auto& [pair, rate] : rates) {
    const std::size_t a = cluster_of(pair.first), b = cluster_of(pair.second);
    if (a == b) continue;
    for (const auto& [own, other] : {std::pair{a, b}, std::pair{b, a}})
      if (rate > clusters[own].coupling) clusters[own].coupling = rate, clusters[own].partner = other;
  }
  return clusters;
}

}  // namespace takt::codegen
