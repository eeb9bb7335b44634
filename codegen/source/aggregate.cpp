#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

std::string separated(const std::vector<std::string>& items, std::string_view between) {
  std::string text;
  for (const std::string& item : items) text.append(text.empty() ? "" : between).append(item);
  return text;
}

void write_array(Writer& text, const ArrayHead& head, const std::vector<std::string>& rows) {
  const std::string declared = std::string(head.specifiers) + " std::array<" + head.type + ", " +
                               std::to_string(head.size.value_or(rows.size())) + "> " + head.name;
  if (rows.empty()) return text.line(declared + "{};");
  text.line(declared + "{{");
  for (const std::string& row : rows) text.line("    " + row + ",");
  text.line("}};");
}

}  // namespace takt::codegen
