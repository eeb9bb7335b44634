#pragma once
// One participant in a DDS domain, with its topics, and what others do there.

#include <dds/dds.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace takt::dds {

struct Quality {
  std::int32_t depth = 1;  ///< samples kept for readers that are slow; 0: all that have room (a reader's)
  bool latched = false;    ///< kept for readers that come later, too
};

/// Reliable topics. Writing waits for no reader: who is more than `depth` samples late loses the older ones.
class Domain {
 public:
  /// @param settings  of Cyclone DDS  @throw std::runtime_error
  Domain(int number, const std::string& settings);
  ~Domain();
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  /// @throw std::runtime_error
  [[nodiscard]] dds_entity_t writer(const dds_topic_descriptor_t& type, const std::string& topic, Quality quality);
  /// @param wake  an eventfd that is written to where something has come; -1: none
  [[nodiscard]] dds_entity_t reader(const dds_topic_descriptor_t& type, const std::string& topic, int wake,
                                    Quality quality);
  void remove(dds_entity_t entity) noexcept { (void)dds_delete(entity); }
  /// Other participants that write this topic.
  [[nodiscard]] bool others_write(const std::string& topic) const;
  /// What has come up since the last call: ends of topics of ours that do not fit ours, so that nothing passes.
  [[nodiscard]] std::vector<std::string> misfits();

 private:
  struct End {
    std::string topic, type;
    dds_entity_t entity = 0;
  };
  struct Other {
    std::string topic, type, key;
    dds_instance_handle_t handle = 0;
  };
  [[nodiscard]] std::vector<Other> others(dds_entity_t list) const;
  void find_misfits(bool writers, std::vector<std::string>& texts);
  [[nodiscard]] dds_entity_t topic(const dds_topic_descriptor_t& type, const std::string& name);

  dds_entity_t participant_ = 0, written_ = 0, read_ = 0;  // the latter two: lists of writers and of readers
  dds_guid_t own_{};
  std::vector<End> writers_, readers_;
  std::map<std::string, int> misfits_;  // by key: how often seen
};

}  // namespace takt::dds
