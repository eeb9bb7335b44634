#include "codegen/stability/linearise.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "runtime/start/eigenvalues.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t largest_dense = 200;  ///< states: a second of computing
constexpr std::size_t krylov_steps = 100;

std::vector<SymbolId> state_symbols(const Surrogate& surrogate) {
  std::vector<SymbolId> symbols;
  for (const SurrogateState& state : surrogate.states) symbols.push_back(state.symbol);
  return symbols;
}

bool finite(const Matrix& matrix) {
  return std::ranges::all_of(matrix.entries(), [](double entry) { return std::isfinite(entry); });
}

/// Without fill-in: entries of a column times entries of a row for every pivot.
std::size_t implicit_operations(const Matrix& matrix, const Slopes& slopes) {
  const auto entries = static_cast<std::size_t>(
      std::ranges::count_if(matrix.entries(), [](double entry) { return entry != 0.0; }));
  return 2 * slopes.operations() + entries * entries / matrix.size() + 4 * entries + matrix.size();
}

Eigenpairs of_large(Slopes& slopes, std::size_t n) {
  std::vector<Slopes::Row> in(n), out;
  return largest_eigenvalues(
      n,
      [&](const std::vector<double>& v) {
        for (std::size_t k = 0; k < n; ++k) in[k][0] = v[k];
        slopes.apply(in, out);
        std::vector<double> result;
        for (const Slopes::Row& row : out) result.push_back(row[0]);
        return result;
      },
      krylov_steps);
}

Spectrum spectrum_of(const Network& network, const Surrogate& surrogate, const Program& program) {
  Spectrum spectrum;
  spectrum.operations = program.operations();
  const std::size_t n = surrogate.states.size();
  if (n == 0) return spectrum;
  for (std::size_t k = 0; k < n; ++k) {
    if (std::isfinite(program.results()[k])) continue;
    spectrum.problem = "the rate of " + network.graph().symbol(surrogate.states[k].symbol).path +
                       " is no number at the start";
    return spectrum;
  }
  Slopes slopes = program.slopes(state_symbols(surrogate));
  Eigenpairs pairs;
  if (n <= largest_dense) {
    const Matrix matrix = jacobian(slopes, n);
    if (!finite(matrix)) {
      spectrum.problem = "its rates cannot be differentiated at the start";
      return spectrum;
    }
    spectrum.implicit_operations = implicit_operations(matrix, slopes);
    pairs = eigenvalues(matrix);
  } else {
    pairs = of_large(slopes, n);
    spectrum.complete = false;
  }
  spectrum.values = std::move(pairs.values);
  spectrum.leading = pairs.leading;
  if (!pairs.converged || spectrum.values.empty() ||
      !std::isfinite(std::abs(spectrum.values.front()))) {
    spectrum.values.clear();
    spectrum.problem = "its eigenvalues did not settle";
  }
  return spectrum;
}

/// What is stable about both points is stable with the modes of both. A point where nothing is
/// known adds nothing.
void join(Spectrum& all, Spectrum&& other) {
  if (!other.problem.empty() || other.values.empty() || other.values == all.values) return;
  all.problem.clear();
  all.complete = all.complete && other.complete;
  all.operations = other.operations;
  all.implicit_operations = std::max(all.implicit_operations, other.implicit_operations);
  if (all.values.empty() || std::abs(other.values.front()) > std::abs(all.values.front()))
    all.leading = other.leading, all.time_s = other.time_s, all.foreseen = other.foreseen;
  std::vector<std::complex<double>> both;
  std::merge(all.values.begin(), all.values.end(), other.values.begin(), other.values.end(),
             std::back_inserter(both), [](std::complex<double> a, std::complex<double> b) {
               return std::abs(a) > std::abs(b);
             });
  all.values = std::move(both);
}

}  // namespace

void each_derivative(Slopes& slopes, std::size_t columns, std::size_t rows,
                     const std::function<void(std::size_t, std::size_t, double)>& take) {
  std::vector<Slopes::Row> in(columns), out;
  for (std::size_t first = 0; first < columns; first += Slopes::width) {
    const std::size_t count = std::min(Slopes::width, columns - first);
    std::fill(in.begin(), in.end(), Slopes::Row{});
    for (std::size_t k = 0; k < count; ++k) in[first + k][k] = 1.0;
    slopes.apply(in, out);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < count; ++k) take(row, first + k, out[row][k]);
  }
}

Matrix jacobian(Slopes& slopes, std::size_t n) {
  Matrix matrix(n);
  each_derivative(slopes, n, n, [&](std::size_t row, std::size_t column, double value) {
    matrix[row][column] = value;
  });
  return matrix;
}

namespace {

std::vector<Program> programs_of(const Network& network, const DaeResult& dae) {
  std::vector<Program> programs;
  for (const Surrogate& surrogate : dae.subsystems) {
    programs.emplace_back(network.graph());
    if (is_evaluable(surrogate.kind)) programs.back().add(surrogate);
  }
  return programs;
}

/// A point at which a plant is linearised.
struct Moment {
  std::optional<double> time_s;  ///< nullopt: the start
  bool foreseen = false;
};

/// Where the programs have left off.
void add_point(std::vector<Spectrum>& spectra, const PlantEquations& plant,
               const std::vector<Program>& programs, const Moment& moment) {
  for (std::size_t index = 0; index < plant.dae.subsystems.size(); ++index) {
    const Surrogate& surrogate = plant.dae.subsystems[index];
    if (!is_integrated(surrogate.kind)) continue;
    Spectrum here = spectrum_of(plant.network, surrogate, programs[index]);
    here.time_s = moment.time_s;
    here.foreseen = moment.foreseen;
    if (!moment.time_s)
      spectra[index] = std::move(here);
    else
      join(spectra[index], std::move(here));
  }
}

}  // namespace

void linearise_ahead(std::vector<Spectrum>& spectra, const PlantEquations& plant,
                     const OperatingRange& path, const std::vector<std::size_t>& rows) {
  std::vector<Program> programs = programs_of(plant.network, plant.dae);
  for (const std::size_t row : rows) {
    (void)operating_point(plant, programs, path, row);
    add_point(spectra, plant, programs, {path.times[row], true});
  }
}

std::vector<Spectrum> linearise(const Network& network, const DaeResult& dae,
                                const OperatingRange& range) {
  std::vector<Program> programs = programs_of(network, dae);
  std::vector<Spectrum> spectra(dae.subsystems.size());
  (void)start_point(network, dae, programs);
  add_point(spectra, {network, dae}, programs, {std::nullopt, false});
  for (std::size_t row = 0; row < range.rows.size(); ++row) {
    (void)operating_point({network, dae}, programs, range, row);
    add_point(spectra, {network, dae}, programs, {range.times[row], false});
  }
  return spectra;
}

}  // namespace takt::codegen
