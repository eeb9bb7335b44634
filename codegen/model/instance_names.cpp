// Names inside of element definitions.

#include <algorithm>
#include <utility>

#include "codegen/model/laws.hpp"
#include "codegen/model/media.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {

std::optional<Named> InstanceNames::lower(const SourceExpression& expression,
                                          std::optional<std::size_t> own_branch) {
  if (!expression.ast) return std::nullopt;
  const auto outer = own_branch_;
  own_branch_ = own_branch;
  Resolver resolver;
  resolver.name = [this](std::string_view name) { return find(name); };
  resolver.table = [this](std::string_view name) { return table(name); };
  resolver.property = [this](std::string_view name, const Named& argument) -> std::optional<Named> {
    return property(name, argument);
  };
  Diagnostics findings;
  auto value = takt::codegen::lower({*expression.ast, expression.where}, work_.network.graph(),
                                    resolver, findings);
  own_branch_ = outer;
  work_.forward(instance_.definition->is_control() ? at_the_line(findings) : findings);
  return value;
}

/// What a block is given decides which kinds meet in its definition: that is said where it is
/// given.
Diagnostics InstanceNames::at_the_line(const Diagnostics& findings) const {
  Diagnostics moved;
  for (const Diagnostic& finding : findings.all()) {
    if (finding.code == "E018")
      moved.error(finding.code, instance_.entry->where,
                  "in '" + instance_.path + "' " + finding.message, finding.hint);
    else if (finding.severity == Severity::error)
      moved.error(finding.code, finding.where, finding.message, finding.hint);
    else
      moved.warning(finding.code, finding.where, finding.message, finding.hint);
  }
  return moved;
}

std::optional<Named> InstanceNames::lower_with_symbols(const SourceExpression& expression,
                                                       std::optional<std::size_t> own_branch) {
  symbols_ = true;
  auto value = lower(expression, own_branch);
  symbols_ = false;
  return value;
}

std::optional<Expr> InstanceNames::lower_start(const SourceExpression& expression) {
  const auto value = lower(expression);
  if (!value) return std::nullopt;
  if (work_.is_refused(value->value) || parameter_value(work_, value->value)) return value->value;
  work_.error("M030", expression.where,
              "the start value of '" + instance_.path + "' depends on time or signals",
              "use numbers and parameters");
  return std::nullopt;
}

std::optional<Named> InstanceNames::lower_edge(const SourceExpression& expression,
                                               const std::string& path,
                                               std::vector<EdgeEnergy::Before>& before) {
  before_ = &before;
  before_path_ = path + ".before.";
  auto value = lower(expression);
  before_ = nullptr;
  return value;
}

std::optional<Named> InstanceNames::value_before(std::string_view name) {
  auto value = find(name);
  if (!value || work_.is_refused(value->value)) return value;
  // What does not jump at an edge is the same before it: parameters, time, the temperature of the
  // wall.
  const auto steady = [&](SymbolId symbol) {
    return work_.parameter_of.contains(symbol) || symbol == work_.network.time ||
           (instance_.heat_node && symbol == work_.temperature_at(*instance_.heat_node));
  };
  std::unordered_map<SymbolId, Expr> replacements;
  for (const SymbolId symbol : work_.network.graph().symbols_of(value->value)) {
    if (!steady(symbol)) replacements[symbol] = work_.network.graph().use(symbol_before(symbol));
  }
  value->value = work_.network.graph().substitute(value->value, replacements);
  return value;
}

SymbolId InstanceNames::symbol_before(SymbolId symbol) {
  const auto known = std::find_if(before_->begin(), before_->end(),
                                  [&](const auto& before) { return before.of == symbol; });
  if (known != before_->end()) return known->symbol;
  const Symbol of = work_.network.graph().symbol(symbol);
  const std::string own = instance_.path + ".";
  const std::string path =
      before_path_ + (of.path.starts_with(own) ? of.path.substr(own.size()) : of.path);
  const SymbolId made = work_.make_symbol(path, of.unit);
  work_.names.erase(path);  // memory of one edge, no signal
  before_->push_back({made, symbol});
  return made;
}

std::optional<Named> InstanceNames::find(std::string_view name) {
  if (before_ != nullptr && name.starts_with("before.")) return value_before(name.substr(7));
  if (name.starts_with("param.")) return parameter(name.substr(6));
  if (auto own = parameter(name)) return own;
  if (auto word = own_word(name)) return word;
  if (const auto variable = instance_.variables.find(name); variable != instance_.variables.end())
    return variable->second;
  if (const SourceExpression* source = let_source(name); source != nullptr) {
    const auto symbol = instance_.let_symbols.find(name);
    if (symbols_ && symbol != instance_.let_symbols.end()) return named(symbol->second);
    if (auto value = let_value(name)) return value;
    return work_.refused();
  }
  if (name == "t" && instance_.definition->heat) {
    if (instance_.heat_node) return named(work_.temperature_at(*instance_.heat_node));
    if (auto value = lower(instance_.definition->heat->temperature)) return value;
    return work_.refused();
  }
  if (name == "time") return named(work_.network.time);
  if (name == "dt" && instance_.definition->is_control()) {
    constexpr double nanosecond = 1e-9;
    return Named{
        work_.network.graph().constant(static_cast<double>(instance_.period_ns) * nanosecond),
        parse_unit("s").value_or(Unit{}).dimension};
  }
  if (name == "pi") return std::nullopt;
  auto found = find_name(work_, name, instance_.reading);
  // Names of the definition itself are judged where it is read (L009); paths into the plant are
  // judged here.
  const bool judged = work_.diagnostics.has_errors() &&
                      !domain_of(name.substr(0, name.find('.'))) && !name.starts_with("control.");
  return !found && judged ? work_.refused() : found;
}

