#include <fmt/format.h>
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>

#include "codegen/reference/integrator.hpp"
#include "codegen/reference/sparse_solver.hpp"

namespace takt::codegen {
namespace {

class IdaIntegrator final : public Integrator {
 public:
  IdaIntegrator(NumericSystem& system, const IntegrationOptions& options)
      : system_(system),
        options_(options),
        y_(make_vector(system.size(), context_)),
        rate_(make_vector(system.size(), context_)),
        passing_(make_vector(system.size(), context_)),
        tolerance_(make_vector(system.size(), context_)),
        kind_(make_vector(system.size(), context_)),
        matrix_(make_matrix(system.rows(), context_)),
        solver_(SUNLinSol_KLU(y_.get(), matrix_.get(), context_.value)),
        memory_(IDACreate(context_.value)) {
    if (!solver_ || memory_ == nullptr) throw std::bad_alloc();
    for (std::size_t k = 0; k < system.size(); ++k)
      data(kind_)[k] = system.differential()[k] ? 1.0 : 0.0;
  }
  ~IdaIntegrator() override { IDAFree(&memory_); }
  IdaIntegrator(const IdaIntegrator&) = delete;
  IdaIntegrator& operator=(const IdaIntegrator&) = delete;

  void restart(double time, const Values& y) override {
    collect();
    std::copy(y.begin(), y.end(), data(y_));
    find_tolerances(y);
    system_.rates_of_all(time, y, data(rate_));
    if (begun_) {
      IDASetInitStep(memory_, 0.0);  // its own choice
      check(IDAReInit(memory_, time, y_.get(), rate_.get()), time);
      IDASVtolerances(memory_, options_.relative, tolerance_.get());
    } else {
      check(IDAInit(memory_, &residual, time, y_.get(), rate_.get()), time);
      configure();
      begun_ = true;
    }
    ++total_.restarts;
  }

  double step(double stop) override {
    double reached = 0.0;
    const auto one = [&] {
      check(IDASetStopTime(memory_, stop), stop);
      return IDASolve(memory_, stop, &reached, y_.get(), rate_.get(), IDA_ONE_STEP);
    };
    int code = one();
    for (double first = 1e-2; (code == IDA_CONV_FAIL || code == IDA_ERR_FAIL) && first > 1e-8;
         first *= 0.1) {
      begin_again(reached, first * (stop - reached));
      code = one();
    }
    check(code, reached);
    expect_progress(reached);
    return reached;
  }

  void at(double time, Values& y) override {
    check(IDAGetDky(memory_, time, 0, passing_.get()), time);
    std::copy(data(passing_), data(passing_) + system_.size(), y.begin());
    system_.solve_algebra(
        time, y);  // what is not integrated is as inexact as the polynomial it was interpolated by
  }
  [[nodiscard]] bool interpolates() const override { return true; }

  [[nodiscard]] IntegrationCounts counts() const override {
    IntegrationCounts result = total_;
    add(result);
    return result;
  }

 private:
  /// What is not integrated is judged by the largest of its unit: Newton's method must not wait for
  /// what rounding leaves of the small difference of large potentials.
  void find_tolerances(const Values& y) {
    const Values largest = system_.largest_of_unit(y);
    for (std::size_t k = 0; k < system_.size(); ++k)
      data(tolerance_)[k] = options_.absolute * (system_.differential()[k]
                                                     ? system_.nominal()[k]
                                                     : std::max(system_.nominal()[k], largest[k]));
  }

  /// Where a solution ends, IDA's steps may become shorter for ever.
  void expect_progress(double reached) {
    constexpr int most = 1000;
    const double least = 4.0 * std::numeric_limits<double>::epsilon() * std::fabs(reached);
    standing_ = std::fabs(reached - reached_) <= least ? standing_ + 1 : 0;
    reached_ = reached;
    if (standing_ < most) return;
    throw std::runtime_error(
        fmt::format("IDA does not get beyond {:.9g} s: the solution ends here, or a rate has no "
                    "bound",
                    reached));
  }

