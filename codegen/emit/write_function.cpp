#include "codegen/emit/write_function.hpp"

#include <span>

#include "codegen/code/print.hpp"
#include "codegen/code/rolled_loops.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/code/unused_locals.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t lines_per_piece = 300;

/// Statements of the body in runs; at least one.
std::vector<std::span<const code::Statement>> cut(const code::Block& body) {
  std::vector<std::span<const code::Statement>> pieces;
  const std::span<const code::Statement> all(body.statements());
  std::size_t lines = 0, begin = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (lines >= lines_per_piece) {
      pieces.push_back(all.subspan(begin, k - begin));
      begin = k, lines = 0;
    }
    lines += code::lines_of(all[k]);
  }
  pieces.push_back(all.subspan(begin));
  return pieces;
}

std::string capitalised(std::string name) {
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

/// Numbers of one function that a thread's stack has room for, with those of the functions that call it.
constexpr std::size_t most_on_stack = 8192;

/// Declares and defines the pieces; returns the lines that call them.
std::vector<std::string> write_pieces(SubsystemFunctions& functions, const SubsystemView& view,
                                      const FunctionHead& head, const FunctionLines& lines) {
  Statements& statements = lines.statements;
  const std::string locals = capitalised(head.name) + "Locals";
  const std::string parameters = locals + "& l" + (head.parameters.empty() ? "" : ", " + head.parameters);
  const std::string arguments = "(l" + (head.arguments.empty() ? "" : ", " + head.arguments) + ");";
  functions.declarations.push_back("struct " + locals + ";");
  functions.text.blank();
  functions.text.open_of("struct ", view.type, "::" + locals);
  for (const std::string& member : statements.members()) functions.text.line(member + ";");
  std::string room = locals + " l;";
  if (const std::size_t values = statements.numbered_values(); values > most_on_stack) {
    functions.declarations.push_back("/// Values of " + head.name + "(): too many for the stack of a thread.");
    functions.declarations.push_back("std::array<double, " + std::to_string(values) + "> " + head.name + "_values{};");
    functions.text.line("double* value;");
    room += " l.value = " + head.name + "_values.data();";
  } else if (values > 0) {
    functions.text.line("double value[" + std::to_string(values) + "];");
  }
  functions.text.close("};");
  std::vector<std::string> calls{room};
  if (statements.is_tabulated()) code::roll_loops(statements.values(), statements.body());
  for (const std::span<const code::Statement> piece : cut(statements.body())) {
    const std::string name = head.name + "_" + std::to_string(calls.size());
    functions.declarations.push_back("void " + name + "(" + parameters + ") noexcept;");
    functions.text.blank();
    functions.text.open_of("void ", view.type, "::" + name + "([[maybe_unused]] " + parameters + ") noexcept");
    if (!lines.alias.empty()) functions.text.line(lines.alias);
    functions.text.code(statements.values(), {piece});
    functions.text.close();
    calls.push_back(name + arguments);
  }
  return calls;
}

}  // namespace

FunctionCode taken(Statements& statements) {
  return {std::move(statements.values()), std::move(statements.body()), std::move(statements.last())};
}

void write_function(SubsystemFunctions& functions, const SubsystemView& view, const FunctionHead& head,
                    const FunctionLines& lines) {
  Statements& statements = lines.statements;
  code::Values& values = statements.values();
  std::vector<std::string> calls;
  if (statements.is_spread())
    calls = write_pieces(functions, view, head, lines);
  else
    code::drop_unused_locals(values, statements.body(), statements.last());
  for (const std::string_view each : {runtime::exp_each, runtime::log_each, runtime::pow_each})
    functions.calls_each = functions.calls_each || values.knows(each);
  functions.has_vectors = functions.has_vectors || values.knows("std::vector<double>");
  Writer& text = lines.apart && !statements.is_spread() ? functions.prepare : functions.text;
  text.blank();
  text.open_of(head.result + " ", view.type, "::" + head.name + "(" + head.parameters + ") noexcept");
  for (const std::string& line : lines.before) text.line(line);
  if (!lines.alias.empty() && !statements.is_spread()) text.line(lines.alias);
  for (const std::string& line : calls) text.line(line);
  if (statements.is_spread())
    text.code(values, {statements.last().statements()});
  else
    text.code(values, {statements.body().statements(), statements.last().statements()});
  text.close();
}

}  // namespace takt::codegen
