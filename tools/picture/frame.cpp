#include "tools/picture/frame.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tools/picture/grid_layout.hpp"

namespace takt::picture {
namespace {

constexpr double pitch_x = box_width + channel_width, pitch_y = box_height + row_gap;
constexpr double pin_gap = 7.0, track_gap = 6.0;

/// A pin with its height, once it has one.
struct Contact {
  std::size_t trunk = 0, box = 0;
  bool on_the_left = false;
  double y = 0.0;
};

class FrameBuilder {
 public:
  FrameBuilder(const Diagram& diagram, const GridLayout& layout) : diagram_(diagram), layout_(layout) {
    for (const Trunk& trunk : layout.trunks) left_ = std::max(left_, trunk.channel < 0 ? channel_width : 0.0);
    right_ = std::any_of(layout.trunks.begin(), layout.trunks.end(),
                         [&](const Trunk& trunk) { return trunk.channel == layout.columns - 1; })
                 ? channel_width
                 : 0.0;
  }

  Frame run(std::size_t index) {
    Frame frame;
    frame.diagram = index;
    for (const Cell& cell : layout_.cells) frame.boxes.push_back(place_of(cell));
    frame.place.width = 2 * frame_edge + left_ + right_ + layout_.columns * pitch_x - channel_width;
    frame.place.height = frame_head + frame_edge + layout_.rows * pitch_y - row_gap;
    frame.place.width = std::max(
        frame.place.width, 2 * frame_edge + 6.4 * static_cast<double>(diagram_.name.size() + diagram_.note.size()));
    spread_pins();
    choose_tracks();
    part_neighbours();
    for (std::size_t trunk = 0; trunk < layout_.trunks.size(); ++trunk) frame.wires.push_back(wire_of(trunk));
    return frame;
  }

 private:
  [[nodiscard]] Rectangle place_of(const Cell& cell) const {
    return {frame_edge + left_ + cell.column * pitch_x, frame_head + cell.row * pitch_y, box_width, box_height};
  }

  [[nodiscard]] double channel_x(int channel) const { return place_of({channel, 0}).x + box_width; }

  /// Several wires on one side of a box: those to boxes above leave it above.
  void spread_pins() {
    std::map<std::pair<std::size_t, bool>, std::vector<std::size_t>> sides;  // box, side: contacts
    for (std::size_t trunk = 0; trunk < layout_.trunks.size(); ++trunk)
      for (const Pin& pin : layout_.trunks[trunk].pins) {
        sides[{pin.box, pin.on_the_left}].push_back(contacts_.size());
        contacts_.push_back({trunk, pin.box, pin.on_the_left, 0.0});
      }
    for (auto& [side, members] : sides) {
      std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
        return mean_row(contacts_[a].trunk) < mean_row(contacts_[b].trunk);
      });
      const Rectangle box = place_of(layout_.cells[side.first]);
      const double count = static_cast<double>(members.size());
      const double gap = std::min(pin_gap, (box_height - 6.0) / std::max(1.0, count - 1.0));
      for (std::size_t k = 0; k < members.size(); ++k)
        contacts_[members[k]].y = box.y + box_height / 2 + (static_cast<double>(k) - (count - 1.0) / 2.0) * gap;
    }
    of_trunk_.resize(layout_.trunks.size());
    for (std::size_t contact = 0; contact < contacts_.size(); ++contact)
      of_trunk_[contacts_[contact].trunk].push_back(contact);
  }

  [[nodiscard]] double mean_row(std::size_t trunk) const {
    double sum = 0.0;
    for (const Pin& pin : layout_.trunks[trunk].pins) sum += layout_.cells[pin.box].row;
    return sum / static_cast<double>(layout_.trunks[trunk].pins.size());
  }

  [[nodiscard]] std::pair<double, double> span_of(std::size_t trunk) const {
    double high = 1e300, low = -1e300;
    for (const std::size_t contact : of_trunk_[trunk]) {
      high = std::min(high, contacts_[contact].y);
      low = std::max(low, contacts_[contact].y);
    }
    return {high, low};
  }

