#pragma once
// FmuArchive: the zip archive of an FMU, opened for reading. What could write outside a folder,
// fill a disk or hide something is refused when it is opened; what is damaged, when it is read.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"

struct zip;

namespace takt::codegen {

struct FmuEntry {
  std::string name;  ///< relative, '/' between folders; a folder ends in '/'
  std::uint64_t index = 0, size = 0, packed = 0;
  [[nodiscard]] bool is_folder() const { return name.ends_with('/'); }
};

/// What an archive may have.
struct FmuLimits {
  std::uint64_t entries = 20'000;
  std::uint64_t bytes = std::uint64_t{4} << 30;  ///< of all files, unpacked
  std::uint64_t ratio = 200;  ///< unpacked to packed, of archives beyond unjudged_bytes
  std::uint64_t unjudged_bytes = std::uint64_t{64} << 20;
  std::uint64_t xml_bytes = std::uint64_t{64} << 20;  ///< of one XML file
};

class FmuArchive {
 public:
  /// @return nothing where it is no archive or breaks a rule (Y001 to Y008)
  static std::optional<FmuArchive> open(const std::filesystem::path& file,
                                        Diagnostics& diagnostics);
  /// The same of bytes in memory, which must stay as long as the archive.  @param name  for
  /// messages
  static std::optional<FmuArchive> of_bytes(std::string_view bytes, const std::string& name,
                                            Diagnostics& diagnostics);

  [[nodiscard]] const std::vector<FmuEntry>& entries() const { return entries_; }
  [[nodiscard]] const FmuEntry* find(std::string_view name) const;
  [[nodiscard]] bool has_folder(
      std::string_view name) const;  ///< anything below name, which ends in '/'

  /// @return all its bytes, or nothing where they cannot be unpacked or their checksum is wrong
  /// (Y007)
  std::optional<std::string> read(const FmuEntry& entry, Diagnostics& diagnostics) const;
  /// The same into a file, piece by piece.
  bool extract(const FmuEntry& entry, const std::filesystem::path& to,
               Diagnostics& diagnostics) const;

 private:
  struct Close {
    void operator()(zip* archive) const;
  };
  FmuArchive(zip* archive, std::string name) : zip_(archive), name_(std::move(name)) {}
  static std::optional<FmuArchive> checked(FmuArchive archive, Diagnostics& diagnostics);
  bool list(Diagnostics& diagnostics);
  template <class Take>
  bool unpack(const FmuEntry& entry, Diagnostics& diagnostics, const Take& take) const;

  std::unique_ptr<zip, Close> zip_;
  std::string name_;
  std::vector<FmuEntry> entries_;  ///< sorted by name
};

}  // namespace takt::codegen
