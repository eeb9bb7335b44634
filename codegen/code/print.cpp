#include "codegen/code/print.hpp"

#include <unordered_set>

#include "codegen/code/precedence.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen::code {
namespace {

const char* text_of(Change change) {
  switch (change) {
    case Change::set:
      return " = ";
    case Change::add:
      return " += ";
    case Change::subtract:
      return " -= ";
    case Change::multiply:
      return " *= ";
    case Change::join:
      return " |= ";
  }
  return "";
}

class Printer {
 public:
  explicit Printer(const Values& values, Naming* naming = nullptr)
      : values_(values), naming_(naming) {}

  void block(std::span<const Statement> statements) {
    for (const Statement& each : statements) {
      indent();
      statement(each);
      out_ += '\n';
    }
  }

  void value(Value value) {
    const Node& node = values_.node(value);
    const Value a{node.a}, b{node.b}, c{node.c};
    switch (node.form) {
      case Form::none:
        return;
      case Form::variable:
        out_ += locals_.contains(value) ? naming_->local(values_.name_of(value))
                                        : values_.name_of(value);
        return;
      case Form::verbatim:
        out_ += values_.name_of(value);
        return;
      case Form::member: {
        const std::string& name = values_.name_of(value);
        this->value(a);
        out_.append(".").append(naming_ != nullptr && values_.is_coefficient(value)
                                    ? naming_->coefficient(name)
                                    : name);
        return;
      }
      case Form::element:
        this->value(a);
        out_.append("[").append(std::to_string(node.b)).append("]");
        return;
      case Form::element_at:
        this->value(a);
        out_ += "[";
        this->value(b);
        out_ += "]";
        return;
      case Form::unsized:
        this->value(a);
        out_ += "[]";
        return;
      case Form::number:
        out_ += double_literal(values_.number_of(value));
        return;
      case Form::integer:
        out_ += std::to_string(node.a);
        return;
      case Form::negative:
      case Form::negation:
        out_ += node.form == Form::negative ? "-" : "!";
        wrapped(a, Precedence::primary);
        return;
      case Form::sum:
      case Form::difference:
      case Form::product:
      case Form::quotient:
      case Form::less:
      case Form::less_equal:
      case Form::greater:
      case Form::greater_equal:
      case Form::equal:
      case Form::unequal:
        return joined(node);
      case Form::both:  // operands in parentheses: compilers warn of && within || without them
      case Form::either:
        wrapped(a, Precedence::equality);
        out_ += infix_of(node.form).text;
        return wrapped(b, Precedence::equality);
      case Form::choice:
        wrapped(a, Precedence::logical_or);
        out_ += " ? ";
        wrapped(b, Precedence::sum);
        out_ += " : ";
        return wrapped(c, Precedence::sum);
      case Form::bracketed:
        return bracketed(a);
      case Form::all:
        return row(values_.operands(value), " && ");
      case Form::decrease:
        return decrease(values_.operands(value));
      case Form::outside:
      case Form::outside_strictly:
        out_ += "!(";
        wrapped(a, Precedence::sum);
        out_ += node.form == Form::outside ? " <= " : " < ";
        wrapped(b, Precedence::sum);
        out_ += ")";
        return;
      case Form::call:
        this->value(a);
        out_ += "(";
        row(values_.operands(value), ", ");
        out_ += ")";
        return;
      case Form::list:
        out_.append(values_.name_of(value)).append("{");
        row(values_.operands(value), ", ");
        out_ += "}";
        return;
      case Form::field:
        out_.append(".").append(values_.name_of(value)).append(" = ");
        return this->value(b);
    }
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void indent() { out_.append(2 * depth_, ' '); }

  void bracketed(Value value) {
    out_ += "(";
    this->value(value);
    out_ += ")";
  }

  void wrapped(Value value, Precedence least) {
    if (precedence_of(values_, value) >= least)
      this->value(value);
    else
      bracketed(value);
  }

  /// left OP right, grouped to the left.
  void joined(const Node& node) {
    const auto [text, level] = infix_of(node.form);
    wrapped(Value{node.a}, level);
    out_ += text;
    if (begins_with_minus(values_, Value{node.b}))
      bracketed(Value{node.b});
    else
      wrapped(Value{node.b}, tighter(level));
  }

  void row(std::span<const Value> values, const char* between) {
    for (std::size_t index = 0; index < values.size(); ++index) {
      if (index > 0) out_ += between;
      value(values[index]);
    }
  }

  void decrease(std::span<const Value> terms) {
    for (std::size_t index = 0; index + 1 < terms.size(); index += 2) {
      out_ += index > 0 ? " - (" : "- (";
      value(terms[index]);
      out_ += ") * ";
      value(terms[index + 1]);
    }
  }

  void comment(Name comment) {
    if (comment == Name::none || (naming_ != nullptr && !naming_->has_comments())) return;
    out_.append("  // ").append(values_.text(comment));
  }

  void inside(const Block& block, const char* end = "}") {
    ++depth_;
    this->block(block.statements());
    --depth_;
    indent();
    out_ += end;
  }

  void opened(const Block& block, bool in_line) {
    if (in_line) return statement(block.statements().front());
    out_ += "{\n";
    inside(block);
  }

  void statement(const Statement& statement) {
    std::visit([this](const auto& each) { print(each); }, statement);
  }

  /// From here on the naming says what it is called.
  void rename(const Definition& s) {
    const bool unsized = values_.form(s.place) == Form::unsized;
    if (naming_ != nullptr && values_.text(s.type) == "double")
      locals_.insert(unsized ? Value{values_.node(s.place).a} : s.place);
  }

  void print(const Definition& s) {
    rename(s);
    if (s.constant) out_ += "const ";
    out_.append(values_.text(s.type)).append(" ");
    value(s.place);
    if (s.value != Value::none) out_ += " = ";
    value(s.value);
    out_ += ";";
    comment(s.comment);
  }

  void print(const Assignment& s) {
    value(s.place);
    out_ += text_of(s.change);
    value(s.value);
    out_ += ";";
    comment(s.comment);
  }

  void print(const Action& s) {
    value(s.call);
    out_ += ";";
    comment(s.comment);
  }

  void print(const Finding& s) {
    out_ += "if (";
    value(s.condition);
    out_ += ") [[unlikely]] alert = ";
    value(s.counter);
    out_ += " += 1.0;";
    comment(s.comment);
  }

  void print(const Event& s) {
    value(s.counter);
    out_ += " += 1.0, alert = 1.0;";
  }

  void print(const Leave& s) {
    out_ += s.function ? "return" : "break";
    if (s.value != Value::none) out_ += " ";
    value(s.value);
    out_ += ";";
  }

  void print(const Branch& s) {
    out_ += "if (";
    value(s.condition);
    out_ += s.unlikely ? ") [[unlikely]] " : ") ";
    opened(*s.then, s.in_line);
  }

  void print(const Loop& s) {
    out_ += "for (";
    if (s.type != Name::none) {
      out_.append(values_.text(s.type)).append(" ");
      value(s.counter);
      out_ += " = ";
      value(s.first);
    }
    out_ += "; ";
    value(s.condition);
    out_ += "; ++";
    value(s.counter);
    out_ += ") ";
    opened(*s.body, s.in_line);
  }

  void print(const Scope& s) {
    out_ += "{\n";
    inside(*s.body);
  }

  void print(const Rows& s) {
    out_.append("const ").append(values_.text(s.type)).append(" ");
    value(s.array);
    out_ += "[] = {";
    comment(s.comment);
    out_ += '\n';
    for (const Value row : s.rows) {
      indent();
      out_ += "    ";
      value(row);
      out_ += ",\n";
    }
    indent();
    out_ += "};";
  }

  void print(const Table& s) {
    const bool integral = values_.text(s.type) != "double";
    out_.append("static constexpr ").append(values_.text(s.type)).append(" ");
    value(s.array);
    out_ += "[] = {";
    for (std::size_t index = 0; index < s.entries.size(); ++index) {
      if (index > 0) out_ += ", ";
      const double entry = s.entries[index];
      out_ += integral ? std::to_string(static_cast<std::uint64_t>(entry)) : double_literal(entry);
    }
    out_ += "};";
  }

  const Values& values_;
  Naming* naming_;
  std::unordered_set<Value> locals_;  ///< that the naming calls
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string printed(const Values& values, std::span<const Statement> statements) {
  Printer printer(values);
  printer.block(statements);
  return printer.take();
}

std::string printed(const Values& values, std::initializer_list<std::span<const Statement>> parts,
                    Naming& naming) {
  Printer printer(values, &naming);
  for (const std::span<const Statement> part : parts) printer.block(part);
  return printer.take();
}

std::string printed(const Values& values, Value value) {
  Printer printer(values);
  printer.value(value);
  return printer.take();
}

void print(Writer& to, const Values& values,
           std::initializer_list<std::span<const Statement>> parts) {
  Printer printer(values);
  for (const std::span<const Statement> part : parts) printer.block(part);
  to.lines(printer.take(), to.names() ? printed(values, parts, *to.names()) : std::string());
}

void print(Writer& to, const Values& values,
           std::initializer_list<std::span<const Statement>> parts, Naming& naming) {
  to.lines(printed(values, parts, naming), {});
}

}  // namespace takt::codegen::code
