#pragma once
// Expressions of a graph as text of plant files. What several of them need, and what would be long,
// gets a name.

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/expr/infix.hpp"

namespace takt::codegen::modelica {

class SharedTexts {
 public:
  using NameOf = std::function<std::string(SymbolId)>;
  using TableName = std::function<std::string(TableId)>;
  using Fresh = std::function<std::string()>;
  struct Names {
    NameOf of_symbol;
    TableName of_table;
  };

  /// @param roots  all that will be asked for
  /// @param fresh  makes names; empty: everything is written out
  SharedTexts(const Graph& graph, const std::vector<Expr>& roots, Names names, Fresh fresh);

  [[nodiscard]] std::string text(Expr root) const;
  /// Names and their values, each after those that it reads.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& shared() const {
    return shared_;
  }

 private:
  [[nodiscard]] Fragment fragment(const Node& node) const;

  const Graph& graph_;
  Names names_;
  std::unordered_map<Expr, Fragment> parts_;
  std::vector<std::pair<std::string, std::string>> shared_;
};

}  // namespace takt::codegen::modelica
