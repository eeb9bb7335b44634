// Compiled code computes the bits of Graph::evaluate; see make_printed_cases.cpp.

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

extern const int case_count, point_count;
extern void (*const case_functions[])(const double*, double*);
extern const double case_points[][8];

TEST_CASE("compiled_expressions_give_the_bits_of_evaluate") {
  int finite = 0;
  for (int number = 0; number < case_count; ++number) {
    for (int point = 0; point < point_count; ++point) {
      const double* row = case_points[number * point_count + point];
      double out[4] = {};
      case_functions[number](row, out);
      for (int root = 0; root < 4; ++root) {
        const double want = row[4 + root];
        INFO("case " << number << " root " << root << ": " << out[root] << " instead of " << want);
        if (std::isnan(want)) {
          CHECK(std::isnan(out[root]));
        } else {
          ++finite;
          CHECK(std::bit_cast<std::uint64_t>(out[root]) == std::bit_cast<std::uint64_t>(want));
        }
      }
    }
  }
  CHECK(finite > 4000);
}
