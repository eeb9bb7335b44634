#include "codegen/dae/control_groups.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "codegen/dae/algebra/matching.hpp"
#include "codegen/dae/circuit/surrogate_symbols.hpp"
#include "codegen/expr/symbol_map.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/graph/disjoint_sets.hpp"

namespace takt::codegen {

namespace {

struct Output {
  SymbolId symbol{};
  Expr value{};
  std::uint32_t block = 0;
};

/// A block of a part hides what the plant calls so: the loop was hardly meant. "; in control.z.gain
/// the name 'gain' is that block, not the parameter of the plant"
std::string hidden_text(const Network& network, const std::string& path) {
  const auto is_called = [&](const std::string& name) {
    return
        [&, name](const auto& entry) { return network.graph().symbol(entry.symbol).path == name; };
  };
  const std::size_t leaf = path.rfind('.') + 1;
  if (path.find('.') + 1 == leaf) return {};  // a block of the plant itself
  const std::string name = path.substr(leaf);
  std::string hidden;
  if (std::any_of(network.parameters.begin(), network.parameters.end(), is_called(name)))
    hidden = "the parameter";
  else if (std::any_of(network.inputs.begin(), network.inputs.end(), is_called(name)))
    hidden = "the input";
  else if (std::any_of(network.blocks.begin(), network.blocks.end(),
                       [&](const ControlBlock& block) { return block.path == "control." + name; }))
    hidden = "the block";
  return hidden.empty() ? hidden
                        : "; in '" + path + "' the name '" + name + "' is that block, not " +
                              hidden + " of the plant";
}

void report_loop(const Network& network, const std::vector<Output>& outputs,
                 const std::vector<std::size_t>& loop, Diagnostics& diagnostics) {
  std::string text;
  for (const std::size_t member : loop)
    text += network.graph().symbol(outputs[member].symbol).path + " -> ";
  text += network.graph().symbol(outputs[loop.front()].symbol).path;
  for (const std::size_t member : loop)
    text += hidden_text(network, network.blocks[outputs[member].block].path);
  diagnostics.error("C010", network.blocks[outputs[loop.front()].block].where,
                    "loop without delay across control blocks: " + text,
                    "give one of these blocks a delay (sample_hold or filter), or another period");
}

using Blocks = std::vector<std::uint32_t>;  ///< indices into Network::blocks

/// Blocks by period, and by what is connected: circuits and blocks that read each other's
/// variables.
std::map<std::int64_t, std::vector<Blocks>> groups_of(const Network& network,
                                                      const DaeResult& circuits) {
  const std::size_t first = circuits.subsystems.size();
  graph::DisjointSets parts(first + network.blocks.size());
  SymbolMap<std::size_t> definer;
  for (std::size_t index = 0; index < first; ++index)
    for (const SymbolId symbol : symbols_owned(circuits.subsystems[index]))
      definer.emplace(symbol, index);
  for (std::size_t index = 0; index < network.blocks.size(); ++index) {
    for (const auto& output : network.blocks[index].outputs)
      definer.emplace(output.symbol, first + index);
    for (const auto& state : network.blocks[index].states)
      definer.emplace(state.symbol, first + index);
  }
  for (const Flux& flux : circuits.fluxes)
    if (const auto source = definer.find(flux.source); source != definer.end())
      definer.emplace(flux.received, source->second);
  const auto read = [&](std::size_t reader, const std::vector<SymbolId>& symbols) {
    for (const SymbolId symbol : symbols)
      if (const auto found = definer.find(symbol); found != definer.end())
        parts.join(reader, found->second);
  };
  for (std::size_t index = 0; index < first; ++index)
    read(index, symbols_read(network, circuits.subsystems[index]));
  for (std::size_t index = 0; index < network.blocks.size(); ++index) {
    std::vector<Expr> values;
    for (const auto& output : network.blocks[index].outputs) values.push_back(output.value);
    for (const auto& state : network.blocks[index].states) values.push_back(state.next);
    read(first + index, network.graph().symbols_of(values));
  }
  std::map<std::int64_t, std::vector<Blocks>> groups;
  std::map<std::pair<std::int64_t, std::size_t>, std::size_t>
      place;  // of the group of a period and part
  for (std::size_t index = 0; index < network.blocks.size(); ++index) {
    std::vector<Blocks>& same_period = groups[network.blocks[index].period_ns];
    const auto [known, fresh] = place.try_emplace(
        {network.blocks[index].period_ns, parts.find(first + index)}, same_period.size());
    if (fresh) same_period.emplace_back();
    same_period[known->second].push_back(static_cast<std::uint32_t>(index));
  }
  return groups;
}

Surrogate control_surrogate(const Network& network, const Blocks& blocks,
                            Diagnostics& diagnostics) {
  Surrogate result;
  result.domain = CircuitDomain::control;
  ControlTask task{.period_ns = network.blocks[blocks.front()].period_ns, .updates = {}};
  result.index = 0;
  result.name = "control." + period_text(task.period_ns);
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
    for (const SymbolId symbol : network.graph().symbols_of(outputs[k].value)) {
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
      result.states.push_back({state.symbol, network.graph().zero(), state.start});
      task.updates.push_back({state.symbol, state.next});
    }
  result.kind = std::move(task);
  result.algebraic = outputs.size();
  result.differential = 0;
  result.equations = outputs.size() + result.states.size();
  EnergyBalance none{network.graph().zero(),
                     network.graph().zero(),
                     network.graph().zero(),
                     network.graph().zero(),
                     true,
                     network.graph().zero()};
  result.energy = none;
  return result;
}

}  // namespace

std::vector<Surrogate> control_surrogates(const Network& network, const DaeResult& circuits,
                                          Diagnostics& diagnostics) {
  std::vector<Surrogate> controls;
  for (const auto& [period_ns, groups] : groups_of(network, circuits))
    for (const Blocks& blocks : groups) {
      controls.push_back(control_surrogate(network, blocks, diagnostics));
      if (groups.size() > 1)
        controls.back().name =
            network.blocks[blocks.front()].path;  // as circuits are called where there are several
    }
  return controls;
}

}  // namespace takt::codegen
