#include "tests/codegen/topology/circuit_sketch.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

#include "tests/codegen/topology/circuit_builder.hpp"

namespace takt::codegen::testing {
namespace {

std::vector<std::size_t> random_order(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Puts the parts of a sketch into a builder.
class SketchBuilder {
 public:
  SketchBuilder(const CircuitSketch& sketch, const std::string& name, std::mt19937_64& random)
      : sketch_(sketch), random_(random), builder_(name), node_of_(sketch.nodes.size()) {}

  [[nodiscard]] Network build() {
    for (const std::size_t node : random_order(sketch_.nodes.size(), random_)) {
      node_of_[node] = builder_.add_node(sketch_.nodes[node]);
    }
    const std::size_t branches = sketch_.branches.size();
    for (const std::size_t part : random_order(branches + sketch_.two_ports.size(), random_)) {
      if (part < branches) {
        add(sketch_.branches[part]);
      } else {
        add(sketch_.two_ports[part - branches]);
      }
    }
    return builder_.take();
  }

 private:
  [[nodiscard]] bool coin() { return (random_() & 1) != 0; }
  [[nodiscard]] NodeId end(Vertex vertex, Vertex other) {
    if (vertex != ground) return node_of_[static_cast<std::size_t>(vertex)];
    return builder_.reference(sketch_.nodes[static_cast<std::size_t>(other)]);
  }

  void add(const SketchBranch& branch) {
    const double value = 0.25 * static_cast<double>(1 + random_() % 16);
    const LawForm form = coin() ? LawForm::across_of : LawForm::through_of;
    NodeId from = end(branch.from, branch.to);
    NodeId to = end(branch.to, branch.from);
    if (coin()) std::swap(from, to);
    builder_.add_branch(branch.kind, from, to, value, form);
  }

  void add(const SketchTwoPort& two_port) {
    builder_.add_two_port(end(two_port.a_from, two_port.a_to), end(two_port.a_to, two_port.a_from),
                          end(two_port.b_from, two_port.b_to), end(two_port.b_to, two_port.b_from), two_port.ratio);
  }

  const CircuitSketch& sketch_;
  std::mt19937_64& random_;
  CircuitBuilder builder_;
  std::vector<NodeId> node_of_;
};

}  // namespace

Vertex CircuitSketch::add_node(Domain domain) {
  nodes.push_back(domain);
  return static_cast<Vertex>(nodes.size()) - 1;
}

Network build(const CircuitSketch& sketch, const std::string& name, std::mt19937_64& random) {
  return SketchBuilder(sketch, name, random).build();
}

std::string describe(const CircuitSketch& sketch) {
  std::ostringstream text;
  for (const SketchBranch& b : sketch.branches) {
    text << "ACRLT"[static_cast<std::size_t>(b.kind)] << " " << b.from << " " << b.to << "\n";
  }
  for (const SketchTwoPort& t : sketch.two_ports) {
    text << "two-port " << t.a_from << " " << t.a_to << " = " << t.ratio << " * " << t.b_from << " " << t.b_to << "\n";
  }
  return text.str();
}

}  // namespace takt::codegen::testing
