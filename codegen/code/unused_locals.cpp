#include "codegen/code/unused_locals.hpp"

#include <unordered_map>

namespace takt::codegen::code {
namespace {

/// How often each variable is read.
class Reads {
 public:
  explicit Reads(const Values& values) : values_(values) {}

  void count(const Block& block) {
    for (const Statement& statement : block.statements()) {
      count(statement, 1);
      if (const Block* inside = block_in(statement)) count(*inside);
    }
  }
  void forget(const Statement& statement) { count(statement, -1); }
  [[nodiscard]] bool any(Value variable) const {
    const auto found = reads_.find(variable);
    return found != reads_.end() && found->second > 0;
  }

 private:
  void count(const Statement& statement, int by) {
    for_values(statement, [&](Value value) { count(value, by); });
  }
  void count(Value value, int by) {
    if (values_.form(value) == Form::variable)
      reads_[value] += by;
    else
      values_.for_operands(value, [&](Value operand) { count(operand, by); });
  }

  const Values& values_;
  std::unordered_map<Value, int> reads_;
};

bool is_unused(const Values& values, const Statement& statement, const Reads& reads) {
  const auto* definition = std::get_if<Definition>(&statement);
  return definition != nullptr && definition->constant &&
         values.text(definition->type) == "double" &&
         values.form(definition->place) == Form::variable && !reads.any(definition->place);
}

/// Backwards: what only an unused local reads is unused, too.
void drop(const Values& values, Block& block, Reads& reads) {
  std::vector<bool> kept(block.statements().size(), true);
  for (std::size_t k = kept.size(); k-- > 0;) {
    Statement& statement = block.statements()[k];
    if (Block* inside = block_in(statement)) drop(values, *inside, reads);
    if (!is_unused(values, statement, reads)) continue;
    kept[k] = false;
    reads.forget(statement);
  }
  std::size_t k = 0;
  std::erase_if(block.statements(), [&](const Statement&) { return !kept[k++]; });
}

}  // namespace

void drop_unused_locals(const Values& values, Block& body, const Block& last) {
  Reads reads(values);
  reads.count(body);
  reads.count(last);
  drop(values, body, reads);
}

UsedNames::UsedNames(const Values& values,
                     std::initializer_list<std::span<const Statement>> parts) {
  for (const std::span<const Statement> part : parts) add(values, part);
}

void UsedNames::add(const Values& values, std::span<const Statement> statements) {
  for (const Statement& statement : statements) {
    for_values(statement, [&](Value value) { add(values, value); });
    if (const Block* inside = block_in(statement)) add(values, inside->statements());
  }
}

void UsedNames::add(const Values& values, Value value) {
  if (values.form(value) != Form::variable)
    values.for_operands(value, [&](Value operand) { add(values, operand); });
  else if (seen_.insert(value).second)
    names_.insert(values.name_of(value));
}

}  // namespace takt::codegen::code
