#include "tools/picture/grid_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "runtime/graph/disjoint_sets.hpp"
#include "tools/picture/shelf.hpp"

namespace takt::picture {
namespace {

constexpr int usual_columns = 13;    // beside each other on a screen
constexpr double usual_shape = 0.7;  // columns squared over cells, of a diagram that is as wide as a screen

/// Boxes that nets join, each to the others over some of them, on a grid of their own; the root first.
struct Component {
  std::vector<std::size_t> boxes, nets;
  int columns = 0, rows = 0;
};

class GridBuilder {
 public:
  explicit GridBuilder(const GridGraph& graph)
      : graph_(graph),
        nets_of_(graph.boxes),
        depth_(graph.boxes, -1),
        is_hub_(graph.boxes, false),
        cells_(graph.boxes),
        channels_(graph.nets.size()),
        placed_(graph.boxes, false) {
    for (std::size_t net = 0; net < graph.nets.size(); ++net) {
      for (const std::size_t box : graph.nets[net]) nets_of_[box].push_back(net);
      if (graph.hubs[net] != no_box) is_hub_[graph.hubs[net]] = true;
    }
  }

  GridLayout run() {
    if (graph_.directed)
      signal_layers();
    else
      for (const std::size_t box : roots())
        if (depth_[box] < 0) components_.push_back(layers_from(box));
    std::sort(components_.begin(), components_.end(),
              [](const Component& a, const Component& b) { return a.boxes.front() < b.boxes.front(); });
    std::stable_partition(components_.begin(), components_.end(),
                          [](const Component& one) { return one.boxes.size() > 1; });
    for (Component& each : components_) lay_out(each);
    return put_together();
  }

 private:
  /// Where the wires of a net are. Boxes on the way to the hub are joined to it in `inlet`, all others in `outlet`.
  struct Channels {
    int inlet = -1, outlet = -1;  ///< columns on their left; -1: none
    std::size_t before = no_box;  ///< of the inlet: the box that the net was reached from
    std::size_t parent = no_box;  ///< of the outlet: the hub, or the box that the net was reached from
  };

  /// Those that would be first, then hubs of large nets, then others with many neighbours.
  [[nodiscard]] std::vector<std::size_t> roots() const {
    std::vector<std::size_t> order(graph_.boxes), joined(graph_.boxes, 0);
    for (std::size_t box = 0; box < graph_.boxes; ++box) {
      order[box] = box;
      for (const std::size_t net : nets_of_[box])
        joined[box] = std::max(joined[box], 2 * graph_.nets[net].size() + (graph_.hubs[net] == box ? 1 : 0));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (graph_.leads[a] != graph_.leads[b]) return graph_.leads[a] > graph_.leads[b];
      return graph_.leads[a] == 0 && joined[a] > joined[b];
    });
    return order;
  }

  /// What hangs on one net, and is not that net.
  [[nodiscard]] bool is_leaf(std::size_t box) const {
    if (nets_of_[box].size() != 1 || depth_[box] == 0 || is_hub_[box]) return false;
    return !graph_.directed || graph_.nets[nets_of_[box].front()].front() != box;
  }

  Component layers_from(std::size_t root) {
    Component made;
    std::vector<std::vector<std::size_t>> layers(1, {root});
    depth_[root] = 0;
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
      for (std::size_t next = 0; next < layers[layer].size(); ++next) {
        const std::size_t box = layers[layer][next];
        if (depth_[box] != static_cast<int>(layer)) continue;  // it came nearer
        made.boxes.push_back(box);
        for (const std::size_t net : nets_of_[box])
          if (channels_[net].outlet < 0) reach(net, box, layers), made.nets.push_back(net);
      }
    return made;
  }

  // --- signals

