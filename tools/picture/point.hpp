#pragma once

namespace takt::picture {

struct Point {
  double x = 0.0, y = 0.0;
};

}  // namespace takt::picture
