#pragma once
// Whether a text is well-formed XML, before a tree is made of it: pugixml takes much that is not,
// and builds whatever it is given.

#include <string>
#include <string_view>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// What is wrong with a text, and where.
struct XmlFault {
  std::string code;  ///< Y010 not well-formed, Y011 DTD, Y012 beyond bounds, Y013 no UTF-8; empty:
                     ///< nothing is wrong
  std::size_t offset = 0;
  std::string message, hint;
  explicit operator bool() const { return !code.empty(); }
};

/// Bounds of a text: far beyond what descriptions of FMUs have.
struct XmlBounds {
  std::size_t depth = 64, attributes = 200, name = 256;
};

/// One pass over the text, no recursion. Entities are the five of XML and characters by number;
/// others are faults.
[[nodiscard]] XmlFault scan_xml(std::string_view text);

}  // namespace takt::codegen
