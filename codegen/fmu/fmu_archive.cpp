#include "codegen/fmu/fmu_archive.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "codegen/fmu/archive_rules.hpp"

namespace takt::codegen {
namespace {

std::string text_of(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

void report_unopened(const std::string& name, const std::string& why, Diagnostics& diagnostics) {
  diagnostics.error("Y001", {name}, "cannot be opened as an FMU: " + why,
                    "an FMU is a zip archive with modelDescription.xml in it; fetch or export it "
                    "again if it is cut short");
}

/// @return what an entry is where it is neither file nor folder, else empty
std::string special_kind(zip_t* archive, std::uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0 ||
      system != ZIP_OPSYS_UNIX)
    return "";
  const mode_t kind = (attributes >> 16U) & S_IFMT;
  if (kind == 0 || kind == S_IFREG || kind == S_IFDIR) return "";
  return kind == S_IFLNK ? "a symbolic link" : "no file and no folder";
}

}  // namespace

void FmuArchive::Close::operator()(zip* archive) const { zip_discard(archive); }

std::optional<FmuArchive> FmuArchive::open(const std::filesystem::path& file,
                                           Diagnostics& diagnostics) {
  const std::string name = file.string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    report_unopened(name, "it is no file", diagnostics);
    return std::nullopt;
  }
  int code = 0;
  zip_t* archive = zip_open(name.c_str(), ZIP_RDONLY, &code);
  if (archive == nullptr) {
    report_unopened(name, text_of(code), diagnostics);
    return std::nullopt;
  }
  return checked(FmuArchive(archive, name), diagnostics);
}

std::optional<FmuArchive> FmuArchive::of_bytes(std::string_view bytes, const std::string& name,
                                               Diagnostics& diagnostics) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source != nullptr ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (archive == nullptr) {
    report_unopened(name, zip_error_strerror(&error), diagnostics);
    if (source != nullptr) zip_source_free(source);
  }
  zip_error_fini(&error);
  if (archive == nullptr) return std::nullopt;
  return checked(FmuArchive(archive, name), diagnostics);
}

std::optional<FmuArchive> FmuArchive::checked(FmuArchive archive, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  if (!archive.list(diagnostics)) return std::nullopt;
  std::stable_sort(archive.entries_.begin(), archive.entries_.end(),
                   [](const FmuEntry& a, const FmuEntry& b) { return a.name < b.name; });
  check_duplicates(archive.entries_, {archive.name_}, diagnostics);
  check_limits(archive.entries_, {archive.name_}, diagnostics);
  if (diagnostics.error_count() != before) return std::nullopt;
  return archive;
}

bool FmuArchive::list(Diagnostics& diagnostics) {
  const Location where{name_};
  const auto count =
      static_cast<std::uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(zip_.get(), 0)));
  if (count > FmuLimits{}.entries) {
    diagnostics.error("Y006", where,
                      fmt::format("it has {} entries, more than {}", count, FmuLimits{}.entries),
                      "this is taken for a bomb: put the files into fewer");
    return false;
  }
  std::size_t wrong = 0;
  constexpr std::size_t most_told = 20;
  for (std::uint64_t index = 0; index < count && wrong < most_told; ++index) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(zip_.get(), index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_NAME) == 0 ||
        (stat.valid & ZIP_STAT_SIZE) == 0) {
      diagnostics.error("Y007", where,
                        fmt::format("entry {} of the archive cannot be read: {}", index + 1,
                                    zip_strerror(zip_.get())),
                        "fetch or export the FMU again");
      ++wrong;
      continue;
    }
    const std::size_t before = diagnostics.error_count();
    const std::string entry_name = without_dots(stat.name);
    if (entry_name.empty() && stat.name[0] != '\0') continue;  // "./", the top folder
    if (const std::string why = wrong_entry_name(entry_name); !why.empty())
      diagnostics.error("Y002", where,
                        fmt::format("entry '{}' of the archive has a name that is refused: {}",
                                    printable(stat.name), why),
                        "names are relative to the FMU: resources/table.csv");
    if (const std::string kind = special_kind(zip_.get(), index); !kind.empty())
      diagnostics.error("Y003", where,
                        fmt::format("entry '{}' of the archive is {}", printable(stat.name), kind),
                        "pack the file itself");
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
      diagnostics.error("Y005", where,
                        fmt::format("entry '{}' of the archive is encrypted", printable(stat.name)),
                        "FMI knows no passwords: pack it without");
    if ((stat.valid & ZIP_STAT_COMP_METHOD) != 0 && stat.comp_method != ZIP_CM_STORE &&
        stat.comp_method != ZIP_CM_DEFLATE)
      diagnostics.error("Y008", where,
                        fmt::format("entry '{}' of the archive is packed by method {}",
                                    printable(stat.name), stat.comp_method),
                        "FMI allows files that are stored (0) or deflated (8): pack it again so");
    wrong += diagnostics.error_count() - before;
    entries_.push_back({entry_name, index, stat.size,
                        (stat.valid & ZIP_STAT_COMP_SIZE) != 0 ? stat.comp_size : stat.size});
  }
  return true;
}

