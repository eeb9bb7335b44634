#pragma once
// Commands from DDS to the tap, and what became of them. Each author has a connection of his own, so that the log of
// the run names him.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/dds/domain.hpp"
#include "tools/dds/telemetry.hpp"
#include "tools/dds/types.hpp"

namespace takt::dds {

/// Who waits for an acknowledgement.
struct Asker {
  std::string author;
  std::uint64_t id = 0;
};

class Commands {
 public:
  static constexpr std::size_t most_authors = 16;   ///< with connections at a time; the tap serves 32
  static constexpr std::size_t most_waiting = 128;  ///< of one author
  static constexpr std::size_t longest_text = 1000, most_texts = 16;

  /// @param wake  an eventfd that is written to where commands have come
  Commands(Domain& domain, const Origin& origin, int wake);
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  /// What `start` does, and why there is no run where there is none.
  std::function<void(const Asker&)> on_start = [](const Asker&) {};
  std::string why_no_run = "there is no run";
  /// From now on there is one, or none (empty).
  void set_run(const std::filesystem::path& directory, std::int64_t macro_step_ns);

  /// What has come from DDS.
  void take();
  void accept(const Asker& asker, std::int64_t effective_ns) const;
  void refuse(const Asker& asker, const std::string& why) const;
  /// For poll(), and then serve().
  [[nodiscard]] std::vector<RunLink*> links() const;
  /// After serve(): connections that are closed go.
  void tidy();
  void settle(dds_duration_t longest) const { (void)dds_wait_for_acks(acknowledgements_, longest); }

 private:
  struct Author {
    std::unique_ptr<RunLink> link;
    std::uint64_t used = 0;  // the higher, the later
  };
  void perform(const Command& command);
  void acknowledge(const Asker& asker, const std::string& error, std::int64_t effective_ns) const;
  [[nodiscard]] RunLink& link_of(const std::string& author);
  void make_room();

  dds_entity_t reader_, acknowledgements_;
  std::uint64_t session_, uses_ = 0;
  std::filesystem::path directory_;
  std::int64_t macro_step_ns_ = 0;
  std::map<std::string, Author> authors_;
};

}  // namespace takt::dds
