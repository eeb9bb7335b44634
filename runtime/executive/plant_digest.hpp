#pragma once
// The digest of a run (digest.hpp) over the values of a plant: each subsystem's when its last window of a macro-step
// has been computed, while they are at hand. As every value passes here, here is asked whether they are finite.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/executive/digest.hpp"
#include "runtime/executive/result_watch.hpp"
#include "runtime/plant/description.hpp"

namespace takt {

class PlantDigest {
 public:
  PlantDigest(const PlantDescription& plant, const Exchanges& exchanges, std::span<const double> inputs);

  /// Real-time, by the worker that has computed it.  @return all values of the subsystem are finite
  bool add(std::uint16_t subsystem, std::uint64_t& sum) const noexcept {
    const Range range = of_[subsystem];
    std::uint64_t any = 0, own = 0;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const auto bits = std::bit_cast<std::uint64_t>(*values_[i].value);
      any |= ResultWatch::sign_if_not_finite(bits);
      own += Digest::term(values_[i].key, bits);
    }
    sum += own;
    return (any >> 63U) == 0;
  }
  /// Real-time. Macro-step k is complete; the plant inputs with it.  @param sum  of all workers
  void close(std::uint64_t k, std::uint64_t sum) noexcept { close_terms(k, sum + of_inputs()); }
  /// What the plant inputs, as they are now, add to a sum.
  [[nodiscard]] std::uint64_t of_inputs() const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      sum += Digest::term(input_keys_[i], std::bit_cast<std::uint64_t>(inputs_[i]));
    return sum;
  }
  /// @param terms  of all workers and of the inputs
  void close_terms(std::uint64_t k, std::uint64_t terms) noexcept {
    digest_.add(terms);
    digest_.close(k);
  }
  void go_on(std::uint64_t value) noexcept { digest_.go_on(value); }
  /// What add() will read.
  void prefetch(std::uint16_t subsystem) const noexcept {
    const Range range = of_[subsystem];
    for (std::uint32_t at = range.begin; at < range.end; at += 64 / sizeof(Value))
      __builtin_prefetch(values_.data() + at);
  }
  void prefetch_range(std::uint16_t subsystem) const noexcept { __builtin_prefetch(&of_[subsystem]); }

  [[nodiscard]] std::uint64_t value() const noexcept { return digest_.value(); }

 private:
  struct Value {
    const double* value;
    std::uint64_t key;
  };
  struct Range {  // of one subsystem in values_: states, then the couplings it sends
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<Value> values_;  // in the order of the windows
  std::vector<Range> of_;
  std::span<const double> inputs_;
  std::vector<std::uint64_t> input_keys_;
  Digest digest_;
};

}  // namespace takt