const FmuEntry* FmuArchive::find(std::string_view name) const {
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), name,
      [](const FmuEntry& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != entries_.end() && found->name == name ? &*found : nullptr;
}

bool FmuArchive::has_folder(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const FmuEntry& entry) {
    return entry.name.starts_with(name) && !entry.is_folder();
  });
}

/// Hands the bytes to take(data, size), which gives false where it cannot go on.
template <class Take>
bool FmuArchive::unpack(const FmuEntry& entry, Diagnostics& diagnostics, const Take& take) const {
  const Location where{name_ + "/" + printable(entry.name)};
  const auto damaged = [&](const std::string& why) {
    diagnostics.error("Y007", where, "is damaged: " + why, "fetch or export the FMU again");
    return false;
  };
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
      zip_fopen_index(zip_.get(), entry.index, 0), zip_fclose);
  if (!file) return damaged(zip_strerror(zip_.get()));
  std::array<char, 65536> piece;  // NOLINT(*-member-init): filled as far as it is read
  std::uint64_t total = 0;
  for (zip_int64_t got = 0; (got = zip_fread(file.get(), piece.data(), piece.size())) != 0;) {
    if (got < 0) return damaged(zip_file_strerror(file.get()));
    total += static_cast<std::uint64_t>(got);
    if (total > entry.size) return damaged("it has more bytes than the archive says");
    if (!take(piece.data(), static_cast<std::size_t>(got))) return false;
  }
  if (total != entry.size)
    return damaged(fmt::format("it has {} bytes instead of {}", total, entry.size));
  return true;
}

std::optional<std::string> FmuArchive::read(const FmuEntry& entry, Diagnostics& diagnostics) const {
  if (entry.size > FmuLimits{}.xml_bytes) {
    diagnostics.error("Y006", {name_ + "/" + printable(entry.name)},
                      fmt::format("has {} bytes, more than {}", entry.size, FmuLimits{}.xml_bytes),
                      "this is taken for a bomb: no description of an FMU needs so many");
    return std::nullopt;
  }
  std::string bytes;
  const bool done = unpack(entry, diagnostics, [&](const char* data, std::size_t size) {
    return bytes.append(data, size), true;
  });
  return done ? std::optional(std::move(bytes)) : std::nullopt;
}

bool FmuArchive::extract(const FmuEntry& entry, const std::filesystem::path& to,
                         Diagnostics& diagnostics) const {
  std::ofstream out(to, std::ios::binary);
  const bool done = unpack(entry, diagnostics, [&](const char* data, std::size_t size) {
    return static_cast<bool>(out.write(data, static_cast<std::streamsize>(size)));
  });
  out.close();
  if (done && out) return true;
  if (!out)
    diagnostics.error("Y070", {to.string()}, "cannot be written",
                      "is the disk full, may this folder be written?");
  return false;
}

}  // namespace takt::codegen
