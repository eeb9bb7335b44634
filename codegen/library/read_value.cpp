#include "codegen/library/read_value.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {

Location shifted(const Location& start, std::size_t offset) {
  Location place = start;
  if (place.column > 0) place.column += static_cast<std::uint32_t>(offset);
  return place;
}

SourceExpression make_expression(std::string text, const Location& where,
                                 Diagnostics& diagnostics) {
  SourceExpression expression{std::move(text), where, nullptr};
  expression.ast = parse_expression(expression.text, where, diagnostics);
  return expression;
}

SourceExpression read_expression(const TomlValue& value, Diagnostics& diagnostics) {
  if (value.is_string()) return make_expression(value.text, value.text_where, diagnostics);
  if (value.is_number())
    return make_expression(number_text(value.number), value.where, diagnostics);
  if (value.is(TomlValue::Kind::boolean))
    return make_expression(value.flag ? "1" : "0", value.where, diagnostics);
  diagnostics.error("M004", value.where,
                    "a number, a quantity or an expression belongs here, not " +
                        std::string(kind_text(value.kind)),
                    "write for instance 0.5, \"5 mOhm\" or \"2*r_coil\"");
  return {{}, value.where, nullptr};
}

bool expect_kind(const TomlValue& value, TomlValue::Kind kind, std::string_view what,
                 Diagnostics& diagnostics) {
  if (value.kind == kind) return true;
  diagnostics.error("M004", value.where,
                    std::string(what) + " is " + std::string(kind_text(value.kind)) + "; " +
                        std::string(kind_text(kind)) + " belongs here");
  return false;
}

std::string read_string(const TomlValue& value, std::string_view what, Diagnostics& diagnostics) {
  return expect_kind(value, TomlValue::Kind::string, what, diagnostics) ? value.text
                                                                        : std::string();
}

std::vector<std::pair<std::string, const TomlValue*>> read_strings(const TomlValue& value,
                                                                   std::string_view what,
                                                                   Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, const TomlValue*>> strings;
  if (value.is_string()) {
    strings.emplace_back(value.text, &value);
    return strings;
  }
  if (!expect_kind(value, TomlValue::Kind::array, what, diagnostics)) return strings;
  for (const TomlValue& item : value.items) {
    if (expect_kind(item, TomlValue::Kind::string, std::string("an entry of ") + std::string(what),
                    diagnostics)) {
      strings.emplace_back(item.text, &item);
    }
  }
  return strings;
}

void check_keys(const TomlValue& table, const std::vector<std::string>& known,
                std::string_view code, std::string_view what, Diagnostics& diagnostics) {
  for (const TomlEntry& entry : table.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    diagnostics.error(code, entry.where, "'" + entry.key + "' is unknown in " + std::string(what),
                      name_hint(entry.key, known));
  }
}

bool valid_name(const TomlEntry& entry, Diagnostics& diagnostics) {
  if (is_name(entry.key)) return true;
  diagnostics.error("M006", entry.where, "'" + entry.key + "' is no name",
                    "names are lower-case letters, digits and _, beginning with a letter");
  return false;
}

SourceExpression required_expression(const TomlEntry& entry, std::string_view key,
                                     Diagnostics& diagnostics) {
  const TomlValue* value = entry.value.get(key);
  if (value != nullptr) return read_expression(*value, diagnostics);
  diagnostics.error("L004", entry.where, "'" + entry.key + "' needs '" + std::string(key) + "'");
  return {{}, entry.where, nullptr};
}

std::string read_unit_text(const TomlValue& table, Diagnostics& diagnostics) {
  const TomlValue* unit = table.get("unit");
  if (unit == nullptr) return {};
  std::string text = read_string(*unit, "'unit'", diagnostics);
  if (text == "any") return {};
  if (!text.empty() && !parse_unit(text)) {
    const std::string near = nearest_unit(text);
    diagnostics.error("U001", unit->text_where, "unknown unit '" + text + "'",
                      near.empty() ? "" : "did you mean '" + near + "'?");
    return {};
  }
  return text;
}

std::optional<Literal> literal_of(const Ast& ast) {
  if (ast.kind == Ast::Kind::number) return Literal{ast.value, ast.unit};
  if (ast.kind != Ast::Kind::unary || ast.name != "-" || ast.args.empty()) return std::nullopt;
  const auto inner = literal_of(*ast.args.front());
  // "-5 degC" is minus five degrees, not the negative of 278 K.
  if (!inner) return std::nullopt;
  const double offset = inner->unit ? inner->unit->offset * inner->unit->factor : 0.0;
  return Literal{-(inner->value - offset) + offset, inner->unit};
}

}  // namespace takt::codegen
