// What says how the packed sources are compiled: to importers, to people, to CMake.

#include <pugixml.hpp>
#include <sstream>

#include "codegen/emit/build/build.hpp"
#include "codegen/fmu_export/packed_sources.hpp"
#include "codegen/source/template.hpp"
#include "fmu_templates.hpp"

namespace takt::codegen {
namespace {

/// Those that keep the bits are in fmu_settings.hpp, too: FMI 2 cannot say them.
constexpr const char* options =
    "-O3 -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math -fvisibility=hidden "
    "-fvisibility-inlines-hidden";

bool has_steps(const ExportedFmu& fmu) { return fmu.how.kind == FmuKind::co_simulation; }

}  // namespace

std::string build_description(const ExportedFmu& fmu) {
  pugi::xml_document document;
  pugi::xml_node head = document.append_child(pugi::node_declaration);
  head.append_attribute("version") = "1.0";
  head.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("fmiBuildDescription");
  root.append_attribute("fmiVersion") = "3.0";
  pugi::xml_node build = root.append_child("BuildConfiguration");
  build.append_attribute("modelIdentifier") = fmu.identifier.c_str();
  build.append_attribute("description") =
      has_steps(fmu) ? "Linux on x86-64 and 64-bit ARM; needs the headers of Eigen 3.4 and Boost"
                     : "Linux on x86-64 and 64-bit ARM";
  pugi::xml_node set = build.append_child("SourceFileSet");
  set.append_attribute("language") = "C++20";
  set.append_attribute("compiler") = "g++";
  set.append_attribute("compilerOptions") = options;
  for (const SourceFile& file : fmu.packed)
    if (file.name.ends_with(".cpp"))
      set.append_child("SourceFile").append_attribute("name") = file.name.c_str();
  set.append_child("IncludeDirectory").append_attribute("name") = ".";
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

std::string sources_read_me(const ExportedFmu& fmu) {
  const std::string version = std::to_string(fmu.how.version);
  return "Sources of the FMU " + fmu.identifier +
         ": the plant and the part of the runtime of Takt that it needs.\n\n" +
         "They are C++20 for Linux on x86-64 and 64-bit ARM, by g++ 12 or clang 14 or newer. Not "
         "packed:\n"
         "  headers of FMI " +
         version + " (fmi" + version +
         "Functions.h and what it includes): every importer that compiles has them\n" +
         (has_steps(fmu) ? "  headers of Eigen 3.4 and Boost 1.74 or newer (Debian: apt install "
                           "libeigen3-dev libboost-dev)\n"
                         : "") +
         "By hand, in this folder:\n"
         "  g++ -std=c++20 " +
         options +
         " \\\n"
         "    -fPIC -shared -I FOLDER_OF_FMI_HEADERS" +
         (fmu.how.version >= 3 ? " -DFMI3_OVERRIDE_FUNCTION_PREFIX" : "") + " *.cpp -o " +
         fmu.identifier +
         ".so\n"
         "The bits are those of the library that Takt has made. Without "
         "-DFMI3_OVERRIDE_FUNCTION_PREFIX functions of "
         "FMI 3\n"
         "are called " +
         fmu.identifier + "_fmi3..., as static libraries need it.\n";
}

std::string packed_cmake(const ExportedFmu& fmu) {
  return filled(packed_cmake_in, {{"identifier", fmu.identifier},
                                  {"sources", cmake_sources(fmu.packed)},
                                  {"options", options},
                                  {"links", library_link_options()},
                                  {"tail", cmake_tail()}}) +
         "\n";
}

}  // namespace takt::codegen
