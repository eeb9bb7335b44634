#pragma once
// What a picture of a plant shows, before anything has a place: boxes and the nets that join them, a diagram for each
// circuit, one for what is sampled, and one for the inside of each part.

#include <optional>
#include <string>
#include <vector>

#include "codegen/library/branch_kind.hpp"
#include "codegen/library/domain.hpp"
#include "codegen/pipeline.hpp"

namespace takt::picture {

/// As the plant's table of quantities names it.
struct Quantity {
  std::string path, unit;
};

enum class Look : std::uint8_t {
  element,
  guest,  ///< of an element whose home is another circuit: the shaft of a motor
  part,   ///< stands for all that is inside
  block,  ///< sampled: a control block, a modulator, an FMU
  port,   ///< inside of a part: where it is joined to the rest
  input,  ///< what the world may set
};

struct Box {
  std::string path;     ///< "electric.pack[0].cells"
  std::string name;     ///< "cells"
  std::string type{};   ///< "electric.battery"; empty where there is none
  std::string value{};  ///< "20 mOhm"
  Look look = Look::element;
  codegen::CircuitDomain domain{};
  std::optional<codegen::BranchKind> kind{};  ///< of its first branch in the circuit
  bool grounded = false;                      ///< a branch ends at the reference
  int leads = 0;                              ///< the higher, the rather a diagram begins there
  bool in_tree = false;                       ///< a branch of it is in the normal tree
  std::vector<std::string> ties{};            ///< paths in other diagrams that belong to it: a heat port's wall
  std::vector<Quantity> shown{};              ///< what stands in it where values are known, the first before all
  codegen::Location where{};
  std::optional<std::size_t> inside{};  ///< of a part: index of its diagram
  std::size_t holds = 0;                ///< elements and blocks in a part, at any depth
};

struct Net {
  std::string path;                ///< of the node or signal
  std::vector<std::size_t> boxes;  ///< at least two; of a signal the first computes it
  bool directed = false;
  Quantity value;
};

struct Diagram {
  std::string name;  ///< of the circuit, the sampled subsystem or the part
  codegen::CircuitDomain domain{};
  std::string note{};  ///< what the topology found: "d-index 2 → 1"
  std::vector<Box> boxes{};
  std::vector<Net> nets{};
  std::optional<std::size_t> within{};  ///< of a part: index of the diagram that its box stands in
};

/// Circuits by domain, the largest first, then what is sampled, then insides of parts. The same plant gives the same.
[[nodiscard]] std::vector<Diagram> diagrams_of(const codegen::Checked& checked);

}  // namespace takt::picture
