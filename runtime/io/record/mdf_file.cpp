#include "runtime/io/record/mdf_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace takt {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are written as they lie in memory");

constexpr std::uint64_t head_of_block = 24;  // kind, length, number of links
constexpr std::uint64_t no_link = 0;

/// Fields of a block, in their order.
class Fields {
 public:
  template <class T>
  Fields& add(T value) {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    bytes_.append(raw.data(), raw.size());
    return *this;
  }
  Fields& fill(std::size_t zeros) {
    bytes_.append(zeros, '\0');
    return *this;
  }
  operator std::string_view() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)  // XML has no control characters
      out += c;
  }
  return out;
}

enum Channel : std::uint8_t { values = 0, master = 2 };
constexpr std::uint8_t no_sync = 0, by_time = 1, float64_little_endian = 4;

}  // namespace

MdfFile::~MdfFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void MdfFile::open(const std::filesystem::path& path, std::string_view title, std::span<const MdfGroup> groups) {
  path_ = path;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
  Fields id;
  for (const char* text : {"MDF     ", "4.10    ", "Takt    "})
    for (const char* c = text; *c != '\0'; ++c) id.add(*c);
  write_at(0, id.fill(4).add(std::uint16_t{410}).fill(30).add(std::uint32_t{0}));
  size_ = 64;
  const std::array<std::uint64_t, 6> of_head{};
  head_ = append("HD", of_head, Fields().add(std::uint64_t{0}).fill(8).add(0.0).add(0.0));
  title_ = escaped(title);
  link(head_, 5, append_text("MD", "<HDcomment><TX>" + title_ + "</TX></HDcomment>"));
  const std::array<std::uint64_t, 2> of_history{
      no_link, append_text("MD",
                           "<FHcomment><TX>recorded</TX><tool_id>takt</tool_id><tool_vendor>Takt</tool_vendor>"
                           "<tool_version>1</tool_version></FHcomment>")};
  history_ = append("FH", of_history, Fields().fill(16));
  link(head_, 1, history_);
  std::uint64_t before = no_link;
  for (const MdfGroup& group : groups) {
    Group own{.samples = {}, .width = 1 + group.channels.size()};
    own.data_group = append_group(group, own.channel_group);
    before == no_link ? link(head_, 0, own.data_group) : link(before, 0, own.data_group);
    before = own.data_group;
    groups_.push_back(std::move(own));
  }
  if (error_ != 0) close();
}

std::uint64_t MdfFile::append_group(const MdfGroup& group, std::uint64_t& channel_group) {
  const auto width = static_cast<std::uint32_t>(8 * (1 + group.channels.size()));
  const std::array<std::uint64_t, 6> of_channel_group{no_link, no_link, append_text("TX", group.name)};
  channel_group =
      append("CG", of_channel_group, Fields().fill(16 + 2).add(std::uint16_t{'.'}).fill(4).add(width).fill(4));
  std::uint64_t before = no_link;
  const auto channel = [&](const MdfChannel& one, Channel type, std::size_t number) {
    std::array<std::uint64_t, 8> links{};
    links[2] = append_text("TX", one.name);
    if (!one.unit.empty()) links[6] = append_text("TX", one.unit);
    const std::uint64_t place = append("CN", links,
                                       Fields()
                                           .add(std::uint8_t{type})
                                           .add(type == master ? by_time : no_sync)
                                           .add(float64_little_endian)
                                           .fill(1)
                                           .add(static_cast<std::uint32_t>(8 * number))
                                           .add(std::uint32_t{64})
                                           .fill(12 + 48));
    before == no_link ? link(channel_group, 1, place) : link(before, 0, place);
    before = place;
  };
  channel({"time", "s"}, master, 0);
  for (std::size_t i = 0; i < group.channels.size(); ++i) channel(group.channels[i], values, i + 1);
  const std::array<std::uint64_t, 4> of_data_group{no_link, channel_group};
  return append("DG", of_data_group, Fields().fill(8));
}

void MdfFile::begin_at(std::int64_t utc_ns, int tai_ahead_s) {
  if (descriptor_ < 0) return;
  write_at(head_ + head_of_block + 6 * 8, Fields().add(utc_ns));
  write_at(history_ + head_of_block + 2 * 8, Fields().add(utc_ns));
  if (tai_ahead_s == 0) return;
  link(head_, 5,
       append_text("MD", "<HDcomment><TX>" + title_ +
                             "</TX><common_properties><e name=\"tai_minus_utc_s\" type=\"integer\">" +
                             std::to_string(tai_ahead_s) + "</e></common_properties></HDcomment>"));
}

void MdfFile::add(std::size_t group, SimTime time, std::span<const std::uint64_t> values) {
  Group& own = groups_[group];
  own.samples.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(time.ns()) / 1e9));
  own.samples.insert(own.samples.end(), values.begin(), values.end());
  buffered_ += 8 * own.width;
}

void MdfFile::flush() {
  for (Group& group : groups_) flush(group);
  buffered_ = 0;
}

/// What a reader finds is whole after each step: samples, the list that names them, the link to it, the count.
void MdfFile::flush(Group& group) {
  if (group.samples.empty()) return;
  const std::size_t bytes = 8 * group.samples.size();
  const std::array<std::uint64_t, 2> of_list{
      no_link, append("DT", {}, {reinterpret_cast<const char*>(group.samples.data()), bytes})};
  const std::uint64_t offset = 8 * group.width * group.count;
  const std::uint64_t list = append("DL", of_list, Fields().fill(4).add(std::uint32_t{1}).add(offset));
  group.list == no_link ? link(group.data_group, 2, list) : link(group.list, 0, list);
  group.list = list;
  const std::uint64_t count = group.count + group.samples.size() / group.width;
  write_at(group.channel_group + head_of_block + 6 * 8 + 8, Fields().add(count));
  if (error_ == 0) group.count = count;
  group.samples.clear();
}

std::string MdfFile::problem() const {
  return error_ == 0 ? "" : "cannot write " + path_.string() + ": " + std::strerror(error_);
}

void MdfFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
  if (error_ != 0) throw std::runtime_error(problem());
}

/// @return where it begins
std::uint64_t MdfFile::append(std::string_view kind, std::span<const std::uint64_t> links, std::string_view data) {
  const std::uint64_t place = (size_ + 7) / 8 * 8;
  Fields block;
  block.add('#').add('#').add(kind[0]).add(kind[1]).fill(4);
  block.add(head_of_block + 8 * links.size() + data.size()).add(std::uint64_t{links.size()});
  for (const std::uint64_t to : links) block.add(to);
  const std::string_view head = block;
  write_at(place, head);
  write_at(place + head.size(), data);
  if (error_ == 0) size_ = place + head.size() + data.size();
  return place;
}

/// Ends with a zero and fills whole words.
std::uint64_t MdfFile::append_text(std::string_view kind, std::string_view text) {
  std::string padded(text);
  padded.resize((text.size() / 8 + 1) * 8);
  return append(kind, {}, padded);
}

/// After an error nothing is written any more.
void MdfFile::write_at(std::uint64_t place, std::string_view bytes) {
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

void MdfFile::link(std::uint64_t block, std::size_t number, std::uint64_t to) {
  write_at(block + head_of_block + 8 * number, Fields().add(to));
}

}  // namespace takt
