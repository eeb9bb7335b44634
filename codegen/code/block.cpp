#include "codegen/code/block.hpp"

#include <iterator>

namespace takt::codegen::code {

void Block::when(Value condition, Statement statement) {
  auto then = std::make_unique<Block>();
  then->add(std::move(statement));
  add(Branch{condition, std::move(then), false, true});
}

Block& Block::scope() {
  add(Scope{std::make_unique<Block>()});
  return *std::get<Scope>(statements_.back()).body;
}

Block& Block::branch(Value condition) {
  add(Branch{condition, std::make_unique<Block>()});
  return *std::get<Branch>(statements_.back()).then;
}

void Block::take(Block&& other) {
  statements_.insert(statements_.end(), std::make_move_iterator(other.statements_.begin()),
                     std::make_move_iterator(other.statements_.end()));
  other.statements_.clear();
}

const Block* block_in(const Statement& statement) {
  using Inside = const Block*;
  constexpr auto none = [](const auto&) -> Inside { return nullptr; };
  return std::visit(
      Visitor{[&](const Definition& s) { return none(s); },
              [&](const Assignment& s) { return none(s); },
              [&](const Action& s) { return none(s); }, [&](const Finding& s) { return none(s); },
              [&](const Event& s) { return none(s); }, [&](const Leave& s) { return none(s); },
              [](const Branch& s) -> Inside { return s.then.get(); },
              [](const Loop& s) -> Inside { return s.body.get(); },
              [](const Scope& s) -> Inside { return s.body.get(); },
              [&](const Rows& s) { return none(s); }, [&](const Table& s) { return none(s); }},
      statement);
}

Block* block_in(Statement& statement) {
  return const_cast<Block*>(block_in(std::as_const(statement)));
}

bool stands_in_line(const Statement& statement) {
  const auto* branch = std::get_if<Branch>(&statement);
  const auto* loop = std::get_if<Loop>(&statement);
  return (branch != nullptr && branch->in_line) || (loop != nullptr && loop->in_line);
}

std::size_t lines_of(const Statement& statement) {
  if (const auto* rows = std::get_if<Rows>(&statement)) return rows->rows.size() + 2;
  const Block* inside = block_in(statement);
  if (inside == nullptr || stands_in_line(statement)) return 1;
  std::size_t lines = 2;
  for (const Statement& each : inside->statements()) lines += lines_of(each);
  return lines;
}

}  // namespace takt::codegen::code
