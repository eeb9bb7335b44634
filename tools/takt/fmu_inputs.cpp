#include "tools/takt/fmu_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/model/csv.hpp"
#include "runtime/plant/quantity.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

std::string place(const codegen::Location& where) {
  return where.file.text() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
}

double number(const codegen::CsvCell& cell) {
  try {
    return parse_quantity(cell.text == "true" ? "1" : cell.text == "false" ? "0" : cell.text, "1");
  } catch (const std::exception&) {
    throw std::runtime_error(place(cell.where) + "'" + cell.text + "' is not a number");
  }
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream input(existing_file(file.string(), "input"));
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

std::vector<double> column_of(const codegen::CsvTable& table, std::size_t index) {
  std::vector<double> samples;
  for (const auto& row : table.rows) {
    if (row.size() != table.head.size())
      throw std::runtime_error(place(row.front().where) + std::to_string(row.size()) + " values for " +
                               std::to_string(table.head.size()) + " columns");
    samples.push_back(number(row[index]));
  }
  return samples;
}

std::vector<double> time_of(const codegen::CsvTable& table, const std::filesystem::path& file) {
  if (table.head.empty() || codegen::find_column(table, "time") != std::size_t{0})
    throw std::runtime_error(file.string() + ":1: the first column must be 'time [s]', as in signals.csv of a run");
  std::vector<double> time = column_of(table, 0);
  for (std::size_t k = 1; k < time.size(); ++k)
    if (!(time[k] >= time[k - 1])) throw std::runtime_error(place(table.rows[k].front().where) + "time goes back");
  if (time.empty()) throw std::runtime_error(file.string() + " has no rows");
  return time;
}

}  // namespace

bool same_time(double a, double b) noexcept {
  return a == b ||
         (std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)));
}

CsvInputs::CsvInputs(const codegen::FmuDescription& fmu, const std::filesystem::path& file, bool slopes)
    : CsvInputs(fmu.version == codegen::FmiVersion::v2 ? fmu::Version::v2 : fmu::Version::v3) {
  const codegen::CsvTable table = codegen::parse_csv(read_text(file), file.string());
  time_ = time_of(table, file);
  std::vector<bool> used(table.head.size(), false);
  std::vector<fmu::Row> continuous, discrete;
  for (const codegen::FmuVariable& variable : fmu.variables) {
    const fmu::Use use = codegen::call_use(variable);
    const auto row = codegen::call_row(variable, static_cast<std::uint32_t>(values_.size()));
    const bool is_input = variable.causality == codegen::FmuCausality::input;
    if (!row || !(is_input || use == fmu::Use::tunable)) continue;
    const std::vector<std::string> names = codegen::element_names(fmu, variable);
    std::vector<std::size_t> found;
    for (const std::string& name : names)
      if (const auto column = codegen::find_column(table, name)) found.push_back(*column);
    if (found.empty()) {
      if (is_input) missing_.push_back(variable.name);
      continue;
    }
    if (found.size() != names.size())
      throw std::runtime_error(file.string() + ":1: of the array '" + variable.name + "' only " +
                               std::to_string(found.size()) + " of " + std::to_string(names.size()) +
                               " elements are given");
    const bool is_continuous = use == fmu::Use::input_continuous;
    (is_continuous ? continuous : discrete).push_back(*row);
    for (const std::size_t column : found) {
      used[column] = true;
      columns_.push_back({values_.size(), is_continuous, column_of(table, column)});
      values_.push_back(0.0);
    }
    if (is_continuous && slopes && row->type == fmu::Type::float64) slope_references_.push_back(row->reference);
  }
  for (std::size_t column = 1; column < used.size(); ++column)
    if (!used[column])
      throw std::runtime_error(file.string() + ":1: '" + table.head[column] + "' is no input of the FMU");
  continuous_rows_ =
      fmu::RowSet(fmu.version == codegen::FmiVersion::v2 ? fmu::Version::v2 : fmu::Version::v3, continuous);
  discrete_rows_ = fmu::RowSet(fmu.version == codegen::FmiVersion::v2 ? fmu::Version::v2 : fmu::Version::v3, discrete);
  slope_orders_.assign(slope_references_.size(), 1);
  slopes_.assign(slope_references_.size(), 0.0);
  find_events();
}

void CsvInputs::find_events() {
  for (std::size_t k = 1; k < time_.size(); ++k) {
    const bool jump =
        time_[k] == time_[k - 1] || std::any_of(columns_.begin(), columns_.end(), [&](const Column& column) {
          return !column.continuous && column.samples[k] != column.samples[k - 1];
        });
    if (jump && (events_.empty() || events_.back() != time_[k])) events_.push_back(time_[k]);
  }
}

double CsvInputs::next_event(double t) const noexcept {
  for (const double event : events_)
    if (event > t && !same_time(event, t)) return event;
  return std::numeric_limits<double>::infinity();
}

/// Arithmetic as in FMPy, so that its runs have the same bits: w0 = (t1 - t)/(t1 - t0), v = w0 v0 + (1 - w0) v1.
CsvInputs::Point CsvInputs::at(const Column& column, double t, bool after) const noexcept {
  const std::vector<double>& v = column.samples;
  auto right = static_cast<std::size_t>(std::lower_bound(time_.begin(), time_.end(), t) - time_.begin());
  if (after)  // rounding must not put t before a jump that is meant
    while (right < time_.size() && same_time(time_[right], t)) ++right;
  else if (!column.continuous)
    while (right > 1 && same_time(time_[right - 1], t)) --right;
  if (right >= time_.size()) return {v.back()};
  if (right == 0) return {v.front()};
  if (!column.continuous) return {v[right - 1]};
  const double t0 = time_[right - 1], t1 = time_[right], slope = (v[right] - v[right - 1]) / (t1 - t0);
  if (after && same_time(t0, t)) return {v[right - 1], slope};
  if (!after && same_time(t1, t)) return {v[right], slope};
  const double w0 = (t1 - t) / (t1 - t0), w1 = 1 - w0;
  return {w0 * v[right - 1] + w1 * v[right], slope};
}

fmu::Result CsvInputs::set(fmu::Instance& instance, double t, bool after) noexcept {
  std::size_t slope = 0;
  for (const Column& column : columns_) {
    const Point point = at(column, t, after);
    values_[column.value] = point.value;
    if (column.continuous && slope < slopes_.size()) slopes_[slope++] = point.slope;
  }
  if (const fmu::Result set = instance.set(continuous_rows_, values_); !set.done()) return set;
  if (slopes_.empty() || instance.mode() != fmu::Mode::step) return {};
  return instance.set_input_derivatives({slope_references_, slope_orders_, slopes_});
}

fmu::Result CsvInputs::continuous(fmu::Instance& instance, double t) noexcept {
  // A step that begins at a jump begins behind it.
  const bool after = instance.mode() == fmu::Mode::step || same_time(t, last_jump_);
  return columns_.empty() ? fmu::Result{} : set(instance, t, after);
}

fmu::Result CsvInputs::all(fmu::Instance& instance, double t) noexcept {
  if (columns_.empty()) return {};
  last_jump_ = t;
  if (const fmu::Result first = set(instance, t, true); !first.done()) return first;
  return instance.set(discrete_rows_, values_);
}

}  // namespace takt::tools
