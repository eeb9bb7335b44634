#include "codegen/fmu_export/archive.hpp"

#include <zip.h>

#include <memory>
#include <stdexcept>

namespace takt::codegen {

void write_archive(const std::filesystem::path& file, const std::vector<ArchiveEntry>& entries) {
  const auto fail = [&](const char* why) -> void {
    throw std::runtime_error("cannot write " + file.string() + ": " + why);
  };
  const std::filesystem::path part = file.string() + ".part";
  std::error_code none;
  std::filesystem::remove(part, none);  // what lies there, a link perhaps, is not written to
  int error = 0;
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive(
      zip_open(part.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error), zip_discard);
  if (!archive) {
    zip_error_t told;
    zip_error_init_with_code(&told, error);
    const std::string why = zip_error_strerror(&told);
    zip_error_fini(&told);
    fail(why.c_str());
  }
  constexpr zip_uint16_t midnight = 0,
                         first_of_1980 = (1 << 5) | 1;  // the earliest that the format knows
  for (const ArchiveEntry& entry : entries) {
    zip_source_t* source =
        zip_source_buffer(archive.get(), entry.content.data(), entry.content.size(), 0);
    const zip_int64_t place = source == nullptr ? -1
                                                : zip_file_add(archive.get(), entry.name.c_str(),
                                                               source, ZIP_FL_ENC_UTF_8);
    if (place < 0 || zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(place), midnight,
                                          first_of_1980, 0) < 0)
      fail(zip_strerror(archive.get()));
  }
  if (zip_close(archive.get()) < 0) fail(zip_strerror(archive.get()));
  (void)archive.release();  // closed: it is gone
  std::error_code problem;
  std::filesystem::rename(part, file, problem);
  if (problem) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    fail(problem.message().c_str());
  }
}

}  // namespace takt::codegen
