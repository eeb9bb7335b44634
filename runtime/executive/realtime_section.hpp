#pragma once
// Marks the stretch between start and stop of the real-time thread, so that tests can watch what it does there.

namespace takt {

/// True while this thread is inside the real-time loop. A test that replaces malloc aborts where it is set.
extern constinit thread_local bool in_realtime_section;

class RealtimeSection {
 public:
  RealtimeSection() noexcept { in_realtime_section = true; }
  ~RealtimeSection() { in_realtime_section = false; }
  RealtimeSection(const RealtimeSection&) = delete;
  RealtimeSection& operator=(const RealtimeSection&) = delete;
};

}  // namespace takt
