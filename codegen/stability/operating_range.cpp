#include "codegen/stability/operating_range.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "codegen/library/toml_tree.hpp"
#include "codegen/model/csv.hpp"
#include "codegen/model/table_columns.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/io/record/recorded_file.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_rows = 50;
constexpr std::string_view time_head = "time";

tl::expected<std::string, std::string> text_of(const std::filesystem::path& file) {
  try {
    if (std::optional<std::string> text = recorded_as_csv(file)) return *std::move(text);
    return read_text_file(file);
  } catch (const std::runtime_error& error) {
    return tl::unexpected<std::string>(error.what());
  }
}

/// What a row may give: states, inputs, and the outputs of circuits that are not evaluated here.
std::unordered_map<std::string_view, SymbolId> symbols_by_path(const Network& network,
                                                               const DaeResult& dae) {
  std::unordered_map<std::string_view, SymbolId> symbols;
  const auto add = [&](SymbolId symbol) {
    symbols.emplace(network.graph().symbol(symbol).path, symbol);
  };
  for (const PlantInput& input : network.inputs) add(input.symbol);
  for (const Surrogate& surrogate : dae.subsystems) {
    for (const SurrogateState& state : surrogate.states) add(state.symbol);
    for (const SymbolId output : surrogate.algebra_outputs) add(output);
  }
  return symbols;
}

/// Every column by itself, then the rows.
class RangeReader {
 public:
  RangeReader(const CsvTable& table, const std::filesystem::path& file, Diagnostics& diagnostics)
      : table_(table),
        file_(file),
        name_(file.filename().string()),
        reader_(name_, false, diagnostics),
        diagnostics_(diagnostics) {}

  [[nodiscard]] OperatingRange read(const Network& network,
                                    const std::unordered_map<std::string_view, SymbolId>& symbols) {
    OperatingRange range{.file = file_.string(),
                         .symbols = {},
                         .times = std::vector<double>(chosen().size(), 0.0),
                         .rows = {}};
    range.rows.resize(range.times.size());
    for (std::size_t column = 0; column < table_.head.size(); ++column) {
      const auto [path, written_unit] = split_head(table_.head[column]);
      const auto found = symbols.find(path);
      const bool time = path == time_head;
      if (!time && found == symbols.end()) {
        if (strangers_++ == 0) stranger_ = path;
        continue;
      }
      // What control blocks compute may also be written as plain numbers, as they compute with.
      const bool plain = !time && written_unit == network.graph().symbol(found->second).unit;
      const std::string unit = time    ? "s"
                               : plain ? written_unit
                                       : network.shown_unit(found->second);
      const std::optional<std::vector<double>> values = column_values(column, path, unit);
      if (!values) return {};
      if (!time) range.symbols.push_back(found->second);
      for (std::size_t row = 0; row < values->size(); ++row) {
        if (time)
          range.times[row] = (*values)[row];
        else
          range.rows[row].push_back((*values)[row]);
      }
    }
    if (strangers_ > 0)
      diagnostics_.warning(
          "S043", {file_.string(), 1, 1},
          name_ + " has a column '" + stranger_ + "'" +
              (strangers_ > 1 ? " and " + std::to_string(strangers_ - 1) + " more" : "") +
              ", but no state, input or output of this plant is called so",
          "write the file anew with --record-states, or take the column out");
    return range;
  }

 private:
  /// Evenly, the first and the last among them.
  [[nodiscard]] std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> rows;
    const std::size_t all = table_.rows.size(), count = std::min(all, most_rows);
    for (std::size_t k = 0; k < count; ++k)
      rows.push_back(count < 2 ? 0 : k * (all - 1) / (count - 1));
    return rows;
  }

  [[nodiscard]] std::optional<std::vector<double>> column_values(std::size_t index,
                                                                 const std::string& path,
                                                                 const std::string& unit) {
    Column column{
        .letter = path, .expected = parse_unit(unit.empty() ? "1" : unit), .expected_text = unit};
    if (!reader_.read_head(table_.head[index], file_, column)) return std::nullopt;
    std::vector<double> values;
    for (const std::size_t row : chosen()) {
      const std::vector<CsvCell>& cells = table_.rows[row];
      if (index >= cells.size() || cells[index].text.empty()) {
        values.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      if (!reader_.add_cell(cells[index], column)) return std::nullopt;
      values.push_back(column.values.back());
    }
    return values;
  }

  const CsvTable& table_;
  std::filesystem::path file_;
  std::string name_, stranger_;
  std::size_t strangers_ = 0;
  ColumnReader reader_;
  Diagnostics& diagnostics_;
};

}  // namespace

OperatingRange read_operating_range(const std::filesystem::path& file, const Network& network,
                                    const DaeResult& dae, Diagnostics& diagnostics) {
  const auto text = text_of(file);
  if (!text) {
    diagnostics.error("M026", {file.string(), 0, 0},
                      "cannot read the operating range " + file.string() + ": " + text.error(), "");
    return {};
  }
  const auto table = parse_csv(*text, file.string());
  if (!table) {
    diagnostics.error("M026", table.error().where,
                      "cannot read the operating range: " + table.error().cause, "");
    return {};
  }
  return RangeReader(*table, file, diagnostics).read(network, symbols_by_path(network, dae));
}

}  // namespace takt::codegen
