#include "codegen/modelica/library_tables.hpp"

#include <algorithm>
#include <cmath>

namespace takt::codegen::modelica {
namespace {

/// So many times its length a table that goes on beyond its ends is made longer at each: what is
/// read still further out is counted when the plant runs (X019).
constexpr double how_far = 1000.0;

/// Stretches between jumps.
template <class Piece>
std::vector<Piece> pieces_of(const std::vector<double>& x) {
  std::vector<Piece> made;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (made.empty() || x[k] == x[k - 1])
      made.push_back({k, k});
    else
      made.back().last = k;
  }
  return made;
}

double slope(const TableColumn& column, std::size_t a, std::size_t b) {
  return column.x[b] > column.x[a] ? (column.y[b] - column.y[a]) / (column.x[b] - column.x[a])
                                   : 0.0;
}

/// One more place at each end, on the line through the last two; z is [x * y].
void lengthen(std::vector<double>& x, std::vector<std::vector<double>>& z) {
  const double far = how_far * (x.back() - x.front());
  const auto outward = [&](std::size_t end, std::size_t next, double place) {
    std::vector<double> row(z[end].size());
    for (std::size_t k = 0; k < row.size(); ++k)
      row[k] = z[end][k] + (z[next][k] - z[end][k]) / (x[next] - x[end]) * (place - x[end]);
    return row;
  };
  const double low = x.front() - far, high = x.back() + far;
  const std::vector<double> before = outward(0, 1, low),
                            after = outward(x.size() - 1, x.size() - 2, high);
  x.insert(x.begin(), low), z.insert(z.begin(), before);
  x.push_back(high), z.push_back(after);
}

std::vector<std::vector<double>> turned(const std::vector<std::vector<double>>& z) {
  std::vector<std::vector<double>> made(z.front().size(), std::vector<double>(z.size()));
  for (std::size_t row = 0; row < z.size(); ++row)
    for (std::size_t k = 0; k < z[row].size(); ++k) made[k][row] = z[row][k];
  return made;
}

void need_rising(const std::vector<double>& x, bool strictly) {
  for (std::size_t k = 1; k < x.size(); ++k)
    if (!(strictly ? x[k] > x[k - 1] : x[k] >= x[k - 1]))
      throw Refusal{
          "D004", "the places of a table do not rise", "sort its rows by what it is read at", {}};
}

}  // namespace

std::string_view table_word(const FlatFunction& function) {
  constexpr std::string_view beginning = "ModelicaStandardTables_";
  const std::string_view name = function.external_name;
  return function.is_external && name.starts_with(beginning) ? name.substr(beginning.size())
                                                             : std::string_view();
}

Expr TableWriter::value(const TableColumn& column, TableRules rules, Expr u,
                        std::optional<double> first) {
  if (column.x.empty()) throw Refusal{"D004", "a table without rows", "", {}};
  need_rising(column.x, false);
  if (column.x.size() == 1 || column.x.front() == column.x.back())
    return graph_.constant(column.y.back());
  const bool periodic = rules.extrapolation == Extrapolation::periodic;
  if (periodic) {
    const Expr begins = graph_.constant(column.x.front()),
               length = graph_.constant(column.x.back() - column.x.front());
    u = graph_.add(begins, graph_.binary(Op::mod, graph_.sub(u, begins), length));
  }
  const Read read{column, u, !first && rules.extrapolation != Extrapolation::none};
  const auto pieces = pieces_of<Piece>(column.x);
  const Expr inside = rules.smoothness == Smoothness::constant
                          ? stairs(read, {0, column.x.size() - 1})
                          : joined(read, pieces, {0, pieces.size() - 1});
  return rules.extrapolation == Extrapolation::last_two ? graph_.add(inside, beyond(read, first))
                                                        : inside;
}

/// The jumps are decided by halves: many of them are not many choices deep.
Expr TableWriter::joined(const Read& read, const std::vector<Piece>& pieces, Piece some) {
  if (some.first == some.last) return linear(read, pieces[some.first]);
  const std::size_t middle = (some.first + some.last + 1) / 2;
  const Expr place = graph_.constant(read.column.x[pieces[middle].first]);
  return graph_.select(less_(read.u, place), joined(read, pieces, {some.first, middle - 1}),
                       joined(read, pieces, {middle, some.last}));
}

