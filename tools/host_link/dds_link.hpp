#pragma once
// Messages between the shared memory of a plant and a topic of DDS.

#include <dds/dds.h>

#include <string>

#include "runtime/hosts/link_memory.hpp"

namespace takt::hosts {

/// Reliable, in order, everything kept until all have it: who sends more than others take waits.
class DdsLink {
 public:
  struct Settings {
    int domain = 0;
    std::string interface, session;
  };
  /// @throw std::runtime_error  there is no such interface, or DDS says why it cannot
  DdsLink(LinkMemory& memory, const Settings& settings);
  ~DdsLink();
  DdsLink(const DdsLink&) = delete;
  DdsLink& operator=(const DdsLink&) = delete;

  /// Until the plant wants no more.
  void carry();

 private:
  static void came(dds_entity_t reader, void* self);
  void take();
  void write(std::span<const std::byte> message) const;

  LinkMemory& memory_;
  MessageReader to_send_;
  MessageWriter received_;
  std::vector<std::byte> message_;
  dds_entity_t domain_ = 0, participant_ = 0, writer_ = 0, reader_ = 0;
};

}  // namespace takt::hosts
