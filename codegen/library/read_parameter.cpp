// "UNIT [structural] [CONSTRAINT] [= DEFAULT]": parameters and inputs of elements and parts.

#include <algorithm>
#include <array>

#include "codegen/library/library.hpp"
#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

/// A piece of the text of a parameter, with its offset.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;

  [[nodiscard]] Piece part(std::size_t begin, std::size_t end) const {
    return {text.substr(begin, end - begin), offset + begin};
  }
  [[nodiscard]] Piece trimmed() const {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {{}, offset};
    return part(first, text.find_last_not_of(" \t") + 1);
  }
};

/// Position of the '=' that opens the default: the first that belongs to no comparison and no
/// bracket.
std::size_t default_sign(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '=' && (at == 0 || (text[at - 1] != '<' && text[at - 1] != '>'))) return at;
  }
  return std::string_view::npos;
}

class ParameterReader {
 public:
  ParameterReader(ParameterDefinition& definition, const Location& start, Diagnostics& diagnostics)
      : out_(definition), start_(start), diagnostics_(diagnostics) {}

  void read(std::string_view text) {
    const std::size_t sign = default_sign(text);
    const Piece whole{text, 0};
    read_head((sign == std::string_view::npos ? whole : whole.part(0, sign)).trimmed());
    if (sign != std::string_view::npos) read_default(whole.part(sign + 1, text.size()).trimmed());
  }

 private:
  void read_head(Piece head) {
    std::size_t search_from = 0;
    if (head.text.starts_with("table"))
      search_from = std::min(head.text.find(')'), head.text.size());
    const std::size_t relation =
        std::min(head.text.find_first_of("<>", search_from), head.text.size());
    Piece type = head.part(0, relation).trimmed();
    constexpr std::string_view structural = "structural";
    if (type.text.ends_with(structural)) {
      out_.structural = true;
      type = type.part(0, type.text.size() - structural.size()).trimmed();
    }
    read_type(type);
    if (relation < head.text.size()) read_constraints(head.part(relation, head.text.size()));
  }

  void read_type(Piece type) {
    out_.unit_text = type.text;
    if (type.text == "any") {
      out_.kind = ParameterDefinition::Kind::any;
    } else if (type.text == "bool") {
      out_.kind = ParameterDefinition::Kind::boolean;
      out_.unit_text = "1";
    } else if (type.text == "gate") {
      out_.kind = ParameterDefinition::Kind::gate;
      out_.unit_text = "1";
    } else if (type.text.starts_with("text")) {
      read_text_type(type);
    } else if (type.text.starts_with("table")) {
      read_table_type(type);
    } else {
      out_.unit = read_unit(type);
    }
  }

  /// "text", or "text(triangle | sawtooth)".
  void read_text_type(Piece type) {
    out_.kind = ParameterDefinition::Kind::text;
    out_.unit_text = "text";
    const Piece list = type.part(4, type.text.size()).trimmed();
    if (list.text.empty()) return;
    const bool bracketed =
        list.text.size() > 1 && list.text.front() == '(' && list.text.back() == ')';
    for (std::size_t begin = 1; bracketed && begin < list.text.size();) {
      const std::size_t end = std::min(list.text.find('|', begin), list.text.size() - 1);
      out_.words.emplace_back(list.part(begin, end).trimmed().text);
      begin = end + 1;
    }
    if (!bracketed || !std::all_of(out_.words.begin(), out_.words.end(), is_name)) {
      diagnostics_.error(
          "L010", place(type),
          "a text parameter is written text, or text(one | other) where it is one of some words");
    }
  }

  void read_table_type(Piece type) {
    out_.kind = ParameterDefinition::Kind::table;
    out_.two_dimensional = type.text.starts_with("table2");
    const std::size_t open = type.text.find('('), arrow = type.text.find("->"),
                      close = type.text.find(')');
    if (open == std::string_view::npos || arrow == std::string_view::npos ||
        close == std::string_view::npos || arrow < open || close < arrow) {
      return malformed_table(type);
    }
    const std::size_t comma = type.text.find(',');
    if (out_.two_dimensional != (comma > open && comma < arrow)) return malformed_table(type);
    read_column(type.part(open + 1, out_.two_dimensional ? comma : arrow), out_.x_unit_text,
                out_.x_unit);
    if (out_.two_dimensional)
      read_column(type.part(comma + 1, arrow), out_.y_unit_text, out_.y_unit);
    read_column(type.part(arrow + 2, close), out_.unit_text, out_.unit);
  }

  void malformed_table(Piece type) {
    diagnostics_.error("L010", place(type),
                       "a table parameter is written table(X_UNIT -> Y_UNIT), or table2(X_UNIT, "
                       "Y_UNIT -> Z_UNIT) over two arguments");
  }

  void read_column(Piece text, std::string& unit_text, std::optional<Unit>& unit) {
    const Piece name = text.trimmed();
    unit_text = name.text;
    if (name.text != "any") unit = read_unit(name);
  }

