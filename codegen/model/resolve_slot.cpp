#include <algorithm>
#include <cmath>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/tables.hpp"
#include "codegen/model/values.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr Dimension dimension_one{};

/// Unit as the user wrote it: what follows the number.
std::string written_unit(std::string_view text) {
  const std::size_t end = text.find_first_not_of("+-0123456789.eE \t");
  return end == std::string_view::npos ? std::string("1") : std::string(text.substr(end));
}

class SlotResolver {
 public:
  SlotResolver(Workspace& work, Slot& slot)
      : work_(work), slot_(slot), definition_(slot.definition) {}

  [[nodiscard]] bool run() {
    using Kind = ParameterDefinition::Kind;
    const Kind kind = definition_ == nullptr ? Kind::any : definition_->kind;
    if (kind == Kind::text) return read_text();
    if (kind == Kind::table) return read_table_parameter();
    const auto value = slot_.override_text      ? overridden()
                       : slot_.given != nullptr ? given()
                                                : by_default();
    if (!value || !fits(*value)) return false;
    slot_.value = value->value;
    slot_.dimension = value->dimension;
    slot_.kind = value->kind;
    slot_.kind.bare = false;  // it has a name
    if (definition_ != nullptr && definition_->unit && kind_of_unit(definition_->unit_text).turns())
      slot_.kind = kind_of_unit(definition_->unit_text);
    if (definition_ != nullptr && definition_->unit) slot_.dimension = definition_->unit->dimension;
    // A plain number given for `any` (a gain, a limit) stands for a quantity of whatever it meets.
    if (definition_ != nullptr && kind == Kind::any && slot_.dimension == dimension_one)
      slot_.dimension.reset();
    return parameter_only() && make_parameter() && follow_faults() && constraints();
  }

 private:
  [[nodiscard]] std::string what() const { return "'" + slot_.name + "'"; }

  [[nodiscard]] bool read_text() {
    slot_.text = definition_->default_text;
    Location where = slot_.where;
    if (slot_.override_text) {
      slot_.text = *slot_.override_text;
      where = override_place();
    } else if (slot_.given != nullptr) {
      Diagnostics findings;
      const bool is_text = expect_kind(*slot_.given, TomlValue::Kind::string, what(), findings);
      work_.forward(findings);
      if (!is_text) return false;
      slot_.text = slot_.given->text;
    }
    const auto& words = definition_->words;
    if (words.empty() || std::find(words.begin(), words.end(), slot_.text) != words.end())
      return true;
    work_.error("M034", where,
                what() + " is one of " + join_names(words) + "; this is '" + slot_.text + "'",
                name_hint(slot_.text, words));
    return false;
  }

  [[nodiscard]] bool read_table_parameter() {
    if (slot_.override_text) {
      work_.error("M032", override_place(), "the table " + what() + " cannot be set to a number");
      return false;
    }
    const TomlValue* table = slot_.given;
    if (table == nullptr && definition_->default_table) table = &*definition_->default_table;
    if (table == nullptr) return false;
    TableForm form{slot_.path,
                   definition_->x_unit,
                   definition_->unit,
                   definition_->x_unit_text,
                   definition_->unit_text,
                   slot_.given == nullptr};
    if (definition_->two_dimensional) {
      form.two_dimensional = true;
      form.y_unit = definition_->y_unit;
      form.y_text = definition_->y_unit_text;
      form.z_unit = definition_->unit;
      form.z_text = definition_->unit_text;
    }
    slot_.table = read_table(work_, *table, form);
    return slot_.table.has_value();
  }

  // --- where the value comes from
  [[nodiscard]] Location override_place() const { return {"--set " + slot_.path, 0, 0}; }

  [[nodiscard]] std::optional<Named> overridden() {
    Diagnostics findings;
    const SourceExpression expression =
        make_expression(*slot_.override_text, override_place(), findings);
    work_.forward(findings);
    slot_.where = override_place();
    text_ = *slot_.override_text;
    auto value = lower(expression);
    if (!value || definition_ != nullptr || slot_.given == nullptr) return value;
    // A plant parameter has the dimension of the value in the file.
    const auto original = lower_value(work_, *slot_.given, slot_.reading);
    if (original && original->dimension) {
      const Unit unit{*original->dimension, 1.0, 0.0};
      if (!check_dimension(work_, *value, {unit, dimension_text(*original->dimension)},
                           {slot_.where, what(), bare_}))
        return std::nullopt;
    }
    return value;
  }

  [[nodiscard]] std::optional<Named> given() {
    if (slot_.given->is_table() || slot_.given->is_array()) return from_table(*slot_.given);
    Diagnostics findings;
    const SourceExpression expression = read_expression(*slot_.given, findings);
    work_.forward(findings);
    text_ = expression.text;
    return lower(expression);
  }

