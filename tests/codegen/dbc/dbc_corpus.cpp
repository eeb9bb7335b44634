// Every database of the reference material loads, without errors, and can be walked. 77 where the material is missing.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "codegen/dbc/codec.hpp"

using namespace takt::codegen;
namespace fs = std::filesystem;

int main() {
  const char* data = std::getenv("TAKT_SHARED_DATA");
  const fs::path folder = fs::path(data != nullptr ? data : "") / "can_dbc";
  if (data == nullptr || !fs::is_directory(folder)) {
    std::printf("skipped: no databases in %s\n", folder.c_str());
    return 77;
  }
  std::size_t files = 0, messages = 0, failures = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".dbc") continue;
    Diagnostics diagnostics;
    const auto dbc = load_dbc(entry.path().string(), diagnostics);
    bool good = dbc && !diagnostics.has_errors() && !dbc->messages.empty();
    for (std::size_t m = 0; good && m < dbc->messages.size(); ++m) {
      const auto& message = dbc->messages[m];
      const std::vector<std::uint8_t> zeros(message.length);
      good = !message.usable || decode_message(message, zeros).size() == message.signals.size();
    }
    ++files;
    if (good) {
      messages += dbc->messages.size();
    } else {
      ++failures;
      std::printf("FAILED %s\n%s", entry.path().c_str(), diagnostics.render().c_str());
    }
  }
  std::printf("%zu databases, %zu messages, %zu failures\n", files, messages, failures);
  return failures == 0 && files > 50 && messages > 1000 ? 0 : 1;
}
