#pragma once
// What `takt run --verify` found, and how it is told.

#include <string>
#include <vector>

#include "tools/takt/compare_signals.hpp"

namespace takt::tools {

/// One run that the plant was compared with.
struct VerifiedAgainst {
  std::string name;        ///< "reference", "half the steps"
  std::string detail;      ///< how it was made
  std::string missing;     ///< why there is none; then nothing below counts
  double reached_s = 0.0;  ///< compared up to there
  Comparison comparison{};
  std::vector<std::string> uncertain;  ///< signals in which two tolerances of the reference disagree: not judged
};

struct VerifyResult {
  std::string plant;
  double duration_s = 0.0, limit = 0.0;
  std::vector<std::string> verdicts;  ///< what the run itself said against its results
  std::vector<VerifiedAgainst> against;
};

/// The signal is judged and off by more than the limit; also where its error is no number.
[[nodiscard]] bool is_wrong(const VerifyResult& result, const VerifiedAgainst& against, const SignalError& error);
/// Compared with something, no signal wrong, nothing said against the run.
[[nodiscard]] bool is_verified(const VerifyResult& result);

[[nodiscard]] std::string verify_text(const VerifyResult& result);
[[nodiscard]] std::string verify_json(const VerifyResult& result);

}  // namespace takt::tools