  [[nodiscard]] std::optional<Named> lower(const SourceExpression& expression) {
    if (expression.ast) {
      const auto literal = literal_of(*expression.ast);
      bare_ = literal && !literal->unit;
      literal_ = literal.has_value();
    }
    return lower_expression(work_, expression, slot_.reading);
  }

  /// A plain parameter given as a table of time or of an expression.
  [[nodiscard]] std::optional<Named> from_table(const TomlValue& table) {
    Named of{work_.network.graph().use(work_.network.time), work_.dimensions[work_.network.time]};
    if (const TomlValue* argument = table.get("of")) {
      const auto value = lower_value(work_, *argument, slot_.reading);
      if (!value) return std::nullopt;
      of = *value;
    }
    TableForm form{slot_.path, std::nullopt, std::nullopt, "", "", false};
    if (of.dimension) {
      form.x_unit = Unit{*of.dimension, 1.0, 0.0};
      form.x_text = dimension_text(*of.dimension);
    }
    if (definition_ != nullptr && definition_->unit) {
      form.y_unit = definition_->unit;
      form.y_text = definition_->unit_text;
    }
    const auto id = read_table(work_, table, form);
    if (!id) return std::nullopt;
    return Named{work_.network.graph().lookup(*id, of.value),
                 form.y_unit ? std::optional(form.y_unit->dimension) : std::nullopt,
                 kind_of_unit(form.y_text)};
  }

  [[nodiscard]] std::optional<Named> by_default() {
    if (definition_ == nullptr || !definition_->default_value.ast) return std::nullopt;
    const SourceExpression& source = definition_->default_value;
    text_ = source.text;
    if (const auto literal = literal_of(*source.ast)) {
      literal_ = true;
      const Unit unit = definition_->unit.value_or(Unit{});
      const double value =
          literal->unit ? literal->value : (literal->value + unit.offset) * unit.factor;
      const auto dimension =
          literal->unit ? std::optional(literal->unit->dimension) : std::optional(unit.dimension);
      const std::string unit_text =
          literal->unit ? written_unit(source.text) : definition_->unit_text;
      return Named{work_.network.graph().constant(value),
                   definition_->unit || literal->unit ? dimension : std::nullopt,
                   kind_of_literal(value, unit_text)};
    }
    return lower_over_siblings(source);
  }

  /// An expression of a definition: names the element's other parameters first.
  [[nodiscard]] std::optional<Named> lower_over_siblings(const SourceExpression& source) {
    Resolver resolver;
    resolver.name = [this](std::string_view name) -> std::optional<Named> {
      if (name.starts_with("param.")) name.remove_prefix(6);
      const auto sibling = slot_.siblings->find(name);
      if (sibling == slot_.siblings->end()) return find_name(work_, name, slot_.reading);
      resolve(work_, *sibling->second);
      if (sibling->second->state != Slot::State::done) return work_.refused();
      return work_.named(*sibling->second);
    };
    Diagnostics findings;
    auto value = takt::codegen::lower({*source.ast, source.where}, work_.network.graph(), resolver,
                                      findings);
    work_.forward(findings);
    return value;
  }

  // --- what it must be
  [[nodiscard]] bool fits(const Named& value) {
    if (definition_ == nullptr || definition_->kind == ParameterDefinition::Kind::any) return true;
    const Unit unit = definition_->unit.value_or(Unit{});
    return check_dimension(work_, value, {unit, definition_->unit_text},
                           {slot_.where, what(), bare_});
  }

  /// [parameters] hold constants; what moves with time is a signal.
  [[nodiscard]] bool parameter_only() {
    if (definition_ != nullptr && !definition_->structural) return true;
    if (definition_ != nullptr) {
      const auto value = structural_value(work_, slot_.value, slot_.where, what());
      if (value) slot_.value = work_.network.graph().constant(*value);
      structural_ = true;
      return value.has_value();
    }
    if (work_.is_refused(slot_.value)) return false;
    if (parameter_value(work_, slot_.value)) return true;
    work_.error("M030", slot_.where,
                what() + " depends on time or on signals; [parameters] hold constants",
                "give the expression to the element itself, or use a control block");
    return false;
  }

  /// What is constant becomes a parameter of the built plant; an expression of parameters follows
  /// those it names.
  [[nodiscard]] bool make_parameter() {
    Graph& graph = work_.network.graph();
    if (!graph.is_constant(slot_.value)) return true;
    const double value = graph.node(slot_.value).value;
    if (!std::isfinite(value)) {
      work_.error("U006", slot_.where, what() + " is not a finite number");
      return false;
    }
    const std::string unit = definition_ != nullptr && definition_->unit
                                 ? si_text(definition_->unit_text)
                             : slot_.dimension ? dimension_text(*slot_.dimension)
                                               : std::string("1");
    const SymbolId symbol = work_.make_symbol(slot_.path, slot_.dimension ? unit : std::string());
    work_.parameter_of[symbol] = work_.network.parameters.size();
    work_.network.parameters.push_back(
        {symbol, value, literal_ ? written_unit(text_) : unit, structural_, slot_.where});
    if (!structural_) slot_.value = graph.use(symbol);
    return true;
  }

