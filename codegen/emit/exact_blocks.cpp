#include "codegen/emit/exact_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace takt::codegen {

std::size_t place_in(const std::vector<std::size_t>& list, std::size_t value) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

std::vector<std::size_t> state_integrals(const LinearForm& form) {
  std::vector<std::size_t> rows;
  for (const Jacobian::Entry& entry : form.integrands)
    if (rows.empty() || rows.back() != entry.row) rows.push_back(entry.row);
  return rows;
}

std::vector<std::size_t> nonlinear_integrals(const LinearForm& form) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < form.linear.size(); ++row)
    if (!form.linear[row]) rows.push_back(row);
  return rows;
}

std::vector<ExactBlock> exact_blocks(const SubsystemView& view) {
  const LinearForm& form = *view.plan.linear;
  std::vector<std::size_t> leader(view.surrogate.states.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t state) {
    while (leader[state] != state) state = leader[state];
    return state;
  };
  for (const Jacobian::Entry& entry : form.rates) {  // the smallest state leads
    const std::size_t a = find(entry.row), b = find(entry.column);
    leader[std::max(a, b)] = std::min(a, b);
  }
  std::vector<ExactBlock> blocks;
  std::vector<std::size_t> block_of(leader.size());
  for (std::size_t state = 0; state < leader.size(); ++state) {
    const std::size_t own = find(state);
    if (own == state) block_of[state] = blocks.size(), blocks.emplace_back();
    block_of[state] = block_of[own];
    blocks[block_of[state]].states.push_back(state);
  }
  for (std::size_t k = 0; k < form.rate_driving.size(); ++k)
    blocks[block_of[form.rate_driving[k].row]].driven.push_back(k);
  const std::vector<std::size_t> integrals = state_integrals(form);
  for (const Jacobian::Entry& entry : form.integrands) {
    std::vector<std::size_t>& own = blocks[block_of[entry.column]].integrals;
    if (const std::size_t place = place_in(integrals, entry.row);
        own.empty() || own.back() != place)
      own.push_back(place);
  }
  return blocks;
}

std::size_t ExactBlock::columns(const LinearForm& form) const {
  return states.size() + static_cast<std::size_t>(form.points - 1) * driven.size();
}

std::size_t ExactBlock::rows(const LinearForm& form) const {
  return (nonlinear_integrals(form).empty() ? 1 : 2) * states.size() + integrals.size();
}

}  // namespace takt::codegen
