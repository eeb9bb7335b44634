// takt-fmu-host FD SIZE FOLDER: computes one FMU of a plant in a process of its own. The table of the FMU comes on
// standard input (codegen/emit/foreign_table.cpp), questions by shared memory (runtime/foreign/block.hpp). Started by
// the plant; dynamic, because it loads foreign libraries.

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

#include "runtime/foreign/block.hpp"
#include "tools/fmu_host/hosted_model.hpp"
#include "tools/fmu_host/joined_model.hpp"

namespace {

using takt::foreign::Block;
using takt::foreign::Command;

void say(Block& block, const std::string& text) {
  std::strncpy(block.message.data(), text.c_str(), block.message.size() - 1);
}

void answer(Block& block, std::uint32_t number, bool good) {
  block.failed = good ? 0 : 1;
  block.answered.store(number, std::memory_order_release);
  takt::foreign::wake(block.answered);
}

/// One question. False where the host shall end.
template <class Model>
bool serve(Block& block, Model& model) {
  const std::uint32_t done = block.answered.load(std::memory_order_relaxed);
  while (block.asked.load(std::memory_order_acquire) == done)
    takt::foreign::wait_while(block.asked, done, 1'000'000'000);
  std::string problem;
  const bool ends = block.command == Command::end;
  if (ends) {
    model.end();
  } else if (block.command == Command::step) {
    problem = model.step(block.start_ns, block.step_ns, block);
  } else if (block.start_ns >= 0) {
    problem = model.begin(block);
  }
  if (!problem.empty()) say(block, problem);
  answer(block, done + 1, problem.empty());
  return !ends;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("takt-fmu-host is started by plants with FMUs\n", stderr);
    return 2;
  }
  const std::size_t size = std::strtoull(argv[2], nullptr, 10);
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(argv[1]), 0);
  if (mapped == MAP_FAILED || size < sizeof(Block)) return 2;
  Block& block = *static_cast<Block*>(mapped);
  if (block.version != Block::layout) {
    say(block, "takt-fmu-host is of another version than the plant: build the plant again");
    answer(block, 1, false);
    return 1;
  }
  try {
    const auto folder = std::filesystem::absolute(argv[3]);
    const std::string table(std::istreambuf_iterator<char>(std::cin), {});
    std::istringstream text(table);
    if (takt::fmu_host::is_joined(table)) {
      takt::fmu_host::JoinedModel model(text, folder);
      while (serve(block, model)) {
      }
    } else {
      takt::fmu_host::HostedModel model(text, folder);
      while (serve(block, model)) {
      }
    }
    return 0;
  } catch (const std::exception& error) {
    say(block, error.what());
    answer(block, 1, false);
    return 1;
  }
}
