#include "codegen/code/rolled_loops.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/code/print.hpp"

using namespace takt::codegen;
using code::Form;
using code::Value;

namespace {

/// Executes what the generator writes here: y[1] = x[2] + 2.5 * x[3]; alone or in loops over n with their tables.
class Machine {
 public:
  double& at(const std::string& array, std::size_t index) { return memory_[array][index]; }
  [[nodiscard]] const std::map<std::string, std::map<std::size_t, double>>& memory() const { return memory_; }
  [[nodiscard]] std::size_t loops() const { return loops_; }

  void run(const std::string& body) {
    std::istringstream lines(body);
    for (std::string line; std::getline(lines, line);) {
      line.erase(0, line.find_first_not_of(' '));
      if (line == "{" || line == "}") continue;
      if (line.starts_with("static constexpr")) {
        table(line);
        continue;
      }
      if (!line.starts_with("for (")) {
        assign(line, 0);
        continue;
      }
      ++loops_;
      const std::size_t rows = std::stoul(line.substr(line.find("n < ") + 4)), end = line.find(") ") + 2;
      for (std::size_t n = 0; n < rows; ++n) assign(line.substr(end), n);
    }
  }

 private:
  void table(const std::string& line) {
    const std::size_t bracket = line.find('['), space = line.rfind(' ', bracket);
    auto& numbers = tables_[line.substr(space + 1, bracket - space - 1)];
    numbers.clear();
    std::istringstream each(line.substr(line.find('{') + 1));
    for (std::string number; std::getline(each, number, ',');) numbers.push_back(std::stod(number));
  }

  void assign(const std::string& line, std::size_t n) {
    text_ = line, place_ = 0, n_ = n;
    const auto [array, index] = element();
    place_ += 3;  // " = "
    double sum = product();
    while (text_.substr(place_, 3) == " + ") place_ += 3, sum += product();
    REQUIRE(text_.substr(place_) == ";");
    at(array, index) = sum;
  }

  double product() {
    double result = factor();
    while (text_.substr(place_, 3) == " * ") place_ += 3, result *= factor();
    return result;
  }

  double factor() {
    if (std::isalpha(static_cast<unsigned char>(text_[place_])) == 0) {
      std::size_t used = 0;
      const double number = std::stod(text_.substr(place_), &used);
      return place_ += used, number;
    }
    if (text_[place_] == 'n' && text_.substr(place_, 2) != "n[") return ++place_, static_cast<double>(n_);
    const auto [array, index] = element();
    return tables_.contains(array) ? tables_.at(array).at(index) : at(array, index);
  }

  std::pair<std::string, std::size_t> element() {
    const std::size_t bracket = text_.find('[', place_);
    const std::string array = text_.substr(place_, bracket - place_);
    place_ = bracket + 1;
    double index = product();
    while (text_.substr(place_, 3) == " + ") place_ += 3, index += product();
    ++place_;  // "]"
    return {array, static_cast<std::size_t>(index)};
  }

  std::map<std::string, std::map<std::size_t, double>> memory_;
  std::map<std::string, std::vector<double>> tables_;
  std::string text_;
  std::size_t place_ = 0, n_ = 0, loops_ = 0;
};

/// A body of which its text is asked before and after.
struct Body {
  code::Values values;
  code::Block block;

  void assign(Value place, Value value) { block.assign(place, value); }
  Value at(const char* array, std::size_t index) { return values.element(array, index); }
  Value sum(Value a, Value b) { return values.operation(Form::sum, a, b); }
  Value product(Value a, Value b) { return values.operation(Form::product, a, b); }
  std::string text() const { return code::printed(values, block); }
  std::string rolled() {
    code::roll_loops(values, block);
    return text();
  }
};

/// Statements of a few forms that read and overwrite each other's results.
void add_random_statements(Body& body, std::mt19937& random, std::size_t count) {
  const char* arrays[] = {"a", "l.value", "flows_3.through"};
  const auto some = [&] {
    const char* array = arrays[random() % 3];
    return body.at(array, random() % 300);
  };
  for (std::size_t k = 0; k < count; ++k) {
    const Value place = some();
    Value value = some();
    if (random() % 2 == 0) value = body.sum(value, some());
    if (random() % 3 == 0)
      value = body.sum(some(), body.product(some(), body.values.number(random() % 2 == 0 ? 0.5 : 0.25)));
    body.assign(place, value);
  }
}

}  // namespace

