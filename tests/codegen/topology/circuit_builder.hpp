#pragma once
// Builds a Network by hand, without a plant file: nodes, branches with linear constant laws, two-ports. For tests.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/model/network.hpp"

namespace takt::codegen::testing {

class CircuitBuilder {
 public:
  explicit CircuitBuilder(std::string name);

  [[nodiscard]] NodeId add_node(Domain domain);
  /// The one reference vertex of the domain; made at the first call.
  [[nodiscard]] NodeId reference(Domain domain);

  /// One element of one branch. Laws: A x = value, C z = value*x, L z = value*f, T f = value, R f = x/value or, with
  /// LawForm::across_of, x = value*f.
  /// @pre both ends are of one domain; kind is not port
  BranchId add_branch(BranchKind kind, NodeId from, NodeId to, double value = 1.0,
                      LawForm dissipator_form = LawForm::through_of);
  /// One element of two port branches with x_a = ratio * x_b.
  void add_two_port(NodeId a_from, NodeId a_to, NodeId b_from, NodeId b_to, double ratio);

  [[nodiscard]] std::size_t branch_count() const { return network_.branches.size(); }
  [[nodiscard]] Network take() { return std::move(network_); }

 private:
  [[nodiscard]] NodeId make_node(Domain domain, const std::string& name, bool is_reference);
  [[nodiscard]] ElementId make_element(Domain home, const std::string& type);
  [[nodiscard]] Branch make_branch(ElementId element, BranchKind kind, NodeId from, NodeId to, const std::string& path);
  void set_law(Branch& branch, double value, LawForm dissipator_form);
  void set_storage(Branch& branch, SymbolId stored_of, double value, std::string_view name, std::string_view unit);
  [[nodiscard]] Location next_line();

  Network network_;
  std::array<std::optional<NodeId>, 6> references_{};
  std::uint32_t line_ = 0;
};

}  // namespace takt::codegen::testing
