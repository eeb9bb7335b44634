#include "tools/takt/reference_process.hpp"

#include <fmt/format.h>

#include <cmath>
#include <csignal>

#include "codegen/emit/build/process.hpp"
#include "codegen/text/quantity.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {

using namespace takt::codegen;

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t error = text.find("error[");
  if (error != std::string::npos) return text.substr(error, text.find('\n', error) - error);
  return text.substr(text.rfind('\n') + 1);
}

std::string make_reference(const ReferenceWish& wish, const std::filesystem::path& out) {
  std::vector<std::string> command{"/proc/self/exe",
                                   "reference",
                                   wish.plant,
                                   "--for",
                                   duration_text(std::llround(wish.duration_s * 1e9)),
                                   "--rtol",
                                   wish.tolerance,
                                   "--at-most",
                                   fmt::format("{}", wish.at_most_s),
                                   "--out",
                                   out.string()};
  if (!wish.solve.empty()) command.insert(command.end(), {"--solve", wish.solve});
  for (const std::string& setting : wish.set) command.insert(command.end(), {"--set", setting});
  if (!wish.start.empty()) command.insert(command.end(), {"--start", wish.start.string()});
  command.insert(command.end(), wish.inputs.begin(), wish.inputs.end());
  const WaitLine line(fmt::format("solving the reference, which may take {:g} s", wish.at_most_s));
  const ProcessResult made = run_process(command);
  if (made.exit_code == 128 + SIGALRM) return fmt::format("it took more than {:g} s", wish.at_most_s);
  return made.exit_code == 0 ? std::string() : last_line(made.output);
}

}  // namespace takt::tools
