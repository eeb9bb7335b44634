#include "codegen/emit/statements.hpp"

#include <array>
#include <cctype>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "codegen/expr/op_words.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::size_t words_in(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool begins = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    const bool word = begins || (inside && (c == '.' || c == ':'));
    count += word && !inside ? 1u : 0u;
    inside = word;
  }
  return count;
}

constexpr std::size_t most_inline =
    7;  // values of more operands get a local, so that a line can be read

/// Places, numbers and functions in a value, however long their names: copies of a part differ in
/// these and must not in their code. A number with an exponent counts twice.
std::size_t operands_in(const code::Values& values, code::Value value) {
  switch (values.form(value)) {
    case code::Form::variable:
    case code::Form::member:
    case code::Form::element:
    case code::Form::element_at:
      return 1;
    case code::Form::number:
      return words_in(double_literal(values.number_of(value)));
    default:
      std::size_t count = 0;
      values.for_operands(value,
                          [&](code::Value operand) { count += operands_in(values, operand); });
      return count;
  }
}

std::array<Expr, 3> operands(const Node& node) { return {node.a, node.b, node.c}; }

}  // namespace

void Statements::count(Expr root, const std::string* quantity) {
  if (++uses_[root] > 1) return;
  if (coefficients_ != nullptr) quantity = coefficients_->serve(root, quantity);
  if (coefficients_ != nullptr && coefficients_->is_fixed(root)) return;
  const Node& node = graph_.node(root);
  if (node.op == Op::div) ++divisions_[node.b];
  for (int place = 0; place < Graph::arity(node.op); ++place)
    count(operands(node)[static_cast<std::size_t>(place)], quantity);
}

bool Statements::is_atom(Expr e) {
  const Op op = graph_.node(e).op;
  return op == Op::constant || op == Op::symbol ||
         (coefficients_ != nullptr && coefficients_->is_fixed(e));
}

bool Statements::varies(Expr e) {
  if (!in_loop_) return false;
  if (const auto known = varies_.find(e); known != varies_.end()) return known->second;
  const Node& node = graph_.node(e);
  bool result = node.op == Op::symbol && varying_.contains(SymbolId{node.payload});
  for (int place = 0; place < Graph::arity(node.op); ++place) {
    result = varies(operands(node)[static_cast<std::size_t>(place)]) || result;
  }
  varies_.emplace(e, result);
  return result;
}

void Statements::keep(Expr e, code::Value name) {
  (in_branch_ ? branch_names_ : varies(e) ? inner_names_ : outer_names_)[e] = name;
}

const code::Value* Statements::known(Expr e) const {
  for (const auto* names : {&branch_names_, &inner_names_, &outer_names_}) {
    if (const auto found = names->find(e); found != names->end()) return &found->second;
  }
  return nullptr;
}

code::Value Statements::store(code::Block& to, const Declaration& declared) {
  const auto& [type, name, value, comment, constant] = declared;
  const code::Name note = values_.note(comment);
  if (!spread_ || &to != &outer_) {
    const code::Value place = values_.variable(name);
    to.add(code::Definition{values_.name(type), place, value, note, constant});
    return place;
  }
  members_.push_back(std::string(type) + " " + name);
  const code::Value place = values_.member("l", name);
  to.assign(place, value, note);
  return place;
}

code::Value Statements::store_numbered(code::Block& to, code::Value value) {
  const code::Value place =
      values_.is_truth(value)
          ? values_.as_truth(values_.element(values_.member("l", "truth"), truths_++))
          : values_.element(values_.member("l", "value"), numbers_++);
  to.assign(place, value);
  return place;
}

std::vector<std::string> Statements::members() const {
  std::vector<std::string> all = members_;
  if (truths_ > 0) all.push_back("bool truth[" + std::to_string(truths_) + "]");
  return all;
}

code::Value Statements::local(const std::string& wished, code::Value value,
                              const std::string& comment, bool constant) {
  if (is_numbered(block())) return store_numbered(block(), value);
  return store(block(), {"double", names_.make(wished), value, comment, constant});
}

code::Value Statements::object(std::string_view type, const std::string& wished,
                               code::Value value) {
  return store(block(), {type, names_.make(wished), value, "", false});
}

