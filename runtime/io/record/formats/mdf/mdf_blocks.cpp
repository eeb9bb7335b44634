#include "runtime/io/record/formats/mdf/mdf_blocks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <stdexcept>

#include "runtime/trust/new_file.hpp"

namespace takt {

static_assert(std::endian::native == std::endian::little, "blocks are written as they lie in memory");

MdfBlocks::~MdfBlocks() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void MdfBlocks::open(const std::filesystem::path& path) {
  path_ = path;
  descriptor_ = open_new_file(path, O_RDWR);
  if (descriptor_ < 0) throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
  MdfFields id;
  id.text(mdf::file_id).text(mdf::version).text(mdf::program);
  write_at(0, id.fill(4).add(std::uint16_t{410}).fill(30).add(std::uint32_t{0}));
  size_ = mdf::size_of_id;
}

std::uint64_t MdfBlocks::append(std::string_view kind, std::span<const std::uint64_t> links, std::string_view data) {
  const std::uint64_t place = (size_ + 7) / 8 * 8;
  MdfFields block;
  block.text("##").text(kind).fill(4);
  block.add(mdf::head_of_block + 8 * links.size() + data.size()).add(std::uint64_t{links.size()});
  for (const std::uint64_t to : links) block.add(to);
  const std::string_view head = block;
  write_at(place, head);
  write_at(place + head.size(), data);
  if (error_ == 0) size_ = place + head.size() + data.size();
  return place;
}

/// Ends with a zero and fills whole words.
std::uint64_t MdfBlocks::append_text(std::string_view kind, std::string_view text) {
  std::string padded(text);
  padded.resize((text.size() / 8 + 1) * 8);
  return append(kind, {}, padded);
}

void MdfBlocks::overwrite(std::uint64_t block, std::uint64_t offset, std::string_view bytes) {
  write_at(block + mdf::head_of_block + offset, bytes);
}

void MdfBlocks::link(std::uint64_t block, std::size_t number, std::uint64_t to) {
  overwrite(block, 8 * number, MdfFields().add(to));
}

void MdfBlocks::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty() && error_ == 0) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ = written < 0 ? errno : ENOSPC;
      (void)!::ftruncate(descriptor_, static_cast<off_t>(size_));  // what is not linked takes no room
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
}

std::string MdfBlocks::problem() const {
  return error_ == 0 ? "" : "cannot write " + path_.string() + ": " + std::strerror(error_);
}

void MdfBlocks::close() {
  if (descriptor_ < 0) return;
  if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
  if (error_ != 0) throw std::runtime_error(problem());
}

}  // namespace takt
