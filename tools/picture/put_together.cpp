// Frames beside each other: each as high as it can stand, then as far left.

#include <algorithm>
#include <limits>

#include "tools/picture/frame.hpp"
#include "tools/picture/shelf.hpp"

namespace takt::picture {
namespace {

constexpr double gap = 8.0;

/// Frames within this width -> how far they reach.
Point place_all(std::vector<Frame>& frames, double width) {
  Shelf shelf(width + gap);
  Point whole;
  for (Frame& frame : frames) {
    const Point at = shelf.place(frame.place.width + gap, frame.place.height + gap);
    frame.place.x = at.x;
    frame.place.y = at.y;
    whole.x = std::max(whole.x, at.x + frame.place.width);
    whole.y = std::max(whole.y, at.y + frame.place.height);
  }
  return whole;
}

double smallness(const Point& whole) { return std::max(whole.x / screen_width, whole.y / screen_height); }

}  // namespace

Point put_together(std::vector<Frame>& frames) {
  double width = 600.0;
  for (const Frame& frame : frames) width = std::max(width, frame.place.width);
  double best_width = 0.0, best = std::numeric_limits<double>::infinity(), area = 0.0;
  for (const Frame& frame : frames) area += (frame.place.width + gap) * (frame.place.height + gap);
  for (; best_width == 0.0 || width * width < 6.0 * area; width *= 1.02) {
    const double found = smallness(place_all(frames, width));
    if (found < best * 0.99) best = found, best_width = width;
  }
  return place_all(frames, best_width);
}

}  // namespace takt::picture
