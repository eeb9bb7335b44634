#include "codegen/text/literal.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace takt::codegen;

TEST_CASE("literals_read_back_as_the_same_double") {
  CHECK(double_literal(1.0) == "1.0");
  CHECK(double_literal(0.1) == "0.1");
  CHECK(double_literal(1e22) == "1e+22");
  CHECK(double_literal(4.7e-11) == "4.7e-11");
  CHECK(double_literal(std::numeric_limits<double>::infinity()) == "std::numeric_limits<double>::infinity()");
}
