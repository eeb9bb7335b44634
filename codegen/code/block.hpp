#pragma once
// Statements of emitted functions. A pass over them handles each kind or does not compile: they are
// a variant, visited without a default.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "codegen/code/values.hpp"

namespace takt::codegen::code {

class Block;

/// const TYPE place = value;
struct Definition {
  Name type{};
  Value place{};
  Value value{};  ///< none: it has no start value
  Name comment{};
  bool constant = true;
};

enum class Change : std::uint8_t { set, add, subtract, multiply, join };

/// place = value;  place += value; ...
struct Assignment {
  Value place{}, value{};
  Name comment{};
  Change change = Change::set;
};

/// A call for what it does.
struct Action {
  Value call{};
  Name comment{};
};

/// Something is found at the end of a window or a look:  if (condition) [[unlikely]] alert =
/// counter += 1.0;
struct Finding {
  Value condition{}, counter{};
  Name comment{};
};

/// counter += 1.0, alert = 1.0;
struct Event {
  Value counter{};
};

/// break;  return value;
struct Leave {
  bool function = false;
  Value value{};
};

/// if (condition) { ... }
struct Branch {
  Value condition{};
  std::unique_ptr<Block> then;
  bool unlikely = false;
  bool in_line = false;  ///< one statement, without braces
};

/// for (TYPE counter = first; condition; ++counter) { ... }
struct Loop {
  Name type{};  ///< none: the counter is there before
  Value counter{}, first{}, condition{};
  std::unique_ptr<Block> body;
  bool in_line = false;
};

/// { ... }
struct Scope {
  std::unique_ptr<Block> body;
};

/// const TYPE array[] = { a row a line };
struct Rows {
  Name type{};
  Value array{};
  std::vector<Value> rows;
  Name comment{};
};

/// static constexpr TYPE array[] = {...};
struct Table {
  Name type{};
  Value array{};
  std::vector<double> entries;  ///< of an integral type: integers
};

using Statement = std::variant<Definition, Assignment, Action, Finding, Event, Leave, Branch, Loop,
                               Scope, Rows, Table>;

class Block {
 public:
  void add(Statement statement) { statements_.push_back(std::move(statement)); }
  void assign(Value place, Value value, Name comment = {}) {
    add(Assignment{place, value, comment});
  }
  void change(Value place, Change how, Value value, Name comment = {}) {
    add(Assignment{place, value, comment, how});
  }
  void act(Value call, Name comment = {}) { add(Action{call, comment}); }
  void give(Value value) { add(Leave{true, value}); }
  /// if (condition) STATEMENT
  void when(Value condition, Statement statement);
  /// { ... }, to be filled
  Block& scope();
  /// if (condition) { ... }, to be filled
  Block& branch(Value condition);
  /// The statements of another one, behind those that are there.
  void take(Block&& other);

  [[nodiscard]] std::vector<Statement>& statements() { return statements_; }
  [[nodiscard]] const std::vector<Statement>& statements() const { return statements_; }
  [[nodiscard]] bool empty() const { return statements_.empty(); }

 private:
  std::vector<Statement> statements_;
};

/// One function for each kind of statement.
template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

/// Calls `visit` with each value that a statement has itself, not in its blocks; what is written is
/// among them.
template <class Visit>
void for_values(const Statement& statement, const Visit& visit) {
  std::visit(
      Visitor{[&](const Definition& s) { visit(s.value); },
              [&](const Assignment& s) { visit(s.place), visit(s.value); },
              [&](const Action& s) { visit(s.call); },
              [&](const Finding& s) { visit(s.condition), visit(s.counter); },
              [&](const Event& s) { visit(s.counter); }, [&](const Leave& s) { visit(s.value); },
              [&](const Branch& s) { visit(s.condition); },
              [&](const Loop& s) { visit(s.first), visit(s.condition); }, [](const Scope&) {},
              [&](const Rows& s) {
                for (const Value row : s.rows) visit(row);
              },
              [](const Table&) {}},
      statement);
}

/// The block inside a statement; nothing where it has none.
[[nodiscard]] const Block* block_in(const Statement& statement);
[[nodiscard]] Block* block_in(Statement& statement);
/// Its block is one statement in the same line.
[[nodiscard]] bool stands_in_line(const Statement& statement);
/// Lines that it takes.
[[nodiscard]] std::size_t lines_of(const Statement& statement);

}  // namespace takt::codegen::code
