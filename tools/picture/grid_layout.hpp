#pragma once
// Boxes that nets join, on a grid: columns are layers, so that every net has its wire in one channel between two
// columns and no wire has to pass a box. Knows nothing of plants.

#include <cstddef>
#include <vector>

namespace takt::picture {

inline constexpr std::size_t no_box = static_cast<std::size_t>(-1);

struct GridGraph {
  std::size_t boxes = 0;
  std::vector<std::vector<std::size_t>> nets;  ///< boxes of each, different ones
  std::vector<std::size_t> hubs;  ///< of each net the box that is it, and stands between the others; or no_box
  std::vector<int> leads;         ///< of each box: the higher, the rather it stands on the left
  bool directed = false;          ///< the first box of each net gives what the others read: they stand on its right
};

struct Cell {
  int column = 0, row = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Where a box is joined to a wire.
struct Pin {
  std::size_t box = 0;
  bool on_the_left = false;  ///< of the box
};

/// The vertical piece of a net, in the channel on the right of a column (-1: in front of all). A net has one; one on
/// each side of its hub; one more where the diagram goes on in rows below.
struct Trunk {
  std::size_t net = 0;
  int channel = 0;
  bool goes_on = false;  ///< another trunk of the net is elsewhere
  std::vector<Pin> pins{};
};

struct GridLayout {
  std::vector<Cell> cells;  ///< of each box, all different
  std::vector<Trunk> trunks;
  int columns = 0, rows = 0;
};

/// Of a directed graph a layer is as far on the right as its signals have to come, those that close loops left out;
/// nets reach those readers only that stand in the next column. Else layers are distances from a box that would be
/// first, or from the hub of the largest net. Boxes of a chain keep to a row; what hangs on one net only takes the
/// nearest free cell beside its wire, last, so that an element more moves few others.
[[nodiscard]] GridLayout grid_layout(const GridGraph& graph);

}  // namespace takt::picture
