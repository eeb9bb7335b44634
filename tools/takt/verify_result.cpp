#include "tools/takt/verify_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace takt::tools {
namespace {

constexpr std::size_t most_lines = 40;

const SignalError* find(const VerifiedAgainst& against, const std::string& path) {
  for (const SignalError& error : against.comparison.signals)
    if (error.path == path) return &error;
  return nullptr;
}

bool is_uncertain(const VerifiedAgainst& against, const std::string& path) {
  return std::find(against.uncertain.begin(), against.uncertain.end(), path) != against.uncertain.end();
}

/// All signals, the worst of either comparison first.
std::vector<const SignalError*> ranked(const VerifyResult& result) {
  std::map<std::string, const SignalError*> worst;
  for (const VerifiedAgainst& against : result.against)
    for (const SignalError& error : against.comparison.signals) {
      const SignalError*& known = worst[error.path];
      if (known == nullptr || !(error.normalised() <= known->normalised())) known = &error;
    }
  std::vector<const SignalError*> list;
  for (const auto& [path, error] : worst) list.push_back(error);
  std::stable_sort(list.begin(), list.end(),
                   [](const SignalError* a, const SignalError* b) { return !(b->normalised() >= a->normalised()); });
  return list;
}

std::string cells(const VerifyResult& result, const VerifiedAgainst& against, const std::string& path) {
  const SignalError* error = find(against, path);
  if (error == nullptr) return fmt::format("  {:>10} {:>10}  {:5}", "-", "-", "");
  const char* mark = is_wrong(result, against, *error) ? "WRONG" : is_uncertain(against, path) ? "?" : "";
  return fmt::format("  {:>10.2e} {:>10.2e}  {:5}", error->normalised(), error->largest / error->scale, mark);
}

std::string heading(const VerifyResult& result) {
  std::string text =
      fmt::format("{}: compared over {:g} s; errors over the range of each signal, limit of the RMS {:g}\n",
                  result.plant, result.duration_s, result.limit);
  for (const VerifiedAgainst& against : result.against) {
    text += "  " + against.name + ": " + (against.missing.empty() ? against.detail : "none: " + against.missing);
    if (against.missing.empty() && against.reached_s < result.duration_s * (1.0 - 1e-9))
      text += fmt::format("; compared up to {:g} s, as far as it came", against.reached_s);
    text += '\n';
    if (!against.uncertain.empty())
      text += fmt::format("    {} signals marked ? are not judged by it: its own two tolerances disagree\n",
                          against.uncertain.size());
  }
  return text;
}

std::string conclusion(const VerifyResult& result) {
  for (const std::string& verdict : result.verdicts) return "not verified: the run itself says " + verdict;
  std::size_t wrong = 0, compared = 0;
  for (const VerifiedAgainst& against : result.against) {
    compared += against.missing.empty() ? 1 : 0;
    for (const SignalError& error : against.comparison.signals) wrong += is_wrong(result, against, error) ? 1 : 0;
  }
  if (compared == 0) return "not verified: there is nothing to compare with";
  if (wrong > 0)
    return fmt::format(
        "not verified: {} above the limit; smaller steps or synchronisation times in [solve] and [sync], or another "
        "method, may mend it",
        wrong == 1 ? "one error" : fmt::format("{} errors", wrong));
  for (const VerifiedAgainst& against : result.against)
    if (!against.missing.empty()) return "verified, but not against the " + against.name + ": there was none";
  return "verified";
}

}  // namespace

bool is_wrong(const VerifyResult& result, const VerifiedAgainst& against, const SignalError& error) {
  return !(error.normalised() <= result.limit) && !is_uncertain(against, error.path);
}

bool is_verified(const VerifyResult& result) {
  bool compared = false;
  for (const VerifiedAgainst& against : result.against) {
    compared = compared || against.missing.empty();
    for (const SignalError& error : against.comparison.signals)
      if (is_wrong(result, against, error)) return false;
  }
  return compared && result.verdicts.empty();
}

std::string verify_text(const VerifyResult& result) {
  std::string text = heading(result);
  const std::vector<const SignalError*> signals = ranked(result);
  std::size_t width = 6;
  for (const SignalError* error : signals) width = std::max(width, error->path.size());
  text += fmt::format("\n{:{}}  {:>10}  {:6}", "signal", width, "range", "unit");
  for (const VerifiedAgainst& against : result.against)
    text += fmt::format("  {:>10} {:>10}  {:5}", against.name == "reference" ? "reference" : "half steps", "max", "");
  text += '\n';
  for (std::size_t k = 0; k < std::min(signals.size(), most_lines); ++k) {
    const SignalError& error = *signals[k];
    text += fmt::format("{:{}}  {:>10.4g}  {:6}", error.path, width, error.scale, error.unit);
    for (const VerifiedAgainst& against : result.against) text += cells(result, against, error.path);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  if (signals.size() > most_lines)
    text += fmt::format("... and {} more that are closer\n", signals.size() - most_lines);
  return text + "\n" + conclusion(result) + "\n";
}

std::string verify_json(const VerifyResult& result) {
  nlohmann::ordered_json out{
      {"model", result.plant},           {"verified", is_verified(result)}, {"conclusion", conclusion(result)},
      {"duration_s", result.duration_s}, {"limit", result.limit},           {"verdicts", result.verdicts}};
  out["against"] = nlohmann::ordered_json::array();
  for (const VerifiedAgainst& against : result.against) {
    nlohmann::ordered_json one{{"name", against.name},
                               {"detail", against.detail},
                               {"missing", against.missing},
                               {"reached_s", against.reached_s}};
    one["signals"] = nlohmann::ordered_json::array();
    for (const SignalError& error : against.comparison.signals)
      one["signals"].push_back({{"name", error.path},
                                {"unit", error.unit},
                                {"scale", error.scale},
                                {"rms_normalised", error.normalised()},
                                {"max_normalised", error.largest / error.scale},
                                {"at_s", error.largest_at_s},
                                {"judged", !is_uncertain(against, error.path)},
                                {"within", !is_wrong(result, against, error)}});
    out["against"].push_back(std::move(one));
  }
  return out.dump(2) + "\n";
}

}  // namespace takt::tools
