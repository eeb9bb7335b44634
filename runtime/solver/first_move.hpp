#pragma once
// The instant at which something that follows time moves.

#include <limits>

namespace takt {

/// The first number after `time`, up to `until`, at which moved(t) holds; infinity where it is not seen. Looked at
/// every `look`, then bisected to the last bit; what moves and moves back between two looks is not seen. Units: s.
template <class Moved>
[[nodiscard]] double first_move(double time, double until, double look, const Moved& moved) {
  double before = time;
  for (double count = 1.0; before < until; count += 1.0) {
    double after = time + count * look;
    if (until < after) after = until;
    if (!moved(after)) {
      before = after;
      continue;
    }
    for (double middle = 0.5 * (before + after); before < middle && middle < after; middle = 0.5 * (before + after))
      (moved(middle) ? after : before) = middle;
    return after;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace takt
