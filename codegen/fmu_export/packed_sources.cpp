#include "codegen/fmu_export/packed_sources.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "codegen/source/template.hpp"
#include "fmu_templates.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

constexpr const char* settings = "fmu_settings.hpp";
/// Of every platform under one name: which is chosen when they are compiled.
constexpr const char* of_platform = "denormals.hpp";
constexpr const char* platforms[] = {"x86_64", "aarch64"};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw std::runtime_error("the FMU cannot carry its sources: " + file.string() +
                             " is not there; build or install takt again, all of it");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string flat_name(std::string path) {
  for (char& c : path)
    if (c == '/' || c == '-') c = '_';
  return path;
}

/// What a line includes by quotes.
std::optional<std::string> included_by(const std::string& line) {
  constexpr std::string_view head = "#include \"";
  if (!line.starts_with(head)) return std::nullopt;
  return line.substr(head.size(), line.find('"', head.size()) - head.size());
}

class Packer {
 public:
  Packer(const ExportedFmu& fmu, const fs::path& runtime) : runtime_(runtime) {
    for (const SourceFile& file : fmu.sources)
      if (file.name != "fmu.map") add(file.name, file.text.bytes());
    const std::string kind = fmu.how.kind == FmuKind::co_simulation ? "cs" : "me";
    const std::string functions = "fmi" + std::to_string(fmu.how.version) + "_" + kind;
    std::istringstream lines(text_of(runtime / "fmu_sources.txt"));
    for (std::string library, path; lines >> library >> path;)
      if (library == "fmu_" + kind || library == functions) take(path);
  }

  Sources sources() && {
    std::sort(files_.begin(), files_.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return std::move(files_);
  }

 private:
  void take(const std::string& path) {
    if (taken_.insert(path).second) add(flat_name(path), text_of(runtime_ / path));
  }

  void add(const std::string& name, const std::string& text) {
    std::string own =
        name.ends_with(".cpp") ? std::string("#include \"") + settings + "\"\n\n" : std::string();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::optional<std::string> header = included_by(line);
      if (header && header->starts_with("runtime/")) {
        take(*header);
        line = "#include \"" + flat_name(*header) + "\"";
      } else if (header == of_platform) {
        take_platforms();
      }
      own += line + "\n";
    }
    files_.push_back({name, SourceText(std::move(own))});
  }

  void take_platforms() {
    if (!taken_.insert(of_platform).second) return;
    std::string choice = "#pragma once\n// Of the machine that is compiled for.\n\n#if ";
    for (const char* machine : platforms) {
      const std::string path = std::string("targets/linux-") + machine + "/" + of_platform;
      take(path);
      choice +=
          std::string("defined(__") + machine + "__)\n#include \"" + flat_name(path) + "\"\n#elif ";
    }
    choice.resize(choice.size() - std::string_view("#elif ").size());
    files_.push_back(
        {of_platform,
         SourceText(choice +
                    "#else\n#error \"a plant of Takt runs on x86-64 and 64-bit ARM\"\n#endif\n")});
  }

  const fs::path runtime_;
  Sources files_;
  std::set<std::string> taken_;
};

/// Letters and digits of the token: another plant, version or kind has others.
std::string own_part(const ExportedFmu& fmu) {
  std::string part;
  for (const char c : fmu.token)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) part += c;
  return part;
}

std::string settings_text(const ExportedFmu& fmu) {
  std::string text = filled(fmu_settings_hpp_in, {{"part", own_part(fmu)}}) + "\n";
  if (fmu.how.version >= 3) text += "#define FMI3_FUNCTION_PREFIX " + fmu.identifier + "_\n";
  if (fmu.how.kind == FmuKind::co_simulation)
    text +=
        "// The same bits on every instruction set.\n#define EIGEN_DONT_VECTORIZE\n#define "
        "EIGEN_MPL2_ONLY\n";
  return text;
}

}  // namespace

Sources packed_sources(const ExportedFmu& fmu, const fs::path& runtime) {
  Sources sources = Packer(fmu, runtime).sources();
  sources.push_back({settings, SourceText(settings_text(fmu))});
  std::set<std::string> names;
  for (const SourceFile& file : sources)
    if (!names.insert(file.name).second)
      throw std::runtime_error(
          "the FMU cannot carry its sources: a circuit of the plant and a part of the runtime are "
          "both called " +
          file.name + "; give the circuit another name");
  return sources;
}

}  // namespace takt::codegen
