#include "tools/takt/trial_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "codegen/emit/build/process.hpp"
#include "runtime/io/record/text_file.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
using Json = nlohmann::json;

constexpr double most_seconds = 30.0;  // of computing time; how far trials come in it is told

/// A file that is gone when this is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "takt-trials-XXXXXX").string();
    const int fd = mkstemp(name.data());
    if (fd < 0) throw std::system_error(errno, std::generic_category(), name);
    close(fd);
    path_ = name;
    write_whole(path_, text);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string request(const std::vector<PlanTimes>& plans, double duration_s) {
  Json asked{{"duration_s", duration_s}, {"seconds", most_seconds}, {"plans", Json::array()}};
  for (const PlanTimes& plan : plans)
    asked["plans"].push_back({{"step_ns", plan.step_ns}, {"period_ns", plan.period_ns}});
  return asked.dump();
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list) values.push_back(value.is_number() ? value.get<double>() : HUGE_VAL);
  return values;
}

/// Warnings of the plant stand before the answer, which is its last line.
TrialAnswer answer_in(const std::string& output, const std::vector<std::string>& subsystems) {
  TrialAnswer answer;
  const std::size_t brace = output.rfind("\n{");
  const Json said = Json::parse(brace == std::string::npos ? output : output.substr(brace + 1), nullptr, false);
  if (!said.is_object()) return answer.problem = "the plant did not answer: " + output, answer;
  if (said.at("subsystems").get<std::vector<std::string>>() != subsystems)
    return answer.problem = "the executable is that of another plan", answer;
  answer.covered_s = said.at("covered_s");
  if (!said.contains("signals")) return answer.problem = "the plant records nothing that could be compared", answer;
  for (const Json& signal : said.at("signals")) {
    answer.signals.push_back(signal.at("path"));
    answer.subsystems.push_back(signal.at("subsystem"));
  }
  for (const Json& plan : said.at("plans")) {
    answer.to_first.push_back(numbers(plan.at("to_first")));
    answer.to_last.push_back(numbers(plan.at("to_last")));
    answer.compute_s.push_back(plan.at("compute_s"));
  }
  return answer;
}

}  // namespace

TryPlans trials_of(const BuiltPlant& plant) {
  std::vector<std::string> subsystems;
  for (const PlanSubsystem& subsystem : plant.checked.plan.subsystems) subsystems.push_back(subsystem.name);
  return [&plant, subsystems = std::move(subsystems)](const std::vector<PlanTimes>& plans, double duration_s) {
    const TemporaryFile file(request(plans, duration_s));
    std::vector<std::string> command{plant.executable.string(), "--trials", file.path().string()};
    for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
    const ProcessResult done = run_process(command);
    if (done.exit_code == 0) return answer_in(done.output, subsystems);
    TrialAnswer answer;
    answer.problem = done.output.empty() ? fmt::format("the plant ended with {}", done.exit_code) : done.output;
    while (answer.problem.ends_with('\n')) answer.problem.pop_back();
    return answer;
  };
}

}  // namespace takt::tools
