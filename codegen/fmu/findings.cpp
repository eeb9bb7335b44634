#include "codegen/fmu/findings.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace takt::codegen {

Diagnostics told_once(const Diagnostics& findings) {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;  // by code and file
  const auto key = [](const Diagnostic& one) { return std::pair(one.code, one.where.file.text()); };
  for (const Diagnostic& one : findings.all())
    if (one.severity == Severity::warning) ++counts[key(one)];
  Diagnostics told;
  for (const Diagnostic& one : findings.all()) {
    if (one.severity == Severity::error) {
      told.error(one.code, one.where, one.message, one.hint);
    } else if (one.severity == Severity::note) {
      told.note(one.code, one.where, one.message, one.hint);
    } else if (const std::size_t count = std::exchange(counts[key(one)], 0); count > 0) {
      const std::string more =
          count == 1 ? std::string()
                     : fmt::format(" (and {} more of {}: `takt fmu check`)", count - 1, one.code);
      told.warning(one.code, one.where, one.message + more, one.hint);
    }
  }
  return told;
}

Diagnostics as_errors(const Diagnostics& findings) {
  Diagnostics told;
  for (const Diagnostic& one : findings.all())
    told.error(one.code, one.where, one.message, one.hint);
  return told;
}

}  // namespace takt::codegen
