// What the UDP buses report when a run is over.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/io/udp/field.hpp"
#include "runtime/io/udp/udp_line.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt::udp {
namespace {

using Json = nlohmann::ordered_json;

Json latency_json(const Histogram& waits) {
  const auto us = [](double ns) { return std::round(ns) / 1e3; };
  const Percentiles ns = percentiles(waits, 1.0);
  return {{"count", waits.count()}, {"mean_us", us(ns.mean)}, {"p50_us", us(ns.p50)},
          {"p99_us", us(ns.p99)},   {"p999_us", us(ns.p999)}, {"max_us", us(ns.max)}};
}

/// null where there are less than two frames.
Json cycle_json(WallTime first, WallTime newest, std::uint64_t frames) {
  if (frames < 2) return nullptr;
  return std::round(static_cast<double>((newest - first).ns()) / static_cast<double>(frames - 1)) / 1e3;
}

double microseconds(WallDuration d) { return static_cast<double>(d.ns()) / 1e3; }

/// Columns of the report that this kind of bus alone has: what, how often.
Json of_kind(const Receiver& receiver, std::size_t frame) {
  const Receiver::Counts& counts = receiver.counts(frame);
  Json columns = Json::object();
  if (const Sequence::Counts* sequence = receiver.sequence(frame); sequence != nullptr) {
    columns = {{"lost", sequence->lost},
               {"overtaken", sequence->overtaken},
               {"doubled", sequence->doubled},
               {"out_of_sequence", sequence->doubtful}};
  }
  columns["late"] = counts.late;
  if (receiver.met(frame) > 0) columns["met_a_fault"] = receiver.met(frame);
  return columns;
}

Json received_json(const auto& line, std::size_t frame) {
  const Receiver& receiver = line.wire.receiver();
  const Receiver::Counts& counts = receiver.counts(frame);
  const PlantSide::Counts& used = line.own.counts(frame);
  return {{"message", line.plan.receive[frame].name},
          {"frames", used.used},
          {"taken", counts.frames},
          {"mean_cycle_us", cycle_json(counts.first, counts.newest, counts.frames)},
          {"timeouts", used.timeouts},
          {"not_numbers", counts.not_numbers},
          {"out_of_range", counts.out_of_range},
          {"max_age_us", microseconds(used.max_age)},
          {"latest_us", microseconds(counts.latest)},
          {"sequences", receiver.sequence(frame) != nullptr ? receiver.sequence(frame)->begun : 0},
          {"of_kind", of_kind(receiver, frame)}};
}

Json sent_json(const auto& line, std::size_t frame) {
  const WireSide::SentCounts& counts = line.wire.sent_counts(frame);
  const FrameWriter::Counts& values = line.wire.writer(frame).counts();
  Json columns = Json::object();
  if (line.wire.met_sending(frame) > 0) columns["met_a_fault"] = line.wire.met_sending(frame);
  return {{"message", line.plan.send[frame].name},
          {"frames", counts.frames},
          {"mean_cycle_us", cycle_json(counts.first, counts.newest, counts.frames)},
          {"failed", counts.failed},
          {"saturated", values.saturated},
          {"not_numbers", values.not_numbers},
          {"out_of_range", values.out_of_range},
          {"of_kind", columns}};
}

Json bus_json(const auto& line) {
  const WireSide::Counts& counts = line.wire.counts();
  const Receiver& receiver = line.wire.receiver();
  const Receiver::Refused& refused = receiver.refused();
  std::uint64_t ring_full = 0;
  for (std::size_t k = 0; k < line.plan.receive.size(); ++k) ring_full += receiver.counts(k).ring_full;
  Json result{{"name", line.plan.name},
              {"bus", line.wire.text()},
              {"kind", "udp"},
              {"io_thread_real_time", line.wire.is_real_time()},
              {"frames_received", counts.received},
              {"of_another_sender", counts.foreign},
              {"wrong_length", refused.wrong_length},
              {"wrong_constant", refused.wrong_constant},
              {"before_the_start", counts.stale},
              {"dropped_receive_ring", ring_full},
              {"dropped_send_ring", line.own.send_ring_full()},
              {"dropped_by_kernel", line.wire.dropped_by_kernel()}};
  if (counts.cut > 0) result["frames_lost_by_cut"] = counts.cut;
  if (const auto lost = receiver.delayed().lost() + line.wire.delayed().lost(); lost > 0)
    result["frames_lost_in_delays"] = lost;
  if (const auto held = receiver.delayed().held() + line.wire.delayed().held(); held > 0)
    result["frames_held_at_the_end"] = held;
  result["receive_to_window"] = latency_json(line.own.arrival_to_window());
  result["window_to_send"] = latency_json(line.wire.window_to_send());
  Json& received = result["received"] = Json::array();
  for (std::size_t k = 0; k < line.plan.receive.size(); ++k) received.push_back(received_json(line, k));
  Json& sent = result["sent"] = Json::array();
  for (std::size_t k = 0; k < line.plan.send.size(); ++k) sent.push_back(sent_json(line, k));
  return result;
}

/// "3 lost, 2 late"
void add_count(std::string& texts, std::uint64_t count, const char* what) {
  if (count > 0) texts += (texts.empty() ? "" : ", ") + std::to_string(count) + what;
}

std::string lengths(const BusPlan& plan) {
  std::string all;
  for (const FramePlan& frame : plan.receive)
    all += (all.empty() ? "" : ", ") + std::string(frame.name) + " has " + std::to_string(frame.length);
  return all.empty() ? "the rig receives nothing on this bus" : all;
}

/// What is longer than any frame was not read whole.
std::string length_text(std::size_t length) {
  return length > most_bytes ? "more than " + std::to_string(most_bytes) : std::to_string(length);
}

/// Why a frame's counter cannot be followed; empty: it can.
std::string sequence_text(const Sequence::Counts& counts) {
  if (counts.swapped > 0 && counts.swapped + 1 >= counts.doubtful)
    return " counts in the other byte order: its values were not taken ('order' of the bus)";
  if (counts.begun > 1)
    return " began to count anew " + std::to_string(counts.begun - 1) + (counts.begun == 2 ? " time" : " times") +
           ": its sender was started again, there are two, or many in a row were lost";
  if (counts.begun == 0 && counts.doubtful == 1)
    return " came once: only with the next one in a row it is taken, so its values were not";
  if (counts.begun == 0 && counts.doubtful > 1) return " does not count one by one: its values were not taken";
  if (counts.begun == 1 && counts.doubtful > 1)
    return " had " + std::to_string(counts.doubtful - 1) +
           " with a counter of another sequence, not taken: there may be two senders";
  return {};
}

/// "3 frames that the system did not take (No route to host)"
std::string failed_text(const WireSide::SentCounts& sent) {
  return std::to_string(sent.failed) + " frames that the system did not take (" + std::strerror(sent.reason) + ")";
}

/// Frames for which this machine had no room.
std::vector<std::string> drops(const auto& line) {
  std::vector<std::string> all;
  const auto add = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) all.push_back(std::to_string(count) + what);
  };
  for (std::size_t k = 0; k < line.plan.receive.size(); ++k)
    add(line.wire.receiver().counts(k).ring_full, std::string(" frames of ") + line.plan.receive[k].name +
                                                      " were dropped: more came than fit between two releases");
  add(line.wire.dropped_by_kernel(), " datagrams were dropped by the kernel: its queue was full");
  add(line.own.send_ring_full(), " frames were not sent: the I/O thread was behind");
  return all;
}

