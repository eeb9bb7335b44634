#include "codegen/dae/control_groups.hpp"

#include "codegen/dae/matching.hpp"

namespace takt::codegen {

std::string period_text(std::int64_t period_ns) {
  if (period_ns % 1'000'000'000 == 0) return std::to_string(period_ns / 1'000'000'000) + "s";
  if (period_ns % 1'000'000 == 0) return std::to_string(period_ns / 1'000'000) + "ms";
  if (period_ns % 1'000 == 0) return std::to_string(period_ns / 1'000) + "us";
  return std::to_string(period_ns) + "ns";
}

namespace {

struct Output {
  SymbolId symbol{};
  Expr value{};
  std::uint32_t block = 0;
};

void report_loop(const Network& network, const std::vector<Output>& outputs, const std::vector<std::size_t>& loop, Diagnostics& diagnostics) {
  std::string text;
  for (const std::size_t member : loop) text += network.graph.symbol(outputs[member].symbol).path + " -> ";
  text += network.graph.symbol(outputs[loop.front()].symbol).path;
  diagnostics.error("C010", network.blocks[outputs[loop.front()].block].where, "loop without delay across control blocks: " + text,
                    "give one of these blocks a delay (sample_hold or filter), or another period");
}

}  // namespace

Surrogate control_surrogate(Network& network, const std::vector<std::uint32_t>& blocks, Diagnostics& diagnostics) {
  Surrogate result;
  result.domain = "control";
  result.discrete = true;
  result.index = 0;
  result.period_ns = network.blocks[blocks.front()].period_ns;
  result.name = "control." + period_text(result.period_ns);
  std::vector<Output> outputs;
  std::unordered_map<SymbolId, std::size_t> defined_by;
  for (const std::uint32_t block : blocks)
    for (const auto& output : network.blocks[block].outputs) {
      defined_by[output.symbol] = outputs.size();
      outputs.push_back({output.symbol, output.value, block});
    }
  Incidence incidence;
  Matching matching{{}, std::vector<std::optional<std::size_t>>(outputs.size())};
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    std::vector<std::size_t> row{k};
    for (const SymbolId symbol : network.graph.symbols_of(outputs[k].value)) {
      const auto place = defined_by.find(symbol);
      if (place == defined_by.end()) continue;
      if (place->second == k)
        report_loop(network, outputs, {k}, diagnostics);
      else
        row.push_back(place->second);
    }
    incidence.push_back(std::move(row));
    matching.unknown_of.push_back(k);
    matching.equation_of[k] = k;
  }
  for (const std::vector<std::size_t>& block : blocks_in_order(incidence, matching)) {
    if (block.size() > 1) report_loop(network, outputs, block, diagnostics);
    for (const std::size_t member : block) {
      AlgebraicStep step;
      step.assignment = {outputs[member].symbol, outputs[member].value};
      result.algebra.push_back(std::move(step));
      result.algebra_outputs.push_back(outputs[member].symbol);
    }
  }
  for (const std::uint32_t block : blocks)
    for (const auto& state : network.blocks[block].states) {
      result.states.push_back({state.symbol, network.graph.zero(), state.start});
      result.updates.push_back({state.symbol, state.next});
    }
  result.algebraic = outputs.size();
  result.differential = 0;
  result.equations = outputs.size() + result.states.size();
  EnergyBalance none{network.graph.zero(), network.graph.zero(), network.graph.zero(), network.graph.zero(), true, network.graph.zero()};
  result.energy = none;
  return result;
}

}  // namespace takt::codegen
