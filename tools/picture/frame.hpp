#pragma once
// A diagram with all its places, in pixels from the corner of its frame; and frames beside each other on a screen.

#include <optional>
#include <vector>

#include "tools/picture/diagram.hpp"
#include "tools/picture/point.hpp"

namespace takt::picture {

struct Rectangle {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
};

struct Stretch {
  Point from, to;
  std::optional<std::size_t> box = std::nullopt;  ///< that it ends at
};

struct Tip {
  Point at;
  std::size_t box = 0;
};

/// A wire of a net: lines along the axes, dots where more than two meet.
struct Wire {
  std::size_t net = 0;  ///< of the diagram
  std::vector<Stretch> lines{};
  std::vector<Point> dots{};
  std::vector<Tip> tips{};  ///< of arrows, of signals
  Point name{};             ///< where its name stands, or its middle
  bool goes_on = false;     ///< elsewhere in the frame
};

struct Frame {
  std::size_t diagram = 0;
  Rectangle place;               ///< in the picture
  std::vector<Rectangle> boxes;  ///< of each box, from the frame's corner
  std::vector<Wire> wires;
};

/// Sizes of what is drawn, pixels at scale 1.
inline constexpr double box_width = 92.0, box_height = 34.0;
inline constexpr double channel_width = 26.0, row_gap = 8.0, frame_head = 17.0, frame_edge = 7.0;
/// For which the frames are put together.
inline constexpr double screen_width = 1440.0, screen_height = 860.0;

/// Names in the boxes of a diagram of signals what comes from farther than the column before.
[[nodiscard]] Frame frame_of(Diagram& diagram, std::size_t index);

/// Gives every frame its place, in the order given; -> width and height of the whole.
[[nodiscard]] Point put_together(std::vector<Frame>& frames);

}  // namespace takt::picture
