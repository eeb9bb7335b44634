#include "runtime/io/record/formats/mdf/mdf_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "runtime/io/record/deflate.hpp"
#include "runtime/io/record/formats/mdf/mdf_reader.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

using mdf::no_link;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)  // XML has no control characters
      out += c;
  }
  return out;
}

std::string seconds_text(SimDuration duration) { return std::to_string(duration.seconds()); }

enum EventKind : std::uint8_t { trigger = 5, marker = 6 };  // as the standard counts them
enum EventField : std::uint8_t { synchronised_by_time = 1, a_point = 0, caused_by_tool = 2 };
enum AttachmentFlag : std::uint16_t { embedded = 1, compressed = 2 };

}  // namespace

extern const RecordFormat mdf_format;
const RecordFormat mdf_format{.word = "mdf",
                              .file = "signals.mf4",
                              .title = "ASAM MDF 4.10",
                              .compresses = true,
                              .attaches = true,
                              .make = make_record_sink<MdfFile>,
                              .is_one = is_mdf,
                              .read = read_mdf};

void MdfFile::open(const std::filesystem::path& path, const RecordHead& head) {
  title_ = head.title, properties_ = head.properties;
  if (head.compress) zip_.emplace();
  blocks_.open(path);
  const std::array<std::uint64_t, 6> of_head{};
  header_ = blocks_.append("HD", of_head, MdfFields().add(std::uint64_t{0}).fill(8).add(0.0).add(0.0));
  write_comment();
  const std::array<std::uint64_t, 2> of_history{
      no_link, blocks_.append_text("MD",
                                   "<FHcomment><TX>recorded</TX><tool_id>takt</tool_id><tool_vendor>Takt</tool_vendor>"
                                   "<tool_version>1</tool_version></FHcomment>")};
  history_ = blocks_.append("FH", of_history, MdfFields().fill(16));
  blocks_.link(header_, mdf::first_history, history_);
  std::uint64_t before = no_link;
  for (const RecordRate& rate : head.rates) {
    std::uint64_t channel_group = no_link;
    const std::uint64_t data_group = append_group(rate, channel_group);
    before == no_link ? blocks_.link(header_, mdf::first_data_group, data_group)
                      : blocks_.link(before, mdf::next_data_group, data_group);
    before = data_group;
    groups_.push_back({.samples = {}, .chain = {data_group, channel_group, 8 * (1 + rate.columns.size())}});
  }
  if (!blocks_.ok()) blocks_.close();
  for (const RecordAttachment& attachment : head.attachments) attach(attachment);
}

void MdfFile::write_comment() {
  std::string text = "<HDcomment><TX>" + escaped(title_) + "</TX>";
  if (!properties_.empty()) {
    text += "<common_properties>";
    for (const RecordProperty& property : properties_)
      text += "<e name=\"" + escaped(property.name) + (property.whole_number ? "\" type=\"integer\">" : "\">") +
              escaped(property.value) + "</e>";
    text += "</common_properties>";
  }
  blocks_.link(header_, mdf::head_comment, blocks_.append_text("MD", text + "</HDcomment>"));
}

std::uint64_t MdfFile::append_group(const RecordRate& rate, std::uint64_t& channel_group) {
  const auto width = static_cast<std::uint32_t>(8 * (1 + rate.columns.size()));
  const std::array<std::uint64_t, 6> of_channel_group{
      no_link, no_link, blocks_.append_text("TX", "every " + short_duration(rate.period.seconds()))};
  channel_group = blocks_.append("CG", of_channel_group,
                                 MdfFields().fill(16 + 2).add(std::uint16_t{'.'}).fill(4).add(width).fill(4));
  std::uint64_t before = append_channel({"time", "s"}, 0);
  blocks_.link(channel_group, mdf::first_channel, before);
  for (std::size_t i = 0; i < rate.columns.size(); ++i) {
    const std::uint64_t place = append_channel(rate.columns[i], i + 1);
    blocks_.link(before, mdf::next_channel, place);
    before = place;
  }
  const std::array<std::uint64_t, 4> of_data_group{no_link, channel_group};
  return blocks_.append("DG", of_data_group, MdfFields().fill(8));
}

/// The first one is the master.
std::uint64_t MdfFile::append_channel(const RecordColumn& column, std::size_t number) {
  std::array<std::uint64_t, 8> links{};
  links[mdf::channel_name] = blocks_.append_text("TX", column.path);
  if (!column.unit.empty()) links[mdf::channel_unit] = blocks_.append_text("TX", column.unit);
  MdfFields data;
  data.add(std::uint8_t{number == 0 ? mdf::master : mdf::values}).add(number == 0 ? mdf::by_time : mdf::no_sync);
  data.add(mdf::float64_little_endian).fill(1).add(static_cast<std::uint32_t>(8 * number)).add(std::uint32_t{64});
  return blocks_.append("CN", links, data.fill(12 + 48));
}

