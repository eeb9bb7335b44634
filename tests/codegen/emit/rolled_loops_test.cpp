#include "codegen/emit/rolled_loops.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using takt::codegen::rolled;

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

/// Statements of a few forms that read and overwrite each other's results.
std::string random_statements(std::mt19937& random, std::size_t count) {
  const auto below = [&](std::size_t n) { return std::to_string(random() % n); };
  const char* arrays[] = {"a", "l.value", "flows_3.through"};
  const auto some = [&] { return std::string(arrays[random() % 3]) + "[" + below(300) + "]"; };
  std::string body;
  for (std::size_t k = 0; k < count; ++k) {
    body += "  " + some() + " = " + some();
    if (random() % 2 == 0) body += " + " + some();
    if (random() % 3 == 0) body += " * " + std::string(random() % 2 == 0 ? "0.5" : "0.25");
    body += ";\n";
  }
  return body;
}

}  // namespace

TEST_CASE("statements_in_loops_compute_what_they_computed_one_by_one") {
  std::mt19937 random(7);
  std::size_t loops = 0;
  for (int round = 0; round < 50; ++round) {
    const std::string body = random_statements(random, 300);
    Machine one_by_one, in_loops;
    for (Machine* machine : {&one_by_one, &in_loops})
      for (std::size_t k = 0; k < 300; ++k)
        for (const char* array : {"a", "l.value", "flows_3.through"})
          machine->at(array, k) = static_cast<double>(k) + 0.125;
    one_by_one.run(body);
    in_loops.run(rolled(body));
    CHECK(one_by_one.memory() == in_loops.memory());
    loops += in_loops.loops();
  }
  CHECK(loops > 100);
}

TEST_CASE("many_statements_of_one_form_become_one_loop") {
  std::string body;
  for (int k = 0; k < 1000; ++k)
    body += "l.value[" + std::to_string(k) + "] = -k[" + std::to_string(7 * k % 1000) + "];  // a comment\n";
  const std::string loop = rolled(body);
  CHECK(loop.find("for (std::uint32_t n = 0; n < 1000; ++n) l.value[n] = -k[at[n]];") != std::string::npos);
  CHECK(loop.find("l.value[999]") == std::string::npos);
}

TEST_CASE("a_chain_stays_in_its_order_in_one_loop") {
  std::string body = "p[0] = 0.0;\n";
  for (int k = 1; k < 100; ++k)
    body += "p[" + std::to_string(k) + "] = p[" + std::to_string(k - 1) + "] + v[" + std::to_string(k) + "];\n";
  CHECK(rolled(body).find("n < 99; ++n) p[1 + n] = p[n] + v[1 + n];") != std::string::npos);
}

TEST_CASE("what_is_no_plain_assignment_stays_where_it_stands") {
  const std::string call = "flows_3.solve_linear(pattern);\n";
  std::string before, after;
  for (int k = 0; k < 10; ++k) {
    before += "flows_3.injected[" + std::to_string(k) + "] = k[" + std::to_string(k) + "];\n";
    after += "signals[" + std::to_string(k) + "] = flows_3.at[" + std::to_string(k) + "];\n";
  }
  const std::string body = rolled(before + call + after);
  const std::size_t place = body.find(call);
  REQUIRE(place != std::string::npos);
  CHECK(body.find("injected[n]") < place);
  CHECK(body.find("signals[n]") > place);
  for (const char* line : {"x = f(y);\n", "a[1] = other(b[2]);\n", "a[i] = b[i];\n", "const double a = b[1];\n"}) {
    std::string lines;
    for (int k = 0; k < 10; ++k) lines += line;
    CHECK(rolled(lines) == lines);
  }
}

TEST_CASE("blocks_are_rolled_inside") {
  std::string body = "if (s > 0.0) {\n";
  for (int k = 0; k < 10; ++k) body += "  a[" + std::to_string(k) + "] = b[" + std::to_string(2 * k) + "];\n";
  body += "}\n";
  CHECK(rolled(body).find("a[n] = b[2 * n];") != std::string::npos);
  CHECK(rolled(body).starts_with("if (s > 0.0) {\n  {\n"));
}
