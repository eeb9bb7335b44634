#pragma once
// Connectors of a structure as pins, and which pin feeds which.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/ssp/ssp_structure.hpp"

namespace takt::codegen {

/// A connector of an element, seen from within a system: the system's own, or one of an element in
/// it.
struct SspPin {
  const SspElement* element = nullptr;
  std::string connector;
  friend bool operator<(const SspPin& a, const SspPin& b) {
    return std::pair(a.element, std::string_view(a.connector)) <
           std::pair(b.element, std::string_view(b.connector));
  }
};

/// What a pin is fed by, through which connection.
struct SspFeed {
  SspPin source;
  const SspConnection* connection = nullptr;
};

/// Of the inside of every system: sink pin -> what feeds it.
using SspFeeds = std::map<const SspElement*, std::map<SspPin, SspFeed>>;

/// Kind of a connector; of a component that lists none, what its FMU says. Empty: there is no such
/// connector.
using SspKinds = std::function<std::string(const SspPin&)>;

/// Y205 connection to nothing, Y206 ends that do not fit, two feeds of one pin.
SspFeeds connect(const SspElement& root, const SspKinds& kinds, Diagnostics& diagnostics);

}  // namespace takt::codegen
