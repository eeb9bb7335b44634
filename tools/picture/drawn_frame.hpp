#pragma once
// One frame as SVG: an internal step of picture_svg() and picture_element().

#include <string>

#include "tools/picture/frame.hpp"

namespace takt::picture {

/// "d-electric": the colours of a domain, in the style sheet.
[[nodiscard]] std::string domain_class(codegen::CircuitDomain domain);

/// A group at the frame's place. Wires have the attribute data-net, boxes data-box: indices within the diagram.
[[nodiscard]] std::string drawn_frame(const Diagram& diagram, const Frame& frame, const std::string& head);

/// Symbols that frames refer to.
[[nodiscard]] std::string symbol_definitions();

}  // namespace takt::picture
