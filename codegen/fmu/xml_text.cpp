#include "codegen/fmu/xml_text.hpp"

#include <algorithm>

#include "codegen/fmu/xml_encoding.hpp"
#include "codegen/fmu/xml_scan.hpp"

namespace takt::codegen {
namespace {

/// Lines end in "\n", "\r\n" or "\r".
std::vector<std::size_t> line_begins(std::string_view text) {
  std::vector<std::size_t> begins{0};
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n')))
      begins.push_back(at + 1);
  return begins;
}

}  // namespace

XmlText::XmlText(std::string text, FileName file)
    : text_(std::move(text)), lines_(line_begins(text_)), file_(file) {}

std::unique_ptr<XmlText> XmlText::parse(std::string_view bytes, FileName file,
                                        Diagnostics& diagnostics) {
  auto text = to_utf8(bytes, file, diagnostics);
  if (!text) return nullptr;
  std::unique_ptr<XmlText> xml(new XmlText(std::move(*text), file));
  if (const XmlFault fault = scan_xml(xml->text_)) {
    diagnostics.error(fault.code, xml->at(xml->text_.data() + fault.offset), fault.message,
                      fault.hint);
    return nullptr;
  }
  const auto done = xml->tree_.load_buffer_inplace(xml->text_.data(), xml->text_.size(),
                                                   pugi::parse_default, pugi::encoding_utf8);
  if (!done || !xml->root()) {
    const auto offset = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, done.offset)),
                                 xml->text_.size());
    diagnostics.error("Y010", xml->at(xml->text_.data() + offset),
                      std::string("is not well-formed XML: ") + done.description(),
                      "mend or export it again");
    return nullptr;
  }
  return xml;
}

Location XmlText::at(pugi::xml_node node) const { return at(node.name()); }
Location XmlText::at(pugi::xml_attribute attribute) const { return at(attribute.name()); }

Location XmlText::at(const char* name) const {
  if (name < text_.data() || name > text_.data() + text_.size()) return {file_};
  const auto offset = static_cast<std::size_t>(name - text_.data());
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const auto line = static_cast<std::size_t>(after - lines_.begin());
  return {file_, static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(offset - lines_[line - 1] + 1)};
}

}  // namespace takt::codegen
