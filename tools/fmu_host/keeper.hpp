#pragma once
// An FMU may start processes, and these others. They shall not outlive it, however it or the plant ends: a keeper, the
// parent of the host, is the nearest reaper of all of them and ends them when the host has ended.

namespace takt::fmu_host {

/// Divides this process: comes back in a child, the host. The parent stays as its keeper until the host has ended, or
/// whoever has started it, or until foreign::end_signal; then it ends what is left, and itself as the host has ended.
/// To be called before anything else.
/// @param name  of this process (argv[0])
void get_a_keeper(char* name);

}  // namespace takt::fmu_host