  void signal_layers() {
    std::vector<std::vector<std::size_t>> readers(graph_.boxes);
    graph::DisjointSets parts(graph_.boxes);
    for (std::size_t net = 0; net < graph_.nets.size(); ++net)
      for (const std::size_t box : graph_.nets[net])
        if (const std::size_t maker = graph_.nets[net].front(); box != maker)
          readers[maker].push_back(box), parts.join(maker, box);
    const std::vector<std::size_t> order = without_loops(readers);
    depth_.assign(graph_.boxes, 0);
    for (const std::size_t box : order)
      for (const std::size_t reader : readers[box]) depth_[reader] = std::max(depth_[reader], depth_[box] + 1);
    std::vector<bool> reads(graph_.boxes, false);
    for (const auto& list : readers)
      for (const std::size_t reader : list) reads[reader] = true;
    for (std::size_t box = 0; box < graph_.boxes; ++box) {  // what reads nothing stands just before who reads it
      if (reads[box] || readers[box].empty()) continue;
      int nearest = depth_[readers[box].front()];
      for (const std::size_t reader : readers[box]) nearest = std::min(nearest, depth_[reader]);
      depth_[box] = nearest - 1;
    }
    std::map<std::size_t, std::size_t> component;
    for (const std::size_t box : order) {
      const auto [place, fresh] = component.try_emplace(parts.find(box), components_.size());
      if (fresh) components_.emplace_back();
      components_[place->second].boxes.push_back(box);
    }
    for (std::size_t net = 0; net < graph_.nets.size(); ++net) {
      const std::size_t maker = graph_.nets[net].front();
      channels_[net] = {.outlet = depth_[maker], .parent = maker};
      components_[component.at(parts.find(maker))].nets.push_back(net);
    }
  }

