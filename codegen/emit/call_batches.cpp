// Calls of one function whose arguments are known at the same time are made at once, in vector
// registers.
#include <algorithm>
#include <array>

#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/expr/op_words.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_at_once = 8;  // so that a line can be read

bool can_be_batched(Op op) { return op == Op::exp || op == Op::log || op == Op::pow; }

}  // namespace

bool Statements::reads_unknown(Expr e) {
  const Node& node = graph_.node(e);
  if (known(e) != nullptr || node.op == Op::constant ||
      (coefficients_ != nullptr && coefficients_->is_fixed(e)))
    return false;
  if (node.op == Op::symbol) return !symbols_.contains(SymbolId{node.payload});
  if (const auto seen = unknown_.find(e); seen != unknown_.end()) return seen->second;
  const std::array<Expr, 3> operands{node.a, node.b, node.c};
  bool unknown = false;
  for (int place = 0; place < Graph::arity(node.op) && !unknown; ++place)
    unknown = reads_unknown(operands[static_cast<std::size_t>(place)]);
  unknown_.emplace(e, unknown);
  return unknown;
}

/// Whether an expression has to wait for a call or a symbol. Calls in one arm of a choice are left
/// there.
bool Statements::waits(Expr e, std::vector<Expr>& ready) {
  const Node& node = graph_.node(e);
  if (known(e) != nullptr || node.op == Op::constant ||
      (coefficients_ != nullptr && coefficients_->is_fixed(e)))
    return false;
  if (node.op == Op::symbol) return !symbols_.contains(SymbolId{node.payload});
  if (const auto seen = waiting_.find(e); seen != waiting_.end()) return seen->second;
  const std::array<Expr, 3> operands{node.a, node.b, node.c};
  const int looked_at = node.op == Op::select ? 1 : Graph::arity(node.op);
  bool waiting = node.op == Op::select && (reads_unknown(node.b) || reads_unknown(node.c));
  for (int place = 0; place < looked_at; ++place)
    waiting = waits(operands[static_cast<std::size_t>(place)], ready) || waiting;
  if (can_be_batched(node.op) && !alone_.contains(e) && (!in_loop_ || varies(e))) {
    if (!waiting) ready.push_back(e);
    waiting = true;
  }
  waiting_.emplace(e, waiting);
  return waiting;
}

/// clear() would go through all places that a larger set has left.
void Statements::forget_waits() {
  waiting_ = decltype(waiting_)();
  unknown_ = decltype(unknown_)();
}

bool Statements::is_ready(Expr e) {
  std::vector<Expr> ready;
  forget_waits();
  return !waits(e, ready);
}

bool Statements::batch_calls(const std::vector<Expr>& roots) {
  std::vector<Expr> ready;
  forget_waits();
  for (const Expr root : roots) waits(root, ready);
  for (const Op op : {Op::exp, Op::log, Op::pow}) {
    std::vector<Expr> calls;
    std::copy_if(ready.begin(), ready.end(), std::back_inserter(calls),
                 [&](Expr e) { return graph_.node(e).op == op; });
    for (std::size_t from = 0; from < calls.size(); from += most_at_once) {
      const std::size_t end = std::min(from + most_at_once, calls.size());
      if (end - from == 1)
        alone_.insert(calls[from]);
      else
        make_calls({calls.begin() + static_cast<std::ptrdiff_t>(from),
                    calls.begin() + static_cast<std::ptrdiff_t>(end)});
    }
  }
  return !ready.empty();
}

void Statements::make_calls(const std::vector<Expr>& calls) {
  const Op op = graph_.node(calls.front()).op;
  const std::string word(function_word(op));
  std::vector<code::Value> arguments, exponents;
  for (const Expr call : calls) {
    arguments.push_back(value(graph_.node(call).a));
    if (op == Op::pow) exponents.push_back(value(graph_.node(call).b));
  }
  const code::Value array =
      object(runtime::array_of("double", calls.size()), word + "_of", values_.list(arguments));
  std::vector<code::Value> given{array};
  if (op == Op::pow) given.push_back(values_.list(exponents));
  block().act(values_.call(values_.variable("takt::math::" + word + "_each"), given));
  for (std::size_t index = 0; index < calls.size(); ++index)
    keep(calls[index], values_.element(array, index));
}

}  // namespace takt::codegen
