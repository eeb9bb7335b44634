#include "tools/takt/fmu_inputs.hpp"

#include <fstream>
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

GivenInputs given_inputs(const codegen::FmuDescription& fmu, const std::filesystem::path& file, bool slopes) {
  const auto parsed = codegen::parse_csv(read_text(file), file.string());
  if (!parsed) throw std::runtime_error(place(parsed.error().where) + parsed.error().cause);
  const codegen::CsvTable& table = *parsed;
  GivenInputs given;
  fmu_host::InputTable& to = given.table;
  to.time = time_of(table, file);
  std::vector<bool> used(table.head.size(), false);
  std::size_t values = 0;
  for (const codegen::FmuVariable& variable : fmu.variables) {
    const fmu::Use use = codegen::call_use(variable);
    const auto row = codegen::call_row(variable, static_cast<std::uint32_t>(values));
    const bool is_input = variable.causality == codegen::FmuCausality::input;
    if (!row || !(is_input || use == fmu::Use::tunable)) continue;
    const std::vector<std::string> names = codegen::element_names(fmu, variable);
    std::vector<std::size_t> found;
    for (const std::string& name : names)
      if (const auto column = codegen::find_column(table, name); column && *column > 0)  // the first is the time
        found.push_back(*column);
    if (found.empty()) {
      if (is_input) given.missing.push_back(variable.name);
      continue;
    }
    if (found.size() != names.size())
      throw std::runtime_error(file.string() + ":1: of the array '" + variable.name + "' only " +
                               std::to_string(found.size()) + " of " + std::to_string(names.size()) +
                               " elements are given");
    const bool is_continuous = use == fmu::Use::input_continuous;
    (is_continuous ? to.continuous : to.discrete).push_back(*row);
    for (const std::size_t column : found) {
      used[column] = true;
      to.columns.push_back({values++, is_continuous, column_of(table, column)});
    }
    if (is_continuous && slopes && row->type == fmu::Type::float64) to.slope_references.push_back(row->reference);
  }
  for (std::size_t column = 1; column < used.size(); ++column)
    if (!used[column])
      throw std::runtime_error(file.string() + ":1: '" + table.head[column] + "' is no input of the FMU");
  return given;
}

fmu_host::HeldInputs held_inputs(const codegen::FmuDescription& fmu) {
  fmu_host::HeldInputs held;
  for (const codegen::FmuVariable& variable : fmu.variables) {
    if (variable.causality != codegen::FmuCausality::input) continue;
    const auto row = codegen::call_row(variable, static_cast<std::uint32_t>(held.values));
    if (!row || (row->type != fmu::Type::float64 && row->type != fmu::Type::float32)) continue;
    (row->use == fmu::Use::input_continuous ? held.continuous : held.discrete).push_back(*row);
    held.values += row->count;
  }
  return held;
}

}  // namespace takt::tools
