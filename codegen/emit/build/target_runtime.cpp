#include "codegen/emit/build/target_runtime.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "build_templates.hpp"
#include "codegen/text/hash.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".cpp" || kind == ".hpp" || kind == ".cmake" ||
         file.filename() == "CMakeLists.txt";
}

/// By content: clones and installations of one version share what is compiled.
std::string identity_of(const fs::path& sources) {
  std::vector<std::pair<std::string, fs::path>> files;  // by name below the folder
  for (const char* folder : {"runtime", "targets"}) {
    const fs::path from = fs::canonical(sources / folder);
    for (const auto& each : fs::recursive_directory_iterator(from))
      if (is_source(each.path()))
        files.emplace_back(folder / each.path().lexically_relative(from), each.path());
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const auto& [name, file] : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    all += name + "\n" + std::to_string(text.size()) + "\n" + text;
  }
  return hash_text(all);
}

/// Whether recordings can be compressed: taken or left when the runtime is compiled.
bool has_zlib(const std::string& machine) {
  return fs::exists("/usr/lib/" + machine + "-linux-gnu/libz.a");
}

}  // namespace

fs::path runtime_cache() {
  const fs::path cache = user_cache();
  return cache.empty() ? fs::absolute(".takt/runtime") : cache / "runtime";
}

BuildResult target_runtime(const RuntimeRequest& request) {
  return build_sources(
      {}, {.name = "runtime",
           .directory = request.cache / request.machine,
           .cmake_package = {},
           .identity = identity_of(request.sources) + (has_zlib(request.machine) ? " zlib" : ""),
           .march = {},
           .cmake = std::string(build_runtime_cmake_in) + "\n",
           .machine = request.machine,
           .unkeyed = {"-DTAKT_RUNTIME=" + fs::canonical(request.sources).string()},
           .kept = 4,
           .progress = request.progress});
}

}  // namespace takt::codegen
