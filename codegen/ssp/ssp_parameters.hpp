#pragma once
// Which value each pin of a component gets in the end.

#include "codegen/ssp/ssp_pins.hpp"

namespace takt::codegen {

/// A value on its way: transformations of connections on top of that of its mapping, innermost
/// first.
struct SspSetting {
  const SspParameter* parameter = nullptr;
  std::vector<SspTransformation> transformations;
};

/// Bindings of a system count more than those of what is in it, later ones more than earlier ones
/// (SSP 1.0, ParameterBinding). Pins of components, and of the root's own connectors.
using SspSettings = std::map<SspPin, SspSetting>;

/// Y208 as a warning where a name is that of nothing.
SspSettings settle(const SspElement& root, const SspFeeds& feeds, const SspKinds& kinds,
                   Diagnostics& diagnostics);

}  // namespace takt::codegen
