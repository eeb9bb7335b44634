#include "tools/picture/drawn_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/io/record/html.hpp"
#include "tools/picture/symbols.hpp"

namespace takt::picture {
namespace {

constexpr double symbol_x = 16.0, text_x = 31.0, text_width = box_width - text_x - 3.0;
constexpr double letter_width = 5.3;  // of the text's size, on average

std::string number(double value) { return fmt::format("{:g}", std::round(value * 10.0) / 10.0); }

/// Letters, not bytes.
std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (letters(text) <= most) return text;
  std::string cut;
  for (std::size_t at = 0, count = 0;
       at < text.size() && (count < most - 1 || (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U); ++at) {
    count += (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U ? 1 : 0;
    cut += text[at];
  }
  return cut + "\xe2\x80\xa6";
}

/// A line of text no wider than so much; what is a little too wide is squeezed.
std::string text_line(const char* kind, Point at, const std::string& text, double width) {
  const double size = letter_width * (kind[0] == 'n' ? 1.0 : 0.86);
  const std::string shown = shortened(text, static_cast<std::size_t>(1.3 * width / size));
  const bool squeezed = static_cast<double>(letters(shown)) * size > width;
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}>{}</text>", kind, number(at.x), number(at.y),
                     squeezed ? fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(width)) : "",
                     html::escaped(shown));
}

std::string last_step(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

std::string ties_text(const Box& box) {
  if (box.ties.empty()) return "";
  std::string text = "\xe2\x86\x94 " + last_step(box.ties.front());  // arrow to both sides
  if (box.ties.size() > 1) text += " +" + std::to_string(box.ties.size() - 1);
  return text;
}

std::string look_class(const Box& box) {
  constexpr const char* words[] = {"", " guest", " part", "", " port", " input"};
  return words[static_cast<std::size_t>(box.look)];
}

std::string tip(const Box& box) {
  std::string text = box.path;
  if (box.look == Look::part) return text + ": " + std::to_string(box.holds) + " inside";
  if (!box.type.empty()) text += ", " + box.type;
  if (!box.value.empty()) text += ", " + box.value;
  for (const std::string& tie : box.ties) text += "\n\xe2\x86\x94 " + tie;
  return text;
}

std::string drawn_box(const Box& box, const Rectangle& place, std::size_t index) {
  std::string out = fmt::format(
      "<g class=\"box{}{}\" data-box=\"{}\" transform=\"translate({},{})\"><title>{}</title>"
      "<rect width=\"{}\" height=\"{}\" rx=\"3\"/><use href=\"#s-{}\" x=\"{}\" y=\"{}\"/>",
      look_class(box), box.in_tree ? " tree" : "", index, number(place.x), number(place.y), html::escaped(tip(box)),
      number(place.width), number(place.height), symbol_of(box), number(symbol_x),
      number(place.height / 2 - (box.grounded ? 4.0 : 0.0)));
  if (box.grounded)
    out += fmt::format("<path class=\"earth\" d=\"M{} {}v3.5m-5 0h10m-8 2h6m-4 2h2\"/>", number(symbol_x),
                       number(place.height / 2 + 5.5));
  const std::string value = box.look == Look::part ? std::to_string(box.holds) + " inside" : box.value;
  const std::string ties = ties_text(box);
  const int lines = 1 + (value.empty() ? 0 : 1) + (ties.empty() ? 0 : 1);
  double y = lines == 1 ? 20.5 : lines == 2 ? 15.0 : 10.5;
  out += text_line("n", {text_x, y}, box.name, text_width);
  if (!value.empty()) out += text_line("v", {text_x, y += 10.3}, value, text_width);
  if (!ties.empty()) out += text_line("t", {text_x, y + 10.3}, ties, text_width);
  return out + "</g>\n";
}

std::string drawn_wire(const Diagram& diagram, const Wire& wire, std::set<std::pair<int, int>>& named) {
  const Net& net = diagram.nets[wire.net];
  std::string path;
  for (const auto& [from, to, box] : wire.lines) {
    path += "M" + number(from.x) + " " + number(from.y);
    path += !box ? "V" + number(to.y) : "H" + number(to.x);
  }
  std::string out = fmt::format("<g class=\"net\" data-net=\"{}\"><title>{}</title><path d=\"{}\"/>", wire.net,
                                html::escaped(net.path), path);
  for (const Point& dot : wire.dots)
    out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2\"/>", number(dot.x), number(dot.y));
  for (const auto& [at, box] : wire.tips)
    out += fmt::format("<path class=\"tip\" d=\"M{} {}l{} 3v-6Z\"/>", number(at.x), number(at.y),
                       at.x > wire.name.x ? -5 : 5);
  bool has_box = net.directed;  // of the net's own name
  for (const std::size_t box : net.boxes) has_box = has_box || diagram.boxes[box].path == net.path;
  double high = 1e300;
  for (const auto& [from, to, box] : wire.lines) high = std::min({high, from.y, to.y});
  // In the gap below the row where it begins, where no other name is.
  const double pitch = box_height + row_gap;
  const int row = static_cast<int>((high - frame_head) / pitch), channel = static_cast<int>(wire.name.x / 10.0);
  bool is_free = true;
  for (int near = -7; near <= 7; ++near) is_free = is_free && !named.contains({row, channel + near});
  if ((!has_box || wire.goes_on) && is_free) {
    named.insert({row, channel});
    out += fmt::format("<text class=\"w\" x=\"{}\" y=\"{}\">{}{}</text>", number(wire.name.x + 2.5),
                       number(frame_head + (row + 1) * pitch - 1.5), html::escaped(shortened(last_step(net.path), 16)),
                       wire.goes_on ? " \xe2\x80\xa6" : "");
  }
  return out + "</g>\n";
}

}  // namespace

std::string domain_class(codegen::CircuitDomain domain) { return "d-" + codegen::text_of(domain); }

std::string drawn_frame(const Diagram& diagram, const Frame& frame, const std::string& head) {
  std::string out = fmt::format(
      "<g class=\"frame {}{}\" data-diagram=\"{}\" transform=\"translate({},{})\"><rect class=\"edge\" width=\"{}\" "
      "height=\"{}\" rx=\"4\"/>",
      domain_class(diagram.domain), diagram.within ? " inside" : "", frame.diagram, number(frame.place.x),
      number(frame.place.y), number(frame.place.width), number(frame.place.height));
  out += text_line("head", {frame_edge, 11.5}, diagram.note.empty() ? head : head + ", " + diagram.note,
                   frame.place.width - 2 * frame_edge) +
         "\n";
  std::set<std::pair<int, int>> named;
  for (const Wire& wire : frame.wires) out += drawn_wire(diagram, wire, named);
  for (std::size_t box = 0; box < frame.boxes.size(); ++box)
    out += drawn_box(diagram.boxes[box], frame.boxes[box], box);
  return out + "</g>\n";
}

std::string symbol_definitions() {
  std::string out = "<defs>";
  for (const Symbol& symbol : symbols()) {
    out += fmt::format("<g id=\"s-{}\" class=\"symbol\"><path d=\"{}\"/>", symbol.name, symbol.path);
    if (!symbol.letters.empty()) out += fmt::format("<text y=\"3\">{}</text>", symbol.letters);
    out += "</g>";
  }
  return out + "</defs>\n";
}

}  // namespace takt::picture
