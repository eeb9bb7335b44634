// libFuzzer entry of the tap: the input is what a client writes, line by line. Every line has an answer, and every
// answer is JSON.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/runtime/tap/desk_bench.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static takt::test::DeskBench bench;
  bench.renew();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (int lines = 0; !text.empty() && lines < 20; ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    bench.session->take(line);
    bench.boundary();
    bench.boundary();
    std::size_t answers = 0;
    for (const auto& answer : bench.lines()) answers += answer.contains("ok") ? 1U : 0U;
    if (answers == 0 && line.find_first_not_of(" \t\r") != std::string_view::npos) std::abort();
  }
  return 0;
}