std::optional<Named> InstanceNames::parameter(std::string_view name) {
  const auto slot = instance_.parameters.find(name);
  if (slot == instance_.parameters.end()) return std::nullopt;
  resolve(work_, *slot->second);
  if (slot->second->definition->kind == ParameterDefinition::Kind::gate)
    return instance_.variables.find(name)->second;
  if (slot->second->table || slot->second->definition->kind == ParameterDefinition::Kind::text)
    return std::nullopt;
  if (slot->second->state != Slot::State::done) return work_.refused();
  return work_.named(*slot->second);
}

std::optional<Named> InstanceNames::property(std::string_view name, const Named& temperature) {
  const auto& known = medium_properties();
  if (!is_convective(domain_of(instance_.definition->section).value_or(Domain::electric)) ||
      std::find(known.begin(), known.end(), name) == known.end())
    return std::nullopt;
  const Medium* medium = medium_of(work_, instance_);
  if (medium == nullptr) return work_.refused();  // reported
  if (auto value = property_at(work_, *medium, name, temperature.value)) return value;
  work_.error(
      "M045", instance_.entry->where,
      "'" + instance_.path + "' needs " + std::string(name) + " of its medium, which '" +
          medium->definition->name + "' does not give",
      "add " + std::string(name) + " = \"...\" to [medium." + medium->definition->name + "]");
  return work_.refused();
}

std::optional<TableUse> InstanceNames::table(std::string_view name) {
  const auto slot = instance_.parameters.find(name);
  if (slot == instance_.parameters.end() ||
      slot->second->definition->kind != ParameterDefinition::Kind::table)
    return std::nullopt;
  resolve(work_, *slot->second);
  const ParameterDefinition& definition = *slot->second->definition;
  TableUse use;
  if (definition.x_unit) use.x = definition.x_unit->dimension;
  if (definition.unit) use.y = definition.unit->dimension;
  if (definition.y_unit) use.second = definition.y_unit->dimension;
  use.x_kind = kind_of_unit(definition.x_unit_text);
  use.y_kind = kind_of_unit(definition.unit_text);
  use.second_kind = kind_of_unit(definition.y_unit_text);
  if (!slot->second->table) {
    // The table is wrong and reported; a flat one lets the rest be checked.
    Table flat{slot->second->path, {0.0}, {0.0}};
    if (definition.two_dimensional) flat.second = {0.0};
    slot->second->table = work_.network.graph().make_table(std::move(flat));
  }
  use.table = *slot->second->table;
  return use;
}

std::optional<Named> InstanceNames::own_word(std::string_view name) const {
  if (!own_branch_) return std::nullopt;
  const BranchDefinition& definition = instance_.definition->branches[*own_branch_];
  const Branch& branch =
      work_.network.branches[static_cast<std::size_t>(instance_.branches[*own_branch_])];
  const DomainWords& words = words_of(definition.domain);
  if (name == words.across) return named(branch.across);
  if (name == words.through) return named(branch.through);
  const std::string_view stored =
      branch.kind == BranchKind::across_storage ? words.charge : words.linkage;
  if (branch.stored && name == stored) return named(*branch.stored);
  return std::nullopt;
}

Named InstanceNames::named(SymbolId symbol) const { return work_.named(symbol); }

const SourceExpression* InstanceNames::let_source(std::string_view name) const {
  for (const auto* list : {&instance_.definition->lets, &instance_.definition->outputs}) {
    const auto found = std::find_if(list->begin(), list->end(),
                                    [&](const LetDefinition& let) { return let.name == name; });
    if (found != list->end()) return &found->value;
  }
  return nullptr;
}

std::optional<Named> InstanceNames::let_value(std::string_view name) {
  if (const auto known = instance_.let_values.find(name); known != instance_.let_values.end())
    return known->second;
  const SourceExpression* source = let_source(name);
  if (source == nullptr) return std::nullopt;
  const std::string key(name);
  instance_.let_values[key] = work_.refused();  // ends a circle, which L011 has reported
  const bool symbols = std::exchange(symbols_, false);
  auto value = lower(*source);
  symbols_ = symbols;
  if (!value) return std::nullopt;
  const auto symbol = instance_.let_symbols.find(name);
  if (symbol != instance_.let_symbols.end()) {
    if (const auto known = work_.dimensions.find(symbol->second); known != work_.dimensions.end())
      value->dimension = known->second;
  }
  instance_.let_values[key] = *value;
  return value;
}

void InstanceNames::expect(const Named& value, std::string_view unit_text,
                           const SourceExpression& expression, std::string_view what) {
  const auto unit = unit_text.empty() || unit_text == "any" ? std::nullopt : parse_unit(unit_text);
  if (!unit || !value.dimension) return;
  if (*value.dimension == unit->dimension) {
    if (const auto conflict = wrong_kind(value.kind, kind_of_unit(unit_text)))
      work_.error("U007", expression.where,
                  std::string(what) + " of element '" + instance_.definition->full_name() +
                      "' is in " + std::string(unit_text) + ": " + conflict->cause,
                  conflict->remedy);
    return;
  }
  work_.error("L012", expression.where,
              std::string(what) + " of element '" + instance_.definition->full_name() + "' is in " +
                  std::string(unit_text) + "; this is in " + dimension_text(*value.dimension));
}

}  // namespace takt::codegen
