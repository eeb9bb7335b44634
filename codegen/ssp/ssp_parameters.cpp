#include "codegen/ssp/ssp_parameters.hpp"

#include <fmt/format.h>

#include "codegen/fmu/archive_rules.hpp"

namespace takt::codegen {
namespace {

class Settler {
 public:
  Settler(const SspElement& root, const SspFeeds& feeds, const SspKinds& kinds,
          Diagnostics& diagnostics)
      : root_(root), feeds_(feeds), kinds_(kinds), diagnostics_(diagnostics) {}

  SspSettings settle() {
    walk(root_);
    return std::move(settings_);
  }

 private:
  void walk(const SspElement& element) {
    for (const SspElement& each : element.elements) walk(each);
    for (const SspParameter& each : element.parameters) {
      SspSetting setting{&each, {}};
      if (each.transformation) setting.transformations.push_back(*each.transformation);
      if (!deliver(element, each.name, setting))
        diagnostics_.warning("Y208", each.where,
                             fmt::format("'{}' is no parameter of '{}': it is not used",
                                         printable(each.name), printable(element.name)),
                             "names are those of connectors or variables, in systems after the "
                             "element's name and a dot");
    }
  }

  /// @return whether the name is that of something
  bool deliver(const SspElement& element, const std::string& name, const SspSetting& setting) {
    const SspPin pin{&element, name};
    const std::string kind = kinds_(pin);
    if (!element.is_system) {
      if (kind.empty()) return false;
      settings_[pin] = setting;
      return true;
    }
    if (!kind.empty()) {
      if (&element == &root_) settings_[pin] = setting;
      for (const auto& [sink, feed] : feeds_.at(&element)) {
        if (feed.source.element != &element || feed.source.connector != name ||
            sink.element == &element)
          continue;
        SspSetting further = setting;
        if (feed.connection->transformation)
          further.transformations.push_back(*feed.connection->transformation);
        deliver(*sink.element, sink.connector, further);
      }
      return true;
    }
    const SspElement* longest = nullptr;  // names may have dots
    for (const SspElement& each : element.elements)
      if (name.starts_with(each.name + ".") &&
          (longest == nullptr || each.name.size() > longest->name.size()))
        longest = &each;
    return longest != nullptr && deliver(*longest, name.substr(longest->name.size() + 1), setting);
  }

  const SspElement& root_;
  const SspFeeds& feeds_;
  const SspKinds& kinds_;
  Diagnostics& diagnostics_;
  SspSettings settings_;
};

}  // namespace

SspSettings settle(const SspElement& root, const SspFeeds& feeds, const SspKinds& kinds,
                   Diagnostics& diagnostics) {
  return Settler(root, feeds, kinds, diagnostics).settle();
}

}  // namespace takt::codegen
