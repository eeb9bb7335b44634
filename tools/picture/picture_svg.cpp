#include <fmt/format.h>

#include <algorithm>

#include "runtime/io/record/html.hpp"
#include "tools/picture/drawn_frame.hpp"
#include "tools/picture/picture.hpp"

namespace takt::picture {
namespace {

/// What is alike in parts that hold the same.
std::string content(const Diagram& diagram) {
  std::string text;
  for (const Box& box : diagram.boxes) text += (box.look == Look::port ? "" : box.name) + "\n" + box.type + "\n";
  for (const Net& net : diagram.nets) {
    for (const std::size_t box : net.boxes) text += std::to_string(box) + " ";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string picture_svg(Picture picture) {
  std::vector<Frame> shown;
  std::map<std::string, std::size_t> alike;  // the first of them
  std::vector<std::string> heads(picture.diagrams.size());
  for (std::size_t index = 0; index < picture.diagrams.size(); ++index) {
    const Diagram& diagram = picture.diagrams[index];
    heads[index] = diagram.within ? "in " + diagram.name : diagram.name;
    if (diagram.within) {
      const auto [first, fresh] = alike.emplace(content(diagram), index);
      if (!fresh) heads[first->second] += ", " + diagram.name;
      if (!fresh) continue;
    }
    shown.push_back(picture.frames[index]);
  }
  const Point size = put_together(shown);
  constexpr double edge = 8.0, head = 24.0;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"network\" viewBox=\"{} {} {} {}\" width=\"{}\" height=\"{}\" "
      "role=\"img\"><title>{}</title>\n<style>{}</style>\n",
      -edge, -edge - head, size.x + 2 * edge, size.y + 2 * edge + head, size.x + 2 * edge, size.y + 2 * edge + head,
      html::escaped(picture.title), picture_style());
  out += symbol_definitions();
  out += fmt::format("<text class=\"title\" x=\"0\" y=\"{}\">{}</text>\n", -head / 2 + 4, html::escaped(picture.title));
  for (const Frame& frame : shown) out += drawn_frame(picture.diagrams[frame.diagram], frame, heads[frame.diagram]);
  return out + "</svg>\n";
}

}  // namespace takt::picture
