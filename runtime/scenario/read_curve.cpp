#include "runtime/scenario/read_curve.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <string_view>

#include "runtime/csv/csv.hpp"
#include "runtime/scenario/parse_expression.hpp"

namespace takt {
namespace {

constexpr std::size_t most_points = 10'000'000;

/// A column by its whole head, or by its head without the unit.
struct Column {
  std::size_t index = 0;
  Unit unit;
};

/// What reads a CSV file to the end.
class CurveFile {
 public:
  CurveFile(const TomlNode& table, const WantedUnit& wanted, const ScenarioSource& source)
      : table_(table), wanted_(wanted), source_(source) {}

  TimeCurve read() {
    const TomlMember& file = *table_.find("csv");
    path_ = source_.path(text_of(file, source_));
    std::string text;
    try {
      text = read_whole_file(path_);
    } catch (const std::runtime_error& error) {
      throw ScenarioMistake(source_.place(file.value.where), error.what());
    }
    std::istringstream stream(std::move(text));
    CsvRows rows(stream);
    try {
      for (bool head = true; rows.next(); head = false) {
        line_ = rows.line();
        head ? take_head(rows.cells()) : take(rows.cells());
      }
    } catch (const CsvMistake& mistake) {
      line_ = mistake.line();
      fail(mistake.what());
    }
    if (curve_.seconds.empty()) throw ScenarioMistake(source_.place(file.value.where), path_ + " has no points");
    return std::move(curve_);
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const { throw ScenarioMistake({path_, {line_, 1}}, cause); }

  void take(const std::vector<std::string_view>& cells) {
    if (cells.size() <= std::max(x_.index, y_.index)) fail("this line has too few columns");
    const double s = to_si(number(cells[x_.index]), x_.unit);
    if (!curve_.seconds.empty() && !(s > curve_.seconds.back())) fail("times must ascend");
    if (curve_.seconds.size() >= most_points) fail("too many points");
    curve_.seconds.push_back(s);
    curve_.values.push_back(to_si(number(cells[y_.index]), y_.unit));
  }

  void take_head(const std::vector<std::string_view>& heads) {
    x_ = column(heads, "x", parse_unit("s")->dimension);
    y_ = column(heads, "y", wanted_);
  }

  [[nodiscard]] Column column(const std::vector<std::string_view>& heads, const std::string& key,
                              const WantedUnit& wanted) const {
    const TomlMember* given = table_.find(key);
    if (given == nullptr)
      throw ScenarioMistake(source_.place(table_.where), "a csv needs " + key + ", the head of a column",
                            "as in x = \"time [s]\"");
    const std::string& name = text_of(*given, source_);
    for (std::size_t k = 0; k < heads.size(); ++k) {
      const auto [bare, text] = split_head(heads[k]);
      if (heads[k] != name && bare != name) continue;
      const auto unit = parse_unit(text.empty() ? "1" : text);
      if (!unit) fail("\"" + text + "\" is no unit");
      if (unit->dimension != wanted.dimension)
        throw ScenarioMistake(source_.place(given->value.where), "the column \"" + std::string(heads[k]) + "\" is in " +
                                                                     unit_of(unit->dimension) + ", needed is " +
                                                                     wanted.text);
      return {k, *unit};
    }
    std::string known;
    for (const std::string_view head : heads) known += (known.empty() ? "" : ", ") + std::string(head);
    throw ScenarioMistake(source_.place(given->value.where), path_ + " has no column \"" + name + "\"",
                          "it has " + known);
  }

  [[nodiscard]] double number(std::string_view cell) const {
    double value = 0.0;
    const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (status != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value))
      fail("\"" + std::string(cell) + "\" is not a number");
    return value;
  }

  const TomlNode& table_;
  const WantedUnit& wanted_;
  const ScenarioSource& source_;
  std::string path_;
  std::uint32_t line_ = 0;
  Column x_, y_;
  TimeCurve curve_;
};

/// The unit of plain numbers.
std::optional<Unit> unit_of_numbers(const TomlNode& table, const std::string& key, const WantedUnit& wanted,
                                    const ScenarioSource& source) {
  const TomlMember* given = table.find(key);
  if (given == nullptr) return std::nullopt;
  const auto unit = parse_unit(text_of(*given, source));
  if (!unit) throw ScenarioMistake(source.place(given->value.where), "\"" + given->value.text + "\" is no unit");
  if (unit->dimension != wanted.dimension)
    throw ScenarioMistake(source.place(given->value.where),
                          key + " is in " + unit_of(unit->dimension) + ", needed is " + wanted.text);
  return unit;
}

TimeCurve read_points(const TomlNode& table, const WantedUnit& wanted, const ScenarioSource& source) {
  const TomlMember& points = *table.find("points");
  const Dimension time = parse_unit("s")->dimension;
  const auto x_unit = unit_of_numbers(table, "x_unit", time, source),
             y_unit = unit_of_numbers(table, "y_unit", wanted, source);
  const auto value_of = [&](const TomlNode& node, bool is_time) {
    const auto& unit = is_time ? x_unit : y_unit;
    if (unit && node.is_number()) return to_si(node.number, *unit);
    return quantity_of(node, is_time ? time : wanted, is_time ? "the time of a point" : "the value of a point", source);
  };
  if (!points.value.is(TomlNode::Kind::array) || points.value.items.empty())
    throw ScenarioMistake(source.place(points.value.where), "points are pairs of time and value",
                          "as in points = [[\"0 s\", \"0 V\"], [\"2 s\", \"5 V\"]]");
  TimeCurve curve;
  for (const TomlNode& pair : points.value.items) {
    if (!pair.is(TomlNode::Kind::array) || pair.items.size() != 2)
      throw ScenarioMistake(source.place(pair.where), "a point is a pair of time and value");
    const double s = value_of(pair.items[0], true), value = value_of(pair.items[1], false);
    if (!std::isfinite(s) || !std::isfinite(value))
      throw ScenarioMistake(source.place(pair.where), "a point is not finite");
    if (!curve.seconds.empty() && !(s > curve.seconds.back()))
      throw ScenarioMistake(source.place(pair.where), "times of points must ascend");
    curve.seconds.push_back(s);
    curve.values.push_back(value);
  }
  return curve;
}

}  // namespace

TimeCurve read_curve(const TomlNode& table, const WantedUnit& wanted, const ScenarioSource& source) {
  if (!table.is(TomlNode::Kind::table))
    throw ScenarioMistake(source.place(table.where), "this is a table with points or csv");
  allow_keys(table, {"points", "x_unit", "y_unit", "csv", "x", "y"}, source);
  const TomlMember* points = table.find("points");
  if ((points != nullptr) == (table.find("csv") != nullptr))
    throw ScenarioMistake(source.place(table.where), "give points or csv, one of them");
  return points != nullptr ? read_points(table, wanted, source) : CurveFile(table, wanted, source).read();
}

}  // namespace takt
