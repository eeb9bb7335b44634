#pragma once
// The plant inputs of a checked plant, as the runtime describes them: what reading a log of inputs needs.

#include <vector>

#include "codegen/pipeline.hpp"
#include "runtime/plant/description.hpp"

namespace takt::tools {

/// Names are those of `checked`, which lives as long.
class DescribedInputs {
 public:
  explicit DescribedInputs(const codegen::Checked& checked);
  DescribedInputs(const DescribedInputs&) = delete;
  DescribedInputs& operator=(const DescribedInputs&) = delete;
  ~DescribedInputs() = default;
  /// Name, length of a macro-step and inputs; nothing else.
  [[nodiscard]] const PlantDescription& plant() const { return plant_; }

 private:
  std::vector<PlantInputDescription> inputs_;
  PlantDescription plant_{};
};

}  // namespace takt::tools
