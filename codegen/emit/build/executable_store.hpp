#pragma once
// Built executables, each under the key of what it was built from. One that is there never changes.
// What is kept may also be a folder. Beside it stands the hash of its content, which is compared
// before it is given out.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "runtime/io/file_lock.hpp"

namespace takt::codegen {

/// An executable that nobody removes while this, or a program started from here, lives.
struct StoredExecutable {
  std::filesystem::path path;
  FileLock in_use;  ///< shared
};

/// FOLDER/KEY-COMPILER/NAME. Any number of processes may look at once; one adds.
class ExecutableStore {
 public:
  /// The file that is locked by all who may run the executable beside it.
  static constexpr const char* in_use = "in_use";

  using Tell = std::function<void(const std::string&)>;

  /// @param kept  that many stay
  /// @param tell  is told of what is there and not given out; may be empty
  ExecutableStore(std::filesystem::path folder, std::string name, std::size_t kept, Tell tell = {})
      : folder_(std::move(folder)), name_(std::move(name)), kept_(kept), tell_(std::move(tell)) {}

  /// Only what nobody else can have put there (runtime/trust), and is what was stored.
  /// @param compiler  empty: whichever it was built by; results are the same bits
  [[nodiscard]] std::optional<StoredExecutable> find(const std::string& key,
                                                     const std::string& compiler) const;

  /// Moves `built` here under a temporary name, renames it, and removes those that have not been
  /// used for longest.
  /// @throws std::runtime_error, std::filesystem::filesystem_error  where it cannot be written
  [[nodiscard]] StoredExecutable add(const std::string& key, const std::string& compiler,
                                     const std::filesystem::path& built) const;

 private:
  [[nodiscard]] std::optional<StoredExecutable> take(const std::filesystem::path& entry) const;
  [[nodiscard]] bool is_as_stored(const std::filesystem::path& entry) const;
  void clean() const;

  std::filesystem::path folder_;
  std::string name_;
  std::size_t kept_;
  Tell tell_;
};

}  // namespace takt::codegen
