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

/// Numbers of one function that a thread's stack has room for, with those of the functions that
/// call it.
constexpr std::size_t most_on_stack = 8192;

/// The statements of an alias in a part of a function.
std::vector<code::Statement> alias_in(const FunctionLines& lines, const code::UsedNames& used) {
  if (!lines.alias) return {};
  return where_used(lines.statements.values(), *lines.alias, used);
}

/// Declares and defines the pieces; returns the statements that call them.
code::Block write_pieces(SubsystemFunctions& functions, const SubsystemView& view,
                         const FunctionHead& head, const FunctionLines& lines) {
  Statements& statements = lines.statements;
  code::Values& code_values = statements.values();
  const std::string locals = capitalised(head.name) + "Locals", reference = locals + "&";
  Arguments parameters{{reference, "l"}};
  parameters.insert(parameters.end(), head.parameters.begin(), head.parameters.end());
  std::vector<code::Value> arguments;
  for (const Argument& parameter : parameters)
    arguments.push_back(code_values.variable(parameter.name));
  functions.declarations.push_back("struct " + locals + ";");
  functions.text.blank();
  functions.text.open_of("struct ", view.type, "::" + locals);
  for (const std::string& member : statements.members()) functions.text.line(member + ";");
  code::Value room = code_values.variable("l");
  if (const std::size_t values = statements.numbered_values(); values > most_on_stack) {
    functions.declarations.push_back("/// Values of " + head.name +
                                     "(): too many for the stack of a thread.");
    functions.declarations.push_back("std::array<double, " + std::to_string(values) + "> " +
                                     head.name + "_values{};");
    functions.text.line("double* value;");
    room = code_values.verbatim("l; l.value = " + head.name + "_values.data()", {});
  } else if (values > 0) {
    functions.text.line("double value[" + std::to_string(values) + "];");
  }
  functions.text.close("};");
  code::Block calls;
  calls.add(code::Definition{code_values.name(locals), room, {}, {}, false});
  if (statements.is_tabulated()) code::roll_loops(code_values, statements.body());
  for (const std::span<const code::Statement> piece : cut(statements.body())) {
    const std::string name = head.name + "_" + std::to_string(calls.statements().size());
    const code::UsedNames used(code_values, {piece});
    functions.declarations.push_back("void " + name + "(" + list_of(parameters, true) +
                                     ") noexcept;");
    functions.text.blank();
    functions.text.open_of("void ", view.type,
                           "::" + name + "(" + list_of(parameters, used) + ") noexcept");
    code::print(functions.text, code_values, {alias_in(lines, used), piece});
    functions.text.close();
    calls.act(code_values.call(code_values.variable(name), arguments));
  }
  return calls;
}

template <class IsUsed>
std::string listed(const Arguments& parameters, const IsUsed& is_used) {
  std::string list;
  for (const Argument& parameter : parameters) {
    list.append(list.empty() ? "" : ", ").append(parameter.type);
    if (is_used(parameter.name)) list.append(" ").append(parameter.name);
  }
  return list;
}

}  // namespace

std::string list_of(const Arguments& parameters, const code::UsedNames& used) {
  return listed(parameters, [&](std::string_view name) { return used.contains(name); });
}

std::string list_of(const Arguments& parameters, bool used) {
  return listed(parameters, [&](std::string_view) { return used; });
}

Arguments time_and(const Arguments& more) {
  Arguments parameters = time_parameters;
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

Arguments stage_parameters() {
  return time_and({{"const double*", "z"}, {"double*", "dz"}, {"double*", "dq"}});
}

code::Definition alias_of(code::Values& values, const Argument& alias, code::Value value) {
  return {values.name(alias.type), values.variable(alias.name), value, {}, false};
}

std::vector<code::Statement> where_used(const code::Values& values, const code::Definition& alias,
                                        const code::UsedNames& used) {
  std::vector<code::Statement> statements;
  if (used.contains(values.name_of(alias.place))) statements.emplace_back(alias);
  return statements;
}

FunctionCode taken(Statements& statements) {
  return {std::move(statements.values()), std::move(statements.body()),
          std::move(statements.last())};
}

void write_function(SubsystemFunctions& functions, const SubsystemView& view,
                    const FunctionHead& head, const FunctionLines& lines) {
  Statements& statements = lines.statements;
  code::Values& values = statements.values();
  code::Block calls;
  if (statements.is_spread())
    calls = write_pieces(functions, view, head, lines);
  else
    code::drop_unused_locals(values, statements.body(), statements.last());
  for (const std::string_view each : {runtime::exp_each, runtime::log_each, runtime::pow_each})
    functions.calls_each = functions.calls_each || values.knows(each);
  functions.has_vectors = functions.has_vectors || values.knows("std::vector<double>");
  const std::span<const code::Statement> before = lines.before.statements(),
                                         last = statements.last().statements(),
                                         body = statements.is_spread()
                                                    ? calls.statements()
                                                    : statements.body().statements();
  const code::UsedNames used(values, {before, body, last});
  Writer& text = lines.apart && !statements.is_spread() ? functions.prepare : functions.text;
  text.blank();
  text.open_of(head.result + " ", view.type,
               "::" + head.name + "(" + list_of(head.parameters, used) + ") noexcept");
  code::print(text, values,
              {before, alias_in(lines, statements.is_spread() ? code::UsedNames(values, {}) : used),
               body, last});
  text.close();
}

}  // namespace takt::codegen
