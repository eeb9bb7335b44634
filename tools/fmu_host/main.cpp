// takt-fmu-host SIZE FOLDER PACE: computes one FMU of a plant in a process of its own. The table of the FMU comes on
// standard input (codegen/emit/foreign_table.cpp), questions by shared memory, file 3 (runtime/foreign/block.hpp).
// takt-fmu-host trial: one run of an FMU for `takt fmu` (trial.hpp). Dynamic, because it loads foreign libraries, but
// with nothing that these could bind to besides the C library.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "runtime/fmu/own_process.hpp"
#include "runtime/foreign/block.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tools/fmu_host/hosted_model.hpp"
#include "tools/fmu_host/joined_model.hpp"
#include "tools/fmu_host/keeper.hpp"
#include "tools/fmu_host/trial.hpp"

namespace {

using takt::foreign::Block;
using takt::foreign::Command;

void say(Block& block, const std::string& text) {
  std::strncpy(block.message.data(), text.c_str(), block.message.size() - 1);
}

using takt::foreign::Outcome;

void answer(Block& block, std::uint32_t number, Outcome outcome) {
  block.outcome = outcome;
  block.answered.store(number, std::memory_order_release);
  takt::foreign::wake(block.answered);
}

std::int64_t now_ns() { return takt::wall_now().ns(); }

void sleep_until(std::int64_t wall_ns) {
  const timespec t = takt::to_timespec(takt::WallTime{wall_ns});
  (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
}

/// A paced plant wakes nobody: the host knows when the next question is due, and looks from then on.
/// @param next_ns  as the last question said: the next one may be on its way already
void wait_on_the_grid(const Block& block, std::uint32_t done, std::int64_t next_ns) {
  constexpr std::int64_t early_ns = 50'000, nap_ns = 20'000, long_nap_ns = 100'000, patience_ns = 500'000'000;
  const auto is_asked = [&] { return block.asked.load(std::memory_order_acquire) != done; };
  sleep_until(next_ns - (block.spin_ns > 0 ? early_ns : 0));
  const std::int64_t since_ns = now_ns();
  while (!is_asked()) {
    const std::int64_t waited_ns = now_ns() - since_ns;
    if (waited_ns >= block.spin_ns) sleep_until(now_ns() + (waited_ns > patience_ns ? long_nap_ns : nap_ns));
  }
}

/// One question. False where the host shall end.
/// @param next_ns  for a paced plant, from question to question
template <class Model>
bool serve(Block& block, Model& model, std::int64_t* next_ns) {
  const std::uint32_t done = block.answered.load(std::memory_order_relaxed);
  if (next_ns != nullptr && done > 0) wait_on_the_grid(block, done, *next_ns);
  while (block.asked.load(std::memory_order_acquire) == done)
    takt::foreign::wait_while(block.asked, done, 1'000'000'000);
  if (next_ns != nullptr) *next_ns = block.next_ns;
  std::string problem;
  const std::int64_t since_ns = now_ns();
  const bool ends = block.command == Command::end;
  if (ends)
    model.end();
  else if (block.command == Command::step)
    problem = model.step(block);
  else if (block.command == Command::save)
    problem = model.save(block);
  else if (block.command == Command::load)
    problem = model.load(block);
  else if (done > 0)  // the first question is whether the FMU is loaded
    problem = model.begin(block);
  if (takt::fmu::copies_came_back()) problem = takt::fmu::about_copies;
  block.call_ns = now_ns() - since_ns;
  if (!problem.empty()) say(block, problem);
  answer(block, done + 1, problem.empty() ? Outcome::done : model.has_ended() ? Outcome::ended : Outcome::failed);
  return !ends;
}

/// Answers a plant until it has no more questions. @return exit code
int compute_for_plant(Block& block, const std::string& folder_text, bool paced) {
  block.host = getpid();
  if (block.version != Block::layout) {
    say(block, "takt-fmu-host is of another version than the plant: build the plant again");
    answer(block, 1, Outcome::failed);
    return 1;
  }
  if (paced) (void)mlockall(MCL_CURRENT | MCL_FUTURE);  // where it is not allowed, the plant says so of itself
  (void)takt::fmu::end_copies(block.came_back);
  try {
    const auto folder = std::filesystem::absolute(folder_text);
    const std::string table(std::istreambuf_iterator<char>(std::cin), {});
    std::istringstream text(table);
    std::int64_t next_ns = 0;
    const auto serve_all = [&](auto&& model) {
      while (serve(block, model, paced ? &next_ns : nullptr)) {
      }
    };
    if (takt::fmu_host::is_joined(table))
      serve_all(takt::fmu_host::JoinedModel(text, folder));
    else
      serve_all(takt::fmu_host::HostedModel(text, folder));
    return 0;
  } catch (const std::exception& error) {
    say(block, error.what());
    answer(block, 1, Outcome::failed);
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool trial = argc == 2 && std::string_view(argv[1]) == "trial";
  if (!trial && argc != 4) {
    std::fputs("takt-fmu-host is started by plants with FMUs and by `takt fmu`\n", stderr);
    return 2;
  }
  takt::fmu_host::get_a_keeper(argv[0]);
  if (trial) return takt::fmu_host::run_trial();
  const std::size_t size = std::strtoull(argv[1], nullptr, 10);
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
  if (mapped == MAP_FAILED || size < sizeof(Block)) return 2;
  return compute_for_plant(*static_cast<Block*>(mapped), argv[2], std::string_view(argv[3]) == "paced");
}
