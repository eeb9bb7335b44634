#include "runtime/io/can/mdf_frames.hpp"

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "runtime/io/can/dlc.hpp"

namespace takt::can {

using mdf::no_link;

/// A channel: what it is called and where in a sample it stands.
struct MdfFrames::Part {
  std::string name;
  std::uint32_t place = 0, bytes = 1;
  std::uint8_t type = unsigned_little_endian;
  std::uint8_t channel_type = mdf::values;
  enum DataType : std::uint8_t { unsigned_little_endian = 0, float64 = mdf::float64_little_endian, byte_array = 10 };
};

namespace {

constexpr std::uint32_t bus_event_channel = 1U << 10U;
constexpr std::uint16_t bus_event_group = (1U << 1U) | (1U << 2U);  // and a plain one: all ids of the bus in one group
constexpr std::uint32_t bytes_of_time = 8;
constexpr const char* remote_frames = "CAN_RemoteFrame";

std::uint32_t room_of(bool fd) { return fd ? 64 : 8; }

}  // namespace

void MdfFrames::open(const std::filesystem::path& path, const Settings& settings) {
  settings_ = settings;
  blocks_.open(path);
  const std::array<std::uint64_t, 6> of_head{};
  header_ = blocks_.append("HD", of_head, MdfFields().add(settings.utc_begin_ns).fill(8).add(0.0).add(0.0));
  blocks_.link(header_, mdf::head_comment,
               blocks_.append_text("MD", "<HDcomment><TX>frames of the bus " + settings.bus + "</TX></HDcomment>"));
  const std::array<std::uint64_t, 2> of_history{
      no_link, blocks_.append_text("MD",
                                   "<FHcomment><TX>recorded</TX><tool_id>takt</tool_id><tool_vendor>Takt</tool_vendor>"
                                   "<tool_version>1</tool_version></FHcomment>")};
  blocks_.link(header_, mdf::first_history,
               blocks_.append("FH", of_history, MdfFields().add(settings.utc_begin_ns).fill(8)));
  std::uint64_t before = no_link;
  data_.chain = append_group("CAN_DataFrame", before);
  remote_.chain = append_group(remote_frames, before);
  if (!blocks_.ok()) blocks_.close();
}

/// @param before  the data group before it, none: no_link; then this one
MdfChain MdfFrames::append_group(const std::string& name, std::uint64_t& before) {
  std::vector<Part> parts;
  std::uint32_t place = bytes_of_time;
  const auto add = [&](const char* part, std::uint32_t bytes, std::uint8_t type = Part::unsigned_little_endian) {
    parts.push_back({.name = name + "." + part, .place = place, .bytes = bytes, .type = type});
    place += bytes;
  };
  add("BusChannel", 1), add("ID", 4), add("IDE", 1), add("DLC", 1), add("DataLength", 1), add("Dir", 1);
  if (name != remote_frames) {
    add("EDL", 1), add("BRS", 1), add("ESI", 1);
    add("DataBytes", room_of(settings_.fd), Part::byte_array);
  }
  std::uint64_t next = no_link;
  for (std::size_t k = parts.size(); k-- > 0;) {
    const std::uint64_t part = append_part(parts[k], no_link);
    blocks_.link(part, mdf::next_channel, next);
    next = part;
  }
  const std::uint64_t whole = append_part(
      {.name = name, .place = bytes_of_time, .bytes = place - bytes_of_time, .type = Part::byte_array}, next);
  const std::uint64_t time = append_part(
      {.name = "Timestamp", .bytes = bytes_of_time, .type = Part::float64, .channel_type = mdf::master}, no_link);
  blocks_.link(time, mdf::next_channel, whole);
  const std::array<std::uint64_t, 3> of_source{blocks_.append_text("TX", settings_.bus),
                                               blocks_.append_text("TX", settings_.channel), no_link};
  constexpr std::uint8_t a_bus = 2, can = 2;
  const std::uint64_t source = blocks_.append("SI", of_source, MdfFields().add(a_bus).add(can).fill(6));
  const std::array<std::uint64_t, 6> of_channel_group{no_link, time, blocks_.append_text("TX", settings_.bus), source};
  const std::uint64_t channel_group =
      blocks_.append("CG", of_channel_group,
                     MdfFields().fill(16).add(bus_event_group).add(std::uint16_t{'.'}).fill(4).add(place).fill(4));
  const std::array<std::uint64_t, 4> of_data_group{no_link, channel_group};
  const std::uint64_t data_group = blocks_.append("DG", of_data_group, MdfFields().fill(8));
  before == no_link ? blocks_.link(header_, mdf::first_data_group, data_group)
                    : blocks_.link(before, mdf::next_data_group, data_group);
  before = data_group;
  return {data_group, channel_group, place};
}

std::uint64_t MdfFrames::append_part(const Part& part, std::uint64_t composition) {
  const bool is_time = part.channel_type == mdf::master;
  std::array<std::uint64_t, 8> links{};
  links[mdf::channel_composition] = composition;
  links[mdf::channel_name] = blocks_.append_text("TX", part.name);
  if (is_time) links[mdf::channel_unit] = blocks_.append_text("TX", "s");
  MdfFields data;
  data.add(part.channel_type).add(is_time ? mdf::by_time : mdf::no_sync).add(part.type).fill(1);
  data.add(part.place).add(8 * part.bytes).add(is_time ? 0U : bus_event_channel);
  return blocks_.append("CN", links, data.fill(8 + 48));
}

void MdfFrames::add(const Frame& frame, std::int64_t time_ns, bool sent) {
  const std::uint8_t length = frame.fd ? fd_length(frame.len) : frame.len;
  MdfFields sample;
  sample.add(std::bit_cast<std::uint64_t>(static_cast<double>(time_ns) / 1e9)).add(settings_.number).add(frame.id);
  sample.add(std::uint8_t{frame.extended}).add(frame.fd ? fd_length_code(frame.len) : frame.len);
  sample.add(frame.remote ? std::uint8_t{0} : length).add(std::uint8_t{sent});
  if (!frame.remote) {
    sample.add(std::uint8_t{frame.fd}).add(std::uint8_t{frame.brs}).add(std::uint8_t{frame.esi});
    sample.text({reinterpret_cast<const char*>(frame.data.data()), frame.len});
    sample.fill(room_of(settings_.fd) - frame.len);
  }
  Group& group = frame.remote ? remote_ : data_;
  group.samples += sample;
  if (group.samples.size() > most_buffered) flush(group);
}

void MdfFrames::flush() {
  flush(data_);
  flush(remote_);
}

void MdfFrames::flush(Group& group) {
  if (group.samples.empty()) return;
  if (!group.chain.append(blocks_, group.samples)) lost_ += group.samples.size() / group.chain.width();
  group.samples.clear();
}

void MdfFrames::close() {
  if (!blocks_.is_open()) return;
  flush();
  blocks_.close();
}

}  // namespace takt::can
