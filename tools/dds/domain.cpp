#include "tools/dds/domain.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace takt::dds {
namespace {

dds_entity_t good(dds_entity_t entity, const std::string& what) {
  if (entity < 0) throw std::runtime_error("DDS: " + what + ": " + dds_strretcode(entity));
  return entity;
}

using Qos = std::unique_ptr<dds_qos_t, void (*)(dds_qos_t*)>;

Qos qos_of(Quality quality) {
  Qos qos(dds_create_qos(), [](dds_qos_t* all) { dds_delete_qos(all); });
  dds_qset_reliability(qos.get(), DDS_RELIABILITY_RELIABLE, 0);
  dds_qset_durability(qos.get(), quality.latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  if (quality.depth > 0) {
    dds_qset_history(qos.get(), DDS_HISTORY_KEEP_LAST, quality.depth);
  } else {
    dds_qset_history(qos.get(), DDS_HISTORY_KEEP_ALL, 0);
    dds_qset_resource_limits(qos.get(), 4096, DDS_LENGTH_UNLIMITED, 4096);
  }
  // Who reads late gets as many as are kept.
  if (quality.latched)
    dds_qset_durability_service(qos.get(), 0, DDS_HISTORY_KEEP_LAST, std::max(quality.depth, 1), DDS_LENGTH_UNLIMITED,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  const dds_data_representation_id_t plain[] = {DDS_DATA_REPRESENTATION_XCDR1};  // that of ROS 2
  dds_qset_data_representation(qos.get(), 1, plain);
  return qos;
}

void wake_up(dds_entity_t, void* wake) {
  const std::uint64_t one = 1;
  (void)!::write(static_cast<int>(reinterpret_cast<std::intptr_t>(wake)), &one, sizeof one);
}

std::string key_text(const dds_guid_t& guid) {
  std::string text;
  for (const unsigned char byte : guid.v) {
    char pair[3];
    std::snprintf(pair, sizeof pair, "%02x", byte);
    text += pair;
  }
  return text;
}

}  // namespace

Domain::Domain(int number, const std::string& settings) {
  const auto id = static_cast<dds_domainid_t>(number);
  if (const dds_entity_t domain = dds_create_domain(id, settings.c_str()); domain < 0)
    throw std::runtime_error("Cyclone DDS does not take its settings (what it says is above): " +
                             std::string(dds_strretcode(domain)));
  participant_ =
      good(dds_create_participant(id, nullptr, nullptr), "no participant in domain " + std::to_string(number));
  good(dds_get_guid(participant_, &own_), "participant");
  written_ = good(dds_create_reader(participant_, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nullptr, nullptr), "writers");
  read_ = good(dds_create_reader(participant_, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, nullptr, nullptr), "readers");
}

Domain::~Domain() { (void)dds_delete(DDS_CYCLONEDDS_HANDLE); }

dds_entity_t Domain::topic(const dds_topic_descriptor_t& type, const std::string& name) {
  return good(dds_create_topic(participant_, &type, name.c_str(), nullptr, nullptr), "no topic " + name);
}

dds_entity_t Domain::writer(const dds_topic_descriptor_t& type, const std::string& name, Quality quality) {
  const dds_entity_t made =
      good(dds_create_writer(participant_, topic(type, name), qos_of(quality).get(), nullptr), "no writer of " + name);
  writers_.push_back({name, type.m_typename, made});
  return made;
}

dds_entity_t Domain::reader(const dds_topic_descriptor_t& type, const std::string& name, int wake, Quality quality) {
  const std::unique_ptr<dds_listener_t, void (*)(dds_listener_t*)> listener(
      dds_create_listener(reinterpret_cast<void*>(static_cast<std::intptr_t>(wake))),
      [](dds_listener_t* all) { dds_delete_listener(all); });
  if (wake >= 0) dds_lset_data_available(listener.get(), wake_up);
  const dds_entity_t made =
      good(dds_create_reader(participant_, topic(type, name), qos_of(quality).get(), listener.get()),
           "no reader of " + name);
  readers_.push_back({name, type.m_typename, made});
  return made;
}

std::vector<Domain::Other> Domain::others(dds_entity_t list) const {
  constexpr std::size_t most = 256;
  std::vector<Other> found;
  std::array<void*, most> samples{};
  std::array<dds_sample_info_t, most> infos{};
  const int count = dds_read_mask(list, samples.data(), infos.data(), most, most,
                                  DDS_ANY_SAMPLE_STATE | DDS_ANY_VIEW_STATE | DDS_ALIVE_INSTANCE_STATE);
  for (int k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const auto* end = static_cast<const dds_builtintopic_endpoint_t*>(samples[at]);
    if (!infos[at].valid_data || std::memcmp(&end->participant_key, &own_, sizeof own_) == 0) continue;
    found.push_back({end->topic_name, end->type_name, key_text(end->key), infos[at].instance_handle});
  }
  if (count > 0) (void)dds_return_loan(list, samples.data(), count);
  return found;
}

bool Domain::others_write(const std::string& name) const {
  const auto all = others(written_);
  return std::any_of(all.begin(), all.end(), [&](const Other& other) { return other.topic == name; });
}

/// One that is found at two calls: matching takes a while.
void Domain::find_misfits(bool writers, std::vector<std::string>& texts) {
  for (const Other& other : others(writers ? written_ : read_)) {
    const std::vector<End>& own = writers ? readers_ : writers_;
    const auto end = std::find_if(own.begin(), own.end(), [&](const End& each) { return each.topic == other.topic; });
    if (end == own.end()) continue;
    std::array<dds_instance_handle_t, 256> matched{};
    const int count = writers ? dds_get_matched_publications(end->entity, matched.data(), matched.size())
                              : dds_get_matched_subscriptions(end->entity, matched.data(), matched.size());
    const auto last = matched.begin() + std::clamp(count, 0, static_cast<int>(matched.size()));
    if (std::find(matched.begin(), last, other.handle) != last || misfits_.size() > 1000) continue;
    if (++misfits_[other.key] != 2) continue;
    texts.push_back(std::string(writers ? "a writer of " : "a reader of ") + other.topic + " does not fit: " +
                    (other.type == end->type ? "other fields of its type or another quality of service"
                                             : "type " + other.type.substr(0, 200) + " in place of " + end->type) +
                    "; nothing passes between it and this bridge (config/dds/README.md)");
  }
}

std::vector<std::string> Domain::misfits() {
  std::vector<std::string> texts;
  find_misfits(true, texts);
  find_misfits(false, texts);
  return texts;
}

}  // namespace takt::dds