  [[nodiscard]] std::optional<Unit> read_unit(Piece piece) {
    auto unit = piece.text.empty() ? std::nullopt : parse_unit(piece.text);
    if (!unit) {
      const std::string near = nearest_unit(piece.text);
      diagnostics_.error(
          "U001", place(piece), "unknown unit '" + std::string(piece.text) + "'",
          near.empty() ? "write 1 where there is no dimension" : "did you mean '" + near + "'?");
    }
    return unit;
  }

  void read_constraints(Piece text) {
    std::size_t begin = 0;
    while (begin < text.text.size()) {
      const std::size_t end = std::min(text.text.find(" and ", begin), text.text.size());
      read_constraint(text.part(begin, end).trimmed());
      begin = end + 5;
    }
  }

  void read_constraint(Piece text) {
    using Relation = Constraint::Relation;
    constexpr std::array<std::pair<std::string_view, Relation>, 4> relations{
        {{">=", Relation::at_least},
         {"<=", Relation::at_most},
         {">", Relation::above},
         {"<", Relation::below}}};
    const auto* found = std::find_if(relations.begin(), relations.end(),
                                     [&](const auto& r) { return text.text.starts_with(r.first); });
    if (found == relations.end()) {
      diagnostics_.error("L010", place(text),
                         "a constraint is written > x, >= x, < x or <= x, joined by 'and'");
      return;
    }
    const Piece limit = text.part(found->first.size(), text.text.size()).trimmed();
    const SourceExpression expression =
        make_expression(std::string(limit.text), place(limit), diagnostics_);
    if (!expression.ast) return;
    const auto literal = literal_of(*expression.ast);
    if (!literal) {
      out_.constraints.push_back({found->second, 0.0, expression, std::string(text.text)});
      return;
    }
    double value = literal->value;
    if (!literal->unit && out_.unit) value = (value + out_.unit->offset) * out_.unit->factor;
    out_.constraints.push_back({found->second, value, {}, std::string(text.text)});
  }

  void read_default(Piece text) {
    out_.optional = true;
    out_.default_text = text.text;
    switch (out_.kind) {
      case ParameterDefinition::Kind::text:
        if (out_.words.empty() ||
            std::find(out_.words.begin(), out_.words.end(), text.text) != out_.words.end())
          return;
        diagnostics_.error("L010", place(text), "the default is none of the words of the parameter",
                           name_hint(text.text, out_.words));
        return;
      case ParameterDefinition::Kind::table:
        return read_default_table(text);
      default:
        break;
    }
    std::string expression(text.text);
    if (out_.kind == ParameterDefinition::Kind::boolean && expression == "true") expression = "1";
    if (out_.kind == ParameterDefinition::Kind::boolean && expression == "false") expression = "0";
    out_.default_value = make_expression(std::move(expression), place(text), diagnostics_);
  }

  void read_default_table(Piece text) {
    Diagnostics inner;
    auto parsed = parse_toml("v = " + std::string(text.text), start_.file.text(), inner);
    if (!parsed || parsed->get("v") == nullptr) {
      diagnostics_.error("L010", place(text),
                         "the default of a table is a list of points, [[x, y], ...]");
      return;
    }
    TomlValue table = *parsed->get("v");
    move_to(table, place(text));
    out_.default_table = std::move(table);
  }

  static void move_to(TomlValue& value, const Location& where) {
    value.where = value.text_where = where;
    for (TomlValue& item : value.items) move_to(item, where);
    for (TomlEntry& entry : value.entries) {
      entry.where = where;
      move_to(entry.value, where);
    }
  }

  [[nodiscard]] Location place(Piece piece) const { return shifted(start_, piece.offset); }

  ParameterDefinition& out_;
  const Location& start_;
  Diagnostics& diagnostics_;
};

}  // namespace

ParameterDefinition read_parameter(const TomlEntry& entry, Diagnostics& diagnostics) {
  ParameterDefinition definition;
  definition.name = entry.key;
  definition.where = entry.where;
  const TomlValue* text = &entry.value;
  if (entry.value.is_table()) {
    check_keys(entry.value, {"unit", "doc"}, "L003", "a parameter", diagnostics);
    if (const TomlValue* doc = entry.value.get("doc"))
      definition.doc = read_string(*doc, "'doc'", diagnostics);
    text = entry.value.get("unit");
    if (text == nullptr) {
      diagnostics.error("L004", entry.where, "parameter '" + entry.key + "' needs its unit",
                        "write for instance { unit = \"Ohm > 0\", doc = \"...\" }");
      return definition;
    }
  }
  if (!expect_kind(*text, TomlValue::Kind::string, "the unit of parameter '" + entry.key + "'",
                   diagnostics))
    return definition;
  ParameterReader(definition, text->text_where, diagnostics).read(text->text);
  return definition;
}

}  // namespace takt::codegen