  /// Under faults a value that is an expression is scaled and shifted; times 1 plus 0 it is what it
  /// was.
  [[nodiscard]] bool follow_faults() {
    if (slot_.factor == nullptr) return true;
    for (Slot* own : {slot_.factor, slot_.offset}) {
      resolve(work_, *own);
      if (own->state != Slot::State::done) return false;
    }
    Graph& graph = work_.network.graph();
    slot_.value = graph.add(graph.mul(slot_.value, slot_.factor->value), slot_.offset->value);
    return true;
  }

  /// SI; nothing where it is wrong (reported).
  [[nodiscard]] std::optional<Expr> limit_of(const Constraint& constraint) {
    if (!constraint.expression.ast) return work_.network.graph().constant(constraint.limit);
    const auto value = lower_over_siblings(constraint.expression);
    if (!value || work_.is_refused(value->value)) return std::nullopt;
    if (value->dimension && definition_->unit &&
        *value->dimension != definition_->unit->dimension) {
      work_.error("L012", constraint.expression.where,
                  "the limit of " + what() + " is in " + definition_->unit_text + "; this is in " +
                      dimension_text(*value->dimension));
      return std::nullopt;
    }
    return value->value;
  }

  /// Keeps the condition for the built plant, where parameters change without a rebuild. True where
  /// it holds now.
  [[nodiscard]] bool keeps(Expr condition, const std::string& must) {
    const auto now = parameter_value(work_, condition);
    if (!now) return true;  // it moves: what is not finite ends a run
    if (*now <= 0.5) {
      work_.error("U006", slot_.where, what() + " " + must);
      return false;
    }
    if (!work_.network.graph().is_constant(condition))
      work_.network.limits.push_back({condition, slot_.path + " " + must});
    return true;
  }

  [[nodiscard]] bool constraints() {
    Graph& graph = work_.network.graph();
    const Op op = graph.node(slot_.value).op;
    if (op != Op::symbol && op != Op::constant) {  // an expression of parameters
      constexpr double largest = 1e300;
      if (!keeps(graph.binary(Op::less, graph.unary(Op::abs, slot_.value), graph.constant(largest)),
                 "is not a finite number"))
        return false;
    }
    if (definition_ == nullptr) return true;
    for (const Constraint& constraint : definition_->constraints) {
      using Relation = Constraint::Relation;
      const auto limit = limit_of(constraint);
      if (!limit) continue;
      const bool from_below =
          constraint.relation == Relation::above || constraint.relation == Relation::at_least;
      const bool strict =
          constraint.relation == Relation::above || constraint.relation == Relation::below;
      const Expr below = from_below ? *limit : slot_.value,
                 above = from_below ? slot_.value : *limit;
      const bool number = !constraint.expression.ast,
                 pure = !definition_->unit || definition_->unit->dimension == dimension_one;
      const std::string unit = number && !pure ? " " + definition_->unit_text : std::string();
      const std::string must = "is out of range: it must be " + constraint.text + unit;
      const Expr condition = graph.binary(strict ? Op::less : Op::less_equal, below, above);
      if (!keeps(condition, must)) return false;
      if (!parameter_value(work_, condition)) slot_.moving.push_back({below, above, strict, must});
    }
    return true;
  }

  Workspace& work_;
  Slot& slot_;
  const ParameterDefinition* definition_;
  std::string text_;
  bool bare_ = false, literal_ = false, structural_ = false;
};

}  // namespace

void resolve(Workspace& work, Slot& slot) {
  if (slot.state == Slot::State::done || slot.state == Slot::State::failed) return;
  if (slot.state == Slot::State::busy) {
    std::string circle;
    const auto first = std::find(work.resolving.begin(), work.resolving.end(), &slot);
    for (auto step = first; step != work.resolving.end(); ++step) circle += (*step)->path + " -> ";
    work.error("M031", slot.where, "values depend on each other in a circle: " + circle + slot.path,
               "give one of them a value of its own");
    slot.state = Slot::State::failed;
    return;
  }
  constexpr std::size_t deepest = 500;
  if (work.resolving.size() >= deepest) {
    work.error("M031", slot.where,
               "more than " + std::to_string(deepest) + " values depend on each other in a chain");
    slot.state = Slot::State::failed;
    return;
  }
  slot.state = Slot::State::busy;
  work.resolving.push_back(&slot);
  const bool ok = SlotResolver(work, slot).run();
  work.resolving.pop_back();
  if (slot.state == Slot::State::busy) slot.state = ok ? Slot::State::done : Slot::State::failed;
}

}  // namespace takt::codegen
