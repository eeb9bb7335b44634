#include "runtime/fmu/library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <mutex>
#include <set>

#include "float_control.hpp"  // of the platform, chosen by CMake
#include "runtime/fmu/own_process.hpp"

namespace takt::fmu {
namespace {

std::mutex loaded_mutex;
std::set<std::string>& loaded() {
  static std::set<std::string> paths;
  return paths;
}

/// A library finds its own names, and those of the libraries it brings, before those of this process: an FMU with a
/// function gamma() would else be given that of libm. Sanitizers refuse it: their own malloc() must be found first.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int own_names_first = 0;
#else
constexpr int own_names_first = RTLD_DEEPBIND;
#endif

/// Constructors of the library run: they may change what the thread computes with.
void* opened(const std::string& path) {
  const platform::FloatControl own = platform::float_control();
  platform::set_float_control(platform::plain_float_control);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | own_names_first);
  platform::set_float_control(own);
  if (is_copy()) leave_as_copy();
  return handle;
}

}  // namespace

Library::Library(const std::string& path, bool alone) : path_(path), alone_(alone) {
  std::error_code missing;
  const std::filesystem::path whole = std::filesystem::canonical(path, missing);
  if (missing) throw LoadError(path + ": " + missing.message());
  path_ = whole.string();
  const std::lock_guard lock(loaded_mutex);
  if (alone_ && loaded().contains(path_))
    throw LoadError(
        path_ + ": the FMU allows one instance per process (canBeInstantiatedOnlyOncePerProcess), and there is one");
  handle_ = opened(path_);
  if (handle_ == nullptr) {
    const char* problem = dlerror();
    const std::string text = problem == nullptr ? path_ + " cannot be loaded" : problem;
    const bool python = text.find("undefined symbol: _Py") != std::string::npos ||
                        text.find("undefined symbol: Py") != std::string::npos;
    throw LoadError(
        text + (python ? "\n  it expects a Python interpreter in the process: start with LD_PRELOAD=libpython3.N.so.1.0"
                       : ""));
  }
  if (alone_) loaded().insert(path_);
}

Library::~Library() {
  const std::lock_guard lock(loaded_mutex);
  if (handle_ != nullptr) dlclose(handle_);
  if (alone_) loaded().erase(path_);
}

void* Library::symbol(const char* name, bool required) const {
  dlerror();
  void* found = dlsym(handle_, name);
  // Compiled from sources whose functions have the prefix that static libraries need: IDENTIFIER_fmi2DoStep.
  if (found == nullptr) found = dlsym(handle_, (std::filesystem::path(path_).stem().string() + "_" + name).c_str());
  if (found == nullptr && required) throw LoadError(path_ + " has no function " + name);
  return found;
}

}  // namespace takt::fmu
