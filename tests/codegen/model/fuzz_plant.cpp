// libFuzzer entry of the plant reader: any text is either a network or a finding, never a crash.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codegen/model/load_plant.hpp"
#include "tests/runtime/support/places.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const takt::codegen::Library library = [] {
    takt::codegen::Diagnostics diagnostics;
    takt::codegen::Library loaded = takt::codegen::load_library({takt::test::library_folder()}, diagnostics);
    if (!diagnostics.all().empty()) std::abort();
    return loaded;
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  takt::codegen::Diagnostics diagnostics;
  const auto network = takt::codegen::load_plant_text({text, "fuzz/plant.toml"}, library, {}, diagnostics);
  if (!network && !diagnostics.has_errors()) std::abort();  // refused without saying why
  if (network) {
    // Every expression of a network means something: it is made of symbols of the graph.
    for (const auto& branch : network->branches) (void)network->graph().symbols_of(branch.law);
    for (const auto& block : network->blocks) {
      if (block.period_ns <= 0) std::abort();
    }
  }
  return 0;
}
