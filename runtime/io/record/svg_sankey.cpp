#include "runtime/io/record/svg_sankey.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/svg_axes.hpp"

namespace takt::svg {
namespace {

constexpr double picture_width = 960, picture_height = 320, node_width = 12, gap = 26, edge = 20;
constexpr double room_for_names = 190;  // right of the last column

struct Placed {
  double in = 0.0, out = 0.0, y = 0.0;   // amounts; the upper end
  double next_in = 0.0, next_out = 0.0;  // where the next ribbon begins
  [[nodiscard]] double amount() const { return std::max(in, out); }
};

class Layout {
 public:
  Layout(const std::vector<FlowNode>& nodes, const std::vector<Flow>& flows) : nodes_(nodes), placed_(nodes.size()) {
    for (const Flow& flow : flows) placed_[flow.from].out += flow.amount, placed_[flow.to].in += flow.amount;
    for (const FlowNode& node : nodes) columns_ = std::max(columns_, node.column + 1);
    scale_ = HUGE_VAL;
    for (std::size_t column = 0; column < columns_; ++column) {
      const auto [sum, count] = total(column);
      const double room = picture_height - 2 * edge - gap * static_cast<double>(count > 0 ? count - 1 : 0);
      if (sum > 0.0) scale_ = std::min(scale_, room / sum);
    }
    for (std::size_t column = 0; column < columns_; ++column) place(column);
  }
  [[nodiscard]] double x(std::size_t node) const {
    const double steps = std::max<double>(1.0, static_cast<double>(columns_) - 1.0);
    return edge + (picture_width - 2 * edge - room_for_names) * static_cast<double>(nodes_[node].column) / steps;
  }
  [[nodiscard]] Placed& at(std::size_t node) { return placed_[node]; }
  [[nodiscard]] double height(double amount) const { return std::max(1.0, amount * scale_); }

 private:
  struct Total {
    double sum = 0.0;
    std::size_t count = 0;
  };
  [[nodiscard]] Total total(std::size_t column) const {
    Total found;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].column == column && placed_[n].amount() > 0.0) found.sum += placed_[n].amount(), ++found.count;
    return found;
  }
  void place(std::size_t column) {
    const auto [sum, count] = total(column);
    double y = (picture_height - sum * scale_ - gap * static_cast<double>(count > 0 ? count - 1 : 0)) / 2.0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].column != column || placed_[n].amount() == 0.0) continue;
      placed_[n].y = placed_[n].next_in = placed_[n].next_out = y;
      y += placed_[n].amount() * scale_ + gap;
    }
  }

  const std::vector<FlowNode>& nodes_;
  std::vector<Placed> placed_;
  std::size_t columns_ = 0;
  double scale_ = 1.0;
};

}  // namespace

std::string sankey(const std::vector<FlowNode>& nodes, const std::vector<Flow>& flows, std::string (*text)(double)) {
  Layout layout(nodes, flows);
  std::string out = "<svg class=\"flows\" viewBox=\"0 0 " + svg::at(picture_width) + " " + svg::at(picture_height) +
                    "\" role=\"img\">\n";
  for (const Flow& flow : flows) {
    Placed &from = layout.at(flow.from), &to = layout.at(flow.to);
    const double width = layout.height(flow.amount);
    const double x1 = layout.x(flow.from) + node_width, y1 = from.next_out + width / 2, x2 = layout.x(flow.to),
                 y2 = to.next_in + width / 2, middle = (x1 + x2) / 2;
    from.next_out += width, to.next_in += width;
    out += "<path class=\"flow k" + std::to_string(nodes[flow.from].colour) + "\" stroke-width=\"" + svg::at(width) +
           "\" d=\"M" + svg::at(x1) + " " + svg::at(y1) + "C" + svg::at(middle) + " " + svg::at(y1) + " " +
           svg::at(middle) + " " + svg::at(y2) + " " + svg::at(x2) + " " + svg::at(y2) + "\"><title>" +
           html::escaped(nodes[flow.from].name) + " to " + html::escaped(nodes[flow.to].name) + ": " +
           text(flow.amount) + "</title></path>\n";
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Placed& node = layout.at(n);
    if (node.amount() == 0.0) continue;
    const double height = layout.height(node.amount());
    out += "<rect class=\"hit k" + std::to_string(nodes[n].colour) + "\" x=\"" + svg::at(layout.x(n)) + "\" y=\"" +
           svg::at(node.y) + "\" width=\"" + svg::at(node_width) + "\" height=\"" + svg::at(height) +
           "\"/><text class=\"flow-name\" x=\"" + svg::at(layout.x(n) + node_width + 5) + "\" y=\"" +
           svg::at(node.y + height / 2 + 4) + "\">" + html::escaped(nodes[n].name) + " " + text(node.amount()) +
           "</text>\n";
  }
  return out + "</svg>\n";
}

}  // namespace takt::svg
