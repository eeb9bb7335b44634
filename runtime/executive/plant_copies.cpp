#include "runtime/executive/plant_copies.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace takt {

PlantCopies::PlantCopies(const PlantDescription& plant, const Exchanges& exchanges, Options options)
    : plant_(plant), exchanges_(exchanges) {
  const std::size_t size = plant.memory_size + exchanges.state_size();
  const std::size_t room = std::max<std::size_t>(2, options.most_bytes / std::max<std::size_t>(1, size));
  copies_.resize(std::min(std::max<std::size_t>(2, options.most), room));
  for (PlantCopy& copy : copies_) copy.memory.resize(plant.memory_size), copy.exchanges.resize(exchanges.state_size());
  stride_ = std::max<std::uint64_t>(1, (options.macro_steps + copies_.size() - 1) / copies_.size());
}

void PlantCopies::take(std::uint64_t macro_step) noexcept {
  if (used_ == copies_.size()) {
    for (std::size_t i = 1; 2 * i < used_; ++i) std::swap(copies_[i], copies_[2 * i]);
    used_ = (used_ + 1) / 2;
    stride_ *= 2;
    if (macro_step % stride_ != 0) {
      next_ = (macro_step / stride_ + 1) * stride_;
      return;
    }
  }
  PlantCopy& copy = copies_[used_++];
  copy.macro_step = macro_step;
  std::memcpy(copy.memory.data(), plant_.memory, plant_.memory_size);
  exchanges_.save(copy.exchanges.data());
  next_ = macro_step + stride_;
}

}  // namespace takt
