#pragma once
// Map of the symbols of one graph that many of them are in: an array over symbols beside the values
// in a row, no node per symbol.

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Used as std::unordered_map; iterates in order of insertion, and nothing is ever removed.
template <class T>
class SymbolMap {
 public:
  using Items = std::vector<std::pair<SymbolId, T>>;

  [[nodiscard]] typename Items::const_iterator begin() const { return items_.begin(); }
  [[nodiscard]] typename Items::const_iterator end() const { return items_.end(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool contains(SymbolId symbol) const { return place_of(symbol) != 0; }
  [[nodiscard]] typename Items::const_iterator find(SymbolId symbol) const {
    const std::uint32_t place = place_of(symbol);
    return place == 0 ? items_.end() : items_.begin() + (place - 1);
  }
  /// @throws std::out_of_range
  [[nodiscard]] const T& at(SymbolId symbol) const {
    const std::uint32_t place = place_of(symbol);
    if (place == 0) throw std::out_of_range("SymbolMap::at");
    return items_[place - 1].second;
  }
  /// Leaves what is there. @return whether nothing was
  bool emplace(SymbolId symbol, T value) {
    if (contains(symbol)) return false;
    insert(symbol, std::move(value));
    return true;
  }
  T& operator[](SymbolId symbol) {
    if (!contains(symbol)) insert(symbol, T{});
    return items_[place_of(symbol) - 1].second;
  }

 private:
  [[nodiscard]] std::uint32_t place_of(SymbolId symbol) const {
    const auto index = static_cast<std::size_t>(symbol);
    return index < places_.size() ? places_[index] : 0;
  }
  void insert(SymbolId symbol, T value) {
    const auto index = static_cast<std::size_t>(symbol);
    if (index >= places_.size()) places_.resize(index + 1 + index / 2);
    items_.emplace_back(symbol, std::move(value));
    places_[index] = static_cast<std::uint32_t>(items_.size());
  }

  std::vector<std::uint32_t> places_;  ///< by symbol: one more than its index in items_; 0: none
  Items items_;
};

}  // namespace takt::codegen
