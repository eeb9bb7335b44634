#pragma once
// Tables of the Modelica Standard Library: CombiTimeTable, CombiTable1Ds, 1Dv, 2Ds, 2Dv. There they
// are functions in C over an external object; here they are tables of the graph, at whose places
// the solver cuts its steps where they are read with the time. Source of their rules: Modelica
// Standard Library 4.0.0, documentation of Modelica.Blocks.Sources.CombiTimeTable and
// Modelica.Blocks.Tables.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

/// The function in C of a table: "CombiTimeTable_getValue", without what all begin with; empty: it
/// is none.
[[nodiscard]] std::string_view table_word(const FlatFunction& function);

/// As the enumerations of the library count them.
enum class Smoothness : std::uint8_t {
  linear = 1,
  akima = 2,
  constant = 3
};  ///< others are not taken
enum class Extrapolation : std::uint8_t { hold = 1, last_two = 2, periodic = 3, none = 4 };

struct TableRules {
  Smoothness smoothness = Smoothness::linear;
  Extrapolation extrapolation = Extrapolation::last_two;
};

/// One column over the first.
struct TableColumn {
  std::vector<double> x;  ///< not falling; equal ones: the value jumps there
  std::vector<double> y;
};

class TableWriter {
 public:
  /// @param less  u < c, marked where it is no event
  using Less = std::function<Expr(Expr, Expr)>;
  TableWriter(Graph& graph, Less less) : graph_(graph), less_(std::move(less)) {}

  /// @param first  where u is of the time: what it begins with. The solver cuts its steps at the
  /// places then.
  /// @throw Refusal (D004, D005)
  [[nodiscard]] Expr value(const TableColumn& column, TableRules rules, Expr u,
                           std::optional<double> first);
  /// Bilinear.  @param table  x in the first column, y in the first row
  [[nodiscard]] Expr value(const std::vector<std::vector<double>>& table, TableRules rules, Expr x,
                           Expr y);

 private:
  /// Rows [first, last].
  struct Piece {
    std::size_t first, last;
  };
  struct Read {
    const TableColumn& column;
    Expr u;
    bool clamped;  ///< u is held at the ends before the table is read
  };
  [[nodiscard]] Expr linear(const Read& read, Piece rows);
  [[nodiscard]] Expr stairs(const Read& read, Piece rows);
  [[nodiscard]] Expr joined(const Read& read, const std::vector<Piece>& pieces, Piece some);
  [[nodiscard]] Expr beyond(const Read& read, std::optional<double> first);
  [[nodiscard]] Expr clamped(Expr u, double low, double high);
  [[nodiscard]] TableId table(Table made);

  Graph& graph_;
  Less less_;
};

}  // namespace takt::codegen::modelica