code::Value Statements::materialise(Expr e, code::Value value) {
  code::Block& to = home(e);
  const bool truth = values_.is_truth(value);
  code::Value place{};
  if (is_numbered(to)) {
    place = store_numbered(to, value);
  } else {
    const auto announced = announced_.find(e);
    const bool named = announced != announced_.end() && &to == &outer_ && !truth;
    const std::string wished =
        named ? names_.make(announced->second.name) : "t" + std::to_string(++temporaries_);
    place = store(to, {truth ? "bool" : "double", wished, value,
                       named ? announced->second.comment : "", true});
    if (truth) values_.as_truth(place);
  }
  keep(e, place);
  return place;
}

/// The name of a local: what is read from memory is copied, since stores may come between.
bool Statements::is_local(code::Value value) const {
  const code::Form form = values_.form(value);
  if (form == code::Form::variable) return true;
  if (!spread_ || (form != code::Form::member && form != code::Form::element)) return false;
  const code::Value of{values_.node(value).a};
  const auto is_struct = [&](code::Value place) {
    return values_.form(place) == code::Form::variable && values_.name_of(place) == "l";
  };
  if (form == code::Form::member) return is_struct(of);
  return values_.form(of) == code::Form::member && values_.name_of(of) == "value" &&
         is_struct(code::Value{values_.node(of).a});
}

code::Value Statements::as_number(code::Value value) {
  return values_.is_truth(value) ? values_.as_number(value) : value;
}

code::Value Statements::value(Expr e) { return as_number(make(e)); }

code::Value Statements::truth(Expr e) {
  const code::Value value = make(e);
  if (values_.is_truth(value)) return value;
  return values_.operation(code::Form::greater, value, values_.number(0.5));
}

code::Value Statements::condition(Expr e) { return truth(e); }

code::Value Statements::make(Expr e) {
  const Node node = graph_.node(e);
  if (node.op == Op::constant) return values_.number(node.value);
  if (coefficients_ != nullptr && coefficients_->is_fixed(e))
    return coefficients_->value_of(e, values_);
  if (node.op == Op::symbol) {
    const auto bound = symbols_.find(SymbolId{node.payload});
    if (bound == symbols_.end()) {
      throw std::logic_error("symbol used before it is known: " +
                             graph_.symbol(SymbolId{node.payload}).path);
    }
    return bound->second;
  }
  if (const code::Value* name = known(e)) return *name;
  const code::Value value = make_operation(node);
  // A value that does not change in the loop must not stay inside its text.
  const bool leaves_loop = in_loop_ && !in_branch_ && !varies(e);
  if (uses_[e] > 1 || operands_in(values_, value) > most_inline || leaves_loop)
    return materialise(e, value);
  return value;
}

code::Value Statements::make_operation(const Node& node) {
  switch (node.op) {
    case Op::add:
    case Op::sub:
      return make_sum(node);
    case Op::mul:
    case Op::div:
      return make_product(node);
    case Op::neg:
      return values_.negated(value(node.a));
    case Op::select: {
      const code::Value choice = truth(node.a), yes = value(node.b), no = value(node.c);
      return values_.operation(code::Form::choice, choice, yes, no);
    }
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
      return make_condition(node);
    default:
      return make_call(node);
  }
}

/// a + -b is a - b.
code::Value Statements::make_sum(const Node& node) {
  const code::Value left =
      value(node.a);  // in this order, so that temporaries are numbered as they are read
  const code::Value right = value(node.b);
  const bool has_sign = values_.has_sign(right), minus = (node.op == Op::sub) != has_sign;
  return values_.operation(minus ? code::Form::difference : code::Form::sum, left,
                           has_sign ? values_.negated(right) : right);
}

/// The sign of the right operand is the product's.
code::Value Statements::make_product(const Node& node) {
  const bool divides = node.op == Op::div;
  const bool fixed = divides && coefficients_ != nullptr && coefficients_->is_fixed(node.b);
  const bool shared = divides && coefficients_ != nullptr && divisions_[node.b] > 1;
  const bool inverts = (fixed || shared) && !graph_.is_constant(node.b);
  const code::Value left = value(node.a);
  const code::Value right = !inverts ? value(node.b)
                            : fixed  ? coefficients_->reciprocal_of(node.b, values_)
                                     : reciprocal(node.b);
  if (inverts && graph_.is_constant(node.a, 1.0)) return right;
  if (inverts && graph_.is_constant(node.a, -1.0)) return values_.negated(right);
  const code::Form form = divides && !inverts ? code::Form::quotient : code::Form::product;
  if (!values_.has_sign(right)) return values_.operation(form, left, right);
  return values_.negated(values_.operation(form, left, values_.negated(right)));
}

