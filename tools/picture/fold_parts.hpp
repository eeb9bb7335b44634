#pragma once
// Parts fold what they hold into one box: an internal step of diagrams_of().

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/picture/diagram.hpp"

namespace takt::picture {

/// A box with what it is joined to, as if there were no parts.
struct Item {
  Box box;
  std::vector<std::size_t> ends;  ///< indices into Flat::ends, each once
};

/// A node or signal.
struct End {
  std::string path;
  std::optional<std::size_t> producer;  ///< of a signal: the item that computes it
  Quantity value = {};
};

/// A diagram without parts.
struct Flat {
  std::string name;
  codegen::CircuitDomain domain{};
  std::string note = {};
  std::vector<Item> items;
  std::vector<End> ends;
};

/// Appends the diagram and, at the end of all, those of its parts.
class PartFolder {
 public:
  void add(Flat unsorted);
  /// Those that were added in their order, then insides.
  [[nodiscard]] std::vector<Diagram> diagrams() &&;

 private:
  struct Open {
    std::size_t flat = 0;
    std::vector<std::size_t> items;
    std::size_t depth = 0;  ///< parts around
    std::size_t diagram = 0;
  };
  void fill(const Open& open);
  struct Parts {
    std::map<std::string, std::size_t> box;                 ///< by name
    std::map<std::size_t, std::vector<std::size_t>> items;  ///< by box
  };
  [[nodiscard]] std::size_t box_of(const Open& open, std::size_t item, Parts& parts);
  void join(const Open& open, const std::vector<std::size_t>& boxes);

  std::vector<Flat> flats_;
  std::vector<Diagram> diagrams_;
  std::vector<Open> waiting_;
};

}  // namespace takt::picture
