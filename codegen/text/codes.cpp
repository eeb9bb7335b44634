#include "codegen/text/codes.hpp"

#include <algorithm>
#include <vector>

#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

bool precedes(const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; }

std::vector<CodeEntry> collect() {
  std::vector<CodeEntry> all;
  for (const auto rows :
       {rig_codes(), text_codes(), library_codes(), network_codes(), steps_codes(), runs_codes(),
        foreign_codes(), fmu_codes(), ssp_codes(), modelica_codes()})
    all.insert(all.end(), rows.begin(), rows.end());
  std::sort(all.begin(), all.end(), precedes);
  return all;
}

}  // namespace

std::span<const CodeEntry> all_codes() {
  static const std::vector<CodeEntry> codes = collect();
  return codes;
}

const CodeEntry* find_code(std::string_view code) {
  const auto codes = all_codes();
  const auto entry =
      std::lower_bound(codes.begin(), codes.end(), CodeEntry{code, {}, {}}, precedes);
  return entry != codes.end() && entry->code == code ? &*entry : nullptr;
}

}  // namespace takt::codegen