  /// At a kink the history misleads Newton's method: from the last solution with a first step that
  /// gets beyond it.
  void begin_again(double time, double first_step) {
    Values y(data(y_), data(y_) + system_.size());
    system_.solve_algebra(time, y);
    restart(time, y);
    IDASetInitStep(memory_, first_step);
  }

  static double* data(const Vector& vector) { return N_VGetArrayPointer(vector.get()); }

  void configure() {
    IDASetUserData(memory_, this);
    IDASVtolerances(memory_, options_.relative, tolerance_.get());
    IDASetLinearSolver(memory_, solver_.get(), matrix_.get());
    IDASetJacFn(memory_, &jacobian);
    IDASetId(memory_, kind_.get());
    IDASetSuppressAlg(memory_,
                      SUNTRUE);  // what is integrated decides the step; the rest follows from it
    IDASetMaxNumSteps(memory_, -1);
    IDASetErrFile(memory_, nullptr);
    IDASetMaxConvFails(memory_, 100);  // kinks and jumps of laws are stepped up to
    IDASetMaxErrTestFails(memory_, 100);
    if (options_.largest_step > 0) IDASetMaxStep(memory_, options_.largest_step);
  }

  void check(int code, double time) const {
    if (code >= 0) return;
    char* name = IDAGetReturnFlagName(code);
    const std::string text = name;
    free(name);
    throw std::runtime_error(
        fmt::format("IDA ended at {:.9g} s with {}: {}", time, text, hint(code)));
  }

  [[nodiscard]] std::string hint(int code) const {
    if (code == IDA_LSETUP_FAIL || code == IDA_LINIT_FAIL || code == IDA_LSOLVE_FAIL)
      return system_.singular_text(undetermined_column(solver_.get(), system_.size())) +
             ": the system is of higher index here, or has no unique solution";
    if (code == IDA_TOO_MUCH_ACC) return "the tolerance is below rounding; give a larger --rtol";
    return "the solution jumps or ends here, or the tolerance is below what the equations allow; "
           "give a larger --rtol";
  }

  void add(IntegrationCounts& counts) const {
    if (!begun_) return;
    long steps = 0, evaluations = 0, setups = 0, failed = 0;
    IDAGetNumSteps(memory_, &steps);
    IDAGetNumResEvals(memory_, &evaluations);
    IDAGetNumLinSolvSetups(memory_, &setups);
    IDAGetNumErrTestFails(memory_, &failed);
    counts.steps += steps, counts.evaluations += evaluations, counts.factorisations += setups,
        counts.failed_tests += failed;
  }

  /// A restart clears IDA's own counters.
  void collect() { add(total_); }

  static int residual(double time, N_Vector y, N_Vector rate, N_Vector result, void* self) {
    auto& system = static_cast<IdaIntegrator*>(self)->system_;
    double* values = N_VGetArrayPointer(result);
    system.residual(time, N_VGetArrayPointer(y), N_VGetArrayPointer(rate), values);
    return std::all_of(values, values + system.size(),
                       [](double value) { return value - value == 0.0; })
               ? 0
               : 1;  // 1: try a smaller step
  }

  static int jacobian(double time, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix,
                      void* self, N_Vector, N_Vector, N_Vector) {
    auto& own = *static_cast<IdaIntegrator*>(self);
    own.system_.jacobian(time, N_VGetArrayPointer(y), c, own.slopes_);
    fill(own.system_.rows(), own.slopes_, matrix);
    return std::all_of(own.slopes_.begin(), own.slopes_.end(),
                       [](double value) { return value - value == 0.0; })
               ? 0
               : 1;
  }

  NumericSystem& system_;
  IntegrationOptions options_;
  SundialsContext context_;
  Vector y_, rate_, passing_, tolerance_, kind_;
  Matrix matrix_;
  LinearSolver solver_;
  void* memory_;
  bool begun_ = false;
  double reached_ = 0.0;
  int standing_ = 0;  // steps since the time has moved
  std::vector<double> slopes_;
  IntegrationCounts total_;
};

}  // namespace

std::unique_ptr<Integrator> make_ida(NumericSystem& system, const IntegrationOptions& options) {
  return std::make_unique<IdaIntegrator>(system, options);
}

}  // namespace takt::codegen
