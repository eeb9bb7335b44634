#pragma once
// What lies between a producer and a consumer: the last versions of a value, or the integral of a flux on its way.

#include <cmath>
#include <cstdint>

#include "runtime/coupling/neumaier.hpp"
#include "runtime/executive/plant.hpp"

namespace takt {

/// Versions of a potential at the ends of its producer's windows, and the polynomial a consumer reads in its window.
///   order 0            u(s) = v1
///   order 1, lag 0     u(s) = v0 + (v1 - v0)/(t1 - t0) * (t - t0 + s)     v1 at the end of this window: interpolation
///   order 1, lag 1     u(s) = v1 + (v1 - v0)/(t1 - t0) * (t - t1 + s)     extrapolation
/// t start of the consumer's window, v1 newest version at t1, v0 the one before at t0. Before two versions exist the
/// value is held: one window with an error of O(H) in u is O(H^2) in the states, the order of the method.
/// Call order: reset(), then put() once per producer's window and read() once per consumer's, as the plan says.
/// Real-time: all but reset() wait-free.
class PotentialCell {
 public:
  void reset(std::int64_t time_ns, double value) noexcept { *this = {}, newest_ = value, newest_ns_ = time_ns; }
  void put(std::int64_t time_ns, double value) noexcept {
    older_ = newest_, older_ns_ = newest_ns_;
    newest_ = value, newest_ns_ = time_ns;
    two_versions_ = true;
  }
  [[nodiscard]] InputPolynomial read(std::int64_t start_ns, int lag, int order) const noexcept {
    if (order == 0 || !two_versions_) return {newest_, 0.0};
    const double slope = (newest_ - older_) / seconds(newest_ns_ - older_ns_);
    if (lag == 0) return {older_ + slope * seconds(start_ns - older_ns_), slope};
    return {newest_ + slope * seconds(start_ns - newest_ns_), slope};
  }
  [[nodiscard]] double newest() const noexcept { return newest_; }

 private:
  static double seconds(std::int64_t ns) noexcept { return static_cast<double>(ns) * 1e-9; }
  double newest_ = 0.0, older_ = 0.0;
  std::int64_t newest_ns_ = 0, older_ns_ = 0;
  bool two_versions_ = false;
};

/// Account of one flux in its conserved quantity (J, N*m*s, C): what the producer's quadrature sent, what the
/// consumer's received, what is on its way. sent - received - in_transit is zero to rounding.
struct LedgerEntry {
  double sent = 0.0, received = 0.0, in_transit = 0.0;
  double throughput = 0.0;  ///< sum over windows of |integral|
  double residual = 0.0;    ///< sent - received - in_transit, from the compensated parts
  [[nodiscard]] bool closes() const noexcept { return std::abs(residual) <= 1e-12 * throughput; }
};

/// Integral of a flux between two subsystems with the same window H, and its ledger.
///   lag 0: the consumer integrates D/H, D the producer's integral over this window.
///   lag 1: D of the window before; in the first window the instantaneous flux at the start, f0*H, as an advance.
/// Call order: reset(), then per window put() and average()/book_received() in the order of the plan.
/// Real-time: all but reset() wait-free.
class FluxCell {
 public:
  /// @param flux  instantaneous flux at the start of the first window;  @param window_ns  H
  void reset(double flux, std::int64_t window_ns, int lag) noexcept {
    *this = {};
    window_s_ = static_cast<double>(window_ns) * 1e-9;
    lag_ = lag;
    latest_flux_ = flux;
    if (lag == 1) waiting_ = advance_ = flux * window_s_;
  }
  /// The producer's window is done: its integral, and the instantaneous flux at the window's end.
  void put(double integral, double flux) noexcept {
    sent_.add(integral);
    throughput_ += std::abs(integral);
    waiting_ = integral;
    start_flux_ = latest_flux_;
    latest_flux_ = flux;
  }
  /// Flux for the consumer's window.
  [[nodiscard]] double average() const noexcept { return waiting_ / window_s_; }
  /// For the test that the ledger notices: the flux sampled at the start of the window instead of its average.
  [[nodiscard]] double sampled() const noexcept { return lag_ == 0 ? start_flux_ : latest_flux_; }
  void book_received(double integral) noexcept { received_.add(integral); }

  [[nodiscard]] double latest_integral() const noexcept { return waiting_; }
  [[nodiscard]] LedgerEntry ledger() const noexcept {
    const double in_transit = lag_ == 1 ? waiting_ - advance_ : 0.0;
    return {sent_.value(), received_.value(), in_transit, throughput_, sent_.minus(received_) - in_transit};
  }

 private:
  NeumaierSum sent_, received_;
  double waiting_ = 0.0, advance_ = 0.0;
  double start_flux_ = 0.0, latest_flux_ = 0.0;
  double throughput_ = 0.0, window_s_ = 1.0;
  int lag_ = 0;
};

}  // namespace takt
