#include "runtime/io/record/formats/mdf/mdf_reader.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "runtime/io/record/formats/mdf/mdf_blocks.hpp"
#include "runtime/io/record/formats/mdf/mdf_zip.hpp"

namespace takt {
namespace {

constexpr std::size_t longest_text = 1 << 16;

struct Block {
  std::uint64_t place = 0;
  std::string kind;
  std::vector<std::uint64_t> links;
  std::string data;
};

/// The whole file is believed in nothing: every place, length and number is looked at before it is used.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path), in_(path, std::ios::binary) {
    look_at_size();
    look_at_id();
  }

  std::vector<RecordedGroup> read() {
    std::vector<RecordedGroup> groups;
    const Block head = block(mdf::size_of_id, "HD", 6);
    std::uint64_t before = 0;
    for (std::uint64_t at = head.links[mdf::first_data_group]; at != mdf::no_link;) {
      const Block data_group = block(forward(at, before), "DG", 4);
      groups.push_back(group(data_group));
      before = at;
      at = data_group.links[mdf::next_data_group];
    }
    return groups;
  }

 private:
  [[noreturn]] void fail(std::uint64_t place, const std::string& what) const {
    throw std::runtime_error(path_.string() + ": byte " + std::to_string(place) + ": " + what);
  }

  /// A file that is being written grows.
  void look_at_size() {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_, error);
    if (!in_ || error) throw std::runtime_error("cannot open " + path_.string());
    size_ = size;
  }

  void look_at_id() {
    std::string id = bytes(0, std::min<std::uint64_t>(size_, mdf::size_of_id));
    id.resize(mdf::size_of_id);
    if (!id.starts_with(mdf::file_id)) fail(0, "this is no MDF file that was closed");
    const std::string version = id.substr(8, 8), program = id.substr(16, 8);
    if (program != mdf::program || version != mdf::version)
      fail(8, "MDF " + printable(version) + " by '" + printable(program) +
                  "': only files that Takt has recorded (4.10) are read; export it as CSV");
  }

  static std::string printable(const std::string& text) {
    std::string out;
    for (const char c : text)
      if (c > ' ' && c < 0x7f) out += c;
    return out;
  }

  std::string bytes(std::uint64_t place, std::uint64_t length) {
    if (place > size_ || length > size_ - place) look_at_size();
    if (place > size_ || length > size_ - place)
      fail(place, "the file ends before what should stand there (damaged, or not copied to its end)");
    std::string out(length, '\0');
    in_.seekg(static_cast<std::streamoff>(place));
    in_.read(out.data(), static_cast<std::streamsize>(length));
    if (static_cast<std::uint64_t>(in_.gcount()) != length) fail(place, "cannot be read");
    return out;
  }

  template <class T>
  T field(const Block& block, std::size_t offset) const {
    T value{};
    if (offset + sizeof value > block.data.size())
      fail(block.place, "block " + block.kind + " is too short for its kind");
    std::memcpy(&value, block.data.data() + offset, sizeof value);
    return value;
  }

  /// @param kind  empty: any
  Block block(std::uint64_t place, std::string_view kind, std::size_t links) {
    Block found{.place = place, .kind = {}, .links = {}, .data = {}};
    const std::string head = bytes(place, mdf::head_of_block);
    std::uint64_t length = 0, count = 0;
    std::memcpy(&length, head.data() + 8, sizeof length);
    std::memcpy(&count, head.data() + 16, sizeof count);
    found.kind = head.substr(2, 2);
    if (!head.starts_with("##") || (!kind.empty() && found.kind != kind))
      fail(place, kind.empty() ? "no block begins here" : "no block " + std::string(kind) + " begins here");
    if (length < mdf::head_of_block || count > (length - mdf::head_of_block) / 8)
      fail(place, "block " + printable(found.kind) + " has an impossible length");
    if (count < links) fail(place, "block " + found.kind + " has too few links");
    const std::string rest = bytes(place + mdf::head_of_block, length - mdf::head_of_block);
    found.links.resize(count);
    if (count > 0) std::memcpy(found.links.data(), rest.data(), 8 * count);
    found.data = rest.substr(8 * count);
    return found;
  }

  /// What was appended later stands behind: so no chain goes round in a circle.
  std::uint64_t forward(std::uint64_t place, std::uint64_t before) const {
    if (place <= before) fail(place, "a chain of blocks goes backwards");
    return place;
  }

  std::string text(std::uint64_t place) {
    if (place == mdf::no_link) return {};
    std::string text = block(place, "TX", 0).data;
    if (text.size() > longest_text) fail(place, "a text of such a length names no signal");
    text.resize(std::strlen(text.c_str()));
    return text;
  }

  RecordedGroup group(const Block& data_group) {
    const Block head = block(data_group.links[mdf::first_channel_group], "CG", 6);
    if (head.links[mdf::next_channel_group] != mdf::no_link || field<std::uint8_t>(data_group, 0) != 0)
      fail(head.place, "several channel groups in one data group: Takt records none such");
    RecordedGroup group;
    std::uint64_t before = 0;
    std::size_t number = 0;
    for (std::uint64_t at = head.links[mdf::first_channel]; at != mdf::no_link; ++number) {
      const Block channel = block(forward(at, before), "CN", 8);
      add_channel(channel, number, group);
      before = at;
      at = channel.links[mdf::next_channel];
    }
    if (number == 0 || field<std::uint32_t>(head, 24) != 8 * number)
      fail(head.place, "its samples do not have the size of its channels");
    const auto count = field<std::uint64_t>(head, 8);
    take_samples(samples(data_group.links[mdf::data], 8 * number, count), group);
    return group;
  }

  void add_channel(const Block& channel, std::size_t number, RecordedGroup& group) {
    const bool as_written = field<std::uint8_t>(channel, 0) == (number == 0 ? mdf::master : mdf::values) &&
                            field<std::uint8_t>(channel, 2) == mdf::float64_little_endian &&
                            field<std::uint8_t>(channel, 3) == 0 && field<std::uint32_t>(channel, 4) == 8 * number &&
                            field<std::uint32_t>(channel, 8) == 64;
    if (!as_written) fail(channel.place, "a channel of a kind that Takt does not record");
    if (number == 0) return;
    group.signals.push_back(
        {.path = text(channel.links[mdf::channel_name]), .unit = text(channel.links[mdf::channel_unit]), .values = {}});
  }

  /// Those that are counted: a file that is being written may have more.
  std::string samples(std::uint64_t data, std::size_t width, std::uint64_t count) {
    std::string all;
    std::uint64_t before = 0, before_samples = 0, list = data;
    if (data != mdf::no_link) {
      if (const Block head = block(data, "", 0); head.kind == "HL") {
        if (head.links.empty()) fail(data, "a list of no blocks");
        list = head.links[0];
      }
    }
    while (list != mdf::no_link && all.size() / width < count) {
      const Block blocks = block(forward(list, before), "DL", 1);
      for (std::size_t k = 1; k < blocks.links.size(); ++k) {
        all += sample_block(forward(blocks.links[k], before_samples));
        before_samples = blocks.links[k];
      }
      before = list;
      list = blocks.links[0];
    }
    if (all.size() / width < count)
      fail(data, std::to_string(count) + " samples are counted, " + std::to_string(all.size() / width) + " are there");
    all.resize(count * width);
    return all;
  }

  std::string sample_block(std::uint64_t place) {
    Block found = block(place, "", 0);
    if (found.kind == "DT") return std::move(found.data);
    if (found.kind != "DZ") fail(place, "no block of samples begins here");
    try {
      return unzipped_samples(found.data);
    } catch (const std::runtime_error& error) {
      fail(place, error.what());
    }
  }

  static void take_samples(const std::string& samples, RecordedGroup& group) {
    const std::size_t words = 1 + group.signals.size(), count = samples.size() / (8 * words);
    group.time_s.resize(count);
    for (RecordedGroup::Signal& signal : group.signals) signal.values.resize(count);
    const char* from = samples.data();
    for (std::size_t sample = 0; sample < count; ++sample) {
      std::memcpy(&group.time_s[sample], from, 8);
      from += 8;
      for (RecordedGroup::Signal& signal : group.signals) {
        std::memcpy(&signal.values[sample], from, 8);
        from += 8;
      }
    }
  }

  std::filesystem::path path_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

}  // namespace

bool is_mdf(const std::filesystem::path& file) {
  std::string id(mdf::file_id.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  // One that a program has not closed begins with "UnFinMF ".
  return in.read(id.data(), static_cast<std::streamsize>(id.size())) && (id == mdf::file_id || id == "UnFinMF ");
}

std::vector<RecordedGroup> read_mdf(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace takt
