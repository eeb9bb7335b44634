#pragma once
// A flattened plant as numbers: F(t, y, y') = 0 with its Jacobian, y consistent at the start and
// after events.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/reference/flat_system.hpp"
#include "codegen/reference/sparse_rows.hpp"

namespace takt::codegen {

class SparseSolver;

/// Values of all unknowns of FlatSystem::unknowns, in that order.
using Values = std::vector<double>;

class NumericSystem {
 public:
  /// @param held  what else the rows read and events may change: inputs, outputs of control blocks
  NumericSystem(const Network& network, const FlatSystem& flat, const std::vector<SymbolId>& held);

  [[nodiscard]] std::size_t size() const { return unknowns_; }
  [[nodiscard]] const std::vector<bool>& differential() const {
    return differential_;
  }  ///< by unknown
  [[nodiscard]] const std::string& path(std::size_t unknown) const;
  /// Why a system is not solved, with the unknown where it showed.
  [[nodiscard]] std::string singular_text(std::optional<std::size_t> undetermined) const;
  [[nodiscard]] std::size_t place_of(SymbolId unknown) const { return index_.at(unknown); }
  /// Unknown, variable, or what is held.
  [[nodiscard]] bool knows(SymbolId symbol) const { return index_.contains(symbol); }
  /// Values of everything knows() accepts, at one point.
  void observe(double time, const Values& y);
  /// @pre observe(), and knows(symbol)
  [[nodiscard]] double observed(SymbolId symbol) const { return observed_[index_.at(symbol)]; }
  /// usual_size() of each unknown.
  [[nodiscard]] const std::vector<double>& nominal() const { return nominal_; }

  /// By unknown: the largest magnitude in y of what has its unit.
  [[nodiscard]] Values largest_of_unit(const Values& y) const;

  [[nodiscard]] bool holds(SymbolId symbol) const;
  void hold(SymbolId symbol, double value) {
    point_[index_.at(symbol)] = value;
  }  ///< @pre holds(symbol)
  [[nodiscard]] double held(SymbolId symbol) const {
    return point_[index_.at(symbol)];
  }  ///< @pre holds(symbol)

  /// F(t, y, y'): rows less rates.
  void residual(double time, const double* y, const double* rate, double* result);
  /// dF/dy + c*dF/dy', in the order of rows().row_index().
  void jacobian(double time, const double* y, double c, std::vector<double>& data);
  /// Rates of the differential unknowns, by unknown; 0 for the others.
  void rates(double time, const double* y, double* result);
  /// Of all unknowns, about, for a first prediction.  @pre y is consistent
  void rates_of_all(double time, const Values& y, double* result);
  [[nodiscard]] const SparseRows& rows() const { return rows_; }

  /// First guesses, before the start is solved.
  [[nodiscard]] Values guess(const Network& network, const FlatSystem& flat);
  /// Solves for all unknowns at the start.  @throw std::runtime_error  what did not settle
  void solve_start(Values& y);
  /// Solves for what is not integrated, given what is.  @throw std::runtime_error
  void solve_algebra(double time, Values& y);
  ~NumericSystem();
  NumericSystem(const NumericSystem&) = delete;
  NumericSystem& operator=(const NumericSystem&) = delete;

 private:
  void place(double time, const double* y);
  /// Equations to be solved.
  struct Problem {
    SparseRows& rows;
    bool hold;  ///< integrated unknowns keep their values
  };
  void open_residual(const Problem& problem, double time, const Values& y, Values& result);
  [[nodiscard]] Values sizes_of(const Values& y, double part) const;
  [[nodiscard]] std::pair<double, std::size_t> largest_part(const Values& correction,
                                                            const Values& sizes) const;
  bool follow(double time, Values& y);
  void newton(const Problem& problem, SparseSolver& solver, double time, Values& y);

  const Network& network_;
  std::size_t unknowns_;
  std::vector<SymbolId> varying_;
  std::unordered_map<SymbolId, std::size_t> index_;  // of varying_, then of variables
  std::vector<bool> differential_;
  std::vector<std::optional<std::size_t>> rate_;  // by row: unknown
  std::vector<double> nominal_;
  std::vector<std::size_t> unit_;  // by unknown: number of its unit
  std::size_t units_ = 0;
  SparseRows rows_, start_;
  std::unique_ptr<SparseSolver> algebra_solver_;
  Tape variables_;
  std::vector<double> point_, values_, variable_values_,
      observed_;  // of varying_; of rows; of variables; of index_
};

}  // namespace takt::codegen