TEST_CASE("statements_in_loops_compute_what_they_computed_one_by_one") {
  std::mt19937 random(7);
  std::size_t loops = 0;
  for (int round = 0; round < 50; ++round) {
    Body body;
    add_random_statements(body, random, 300);
    Machine one_by_one, in_loops;
    for (Machine* machine : {&one_by_one, &in_loops})
      for (std::size_t k = 0; k < 300; ++k)
        for (const char* array : {"a", "l.value", "flows_3.through"})
          machine->at(array, k) = static_cast<double>(k) + 0.125;
    one_by_one.run(body.text());
    in_loops.run(body.rolled());
    CHECK(one_by_one.memory() == in_loops.memory());
    loops += in_loops.loops();
  }
  CHECK(loops > 100);
}

TEST_CASE("many_statements_of_one_form_become_one_loop") {
  Body body;
  for (std::size_t k = 0; k < 1000; ++k)
    body.block.assign(body.at("l.value", k), body.values.negated(body.at("k", 7 * k % 1000)),
                      body.values.note("a comment"));
  const std::string loop = body.rolled();
  CHECK(loop.find("for (std::uint32_t n = 0; n < 1000; ++n) l.value[n] = -k[at[n]];") != std::string::npos);
  CHECK(loop.find("l.value[999]") == std::string::npos);
}

TEST_CASE("numbers_that_differ_stand_in_a_table_their_signs_do_not") {
  Body body;
  for (std::size_t k = 0; k < 8; ++k)
    body.assign(body.at("y", k),
                body.product(body.values.number((k < 4 ? 0.5 : -0.5) * static_cast<double>(k)), body.at("x", k)));
  const std::string text = body.rolled();
  CHECK(text.find("static constexpr double value[] = {0.0, 0.5, 1.0, 1.5};") != std::string::npos);
  CHECK(text.find("y[n] = value[n] * x[n];") != std::string::npos);
  CHECK(text.find("y[4 + n] = -value[n] * x[4 + n];") != std::string::npos);
}

TEST_CASE("a_chain_stays_in_its_order_in_one_loop") {
  Body body;
  body.assign(body.at("p", 0), body.values.number(0.0));
  for (std::size_t k = 1; k < 100; ++k) body.assign(body.at("p", k), body.sum(body.at("p", k - 1), body.at("v", k)));
  CHECK(body.rolled().find("n < 99; ++n) p[1 + n] = p[n] + v[1 + n];") != std::string::npos);
}

TEST_CASE("what_is_no_plain_assignment_stays_where_it_stands") {
  Body body;
  const Value call = body.values.call("flows_3.solve_linear", {body.values.variable("pattern")});
  for (std::size_t k = 0; k < 10; ++k) body.assign(body.at("flows_3.injected", k), body.at("k", k));
  body.block.act(call);
  for (std::size_t k = 0; k < 10; ++k) body.assign(body.at("signals", k), body.at("flows_3.at", k));
  const std::string text = body.rolled();
  const std::size_t place = text.find("flows_3.solve_linear(pattern);\n");
  REQUIRE(place != std::string::npos);
  CHECK(text.find("injected[n]") < place);
  CHECK(text.find("signals[n]") > place);
}

TEST_CASE("calls_of_others_elements_at_variables_and_verbatim_text_are_not_rolled") {
  for (int form = 0; form < 5; ++form) {
    Body body;
    code::Values& v = body.values;
    const Value i = v.variable("i"), b = body.at("b", 2);
    for (int k = 0; k < 10; ++k) {
      if (form == 0) body.assign(v.variable("x"), v.call("f", {v.variable("y")}));
      if (form == 1) body.assign(body.at("a", 1), v.call("other", {b}));
      if (form == 2) body.assign(v.element_at(v.variable("a"), i), v.element_at(v.variable("b"), i));
      if (form == 3) body.block.add(code::Definition{v.name("double"), v.variable("a"), b});
      if (form == 4) body.assign(body.at("a", 1), v.verbatim("b[2]", {b}));
    }
    const std::string before = body.text();
    CHECK(body.rolled() == before);
  }
}

TEST_CASE("blocks_are_rolled_inside") {
  Body body;
  code::Values& v = body.values;
  code::Block& inside = body.block.branch(v.operation(Form::greater, v.variable("s"), v.number(0.0)));
  for (std::size_t k = 0; k < 10; ++k) inside.assign(body.at("a", k), body.at("b", 2 * k));
  const std::string text = body.rolled();
  CHECK(text.find("a[n] = b[2 * n];") != std::string::npos);
  CHECK(text.starts_with("if (s > 0.0) {\n  {\n"));
}
