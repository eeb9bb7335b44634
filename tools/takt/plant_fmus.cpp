#include "tools/takt/plant_fmus.hpp"

#include <algorithm>
#include <cstdio>

#include "codegen/fmu/read_fmu.hpp"
#include "tools/takt/fmu_sources.hpp"
#include "tools/takt/home.hpp"

namespace takt::tools {

bool lay_out_fmus(const codegen::Network& network, const std::filesystem::path& directory) {
  if (network.foreign.empty()) return true;
  namespace fs = std::filesystem;
  const fs::path fmus = directory / "fmu", host = find_home().prefix / "bin" / "takt-fmu-host";
  codegen::Diagnostics diagnostics;
  try {
    fs::create_directories(fmus);
    const auto unpack = [&](const codegen::ForeignModel& model) {
      const fs::path folder = fmus / model.folder;
      return (fs::exists(folder) || codegen::unpack_fmu(*model.fmu, folder, diagnostics)) &&
             compile_sources(*model.fmu, folder, diagnostics);
    };
    for (const codegen::ForeignModel& model : network.foreign)
      if (!(model.members.empty() ? unpack(model) : std::all_of(model.members.begin(), model.members.end(), unpack)))
        break;
    const fs::path part = fmus / "takt-fmu-host.part";
    fs::copy_file(host, part, fs::copy_options::overwrite_existing);
    fs::rename(part, fmus / "takt-fmu-host");
  } catch (const fs::filesystem_error& error) {
    std::fprintf(stderr, "takt: cannot lay out the FMUs of %s: %s\n", network.name.c_str(), error.what());
    return false;
  }
  std::fputs(diagnostics.render().c_str(), stderr);
  return !diagnostics.has_errors();
}

}  // namespace takt::tools