void MdfFile::begin_at(std::int64_t utc_ns, int tai_ahead_s) {
  if (!blocks_.is_open()) return;
  blocks_.overwrite(header_, 6 * 8, MdfFields().add(utc_ns));
  blocks_.overwrite(history_, 2 * 8, MdfFields().add(utc_ns));
  const RecordProperty tai{"tai_minus_utc_s", std::to_string(tai_ahead_s), true};
  if (tai_ahead_s != 0) set_properties({&tai, 1});
}

void MdfFile::set_properties(std::span<const RecordProperty> properties) {
  if (!blocks_.is_open()) return;
  for (const RecordProperty& property : properties) {
    const auto known = std::find_if(properties_.begin(), properties_.end(),
                                    [&](const RecordProperty& one) { return one.name == property.name; });
    known == properties_.end() ? properties_.push_back(property) : void(*known = property);
  }
  write_comment();
}

void MdfFile::add(const RecordedRow& row) {
  Group& own = groups_[row.plan];
  own.samples.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(row.time.ns()) / 1e9));
  own.samples.insert(own.samples.end(), row.values.begin(), row.values.end());
  buffered_ += own.chain.width();
  if (buffered_ > most_buffered) flush();
}

void MdfFile::add_event(const RecordEvent& event) {
  if (!blocks_.is_open()) return;
  std::string comment = "<EVcomment><TX>" + escaped(event.text) + "</TX>";
  if (event.kind == RecordEvent::Kind::trigger)
    comment += "<pre_trigger_interval>" + seconds_text(event.before) +
               "</pre_trigger_interval><post_trigger_interval>" + seconds_text(event.after) +
               "</post_trigger_interval>";
  std::array<std::uint64_t, 5> links{};  // next, parent, range, name, comment
  links[3] = blocks_.append_text("TX", event.text);
  links[4] = blocks_.append_text("MD", comment + "</EVcomment>");
  MdfFields data;
  data.add(event.kind == RecordEvent::Kind::trigger ? trigger : marker)
      .add(synchronised_by_time)
      .add(a_point)
      .add(caused_by_tool)
      .fill(4 + 4 + 2 + 2);
  data.add(event.time.ns()).add(1e-9);
  append_to_chain(last_event_, mdf::first_event, blocks_.append("EV", links, data));
}

void MdfFile::attach(const RecordAttachment& attachment) {
  if (!blocks_.is_open()) return;
  const bool zip = can_deflate();
  const std::string stream = zip ? deflated(attachment.text) : std::string(attachment.text);
  const std::array<std::uint64_t, 4> links{no_link, blocks_.append_text("TX", attachment.name),
                                           blocks_.append_text("TX", attachment.type), no_link};
  MdfFields data;
  data.add(static_cast<std::uint16_t>(zip ? embedded | compressed : embedded)).fill(2 + 4 + 16);
  data.add(std::uint64_t{attachment.text.size()}).add(std::uint64_t{stream.size()}).text(stream);
  append_to_chain(last_attachment_, mdf::first_attachment, blocks_.append("AT", links, data));
}

/// Of blocks whose first link is the next one.
void MdfFile::append_to_chain(std::uint64_t& last, std::size_t of_head, std::uint64_t block) {
  last == no_link ? blocks_.link(header_, of_head, block) : blocks_.link(last, 0, block);
  last = block;
}

void MdfFile::flush() {
  for (Group& group : groups_) flush(group);
  buffered_ = 0;
}

void MdfFile::flush(Group& group) {
  if (group.samples.empty()) return;
  const std::string_view samples{reinterpret_cast<const char*>(group.samples.data()), 8 * group.samples.size()};
  if (!group.chain.append(blocks_, samples, zip_ ? &*zip_ : nullptr)) lost_ += samples.size() / group.chain.width();
  group.samples.clear();
}

void MdfFile::conclude(const RecordEnd& end) {
  if (!blocks_.is_open()) return;
  for (const RecordEvent& event : end.events) add_event(event);
  set_properties(end.properties);
  attach(end.summary);
  flush();
  try {
    blocks_.close();
  } catch (const std::runtime_error&) {
    return;  // it is kept
  }
}

}  // namespace takt
