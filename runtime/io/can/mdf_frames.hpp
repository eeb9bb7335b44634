#pragma once
// Frames of one CAN bus as ASAM MDF 4.10 by the model of ASAM bus logging: channel groups CAN_DataFrame and
// CAN_RemoteFrame, each with a composition of its parts. The file is finished at every flush, as MdfFile is.
// Source: ASAM MDF bus logging 1.0 (associated standard of MDF 4.1); read by asammdf and python-can.

#include <cstdint>
#include <filesystem>
#include <string>

#include "runtime/io/can/frame.hpp"
#include "runtime/io/record/formats/mdf/mdf_chain.hpp"

namespace takt::can {

/// Errors are kept, not thrown, until close(), as in MdfFile: the file then ends with its last whole block.
/// Phases: open(), add() and flush(), close().
class MdfFrames {
 public:
  struct Settings {
    std::string bus, channel;     ///< names of the bus in the rig and to the world
    std::uint8_t number = 1;      ///< of the bus in the rig, from 1: asammdf calls it CAN1
    bool fd = false;              ///< it carries CAN FD: room for 64 bytes in each frame, else for 8
    std::int64_t utc_begin_ns{};  ///< time 0 of the stamps
  };
  /// @throw std::runtime_error  with path and cause
  void open(const std::filesystem::path& path, const Settings& settings);
  /// @param time_ns  since utc_begin_ns; not less than before  @param sent  by the plant
  void add(const Frame& frame, std::int64_t time_ns, bool sent);
  /// Hands everything to the system, so that it survives the end of this process.
  void flush();
  [[nodiscard]] std::string problem() const { return blocks_.problem(); }
  /// Frames that are in the file; those that are not, because of that problem.
  [[nodiscard]] std::uint64_t written() const { return data_.chain.count() + remote_.chain.count(); }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  /// @throw std::runtime_error  the first error since open()
  void close();

 private:
  static constexpr std::size_t most_buffered = std::size_t{1} << 20U;
  struct Group {
    MdfChain chain;
    std::string samples;  // not yet in the file
  };
  struct Part;
  MdfChain append_group(const std::string& name, std::uint64_t& before);
  std::uint64_t append_part(const Part& part, std::uint64_t composition);
  void flush(Group& group);

  MdfBlocks blocks_;
  Settings settings_;
  Group data_, remote_;
  std::uint64_t header_ = 0, lost_ = 0;
};

}  // namespace takt::can
