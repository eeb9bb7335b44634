#include "codegen/reference/tape.hpp"

#include <unordered_map>

namespace takt::codegen {

Tape::Tape(const Graph& graph, const std::vector<Expr>& roots, const std::vector<SymbolId>& varying)
    : line_(graph) {
  for (const Expr root : roots) roots_.push_back(line_.slot_of(root));
  std::unordered_map<SymbolId, std::size_t> index;
  for (std::size_t k = 0; k < varying.size(); ++k) index.emplace(varying[k], k);
  std::vector<bool> varies(line_.slots().size(), false);
  for (const auto& [symbol, slot] : line_.symbols()) {
    const auto place = index.find(symbol);
    varies[slot] = place != index.end();
    if (varies[slot])
      varying_.push_back({slot, place->second});
    else
      fixed_.emplace_back(symbol, slot);
  }
  for (const StraightLine::Operation& operation : line_.operations()) {
    varies[operation.result] = varies[operation.a] || varies[operation.b] || varies[operation.c];
    (varies[operation.result] ? each_time_ : once_).push_back(operation);
  }
}

void Tape::set_fixed(SymbolId symbol, double value) {
  for (const auto& [known, slot] : fixed_)
    if (known == symbol) line_[slot] = value;
}

void Tape::fix() { line_.run(once_); }

void Tape::evaluate(const std::vector<double>& varying, std::vector<double>& results) {
  for (const Place& place : varying_) line_[place.slot] = varying[place.index];
  line_.run(each_time_);
  results.resize(roots_.size());
  for (std::size_t k = 0; k < roots_.size(); ++k) results[k] = line_[roots_[k]];
}

}  // namespace takt::codegen
