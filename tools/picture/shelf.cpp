#include "tools/picture/shelf.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace takt::picture {

Point Shelf::place(double width, double height) {
  Point best{0.0, std::numeric_limits<double>::infinity()};
  for (const Step& step : steps_) {
    if (step.from + width > width_ + 1e-6) continue;
    const double down = down_below(step.from, step.from + width);
    if (down < best.y) best = {step.from, down};
  }
  take(best.x, best.x + width, best.y + height);
  return best;
}

double Shelf::down_below(double from, double to) const {
  double down = 0.0;
  for (const Step& step : steps_)
    if (step.from < to - 1e-6 && step.to > from + 1e-6) down = std::max(down, step.down);
  return down;
}

void Shelf::take(double from, double to, double down) {
  std::vector<Step> left;
  for (const Step& step : steps_) {
    if (step.from < from) left.push_back({step.from, std::min(step.to, from), step.down});
    if (step.to > to) left.push_back({std::max(step.from, to), step.to, step.down});
  }
  left.push_back({from, to, down});
  std::sort(left.begin(), left.end(), [](const Step& a, const Step& b) { return a.from < b.from; });
  steps_ = std::move(left);
}

}  // namespace takt::picture
