#include "codegen/stability/course.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <unordered_map>

namespace takt::codegen {
namespace {

constexpr Interval nil{0.0, 0.0}, one{1.0, 1.0};

Interval hull(std::initializer_list<double> values) {
  Interval all{HUGE_VAL, -HUGE_VAL};
  for (const double value : values) {
    if (std::isnan(value)) return {};
    all.low = std::min(all.low, value), all.high = std::max(all.high, value);
  }
  return all;
}
Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
bool contains(const Interval& i, double value) { return i.low <= value && value <= i.high; }
bool is_point(const Interval& i) { return i.low == i.high; }

Interval operator+(const Interval& a, const Interval& b) {
  const double low = a.low + b.low, high = a.high + b.high;
  return {std::isnan(low) ? -HUGE_VAL : low, std::isnan(high) ? HUGE_VAL : high};
}
Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
Interval operator*(const Interval& a, const Interval& b) {
  const auto times = [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; };
  return hull(
      {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
}
Interval operator*(double factor, const Interval& a) { return Interval{factor, factor} * a; }
Interval inverse(const Interval& a) {
  return contains(a, 0.0) ? Interval{} : hull({1.0 / a.low, 1.0 / a.high});
}

/// Whole exponents of any base, others of bases that are not negative.
Interval power(const Interval& a, double exponent) {
  if (exponent == 0.0) return one;
  if (exponent < 0.0) return inverse(power(a, -exponent));
  const bool whole = exponent == std::floor(exponent),
             even = whole && std::fmod(exponent, 2.0) == 0.0;
  if (!whole && !(a.low >= 0.0)) return {};
  Interval range = hull({std::pow(a.low, exponent), std::pow(a.high, exponent)});
  if (even && contains(a, 0.0)) range.low = 0.0;
  return range;
}
Interval square(const Interval& a) { return power(a, 2.0); }

/// Of a sine: 1 where a crest lies inside, else the greater value of its ends; of troughs so, too.
Interval sine(const Interval& a) {
  constexpr double turn = 2.0 * std::numbers::pi;
  if (!(a.high - a.low < turn)) return {-1.0, 1.0};
  Interval range = hull({std::sin(a.low), std::sin(a.high)});
  const auto inside = [&](double place) {
    return place + turn * std::ceil((a.low - place) / turn) <= a.high;
  };
  if (inside(0.5 * std::numbers::pi)) range.high = 1.0;
  if (inside(1.5 * std::numbers::pi)) range.low = -1.0;
  return range;
}
Interval cosine(const Interval& a) {
  return sine(a + Interval{0.5 * std::numbers::pi, 0.5 * std::numbers::pi});
}

/// g(a), of g and its derivatives over the values of a.
Course chain(const Course& a, const Course& g) {
  return {g.value, g.slope * a.slope, g.bend * square(a.slope) + g.slope * a.bend};
}
Course sum(const Course& a, const Course& b) {
  return {a.value + b.value, a.slope + b.slope, a.bend + b.bend};
}
Course negative(const Course& a) { return {-a.value, -a.slope, -a.bend}; }
Course product(const Course& a, const Course& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope,
          a.bend * b.value + 2.0 * (a.slope * b.slope) + a.value * b.bend};
}
Course either(const Course& a, const Course& b) {
  return {hull(a.value, b.value), hull(a.slope, b.slope), hull(a.bend, b.bend)};
}
Course still(const Interval& value) { return {value, nil, nil}; }

Course raised(const Course& a, double exponent) {
  const Interval& x = a.value;
  return chain(a, {power(x, exponent), exponent * power(x, exponent - 1.0),
                   exponent * (exponent - 1.0) * power(x, exponent - 2.0)});
}
Course raised(const Course& a, const Course& b) {
  if (is_point(b.value)) return raised(a, b.value.low);
  if (!is_point(a.value) || !(a.value.low > 0.0)) return {};
  const double rate = std::log(a.value.low);
  const Interval value = hull({std::exp(rate * b.value.low), std::exp(rate * b.value.high)});
  return chain(b, {value, rate * value, rate * rate * value});
}

Interval ends_of(double (*rising)(double), const Interval& x) {
  return hull({rising(x.low), rising(x.high)});
}

/// Functions of one operand over the values of it.
Course elementary(Op op, const Interval& x) {
  switch (op) {
    case Op::exp: {
      const Interval value = ends_of(std::exp, x);
      return {value, value, value};
    }
    case Op::log:
      return x.low > 0.0 ? Course{ends_of(std::log, x), inverse(x), -square(inverse(x))} : Course{};
    case Op::sqrt: {
      const Interval root = ends_of(std::sqrt, {std::max(x.low, 0.0), std::max(x.high, 0.0)});
      const Interval slope = 0.5 * inverse(root);
      return {root, slope, -(slope * (0.5 * inverse(square(root))))};
    }
    case Op::sin:
      return {sine(x), cosine(x), -sine(x)};
    case Op::cos:
      return {cosine(x), -sine(x), -cosine(x)};
    case Op::tan: {
      if (contains(cosine(x), 0.0)) return {};
      const Interval value = ends_of(std::tan, x), slope = one + square(value);
      return {value, slope, 2.0 * (value * slope)};
    }
    case Op::atan: {
      const Interval slope = inverse(one + square(x));
      return {ends_of(std::atan, x), slope, -2.0 * (x * square(slope))};
    }
    case Op::tanh: {
      const Interval value = ends_of(std::tanh, x), slope = one + -square(value);
      return {value, slope, -2.0 * (value * slope)};
    }
    default:
      return {};
  }
}

/// Straight between its corners, held beyond its ends.
Course read(const Table& table, const Interval& x) {
  const auto inside = [&](double at) { return std::clamp(at, table.x.front(), table.x.back()); };
  const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(
      std::upper_bound(table.x.begin(), table.x.end(), x.low) - table.x.begin() - 1, 0));
  const auto last = std::min<std::size_t>(
      static_cast<std::size_t>(std::lower_bound(table.x.begin(), table.x.end(), inside(x.high)) -
                               table.x.begin()),
      table.y.size() - 1);
  Course course = still({table.y[first], table.y[first]});
  if (x.low >= table.x.front() && x.high <= table.x.back()) course.slope = {HUGE_VAL, -HUGE_VAL};
  for (std::size_t k = first; k < last; ++k) {
    const double slope = (table.y[k + 1] - table.y[k]) / (table.x[k + 1] - table.x[k]);
    course.value = hull(course.value, {table.y[k + 1], table.y[k + 1]});
    course.slope = hull(course.slope, {slope, slope});
  }
  if (course.slope.low > course.slope.high) course.slope = nil;
  return course;
}

Interval rest(const Interval& a, double b) {
  if (!std::isfinite(a.low) || !std::isfinite(a.high) ||
      std::floor(a.low / b) != std::floor(a.high / b))
    return hull({0.0, b});
  const auto of = [&](double x) { return x - b * std::floor(x / b); };
  return hull({of(a.low), of(a.high)});
}

Course truth(bool surely, bool surely_not) {
  return still({surely ? 1.0 : 0.0, surely_not ? 0.0 : 1.0});
}
bool is_true(const Course& a) { return a.value.low > 0.5; }
bool is_false(const Course& a) { return a.value.high <= 0.5; }

/// What jumps or has corners.
Course in_pieces(Op op, const std::array<Course, 3>& x) {
  const auto& [a, b, c] = x;
  const Interval &i = a.value, &k = b.value;
  switch (op) {
    case Op::abs:
      return i.low >= 0.0    ? a
             : i.high <= 0.0 ? negative(a)
                             : in_pieces(Op::max, {a, negative(a), Course{}});
    case Op::min:
      return negative(in_pieces(Op::max, {negative(a), negative(b), Course{}}));
    case Op::max: {
      if (i.low >= k.high) return a;
      if (k.low >= i.high) return b;
      Course both = either(a, b);
      both.value.low = std::max(i.low, k.low);
      return both;
    }
    case Op::sign:
      return still({i.low > 0.0   ? 1.0
                    : i.low < 0.0 ? -1.0
                                  : 0.0,
                    i.high > 0.0   ? 1.0
                    : i.high < 0.0 ? -1.0
                                   : 0.0});
    case Op::floor:
      return still({std::floor(i.low), std::floor(i.high)});
    case Op::mod:
      return is_point(k) && k.low != 0.0 ? Course{rest(i, k.low), a.slope, a.bend} : Course{};
    case Op::less:
      return truth(i.high < k.low, i.low >= k.high);
    case Op::less_equal:
      return truth(i.high <= k.low, i.low > k.high);
    case Op::equal:
      return truth(is_point(i) && is_point(k) && i.low == k.low, i.high < k.low || k.high < i.low);
    case Op::logical_and:
      return truth(is_true(a) && is_true(b), is_false(a) || is_false(b));
    case Op::logical_or:
      return truth(is_true(a) || is_true(b), is_false(a) && is_false(b));
    case Op::logical_not:
      return truth(is_false(a), is_true(a));
    case Op::select:
      return is_true(a) ? b : is_false(a) ? c : either(b, c);
    default:
      return {};
  }
}

Course apply(const Graph& graph, const Node& node, const std::array<Course, 3>& x) {
  const auto& [a, b, c] = x;
  switch (node.op) {
    case Op::add:
      return sum(a, b);
    case Op::sub:
      return sum(a, negative(b));
    case Op::mul:
      return node.a == node.b ? raised(a, 2.0) : product(a, b);
    case Op::div:
      return product(a, raised(b, -1.0));
    case Op::neg:
      return negative(a);
    case Op::pow:
      return raised(a, b);
    case Op::table:
      return chain(a, read(graph.table(TableId{node.payload}), a.value));
    default: {
      const bool known = Graph::arity(node.op) == 1 && node.op != Op::abs && node.op != Op::sign &&
                         node.op != Op::floor && node.op != Op::logical_not;
      return known ? chain(a, elementary(node.op, a.value)) : in_pieces(node.op, x);
    }
  }
}

}  // namespace

CourseOf::CourseOf(const Graph& graph, Expr function, SymbolId time,
                   const std::function<double(SymbolId)>& value_of)
    : graph_(graph) {
  std::unordered_map<Expr, std::size_t> place;
  for (const Expr e : graph.reachable({function})) {
    Step step{graph.node(e)};
    if (step.node.op == Op::symbol) {
      const SymbolId symbol{step.node.payload};
      step.is_time = symbol == time;
      if (!step.is_time) step.node.value = value_of(symbol);
    }
    const std::array<Expr, 3> children{step.node.a, step.node.b, step.node.c};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Graph::arity(step.node.op)); ++k)
      step.operands[k] = place.at(children[k]);
    place.emplace(e, steps_.size());
    steps_.push_back(step);
  }
  courses_.resize(steps_.size());
}

Course CourseOf::over(const Interval& time) const {
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    if (step.is_time)
      courses_[k] = {time, one, nil};
    else if (Graph::arity(step.node.op) == 0)
      courses_[k] = still({step.node.value, step.node.value});
    else
      courses_[k] = apply(
          graph_, step.node,
          {courses_[step.operands[0]], courses_[step.operands[1]], courses_[step.operands[2]]});
  }
  return courses_.back();
}

}  // namespace takt::codegen
