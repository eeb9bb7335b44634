// Calls of the functions that are tables in the library.

#include <algorithm>
#include <cmath>

#include "codegen/modelica/evaluator.hpp"
#include "codegen/modelica/library_tables.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

FlatRef argument(const FlatFunction& function, const FlatExpression& call, std::size_t place) {
  for (const FlatRef& each : call.parts)
    if (each->kind == FlatExpression::Kind::named && place < function.inputs.size() &&
        each->text == function.inputs[place].name)
      return each->parts.front();
  if (place >= call.parts.size() || call.parts[place]->kind == FlatExpression::Kind::named)
    throw Refusal{"D004", "'" + function.name + "' is called with fewer arguments than it takes",
                  "", call.where};
  return call.parts[place];
}

const Value& field_of(const Value& object, std::string_view name) {
  const Value* found = object.field(name);
  if (found == nullptr)
    throw Refusal{"D005", "a table without '" + std::string(name) + "'", "", {}};
  return *found;
}

}  // namespace

/// The table with all that says how it is read.
Value Evaluator::table_object(const FlatFunction& function, const FlatExpression& call,
                              const Frame* frame) {
  Value made{.kind = Value::Kind::record, .scalar = {}, .text = {}, .items = {}, .fields = {}};
  for (std::size_t k = 0; k < function.inputs.size() && k < call.parts.size(); ++k) {
    made.fields.push_back(function.inputs[k].name);
    made.items.push_back(value(*argument(function, call, k), frame));
  }
  for (const char* name : {"tableName", "fileName"})
    if (const Value* given = made.field(name);
        given != nullptr && given->is_text() && given->text != "NoName")
      throw Refusal{"D005", "a table in the file '" + given->text + "'",
                    "give the table in the model", call.where};
  return made;
}

Value Evaluator::table_call(const FlatFunction& function, const FlatExpression& call,
                            const Frame* frame) {
  const std::string_view word = table_word(function);
  if (word.find("_init") != std::string_view::npos) return table_object(function, call, frame);
  const Value object = value(*argument(function, call, 0), frame);
  if (!object.is_record())
    throw Refusal{"D005", "'" + function.name + "' of what is no table", "", call.where};
  functions_used_.insert(function.name);
  if (word.ends_with("_getValue")) {
    if (word.starts_with("CombiTable2D")) return table_of_two(function, call, object, frame);
    return table_of_one(function, call, object, frame);
  }
  const bool lowest = word.ends_with("_minimumTime") || word.ends_with("_minimumAbscissa");
  if (!lowest && !word.ends_with("_maximumTime") && !word.ends_with("_maximumAbscissa"))
    throw Refusal{"D005", "'" + function.name + "' of a table",
                  "its value can be read, and where it ends", call.where};
  const auto rows = table_rows(object);
  const double x = (lowest ? rows[word.starts_with("CombiTable2D") ? 1 : 0] : rows.back()).front();
  if (!word.starts_with("CombiTable2D")) return Value::of(graph_.constant(x));
  const double y = lowest ? rows.front().at(1) : rows.front().back();
  return Value::array({Value::of(graph_.constant(x)), Value::of(graph_.constant(y))});
}

std::vector<std::vector<double>> Evaluator::table_rows(const Value& object) {
  std::vector<std::vector<double>> made;
  for (const Value& row : field_of(object, "table").items) {
    made.emplace_back();
    for (const Expr each : flattened(row))
      made.back().push_back(number(each, "it stands in a table"));
    if (made.back().size() != made.front().size() || made.back().size() < 2)
      throw Refusal{"D004", "the rows of a table have different lengths, or one column", "", {}};
  }
  if (made.empty()) throw Refusal{"D004", "a table without rows", "", {}};
  return made;
}

TableRules Evaluator::table_rules(const Value& object) {
  const auto choice = [&](std::string_view name) {
    return static_cast<int>(
        number(scalar_of(field_of(object, name)), "it says how a table is read"));
  };
  const int smoothness = choice("smoothness");
  if (smoothness != 1 && smoothness != 3)
    throw Refusal{"D005",
                  "a table with the smoothness " + std::to_string(smoothness) + " (splines)",
                  "LinearSegments and ConstantSegments are taken",
                  {}};
  const int extrapolation = choice("extrapolation");
  if (extrapolation < 1 || extrapolation > 4)
    throw Refusal{
        "D005", "a table with the extrapolation " + std::to_string(extrapolation), "", {}};
  return {static_cast<Smoothness>(smoothness), static_cast<Extrapolation>(extrapolation)};
}

/// Of the time: 0 before its startTime, then at time - shiftTime.
Value Evaluator::table_of_one(const FlatFunction& function, const FlatExpression& call,
                              const Value& object, const Frame* frame) {
  const auto rows = table_rows(object);
  const double at =
      number(*argument(function, call, 1), "it says which column of a table is read", frame);
  const auto columns = flattened(field_of(object, "columns"));
  if (!(at >= 1.0 && at <= static_cast<double>(columns.size())))
    throw Refusal{"D004",
                  "column " + number_text(at) + " of a table of " + std::to_string(columns.size()),
                  "", call.where};
  const double column =
      number(columns[static_cast<std::size_t>(at) - 1], "it says which column of a table is read");
  if (!(column >= 1.0 && column <= static_cast<double>(rows.front().size())))
    throw Refusal{"D004", "a table has no column " + number_text(column), "", call.where};
  TableColumn read;
  for (const auto& row : rows) {
    read.x.push_back(row.front());
    read.y.push_back(row[static_cast<std::size_t>(column) - 1]);
  }
  TableWriter writer(graph_, [this](Expr a, Expr b) { return compared("<", a, b); });
  const Expr u = scalar_of(value(*argument(function, call, 2), frame));
  if (!table_word(function).starts_with("CombiTimeTable"))
    return Value::of(writer.value(read, table_rules(object), u, std::nullopt));
  const auto given = [&](std::string_view name) {
    const Value* found = object.field(name);
    return found == nullptr ? 0.0 : number(scalar_of(*found), "it says when a table is read");
  };
  const double start = given("startTime"),
               shift = object.field("shiftTime") != nullptr ? given("shiftTime") : start;
  const Expr made = writer.value(read, table_rules(object), graph_.sub(u, graph_.constant(shift)),
                                 std::max(start, 0.0) - shift);
  if (start <= 0.0) return Value::of(made);
  return Value::of(graph_.select(compared("<", u, graph_.constant(start)), graph_.zero(), made));
}

Value Evaluator::table_of_two(const FlatFunction& function, const FlatExpression& call,
                              const Value& object, const Frame* frame) {
  TableWriter writer(graph_, [this](Expr a, Expr b) { return compared("<", a, b); });
  const Expr x = scalar_of(value(*argument(function, call, 1), frame)),
             y = scalar_of(value(*argument(function, call, 2), frame));
  return Value::of(writer.value(table_rows(object), table_rules(object), x, y));
}

}  // namespace takt::codegen::modelica