Expr TableWriter::stairs(const Read& read, Piece rows) {
  if (rows.first == rows.last) return graph_.constant(read.column.y[rows.first]);
  const std::size_t middle = (rows.first + rows.last + 1) / 2;
  return graph_.select(less_(read.u, graph_.constant(read.column.x[middle])),
                       stairs(read, {rows.first, middle - 1}), stairs(read, {middle, rows.last}));
}

Expr TableWriter::linear(const Read& read, Piece rows) {
  const auto& [x, y] = read.column;
  if (rows.first == rows.last) return graph_.constant(y[rows.first]);
  const auto part = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(rows.first),
                               all.begin() + static_cast<std::ptrdiff_t>(rows.last) + 1);
  };
  const TableId made = table({.name = "", .x = part(x), .y = part(y)});
  return graph_.lookup(made, read.clamped ? clamped(read.u, x[rows.first], x[rows.last]) : read.u);
}

/// On the lines through the first and the last two rows: what is added to what holds at the ends.
Expr TableWriter::beyond(const Read& read, std::optional<double> first) {
  const auto& [x, y] = read.column;
  const std::size_t end = x.size() - 1;
  const auto added = [&](Op op, double rise, double place) {
    return graph_.mul(graph_.constant(rise),
                      graph_.binary(op, graph_.sub(read.u, graph_.constant(place)), graph_.zero()));
  };
  Expr made = graph_.zero();
  if (!first || *first < x.front()) made = added(Op::min, slope(read.column, 0, 1), x.front());
  return graph_.add(made, added(Op::max, slope(read.column, end - 1, end), x.back()));
}

Expr TableWriter::value(const std::vector<std::vector<double>>& table_of_two, TableRules rules,
                        Expr x, Expr y) {
  if (rules.smoothness != Smoothness::linear)
    throw Refusal{"D005", "a table of two arguments that is not linear between its places", "", {}};
  if (rules.extrapolation == Extrapolation::periodic)
    throw Refusal{"D005", "a table of two arguments that is periodic", "", {}};
  if (table_of_two.size() < 3 || table_of_two.front().size() < 3)
    throw Refusal{"D004", "a table of two arguments with less than two places of each", "", {}};
  std::vector<double> places_x,
      places_y(table_of_two.front().begin() + 1, table_of_two.front().end());
  std::vector<std::vector<double>> z;
  for (std::size_t row = 1; row < table_of_two.size(); ++row) {
    places_x.push_back(table_of_two[row].front());
    z.emplace_back(table_of_two[row].begin() + 1, table_of_two[row].end());
  }
  need_rising(places_x, true), need_rising(places_y, true);
  if (rules.extrapolation == Extrapolation::last_two) {
    lengthen(places_x, z);
    z = turned(z);
    lengthen(places_y, z);
    z = turned(z);
  } else if (rules.extrapolation == Extrapolation::hold) {
    x = clamped(x, places_x.front(), places_x.back());
    y = clamped(y, places_y.front(), places_y.back());
  }
  Table made{.name = "", .x = places_x, .y = {}, .second = places_y};
  for (const std::vector<double>& row : z) made.y.insert(made.y.end(), row.begin(), row.end());
  return graph_.lookup(table(std::move(made)), x, y);
}

Expr TableWriter::clamped(Expr u, double low, double high) {
  return graph_.binary(Op::max, graph_.binary(Op::min, u, graph_.constant(high)),
                       graph_.constant(low));
}

/// Equal ones are one.
TableId TableWriter::table(Table made) {
  for (const auto* values : {&made.x, &made.y, &made.second})
    if (!std::all_of(values->begin(), values->end(),
                     [](double each) { return std::isfinite(each); }))
      throw Refusal{
          "D007", "a table with a number that is not finite", "look at the values in it", {}};
  for (std::size_t k = 0; k < graph_.table_count(); ++k) {
    const Table& each = graph_.table(static_cast<TableId>(k));
    if (each.x == made.x && each.y == made.y && each.second == made.second)
      return static_cast<TableId>(k);
  }
  return graph_.make_table(std::move(made));
}

}  // namespace takt::codegen::modelica
