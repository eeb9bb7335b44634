#include "codegen/ssp/ssp_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace takt::codegen {
namespace {

bool same(const FmuUnit& a, const FmuUnit& b) {
  return a.si == b.si && a.factor == b.factor && a.offset == b.offset;
}

/// Of SSP 1.0. A boolean, a whole number or an enumeration; the items of an enumeration are those
/// of the FMU.
std::string_view kind_of(const FmuVariable& variable) {
  if (variable.type == FmuType::boolean) return "Boolean";
  if (variable.type == FmuType::float64 || variable.type == FmuType::float32) return "Real";
  return "Integer";
}

}  // namespace

std::string SspUnitNames::name_of(const FmuDescription& fmu, const FmuVariable& variable) {
  const auto given = std::find_if(fmu.units.begin(), fmu.units.end(), [&](const FmuUnit& unit) {
    return unit.name == variable.unit && unit.has_base;
  });
  if (given == fmu.units.end() || kind_of(variable) != "Real") return {};
  std::string name = variable.unit;
  for (int k = 2;; ++k) {
    const auto [found, is_new] = units_.try_emplace(name, *given);
    if (is_new || same(found->second, *given)) return name;
    name = fmt::format("{} ({})", variable.unit, k);
  }
}

std::string SspUnitNames::text() const {
  if (units_.empty()) return {};
  std::string made = "  <ssd:Units>\n";
  constexpr std::array names{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  for (const auto& [name, unit] : units_) {
    made += fmt::format("    <ssc:Unit name=\"{}\"><ssc:BaseUnit", escaped(name));
    for (std::size_t k = 0; k < names.size(); ++k)
      if (unit.si[k] != 0) made += fmt::format(" {}=\"{}\"", names[k], unit.si[k]);
    if (unit.factor != 1.0) made += fmt::format(" factor=\"{}\"", unit.factor);
    if (unit.offset != 0.0) made += fmt::format(" offset=\"{}\"", unit.offset);
    made += "/></ssc:Unit>\n";
  }
  return made + "  </ssd:Units>\n";
}

std::string tidy_number(double value) {
  const std::string exact = fmt::format("{}", value), tidy = fmt::format("{:.15g}", value);
  if (tidy.size() + 4 > exact.size()) return exact;
  double back = 0.0;
  std::from_chars(tidy.data(), tidy.data() + tidy.size(), back);
  return std::abs(back - value) <= 4e-16 * std::abs(value) ? tidy : exact;
}

std::string escaped(std::string_view text) {
  std::string made;
  for (char c : text) {
    if (c == '&')
      made += "&amp;";
    else if (c == '<')
      made += "&lt;";
    else if (c == '"')
      made += "&quot;";
    else if (c == '\t' || c == '\n' || c == '\r')
      made += fmt::format("&#{};", static_cast<int>(c));
    else
      made += c;
  }
  return made;
}

std::string ssd_head(std::string_view name) {
  constexpr std::string_view space = "http://ssp-standard.org/SSP1/SystemStructure";
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription "
      "xmlns:ssd=\"{0}Description\" "
      "xmlns:ssc=\"{0}Common\" "
      "xmlns:ssv=\"{0}ParameterValues\" version=\"1.0\" name=\"{1}\" generationTool=\"Takt\">\n",
      space, escaped(name));
}

std::string type_text(const FmuVariable& variable, const std::string& unit) {
  return fmt::format("<ssc:{}{}/>", kind_of(variable),
                     unit.empty() ? "" : fmt::format(" unit=\"{}\"", escaped(unit)));
}

std::string connector_text(std::string_view indent, std::string_view name, std::string_view kind,
                           std::string_view type) {
  return fmt::format("{}<ssd:Connector name=\"{}\" kind=\"{}\">{}</ssd:Connector>\n", indent,
                     escaped(name), kind, type);
}

std::string connection_text(const SspEnds& ends, const SspTransformation& transformation) {
  const auto end = [](const char* which, const std::string& element, const std::string& connector) {
    const std::string of =
        element.empty() ? "" : fmt::format(" {}Element=\"{}\"", which, escaped(element));
    return of + fmt::format(" {}Connector=\"{}\"", which, escaped(connector));
  };
  std::string made = "      <ssd:Connection" +
                     end("start", ends.start_element, ends.start_connector) +
                     end("end", ends.end_element, ends.end_connector);
  if (transformation.factor == 1.0 && transformation.offset == 0.0) return made + "/>\n";
  return made + fmt::format(
                    ">\n        <ssc:LinearTransformation factor=\"{}\" offset=\"{}\"/>\n      "
                    "</ssd:Connection>\n",
                    tidy_number(transformation.factor), tidy_number(transformation.offset));
}

std::string parameter_text(std::string_view name, const FmuVariable& variable, double value) {
  const std::string_view kind = kind_of(variable);
  const std::string number = kind == "Boolean"   ? (value > 0.5 ? "true" : "false")
                             : kind == "Integer" ? fmt::format("{:.0f}", value)
                                                 : fmt::format("{}", value);
  return fmt::format("<ssv:Parameter name=\"{}\"><ssv:{} value=\"{}\"/></ssv:Parameter>\n",
                     escaped(name), kind, number);
}

std::string bindings_text(const std::string& parameters, const std::string& indent) {
  std::string made = indent + "<ssd:ParameterBindings>\n" + indent + "  <ssd:ParameterBinding>\n" +
                     indent + "    <ssd:ParameterValues>\n" + indent +
                     "      <ssv:ParameterSet version=\"1.0\" name=\"values\">\n" + indent +
                     "        <ssv:Parameters>\n";
  for (std::size_t begin = 0; begin < parameters.size();) {
    const std::size_t end = parameters.find('\n', begin) + 1;
    made += indent + "          " + parameters.substr(begin, end - begin);
    begin = end;
  }
  return made + indent + "        </ssv:Parameters>\n" + indent + "      </ssv:ParameterSet>\n" +
         indent + "    </ssd:ParameterValues>\n" + indent + "  </ssd:ParameterBinding>\n" + indent +
         "</ssd:ParameterBindings>\n";
}

}  // namespace takt::codegen
