#pragma once
// What a director does, written down.

#include <string>
#include <utility>
#include <vector>

#include "runtime/steering/director.hpp"

namespace takt::test {

class TestSink final : public ActionSink {
 public:
  struct Taken {
    SimTime time;
    Action action;
    std::uint16_t author;
  };
  SimTime now{};
  std::size_t room = 1000;  ///< actions
  std::vector<Taken> taken;
  std::string stopped;
  WindowCopies* copies = nullptr;

  SimTime act(const Action& action, std::uint16_t author) noexcept override {
    if (room == 0) return SimTime{-1};
    --room;
    taken.push_back({now, action, author});
    return now;
  }
  void stop(const char* because) noexcept override { stopped = because; }
  WindowCopies* window_copies() noexcept override { return copies; }
};

}  // namespace takt::test