/// Warnings about values and frames that were not as they should be.
std::vector<std::string> warnings(const auto& line) {
  std::vector<std::string> all = drops(line);
  for (std::size_t k = 0; k < line.plan.receive.size(); ++k) {
    const std::string name = line.plan.receive[k].name;
    if (const auto* sequence = line.wire.receiver().sequence(k); sequence != nullptr)
      if (const std::string why = sequence_text(*sequence); !why.empty()) all.push_back(name + why);
    if (const auto odd = line.wire.receiver().counts(k).not_numbers; odd > 0)
      all.push_back(name + " had " + std::to_string(odd) +
                    " values that are no numbers: their inputs stayed as they were");
  }
  for (std::size_t k = 0; k < line.plan.send.size(); ++k)
    if (const WireSide::SentCounts& sent = line.wire.sent_counts(k); sent.failed > 0)
      all.push_back(line.plan.send[k].name + (": " + failed_text(sent)));
  return all;
}

}  // namespace

std::vector<std::string> UdpPort::Line::received_texts() const {
  std::vector<std::string> texts;
  const std::string head = std::string(plan.name) + ": ";
  const WireSide::Counts& counts = wire.counts();
  const Receiver::Refused& refused = wire.receiver().refused();
  if (counts.foreign > 0)
    texts.push_back(head + std::to_string(counts.foreign) + " datagrams of another sender (" +
                    udp::text(counts.first_foreign) + ") were not taken: the rig hears " +
                    udp::text(wire.endpoint.peer) + " alone");
  if (refused.wrong_length > 0)
    texts.push_back(head + std::to_string(refused.wrong_length) + " datagrams of a wrong length (the first of " +
                    length_text(refused.length) + " bytes) were not taken: " + lengths(plan));
  if (refused.wrong_constant > 0)
    texts.push_back(head + std::to_string(refused.wrong_constant) +
                    " datagrams with other constants than the layout were not taken" +
                    (refused.wrong_order > 0 ? ": they are right in the other byte order ('order' of the bus)" : ""));
  for (std::size_t k = 0; k < plan.receive.size(); ++k) {
    const Receiver::Counts& taken = wire.receiver().counts(k);
    const Sequence::Counts* const sequence = wire.receiver().sequence(k);
    std::string parts;
    if (sequence != nullptr) {
      if (const std::string why = sequence_text(*sequence); !why.empty())
        texts.push_back(head + plan.receive[k].name + why);
      add_count(parts, sequence->lost, " lost");
      add_count(parts, sequence->overtaken, " overtaken by a newer one");
      add_count(parts, sequence->doubled, " doubled");
    }
    add_count(parts, taken.late, " late");
    add_count(parts, taken.not_numbers, " values that are no numbers");
    add_count(parts, taken.out_of_range, " values beyond their range");
    if (!parts.empty()) texts.push_back(head + "frames of " + plan.receive[k].name + ": " + parts);
  }
  return texts;
}

