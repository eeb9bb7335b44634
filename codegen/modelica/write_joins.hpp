#pragma once
// Texts of an element whose terminals are connectors of a model.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/modelica/connector_joins.hpp"
#include "codegen/modelica/evaluator.hpp"
#include "codegen/modelica/plant_names.hpp"

namespace takt::codegen::modelica {

/// A join with its name as a terminal, and what the model says of its variables.
struct WrittenJoin {
  const ConnectorJoin* join = nullptr;
  std::string terminal;
  std::string across, through;  ///< numbers, in the words of the element
};

struct KnownNames {
  const std::set<std::string>& names;
  std::string what;
  const FixedParameters* refused =
      nullptr;  ///< names of the same kind with the reason why they cannot be given
};
/// D003 where a name is not known.
void check_names(const std::map<std::string, GivenText>& given, const KnownNames& known,
                 Diagnostics& diagnostics);

class JoinTexts {
 public:
  explicit JoinTexts(const ModelInstance& instance) : instance_(instance) {}

  /// Words of domains, which mean variables of branches.
  [[nodiscard]] static std::vector<std::string> reserved();
  /// Of those that are not at the reference: `joins` of the model are as many, in this order.
  [[nodiscard]] std::vector<const ConnectorJoin*> joined() const;

  [[nodiscard]] std::string element_name() const { return instance_.name + "_model"; }
  /// Terminals and branches.
  [[nodiscard]] std::string branches(const std::vector<WrittenJoin>& joins) const;
  /// What the circuit sees is what the model has: sides of equations.
  [[nodiscard]] std::vector<std::string> equations(const std::vector<WrittenJoin>& joins) const;
  /// The line of the element.
  [[nodiscard]] std::string line(
      const std::vector<WrittenJoin>& joins,
      const std::vector<std::pair<std::string, std::string>>& values) const;

 private:
  /// "pin.v", or "v" where there is one branch.
  [[nodiscard]] std::string variable(const WrittenJoin& join, const std::string& word,
                                     std::size_t joins) const;
  const ModelInstance& instance_;
};

}  // namespace takt::codegen::modelica
