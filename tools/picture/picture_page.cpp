#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/io/record/html.hpp"
#include "tools/picture/drawn_frame.hpp"
#include "tools/picture/picture.hpp"

namespace takt::picture {
namespace {

using Json = nlohmann::ordered_json;

double tenth(double value) { return std::round(value * 10.0) / 10.0; }

/// Not within a letter of UTF-8.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text + " ...";
}

/// Lines of plant files as they are written.
class SourceLines {
 public:
  std::string at(const codegen::Location& where) {
    constexpr std::size_t most = 600;
    if (where.line == 0 || where.file.empty()) return "";
    const auto [known, fresh] = files_.try_emplace(where.file.text());
    if (fresh) {
      std::ifstream in(where.file.text());
      for (std::string line; std::getline(in, line);) known->second.push_back(line);
    }
    const std::vector<std::string>& lines = known->second;
    std::string text;  // a section up to the next one
    for (std::size_t at = where.line - 1; at < lines.size() && text.size() < most; ++at) {
      const bool is_section = lines[where.line - 1].starts_with('[');
      if (at >= where.line && (!is_section || lines[at].empty() || lines[at].starts_with('['))) break;
      text += (text.empty() ? "" : "\n") + lines[at];
    }
    return html::cleaned(shortened(text, most));
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

Json pairs(const std::vector<std::pair<std::string, std::string>>& rows) {
  Json json = Json::array();
  for (const auto& [name, text] : rows) json.push_back({name, text});
  return json;
}

Json pairs(const std::vector<Quantity>& rows) {
  Json json = Json::array();
  for (const Quantity& row : rows) json.push_back({row.path, row.unit});
  return json;
}

Json box_json(const Box& box, SourceLines& lines) {
  constexpr const char* looks[] = {"element", "guest", "part", "block", "port", "input"};
  Json json{{"path", box.path},   {"type", box.type},
            {"value", box.value}, {"look", looks[static_cast<std::size_t>(box.look)]},
            {"ties", box.ties},   {"shown", pairs(box.shown)}};
  if (box.inside) json.update({{"inside", *box.inside}, {"holds", box.holds}});
  if (box.look == Look::port || box.look == Look::part || box.where.line == 0) return json;
  const std::string file = std::filesystem::path(box.where.file.text()).filename().string();
  json["at"] = fmt::format("{}, line {}", file, box.where.line);
  json["line"] = lines.at(box.where);
  return json;
}

Json wire_json(const Wire& wire) {
  Json lines = Json::array(), dots = Json::array(), tips = Json::array();
  for (const auto& [from, to, box] : wire.lines) {
    lines.push_back({tenth(from.x), tenth(from.y), tenth(to.x), tenth(to.y)});
    if (box) lines.back().push_back(*box);
  }
  for (const Point& dot : wire.dots) dots.push_back({tenth(dot.x), tenth(dot.y)});
  for (const auto& [at, box] : wire.tips) tips.push_back({tenth(at.x), tenth(at.y), box});
  return {{"lines", std::move(lines)}, {"dots", std::move(dots)}, {"tips", std::move(tips)}};
}

Json place_json(const Rectangle& place) {
  return {tenth(place.x), tenth(place.y), tenth(place.width), tenth(place.height)};
}

Json diagram_json(const Diagram& diagram, const Frame& frame, SourceLines& lines) {
  Json boxes = Json::array(), rects = Json::array(), nets = Json::array(), wires = Json::array();
  for (const Box& box : diagram.boxes) boxes.push_back(box_json(box, lines));
  for (const Rectangle& rect : frame.boxes) rects.push_back(place_json(rect));
  for (const Net& net : diagram.nets)
    nets.push_back({{"path", net.path}, {"signal", net.value.path}, {"unit", net.value.unit}, {"boxes", net.boxes}});
  for (const Wire& wire : frame.wires) wires.push_back(wire_json(wire));
  Json json{{"name", diagram.name},      {"place", place_json(frame.place)}, {"boxes", std::move(boxes)},
            {"rects", std::move(rects)}, {"nets", std::move(nets)},          {"wires", std::move(wires)}};
  if (diagram.within) json["within"] = *diagram.within;
  return json;
}

Json facts_json(const std::map<std::string, ElementFacts>& facts) {
  Json json = Json::object();
  for (const auto& [path, of] : facts)
    json[path] = {{"parameters", pairs(of.parameters)}, {"signals", pairs(of.signals)}, {"faults", pairs(of.faults)}};
  return json;
}

std::string picture_json(const Picture& picture) {
  SourceLines lines;
  Json diagrams = Json::array();
  for (std::size_t index = 0; index < picture.diagrams.size(); ++index)
    diagrams.push_back(diagram_json(picture.diagrams[index], picture.frames[index], lines));
  return Json{{"diagrams", std::move(diagrams)}, {"facts", facts_json(picture.facts)}}.dump(-1, ' ', true);
}

}  // namespace

std::string picture_element(const Picture& picture) {
  std::string out =
      "<div class=\"tools\"><h1>" + html::escaped(picture.title) +
      "</h1><span class=\"scale\" hidden=\"hidden\"><span class=\"when\"></span> low<i></i>high</span><input "
      "type=\"search\" "
      "placeholder=\"find: words of a path\" aria-label=\"find an element\"/><span class=\"found\" "
      "role=\"status\"></span>"
      "<button type=\"button\" data-do=\"unfold\">unfold parts</button><button type=\"button\" "
      "data-do=\"fold\">fold</button><button type=\"button\" data-do=\"nearer\" "
      "aria-label=\"nearer\">+</button><button "
      "type=\"button\" data-do=\"farther\" aria-label=\"farther\">\xe2\x88\x92</button><button type=\"button\" "
      "data-do=\"fit\">fit</button></div>\n<div class=\"sheet\">";
  out += fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"network\" viewBox=\"-8 -8 {} {}\" role=\"group\" "
      "aria-label=\"network\">\n<style>{}</style>\n",
      picture.size.x + 16, picture.size.y + 16, picture_style());
  out += symbol_definitions();
  for (const Frame& frame : picture.frames)
    out += drawn_frame(picture.diagrams[frame.diagram], frame, picture.diagrams[frame.diagram].name);
  return out + "</svg><aside hidden=\"hidden\" aria-live=\"polite\"></aside></div>\n" +
         html::data(picture_json(picture), "network");
}

std::string picture_fragment(const Picture& picture) {
  return "<style>" + page_style() + "</style><div class=\"picture within\">" + picture_element(picture) +
         "</div><script>//<![CDATA[\n" + picture_script() + "//]]></script>\n";
}

std::string picture_page(const Picture& picture) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta "
         "http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; style-src "
         "&#39;unsafe-inline&#39;; script-src &#39;unsafe-inline&#39;\"/><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"/><title>" +
         html::escaped(picture.title) + "</title><style>html,body{margin:0;height:100%}" + page_style() +
         "</style></head><body><div class=\"picture\">" + picture_element(picture) + "</div><script>//<![CDATA[\n" +
         picture_script() + "//]]></script></body></html>\n";
}

}  // namespace takt::picture