/// One division where several are by the same: a product takes an eighth of the time.
code::Value Statements::reciprocal(Expr e) {
  auto& names = varies(e) ? inner_reciprocals_ : outer_reciprocals_;
  for (const auto* places : {&branch_reciprocals_, &names})
    if (const auto found = places->find(e); found != places->end()) return found->second;
  const code::Value inverse =
      values_.operation(code::Form::quotient, values_.number(1.0), value(e));
  code::Block& to = home(e);
  const code::Value place =
      is_numbered(to)
          ? store_numbered(to, inverse)
          : store(to, {"double", "t" + std::to_string(++temporaries_), inverse, "", true});
  return (in_branch_ ? branch_reciprocals_ : names).emplace(e, place).first->second;
}

code::Value Statements::make_condition(const Node& node) {
  if (node.op == Op::logical_not) return values_.operation(code::Form::negation, truth(node.a));
  if (node.op == Op::logical_and || node.op == Op::logical_or) {
    const code::Value left = truth(node.a), right = truth(node.b);
    return values_.operation(node.op == Op::logical_and ? code::Form::both : code::Form::either,
                             left, right);
  }
  const code::Value left = value(node.a), right = value(node.b);
  const code::Form form = node.op == Op::less         ? code::Form::less
                          : node.op == Op::less_equal ? code::Form::less_equal
                                                      : code::Form::equal;
  return values_.operation(form, left, right);
}

code::Value Statements::make_call(const Node& node) {
  const std::string_view table = table_word(node.op),
                         word = table.empty() ? function_word(node.op) : table;
  std::vector<code::Value> arguments;
  if (!table.empty())
    arguments.push_back(values_.variable("table_" + std::to_string(node.payload)));
  arguments.push_back(value(node.a));
  if (Graph::arity(node.op) > 1) arguments.push_back(value(node.b));
  return values_.call(values_.variable("takt::math::" + std::string(word)), arguments);
}

void Statements::announce(SymbolId symbol, Expr e, const std::string& comment) {
  if (tabulated_) return;
  announced_.emplace(e, Announced{identifier_of(graph_.symbol(symbol).path), comment});
}

void Statements::define(SymbolId symbol, Expr e, const std::string& comment) {
  const code::Value value =
      is_atom(e) || known(e) != nullptr ? make(e) : make_operation(graph_.node(e));
  if (!values_.is_truth(value) && is_local(value)) return bind(symbol, value);
  const code::Value name =
      local(identifier_of(graph_.symbol(symbol).path), as_number(value), comment);
  if (!is_atom(e)) keep(e, name);
  bind(symbol, name);
}

void Statements::open_loop(const std::vector<SymbolId>& varying) {
  in_loop_ = true;
  varies_.clear();
  varying_.clear();
  inner_names_.clear();
  inner_reciprocals_.clear();
  for (const SymbolId symbol : varying) varying_.emplace(symbol, true);
}

void Statements::close_branch(code::Value condition, bool unlikely) {
  in_branch_ = false;
  block().add(
      code::Branch{condition, std::make_unique<code::Block>(std::exchange(branch_, {})), unlikely});
  branch_names_.clear();
  branch_reciprocals_.clear();
}

void Statements::close_loop(code::Loop head) {
  head.body = std::make_unique<code::Block>(std::exchange(inner_, {}));
  outer_.add(std::move(head));
  end_loop();
}

void Statements::close_loop(code::Branch head) {
  head.then = std::make_unique<code::Block>(std::exchange(inner_, {}));
  outer_.add(std::move(head));
  end_loop();
}

void Statements::end_loop() {
  in_loop_ = false;
  inner_names_.clear();
  inner_reciprocals_.clear();
}

}  // namespace takt::codegen
