#pragma once
// Rectangles below and beside each other: each as high as it can stand, then as far left.

#include <vector>

#include "tools/picture/point.hpp"

namespace takt::picture {

class Shelf {
 public:
  explicit Shelf(double width) : width_(width), steps_{{0.0, width, 0.0}} {}

  /// Its left upper corner. @pre it is no wider than the shelf
  Point place(double width, double height);

 private:
  /// How far down the space from `from` to `to` is taken.
  struct Step {
    double from = 0.0, to = 0.0, down = 0.0;
  };
  [[nodiscard]] double down_below(double from, double to) const;
  void take(double from, double to, double down);

  double width_;
  std::vector<Step> steps_;
};

}  // namespace takt::picture