  /// Trunks of a channel whose rows overlap have different x.
  void choose_tracks() {
    std::map<int, std::vector<std::size_t>> channels;
    for (std::size_t trunk = 0; trunk < layout_.trunks.size(); ++trunk)
      channels[layout_.trunks[trunk].channel].push_back(trunk);
    x_.assign(layout_.trunks.size(), 0.0);
    for (auto& [channel, members] : channels) {
      std::stable_sort(members.begin(), members.end(),
                       [&](std::size_t a, std::size_t b) { return span_of(a).first < span_of(b).first; });
      std::vector<double> lowest;  // of each track
      std::map<std::size_t, std::size_t> track;
      for (const std::size_t trunk : members) {
        const auto [high, low] = span_of(trunk);
        std::size_t chosen = 0;
        while (chosen < lowest.size() && lowest[chosen] + 1.0 >= high) ++chosen;
        if (chosen == lowest.size()) lowest.push_back(0.0);
        lowest[chosen] = low;
        track[trunk] = chosen;
      }
      const double count = static_cast<double>(lowest.size());
      const double gap = std::min(track_gap, channel_width / (count + 1.0));
      for (const auto& [trunk, chosen] : track)
        x_[trunk] = channel_x(channel) + channel_width / 2 + (static_cast<double>(chosen) - (count - 1.0) / 2.0) * gap;
    }
  }

  /// Two wires of different nets that would meet on one line in a channel are moved apart.
  void part_neighbours() {
    std::map<std::pair<int, int>, std::vector<std::size_t>> meet;  // channel, row
    for (std::size_t contact = 0; contact < contacts_.size(); ++contact)
      meet[{layout_.trunks[contacts_[contact].trunk].channel, layout_.cells[contacts_[contact].box].row}].push_back(
          contact);
    for (const auto& [where, members] : meet)
      for (const std::size_t left : members)
        for (const std::size_t right : members) {
          Contact &a = contacts_[left], &b = contacts_[right];  // a leaves a box on the left of the channel
          if (a.on_the_left || !b.on_the_left || a.trunk == b.trunk || x_[a.trunk] < x_[b.trunk]) continue;
          if (std::fabs(a.y - b.y) < 3.0) a.y -= 4.0, b.y += 4.0;
        }
  }

  Wire wire_of(std::size_t index) {
    const Trunk& trunk = layout_.trunks[index];
    const Net& net = diagram_.nets[trunk.net];
    const auto [high, low] = span_of(index);
    Wire wire{.net = trunk.net, .goes_on = trunk.goes_on};
    if (low - high > 0.5) wire.lines.push_back({{x_[index], high}, {x_[index], low}});
    for (const std::size_t contact : of_trunk_[index]) {
      const Contact& pin = contacts_[contact];
      const Rectangle box = place_of(layout_.cells[pin.box]);
      const double edge = pin.on_the_left ? box.x : box.x + box_width;
      wire.lines.push_back({{x_[index], pin.y}, {edge, pin.y}, pin.box});
      if (net.directed && pin.box != net.boxes.front()) wire.tips.push_back({{edge, pin.y}, pin.box});
      if (pin.y > high + 0.5 && pin.y < low - 0.5) wire.dots.push_back({x_[index], pin.y});
    }
    wire.name = {x_[index], (high + low) / 2};
    return wire;
  }

  const Diagram& diagram_;
  const GridLayout& layout_;
  double left_ = 0.0, right_ = 0.0;
  std::vector<Contact> contacts_;
  std::vector<std::vector<std::size_t>> of_trunk_;  // contacts
  std::vector<double> x_;                           // of each trunk
};

GridGraph graph_of(const Diagram& diagram) {
  GridGraph graph{.boxes = diagram.boxes.size(), .nets = {}, .hubs = {}, .leads = {}};
  for (const Net& net : diagram.nets) {
    graph.directed = graph.directed || net.directed;
    const auto hub = std::find_if(net.boxes.begin(), net.boxes.end(), [&](std::size_t box) {
      return diagram.boxes[box].look == Look::element && diagram.boxes[box].path == net.path;
    });
    graph.nets.push_back(net.boxes);
    graph.hubs.push_back(net.directed || hub == net.boxes.end() ? no_box : *hub);
  }
  for (const Box& box : diagram.boxes) graph.leads.push_back(box.leads);
  return graph;
}

/// Signals that end farther than in the next column are named there.
void name_far_signals(Diagram& diagram, const GridLayout& layout) {
  std::vector<std::set<std::size_t>> reached(diagram.nets.size());
  for (const Trunk& trunk : layout.trunks)
    for (const Pin& pin : trunk.pins) reached[trunk.net].insert(pin.box);
  for (std::size_t net = 0; net < diagram.nets.size(); ++net)
    for (const std::size_t box : diagram.nets[net].boxes)
      if (!reached[net].contains(box) && box != diagram.nets[net].boxes.front())
        diagram.boxes[box].ties.insert(diagram.boxes[box].ties.begin(), diagram.nets[net].path);
}

}  // namespace

Frame frame_of(Diagram& diagram, std::size_t index) {
  const GridLayout layout = grid_layout(graph_of(diagram));
  name_far_signals(diagram, layout);
  return FrameBuilder(diagram, layout).run(index);
}

}  // namespace takt::picture
