#pragma once
// The network of a plant as a picture: an SVG, or a page of one file on which parts unfold and boxes tell what they
// are.

#include <string>

#include "tools/picture/element_facts.hpp"
#include "tools/picture/frame.hpp"

namespace takt::picture {

struct Picture {
  std::string title;
  std::vector<Diagram> diagrams;
  std::vector<Frame> frames;  ///< one for each diagram
  Point size;                 ///< of the frames that are not inside of another
  std::map<std::string, ElementFacts> facts;
};

/// The same plant gives the same picture; see grid_layout.hpp for what a small change moves.
[[nodiscard]] Picture picture_of(const codegen::Checked& checked);

/// Stands alone. What parts hold stands below, once for parts that are alike.
[[nodiscard]] std::string picture_svg(Picture picture);

/// The picture as it lies in a page with picture_script(): an element <svg> and the data of its boxes.
[[nodiscard]] std::string picture_element(const Picture& picture);

/// The same with style and script, for a report.
[[nodiscard]] std::string picture_fragment(const Picture& picture);

/// A whole page; nothing in it is fetched from elsewhere.
[[nodiscard]] std::string picture_page(const Picture& picture);

/// Built in from page/: the style of the picture, of the page around it, and the script.
[[nodiscard]] std::string picture_style();
[[nodiscard]] std::string page_style();
[[nodiscard]] std::string picture_script();

}  // namespace takt::picture
