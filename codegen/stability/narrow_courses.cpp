#include "codegen/stability/narrow_courses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>
#include <vector>

#include "codegen/stability/course.hpp"

namespace takt::codegen {
namespace {

constexpr int most_halvings = 20'000;
constexpr double part = 1.0 / 32;        // of the range: what leaves a line by less is straight
constexpr double least_range = 1e-3;     // of the largest value: less moves nothing
constexpr double shortest_span = 1e-13;  // of the duration
constexpr int samples = 257;

class NarrowSearch {
 public:
  NarrowSearch(const CourseOf& course, double duration_s)
      : course_(course), duration_s_(duration_s) {}

  std::optional<NarrowCourse> run() {
    const Interval bend = course_.over({0.0, duration_s_}).bend;
    if (bend.low == 0.0 && bend.high == 0.0) return std::nullopt;
    find_range();
    range_ = std::max(high_ - low_, least_range * std::max(std::abs(low_), std::abs(high_)));
    if (!(high_ > low_) || !std::isfinite(range_)) return std::nullopt;
    push(0.0, duration_s_);
    for (int halvings = 0; !open_.empty() && halvings < most_halvings; ++halvings) {
      const Span worst = open_.top();
      open_.pop();
      if (found_ && straight_for(worst.bend) >= 0.5 * worst_length_) break;  // none is shorter
      halve(worst);
    }
    return found_;
  }

 private:
  struct Span {
    double from = 0.0, to = 0.0, bend = 0.0;
    bool operator<(const Span& other) const { return bend < other.bend; }
  };

  /// How long a line may replace a function that bends so much.
  [[nodiscard]] double straight_for(double bend) const {
    return std::sqrt(8.0 * part * range_ / bend);
  }

  /// @return whether it may leave a straight line there
  bool push(double from, double to) {
    const Course course = course_.over({from, to});
    const double bend = std::max(std::abs(course.bend.low), std::abs(course.bend.high));
    const double width = course.value.high - course.value.low;
    if (to - from <= straight_for(bend) || width <= part * range_) return false;
    open_.push({from, to, bend});
    return true;
  }

  void halve(const Span& span) {
    const double middle = 0.5 * (span.from + span.to), length = span.to - span.from;
    if (length < shortest_span * duration_s_) return;  // of no size: a pole, or what is not known
    const bool left = push(span.from, middle), right = push(middle, span.to);
    if (left || right) return;
    const double width = std::max(0.5 * length, straight_for(span.bend));
    // A sine is as straight for sqrt(16*part)/omega.
    const double period = 2.0 * std::numbers::pi * width / std::sqrt(16.0 * part);
    if (!found_ || period < found_->period_s)
      found_ = NarrowCourse{middle, period}, worst_length_ = length;
  }

  void sample(double time) {
    const Interval value = course_.over({time, time}).value;
    if (!std::isfinite(value.low) || !std::isfinite(value.high)) return;
    low_ = std::min(low_, value.low), high_ = std::max(high_, value.high);
  }

  /// From samples, where the function may have more to show.
  void find_range() {
    for (int k = 0; k < samples; ++k) sample(duration_s_ * k / (samples - 1));
    std::priority_queue<Span> open;
    const auto add = [&](double from, double to) {
      const Interval value = course_.over({from, to}).value;
      const double beyond = std::max(value.high - high_, low_ - value.low);
      if (beyond > 0.1 * (high_ - low_)) open.push({from, to, beyond});
    };
    add(0.0, duration_s_);
    for (int halvings = 0; !open.empty() && halvings < most_halvings; ++halvings) {
      const Span span = open.top();
      open.pop();
      if (span.to - span.from < shortest_span * duration_s_) continue;
      const double middle = 0.5 * (span.from + span.to);
      sample(middle);
      add(span.from, middle), add(middle, span.to);
    }
  }

  const CourseOf& course_;
  double duration_s_;
  double low_ = std::numeric_limits<double>::infinity(),
         high_ = -std::numeric_limits<double>::infinity();
  double range_ = 0.0, worst_length_ = 0.0;
  std::priority_queue<Span> open_;
  std::optional<NarrowCourse> found_;
};

}  // namespace

std::optional<NarrowCourse> narrow_course(const Graph& graph, Expr function, const TimeSpan& span,
                                          const std::function<double(SymbolId)>& value_of) {
  const CourseOf course(graph, function, span.time, value_of);
  return NarrowSearch(course, span.duration_s).run();
}

}  // namespace takt::codegen