  /// Boxes before those that read them; a signal to one that has been met on the way is taken off the readers.
  std::vector<std::size_t> without_loops(std::vector<std::vector<std::size_t>>& readers) const {
    enum class Met : std::uint8_t { never, on_the_way, done };
    std::vector<Met> met(graph_.boxes, Met::never);
    std::vector<std::size_t> order;
    for (const std::size_t root : roots()) {
      std::vector<std::pair<std::size_t, std::size_t>> way;  // box, the next of its readers
      if (met[root] == Met::never) way.emplace_back(root, 0), met[root] = Met::on_the_way;
      while (!way.empty()) {
        auto& [box, next] = way.back();
        if (next == readers[box].size()) {
          met[box] = Met::done;
          order.push_back(box);
          way.pop_back();
        } else if (const std::size_t reader = readers[box][next]; met[reader] == Met::on_the_way) {
          readers[box].erase(readers[box].begin() + static_cast<std::ptrdiff_t>(next));
        } else {
          ++next;
          if (met[reader] == Met::never) met[reader] = Met::on_the_way, way.emplace_back(reader, 0);
        }
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  // --- places

  /// All of a net, from the first of its boxes.
  void reach(std::size_t net, std::size_t box, std::vector<std::vector<std::size_t>>& layers) {
    const int depth = depth_[box];
    const auto come = [&](std::size_t other, int there) {
      if (depth_[other] >= 0 && depth_[other] <= there) return;
      depth_[other] = there;
      if (layers.size() <= static_cast<std::size_t>(there)) layers.resize(static_cast<std::size_t>(there) + 1);
      layers[static_cast<std::size_t>(there)].push_back(other);
    };
    const std::size_t hub = graph_.hubs[net];
    if (hub != no_box) come(hub, depth + 1);
    Channels& channels = channels_[net];
    if (hub == no_box || depth_[hub] == depth) {
      channels = {.outlet = depth, .parent = box};
    } else {
      channels = {.inlet = depth, .outlet = depth + 1, .before = box, .parent = hub};
    }
    for (const std::size_t other : graph_.nets[net]) come(other, channels.outlet + 1);
  }

  /// Rows of all that lies between other boxes, then of what hangs on one net.
  void lay_out(Component& component) {
    int columns = 0;
    for (const std::size_t box : component.boxes) columns = std::max(columns, depth_[box] + 1);
    free_.assign(static_cast<std::size_t>(columns) + 1, 0);
    taken_.assign(static_cast<std::size_t>(columns) + 1, {});
    for (const std::size_t box : component.boxes)
      if (depth_[box] == 0 && !placed_[box]) place_chains(box);
    for (const std::size_t net : component.nets)
      for (const std::size_t box : graph_.nets[net])
        if (is_leaf(box)) place_leaf(box, net);
    for (const std::size_t box : component.boxes)
      if (graph_.directed && !placed_[box] && !is_leaf(box))
        take(box, {depth_[box], first_free(depth_[box], row_of_reader(box))});
    close_empty_rows(component);
    wrap(component);
  }

  void take(std::size_t box, Cell cell) {
    cells_[box] = cell;
    taken_[static_cast<std::size_t>(cell.column)].insert(cell.row);
  }

  /// A box, what follows it, what follows that: each at its predecessor's row or the first free one below.
  void place_chains(std::size_t root) {
    std::vector<std::pair<std::size_t, std::size_t>> waiting{{root, no_box}};  // box, predecessor
    placed_[root] = true;
    while (!waiting.empty()) {
      const auto [box, before] = waiting.back();
      waiting.pop_back();
      const auto column = static_cast<std::size_t>(depth_[box]);
      const int row = std::max(before == no_box ? 0 : cells_[before].row, free_[column]);
      take(box, {depth_[box], row});
      free_[column] = row + 1;
      std::vector<std::pair<std::size_t, std::size_t>> followers;
      for (const std::size_t net : nets_of_[box]) {
        const Channels& channels = channels_[net];
        if (channels.before == box && !placed_[channels.parent]) {
          placed_[channels.parent] = true;
          followers.emplace_back(channels.parent, box);
        }
        if (channels.parent != box) continue;
        int leaves = 0;
        for (const std::size_t other : graph_.nets[net]) {
          if (is_leaf(other)) ++leaves;
          if (is_leaf(other) || placed_[other] || depth_[other] != depth_[box] + 1) continue;
          placed_[other] = true;
          followers.emplace_back(other, box);
        }
        free_[column] = std::max(free_[column], row + 1 + room_for(leaves) / 2);
      }
      waiting.insert(waiting.end(), followers.rbegin(), followers.rend());
    }
  }

  /// Rows kept for what hangs on a net, in steps, so that one more rarely moves what lies below.
  static int room_for(int leaves) { return leaves == 0 ? 0 : leaves <= 2 ? 1 : 2 * ((leaves + 3) / 4); }

  void place_leaf(std::size_t box, std::size_t net) {
    const int wanted = cells_[channels_[net].parent].row, channel = channels_[net].outlet;
    Cell best{channel + 1, first_free(channel + 1, wanted)};
    const Cell other{channel, first_free(channel, wanted)};
    if (!graph_.directed && std::abs(other.row - wanted) < std::abs(best.row - wanted)) best = other;
    take(box, best);
  }

  /// Of what gives a signal, whose reader has its place.
  [[nodiscard]] int row_of_reader(std::size_t box) const {
    for (const std::size_t net : nets_of_[box])
      for (const std::size_t reader : graph_.nets[net])
        if (depth_[reader] == depth_[box] + 1) return cells_[reader].row;
    return 0;
  }

  [[nodiscard]] int first_free(int column, int wanted) const {
    const std::set<int>& rows = taken_[static_cast<std::size_t>(column)];
    for (int away = 0;; ++away) {
      if (!rows.contains(wanted + away)) return wanted + away;
      if (wanted - away >= 0 && !rows.contains(wanted - away)) return wanted - away;
    }
  }

  void close_empty_rows(Component& component) {
    std::set<int> used;
    for (const std::size_t box : component.boxes) used.insert(cells_[box].row);
    for (const std::size_t box : component.boxes)
      cells_[box].row = static_cast<int>(std::distance(used.begin(), used.find(cells_[box].row)));
    component.rows = static_cast<int>(used.size());
  }

  /// What is wider than a screen goes on below.
  void wrap(Component& component) {
    int columns = 0;
    for (const std::size_t box : component.boxes) columns = std::max(columns, cells_[box].column + 1);
    const double cells = static_cast<double>(columns) * component.rows;
    const int width = std::max(usual_columns, 4 * static_cast<int>(std::ceil(std::sqrt(usual_shape * cells) / 4.0)));
    component.columns = columns;
    for (const std::size_t net : component.nets) add_trunks(net, columns > width + 1 ? width : columns);
    if (columns <= width + 1) return;
    const int bands = (columns + width - 1) / width;
    std::vector<int> highest(static_cast<std::size_t>(bands), -1), lowest(static_cast<std::size_t>(bands), 1 << 30);
    for (const std::size_t box : component.boxes) {
      const auto band = static_cast<std::size_t>(cells_[box].column / width);
      highest[band] = std::max(highest[band], cells_[box].row);
      lowest[band] = std::min(lowest[band], cells_[box].row);
    }
    std::vector<int> offset(static_cast<std::size_t>(bands), 0);
    for (std::size_t band = 0; band < offset.size(); ++band)
      offset[band] = (band == 0 ? 0 : offset[band - 1] + highest[band - 1] + 1) - lowest[band];
    for (const std::size_t box : component.boxes) {
      const int band = cells_[box].column / width;
      cells_[box] = {cells_[box].column - band * width, cells_[box].row + offset[static_cast<std::size_t>(band)]};
    }
    component.columns = width;
    component.rows = offset.back() + highest.back() + 1;
  }

  void add_trunks(std::size_t net, int width) {
    const Channels& channels = channels_[net];
    std::vector<Pin> in, out;
    for (const std::size_t box : graph_.nets[net]) {
      const int column = cells_[box].column;
      if (graph_.directed && box != channels.parent && column != channels.outlet + 1) continue;
      if (channels.inlet >= 0 && box == channels.parent) in.push_back({box, true});
      if (channels.inlet >= 0 && column == channels.inlet && !is_leaf(box))
        in.push_back({box, false});
      else
        out.push_back({box, column > channels.outlet});
    }
    add_trunk({.net = net, .channel = channels.inlet, .pins = std::move(in)}, width);
    if (out.size() > 1 || (channels.inlet < 0 && !graph_.directed))
      add_trunk({.net = net, .channel = channels.outlet, .pins = std::move(out)}, width);
  }

  /// Pins of boxes in the channel's own column are on their right, of those in the next one on their left; that may be
  /// the first one of the rows below.
  void add_trunk(Trunk whole, int width) {
    if (whole.pins.empty()) return;
    const bool parted = (whole.channel + 1) % width == 0;
    Trunk here{.net = whole.net, .channel = whole.channel % width}, beyond{.net = whole.net, .channel = -1};
    for (const Pin& pin : whole.pins) (parted && pin.on_the_left ? beyond : here).pins.push_back(pin);
    here.goes_on = beyond.goes_on = !beyond.pins.empty() && !here.pins.empty();
    if (!here.pins.empty()) trunks_.push_back(std::move(here));
    if (!beyond.pins.empty()) trunks_.push_back(std::move(beyond));
  }

  /// Components beside and below each other.
  GridLayout put_together() {
    GridLayout layout;
    int widest = usual_columns;
    for (const Component& each : components_) widest = std::max(widest, each.columns);
    Shelf shelf(widest);
    std::vector<int> shift(graph_.nets.size(), 0);
    for (const Component& each : components_) {
      const Point at = shelf.place(each.columns, each.rows);
      const int column = static_cast<int>(at.x), row = static_cast<int>(at.y);
      for (const std::size_t box : each.boxes) cells_[box].column += column, cells_[box].row += row;
      for (const std::size_t net : each.nets) shift[net] = column;
      layout.columns = std::max(layout.columns, column + each.columns);
      layout.rows = std::max(layout.rows, row + each.rows);
    }
    for (Trunk& trunk : trunks_) trunk.channel += shift[trunk.net];
    layout.cells = std::move(cells_);
    layout.trunks = std::move(trunks_);
    return layout;
  }

  const GridGraph& graph_;
  std::vector<std::vector<std::size_t>> nets_of_;
  std::vector<int> depth_;
  std::vector<bool> is_hub_;
  std::vector<Cell> cells_;
  std::vector<Channels> channels_;
  std::vector<bool> placed_;
  std::vector<Component> components_;
  std::vector<Trunk> trunks_;
  std::vector<int> free_;             // the first free row of each column, of the component at work
  std::vector<std::set<int>> taken_;  // rows of each column
};

}  // namespace

GridLayout grid_layout(const GridGraph& graph) { return GridBuilder(graph).run(); }

}  // namespace takt::picture
