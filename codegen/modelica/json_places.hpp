#pragma once
// Where in the Modelica source a part of rumoca's flat JSON stands. The front end tells bytes of
// sources that it numbers; which files these are, and where their lines end, stands beside the flat
// model where `takt` has called it.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codegen/modelica/flat_json_expressions.hpp"

namespace takt::codegen::modelica {

class JsonPlaces {
 public:
  /// @param file  the place of all where nothing better is known
  JsonPlaces(const Json& json, FileName file);

  /// @param part  with a "span" or "source_span"
  [[nodiscard]] Location of(const Json& part) const;

 private:
  struct Source {
    FileName file;
    std::vector<std::size_t> line_ends;
  };
  FileName file_;
  std::unordered_map<std::uint64_t, Source> sources_;
};

}  // namespace takt::codegen::modelica
