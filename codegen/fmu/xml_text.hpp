#pragma once
// XmlText: an XML file of an FMU as a tree of pugixml, whose nodes and attributes know their line
// and column.

#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

class XmlText {
 public:
  /// @param bytes  UTF-8, UTF-16 with a mark, ISO-8859-1 or US-ASCII, as its declaration says
  /// @return nothing where it is not well-formed, has a DTD, or is beyond the bounds of
  /// xml_scan.hpp (Y010 to Y013)
  static std::unique_ptr<XmlText> parse(std::string_view bytes, FileName file,
                                        Diagnostics& diagnostics);

  [[nodiscard]] pugi::xml_node root() const { return tree_.document_element(); }
  /// Of the name of an element or an attribute. The file as a whole of those that are null.
  [[nodiscard]] Location at(pugi::xml_node node) const;
  [[nodiscard]] Location at(pugi::xml_attribute attribute) const;

 private:
  XmlText(std::string text, FileName file);
  [[nodiscard]] Location at(const char* name) const;

  std::string text_;                ///< UTF-8; the tree lives in it
  std::vector<std::size_t> lines_;  ///< where each begins
  pugi::xml_document tree_;
  FileName file_;
};

}  // namespace takt::codegen
