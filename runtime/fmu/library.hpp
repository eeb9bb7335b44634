#pragma once

#include <stdexcept>
#include <string>

namespace takt::fmu {

/// What keeps an FMU from being called at all: its library does not load, a function is missing. what() names it.
struct LoadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A shared library, its names kept apart from those of others (RTLD_LOCAL) and found first (RTLD_DEEPBIND).
class Library {
 public:
  /// @param path  of the file
  /// @param alone  refuse a second one of the same file in this process (canBeInstantiatedOnlyOncePerProcess)
  /// @throw LoadError
  Library(const std::string& path, bool alone);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// @param name  of the function
  /// @throw LoadError  where it is required and missing
  /// @return null where it is missing and not required
  template <class Function>
  void resolve(Function*& function, const char* name, bool required = true) const {
    function = reinterpret_cast<Function*>(symbol(name, required));
  }
  /// Its code stays in memory: after Fatal, nothing of it may run again, not even what it does when it is closed.
  void abandon() noexcept { handle_ = nullptr; }

 private:
  [[nodiscard]] void* symbol(const char* name, bool required) const;
  std::string path_;
  bool alone_ = false;
  void* handle_ = nullptr;
};

}  // namespace takt::fmu
