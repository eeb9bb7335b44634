#include "runtime/scenario/expression.hpp"

#include <array>
#include <bitset>
#include <cmath>

#include "runtime/math/elementary.hpp"

namespace takt {
namespace {

/// Walks the tree; `finite` gathers what comparisons have met.
class Evaluator {
 public:
  Evaluator(const Expression& expression, const std::byte* memory, SimTime now)
      : nodes_(expression.nodes), memory_(memory), now_(now) {}

  double at(std::uint32_t index) noexcept {
    using Kind = ExpressionNode::Kind;
    const ExpressionNode& node = nodes_[index];
    switch (node.kind) {
      case Kind::number:
        return node.number;
      case Kind::value:
        return *reinterpret_cast<const double*>(memory_ + node.offset);
      case Kind::time:
        return now_.seconds();
      case Kind::both:
        return at(node.a) != 0.0 && at(node.b) != 0.0 ? 1.0 : 0.0;
      case Kind::either:
        return at(node.a) != 0.0 || at(node.b) != 0.0 ? 1.0 : 0.0;
      case Kind::inverse:
        return at(node.a) != 0.0 ? 0.0 : 1.0;
      case Kind::choice:
        return at(node.a) != 0.0 ? at(node.b) : at(node.c);
      case Kind::negate:
        return -at(node.a);
      case Kind::absolute:
        return math::abs(at(node.a));
      case Kind::root:
        return math::sqrt(at(node.a));
      default:
        return of_two(node.kind, at(node.a), at(node.b));
    }
  }
  [[nodiscard]] bool finite() const noexcept { return finite_; }

 private:
  double of_two(ExpressionNode::Kind kind, double a, double b) noexcept {
    using Kind = ExpressionNode::Kind;
    switch (kind) {
      case Kind::add:
        return a + b;
      case Kind::subtract:
        return a - b;
      case Kind::multiply:
        return a * b;
      case Kind::divide:
        return a / b;
      case Kind::power:
        return math::pow(a, b);
      case Kind::least:
        return std::isnan(b) ? b : math::min(a, b);
      case Kind::greatest:
        return std::isnan(b) ? b : math::max(a, b);
      default:
        return compare(kind, a, b);
    }
  }

  double compare(ExpressionNode::Kind kind, double a, double b) noexcept {
    using Kind = ExpressionNode::Kind;
    if (!std::isfinite(a) || !std::isfinite(b)) finite_ = false;
    const bool holds = kind == Kind::less         ? a < b
                       : kind == Kind::less_equal ? a <= b
                       : kind == Kind::equal      ? a == b
                                                  : a != b;
    return holds ? 1.0 : 0.0;
  }

  const std::vector<ExpressionNode>& nodes_;
  const std::byte* memory_;
  SimTime now_;
  bool finite_ = true;
};

std::size_t operands_of(ExpressionNode::Kind kind) noexcept {
  using Kind = ExpressionNode::Kind;
  switch (kind) {
    case Kind::number:
    case Kind::value:
    case Kind::time:
      return 0;
    case Kind::negate:
    case Kind::absolute:
    case Kind::root:
    case Kind::inverse:
      return 1;
    case Kind::choice:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

bool is_well_formed(std::span<const ExpressionNode> nodes, std::size_t memory_size) noexcept {
  if (nodes.empty() || nodes.size() > ExpressionNode::most) return false;
  std::bitset<ExpressionNode::most> taken;
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const ExpressionNode& node = nodes[index];
    if (node.kind > ExpressionNode::Kind::choice) return false;
    if (node.kind == ExpressionNode::Kind::value &&
        (node.offset % sizeof(double) != 0 || node.offset >= memory_size || memory_size - node.offset < sizeof(double)))
      return false;
    const std::array<std::uint32_t, 3> operands{node.a, node.b, node.c};
    for (std::size_t k = 0; k < operands_of(node.kind); ++k) {
      if (operands[k] >= index || taken[operands[k]]) return false;
      taken[operands[k]] = true;
    }
  }
  return true;
}

Evaluation Expression::evaluate(const std::byte* memory, SimTime now) const noexcept {
  Evaluator evaluator(*this, memory, now);
  const double value = evaluator.at(static_cast<std::uint32_t>(nodes.size() - 1));
  return {value, evaluator.finite()};
}

bool Expression::compares() const noexcept {
  using Kind = ExpressionNode::Kind;
  const Kind kind = nodes.back().kind;
  return kind == Kind::less || kind == Kind::less_equal || kind == Kind::equal || kind == Kind::unequal;
}

bool Expression::compares_computed() const noexcept {
  using Kind = ExpressionNode::Kind;
  if (!compares()) return false;
  const auto stands_alone = [&](std::uint32_t index) {
    return nodes[index].kind == Kind::value || nodes[index].kind == Kind::number;
  };
  return !stands_alone(nodes.back().a) || !stands_alone(nodes.back().b);
}

std::optional<double> Expression::threshold() const noexcept {
  using Kind = ExpressionNode::Kind;
  if (!compares() || compares_computed() || rows.size() != 1) return {};
  for (const std::uint32_t side : {nodes.back().a, nodes.back().b})
    if (nodes[side].kind == Kind::number) return nodes[side].number;
  return {};
}

Expression::Sides Expression::sides(const std::byte* memory, SimTime now) const noexcept {
  const ExpressionNode& whole = nodes.back();
  Evaluator evaluator(*this, memory, now);
  const double a = evaluator.at(whole.a), b = evaluator.at(whole.b);
  return whole.turned ? Sides{b, a} : Sides{a, b};
}

}  // namespace takt