std::vector<std::string> UdpPort::Line::sent_texts() const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < plan.send.size(); ++k) {
    const FrameWriter::Counts& values = wire.writer(k).counts();
    std::string parts;
    if (const WireSide::SentCounts& sent = wire.sent_counts(k); sent.failed > 0) parts = failed_text(sent);
    add_count(parts, values.saturated, " values that their field does not hold, sent as the nearest that it does");
    add_count(parts, values.not_numbers, " values that are no numbers");
    add_count(parts, values.out_of_range, " values beyond their range");
    if (!parts.empty()) texts.push_back(std::string(plan.name) + ": " + plan.send[k].name + ": " + parts);
  }
  return texts;
}

std::string UdpPort::Line::not_understood() const {
  const WireSide::Counts& counts = wire.counts();
  const Receiver::Refused& refused = wire.receiver().refused();
  const bool any_refused = counts.foreign + refused.wrong_length + refused.wrong_constant > 0;
  std::string names;
  for (std::size_t k = 0; k < plan.receive.size(); ++k) {
    const Sequence::Counts* const sequence = wire.receiver().sequence(k);
    const bool came = any_refused || (sequence != nullptr && sequence->doubtful > 0);
    if (came && wire.receiver().counts(k).frames == 0)
      names += (names.empty() ? "" : ", ") + std::string(plan.receive[k].name);
  }
  return names;
}

std::string UdpPort::statistics_json() const {
  Json result;
  Json& buses = result["buses"] = Json::array();
  for (const auto& line : lines_) buses.push_back(bus_json(*line));
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string UdpPort::problem() const {
  std::string text;
  for (const auto& line : lines_)
    for (std::size_t k = 0; k < line->plan.send.size(); ++k)
      if (const WireSide::SentCounts& sent = line->wire.sent_counts(k); sent.frames == 0 && sent.failed > 0)
        text += (text.empty() ? "" : "; ") + std::string("bus ") + line->plan.name + ": no frame of " +
                line->plan.send[k].name + " has left: " + std::strerror(sent.reason);
  return text;
}

std::vector<IoFinding> UdpPort::findings() const {
  std::vector<IoFinding> all;
  for (const auto& line : lines_) {
    const std::string where = "bus " + std::string(line->plan.name);
    if (const std::string names = line->not_understood(); !names.empty())
      all.push_back({.code = "X045",
                     .where = where,
                     .text = "datagrams came, and none was taken as " + names + ": see the events of the bus",
                     .time = end_});
    for (std::size_t k = 0; k < line->plan.receive.size(); ++k)
      if (const std::string names = line->wire.receiver().never_numbers(k); !names.empty())
        all.push_back(
            {.code = "X045",
             .where = where,
             .text = std::string("in no frame of ") + line->plan.receive[k].name + " this was a number: " + names,
             .time = end_});
    const WireSide::Counts& counts = line->wire.counts();
    const Receiver::Refused& refused = line->wire.receiver().refused();
    if (const auto odd = counts.foreign + refused.wrong_length + refused.wrong_constant; odd > 0)
      all.push_back({.where = where,
                     .text = std::to_string(odd) + " datagrams were not taken (another sender, length or constants)",
                     .time = end_});
    for (const std::string& text : warnings(*line)) all.push_back({.where = where, .text = text, .time = end_});
  }
  return all;
}

std::vector<Silence> UdpPort::silences() const {
  std::vector<HeardChange> changes;
  for (std::size_t k = 0; k < time_outs_.size(); ++k)
    changes.push_back(
        {time_outs_[k].bus, time_outs_[k].frame, time_outs_[k].time, time_outs_[k].is != TimeOut::Is::back});
  return silences_of(changes, end_, [this](std::size_t line, std::size_t frame) {
    const BusPlan& bus = lines_[line]->plan;
    return std::pair<std::string, std::string>{bus.name, bus.receive[frame].name};
  });
}

std::vector<IoEvent> UdpPort::events() const {
  std::vector<IoEvent> all;
  for (const auto& line : lines_) {
    const std::string head = std::string(line->plan.name) + ": ";
    all.push_back({{}, head + line->wire.text()});
    for (const std::string& text : line->wire.disturbed) all.push_back({{}, head + text});
  }
  for (std::size_t k = 0; k < time_outs_.size(); ++k) all.push_back({time_outs_[k].time, time_out_text(time_outs_[k])});
  if (running_) return all;  // the rest is that of other threads
  if (time_outs_.lost() > 0)
    all.push_back({end_, std::to_string(time_outs_.lost()) + " more time-outs of UDP frames were not kept"});
  for (const auto& line : lines_) {
    for (const std::string& text : line->received_texts()) all.push_back({end_, text});
    for (const std::string& text : line->sent_texts()) all.push_back({end_, text});
    for (const std::string& text : drops(*line)) all.push_back({end_, std::string(line->plan.name) + ": " + text});
  }
  return all;
}

}  // namespace takt::udp
