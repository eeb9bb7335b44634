#pragma once
// Moves coupling values between subsystems as the plan's exchanges say, and keeps the ledger of the fluxes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/coupling/cell.hpp"
#include "runtime/executive/plant.hpp"

namespace takt {

/// All couplings of one plant.
/// Phases: construct (allocates; throws std::invalid_argument where the plan contradicts itself), settle(), then per
/// window feed() before and collect() after the subsystem's run(), then ledger(). Orders above 1 need a start-up: some
/// macro-steps, begin_with_first(), from the start again, order + 1 times: each sweep takes their error one order down.
/// Real-time: feed(), collect(), closes() and all_close() are wait-free, a few ns per exchange.
class Exchanges {
 public:
  struct Options {
    bool sample_fluxes = false;  ///< for tests only: break the conservation the ledger checks
  };

  Exchanges(const PlantDescription& plant, Options options);

  /// Consistent start: prepare all subsystems, then initialize() them in turn and hand their values on, until nothing
  /// changes or each has had its turn `subsystems + 2` times.
  /// @return index of the first exchange that still changed in the last sweep, or -1 where the start has settled.
  /// Real-time: not called during a run; bounded by subsystems + 2 calls of each initialize().
  int settle() noexcept;
  /// Constant histories at the outputs as they are: after settle(), where something else has moved the plant since.
  /// Real-time: not called during a run.
  void begin_histories() noexcept;
  /// As begin_histories(), with the first versions of the run that has just been in the histories.
  /// @pre that run had more macro-steps than highest_order()
  /// Real-time: not called during a run; allocates.
  void begin_with_first() noexcept;
  /// Of all couplings.
  [[nodiscard]] int highest_order() const noexcept;

  /// Coupled and plant inputs of the subsystem for its next window.
  void feed(std::uint16_t subsystem) noexcept;
  /// What the subsystem has sent and received in that window.
  void collect(std::uint16_t subsystem) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return links_.size(); }
  /// Where the newest value of a coupling stands: the potential, or the last integral of the flux. For the digest.
  [[nodiscard]] const double* value_at(std::size_t exchange) const noexcept;
  [[nodiscard]] double value(std::size_t exchange) const noexcept { return *value_at(exchange); }
  /// The ledger of a flux is off by no more than this share of its throughput; true for a potential.
  [[nodiscard]] bool closes(std::size_t exchange, double share) const noexcept;
  [[nodiscard]] bool all_close(double share) const noexcept;
  /// Zeroes for a potential.
  [[nodiscard]] LedgerEntry ledger(std::size_t exchange) const noexcept;

 private:
  /// Windows of a subsystem since the start, counted in H of an exchange.
  struct Beat {
    std::uint32_t windows = 1;  // of the subsystem in one H
    std::uint32_t done = 0;     // in this H
    std::int64_t number = 0;    // of this H
    /// @return this H is complete
    bool next() noexcept {
      if (++done < windows) return false;
      done = 0, ++number;
      return true;
    }
  };
  struct Link {              // pointers into plant memory, fixed for the run
    const double* output;    // the potential, or the instantaneous flux
    const double* sent;      // flux only
    const double* received;  // flux only
    InputPolynomial* input;
    std::uint32_t cell;  // index into potentials_ or fluxes_
    CouplingKind kind;
    Beat producer, consumer;
  };
  /// Where the consumer has several windows in one H.
  struct Opened {
    InputPolynomial polynomial;  // of this H
    double window_s;             // its own window
  };
  struct Route {
    const double* value;
    InputPolynomial* input;
  };
  struct Ports {  // of one subsystem: indices into links_
    std::vector<std::uint32_t> incoming, outgoing, outgoing_flux, incoming_flux;
    std::vector<Route> routes;
  };

  void add_link(const ExchangePlan& plan);
  [[nodiscard]] InputPolynomial open(const Link& link) noexcept;
  bool hand_on(std::uint16_t producer, int& changed) noexcept;

  const PlantDescription plant_;
  Options options_;
  std::vector<Link> links_;  // small, as most of a window's time here goes into fetching it
  std::vector<CrossingRule> rules_;  // parallel to links_
  std::vector<Opened> opened_;       // parallel to links_
  std::vector<PotentialCell> potentials_;
  std::vector<FluxCell> fluxes_;
  std::vector<Ports> ports_;
};

}  // namespace takt
