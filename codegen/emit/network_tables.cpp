#include "codegen/emit/network_tables.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t numbers_in_a_line = 20;

template <class Number>
void write_numbers(Writer& text, const std::string& name, const std::vector<Number>& numbers) {
  const std::string type = sizeof(Number) == 1 ? "std::uint8_t" : "std::uint32_t";
  if (numbers.empty()) return text.line("constexpr const " + type + "* " + name + " = nullptr;");
  text.line("constexpr " + type + " " + name + "[] = {");
  std::string line;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    line += (line.empty() ? "    " : " ") + std::to_string(numbers[k]) + ",";
    if ((k + 1) % numbers_in_a_line != 0 && k + 1 < numbers.size()) continue;
    text.line(line);
    line.clear();
  }
  text.line("};");
}

}  // namespace

void write_table(Writer& text, const std::string& name, const std::vector<std::uint32_t>& numbers) {
  write_numbers(text, name, numbers);
}

void write_table(Writer& text, const std::string& name, const std::vector<std::uint8_t>& numbers) {
  write_numbers(text, name, numbers);
}

void write_network_tables(const NetworkTables& tables, const std::string& name, Writer& text) {
  text.blank();
  text.comment("Network of " + std::to_string(tables.size()) + " potentials, " +
               std::to_string(tables.links()) + " conductances of its elimination.");
  write_table(text, name + "_link_start", tables.link_start);
  write_table(text, name + "_other", tables.other);
  write_table(text, name + "_lower_start", tables.lower_start);
  write_table(text, name + "_lower_link", tables.lower_link);
  write_table(text, name + "_lower_node", tables.lower_node);
  write_table(text, name + "_node", tables.node);
  write_table(text, name + "_sourced", tables.sourced);
  std::string members = std::to_string(tables.size());
  for (const char* table :
       {"link_start", "other", "lower_start", "lower_link", "lower_node", "node", "sourced"})
    members += ", " + name + "_" + table;
  text.line("constexpr takt::ConductancePattern " + name + "{" + members + "};");
}

}  // namespace takt::codegen
