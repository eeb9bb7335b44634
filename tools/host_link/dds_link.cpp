#include "tools/host_link/dds_link.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "host_link.h"  // out of config/dds/host_link.idl
#include "runtime/foreign/block.hpp"
#include "tools/dds/interface.hpp"

namespace takt::hosts {
namespace {

[[noreturn]] void fail(const std::string& what, dds_return_t code) {
  throw std::runtime_error("DDS: " + what + ": " + dds_strretcode(code));
}

dds_entity_t good(dds_entity_t entity, const char* what) {
  if (entity < 0) fail(what, entity);
  return entity;
}

/// Nothing leaves by another interface. What was lost is asked for again at once: the others wait for it.
std::string configuration(const std::string& name) {
  const dds::Interface interface = dds::find_interface(name);
  const std::string discovery = interface.multicast
                                    ? ""
                                    : "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>99"
                                      "</MaxAutoParticipantIndex><Peers><Peer address=\"" +
                                          interface.address + "\"/></Peers></Discovery>";
  return "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"" + name +
         "\"/></Interfaces><AllowMulticast>" + (interface.multicast ? "spdp" : "false") +
         "</AllowMulticast><FragmentSize>" + std::to_string(std::min(interface.mtu, 65'000) - 200) +
         "B</FragmentSize></General>" + discovery +
         "<Internal><HeartbeatInterval min=\"2ms\" minsched=\"2ms\" max=\"100ms\">5ms</HeartbeatInterval>"
         "<PreEmptiveAckDelay>2ms</PreEmptiveAckDelay><NackDelay>0ms</NackDelay><AckDelay>0ms</AckDelay></Internal>"
         "</Domain></CycloneDDS>";
}

}  // namespace

DdsLink::DdsLink(LinkMemory& memory, const Settings& settings)
    : memory_(memory), to_send_(memory.sent), received_(memory.received) {
  const std::string text = configuration(settings.interface);
  domain_ = good(dds_create_domain(static_cast<dds_domainid_t>(settings.domain), text.c_str()), "the domain");
  participant_ =
      good(dds_create_participant(static_cast<dds_domainid_t>(settings.domain), nullptr, nullptr), "the participant");
  dds_qos_t* qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_qset_durability(qos, DDS_DURABILITY_VOLATILE);
  const std::string name = "takt/hosts/" + settings.session;
  const dds_entity_t topic =
      good(dds_create_topic(participant_, &takt_hosts_Message_desc, name.c_str(), qos, nullptr), "the topic");
  dds_qset_ignorelocal(qos, DDS_IGNORELOCAL_PARTICIPANT);
  dds_listener_t* listener = dds_create_listener(this);
  dds_lset_data_available(listener, came);
  writer_ = good(dds_create_writer(participant_, topic, qos, nullptr), "the writer");
  reader_ = good(dds_create_reader(participant_, topic, qos, listener), "the reader");
  dds_delete_listener(listener);
  dds_delete_qos(qos);
}

DdsLink::~DdsLink() {
  if (domain_ > 0) dds_delete(domain_);
}

void DdsLink::came(dds_entity_t, void* self) { static_cast<DdsLink*>(self)->take(); }

/// On a thread of DDS. Where the plant takes nothing, the others are held up.
void DdsLink::take() {
  constexpr std::size_t most = 16;
  std::array<void*, most> samples{};
  std::array<dds_sample_info_t, most> infos;
  for (;;) {
    const dds_return_t count = dds_take(reader_, samples.data(), infos.data(), most, most);
    if (count <= 0) return;
    for (dds_return_t i = 0; i < count; ++i) {
      if (!infos[static_cast<std::size_t>(i)].valid_data) continue;
      const auto& bytes = static_cast<const takt_hosts_Message*>(samples[static_cast<std::size_t>(i)])->bytes;
      const std::span message(reinterpret_cast<const std::byte*>(bytes._buffer), bytes._length);
      if (message.size() > longest_message) continue;
      while (!received_.try_put(message) && !memory_.ends.load())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    (void)dds_return_loan(reader_, samples.data(), count);
    memory_.received_bell.fetch_add(1, std::memory_order_release);
    foreign::wake(memory_.received_bell);
  }
}

void DdsLink::write(std::span<const std::byte> message) const {
  takt_hosts_Message sample{};
  sample.bytes._maximum = sample.bytes._length = static_cast<std::uint32_t>(message.size());
  sample.bytes._buffer = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(message.data()));
  for (;;) {
    const dds_return_t code = dds_write(writer_, &sample);
    if (code == DDS_RETCODE_OK) return;
    if (code != DDS_RETCODE_TIMEOUT) fail("a message cannot be sent", code);
    if (memory_.ends.load()) return;  // nobody takes it
  }
}

void DdsLink::carry() {
  for (;;) {
    const bool ends = memory_.ends.load();
    const std::uint32_t seen = memory_.sent_bell.load(std::memory_order_acquire);
    bool any = false;
    for (; to_send_.try_take(message_); any = true) write(message_);
    if (ends && !any) break;
    if (!any) foreign::wait_while(memory_.sent_bell, seen, 100'000'000);
  }
  (void)dds_wait_for_acks(writer_, DDS_SECS(1));
}

}  // namespace takt::hosts
