#pragma once
// Expressions and statements of rumoca's flat JSON.

#include <nlohmann/json.hpp>

#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

using Json = nlohmann::json;

class JsonExpressions {
 public:
  explicit JsonExpressions(FileName file) : file_(file) {}

  /// @throw Refusal (D002)
  [[nodiscard]] FlatRef expression(const Json& json) const;
  [[nodiscard]] FlatStatements statements(const Json& json) const;
  [[nodiscard]] std::vector<FlatRef> subscripts(const Json& json) const;
  /// Null where the value is null.
  [[nodiscard]] FlatRef optional(const Json& json) const {
    return json.is_null() ? nullptr : expression(json);
  }
  [[nodiscard]] static std::string name_of(const Json& json);

 private:
  [[nodiscard]] FlatRef make(FlatExpression::Kind kind, std::string text,
                             std::vector<FlatRef> parts) const;
  [[nodiscard]] FlatRef literal(const Json& json) const;
  [[nodiscard]] FlatRef binary(const Json& json) const;
  [[nodiscard]] FlatRef choice(const Json& json) const;
  [[nodiscard]] FlatRef array(const Json& json) const;
  [[nodiscard]] FlatRef comprehension(const Json& json) const;
  [[nodiscard]] FlatRef reference(const Json& json) const;
  [[nodiscard]] std::vector<FlatRef> all_of(const Json& json) const;
  [[nodiscard]] FlatStatement statement(const std::string& kind, const Json& json) const;
  [[nodiscard]] FlatStatement choose(const Json& json) const;
  [[nodiscard]] FlatStatement repeat(const Json& json) const;
  [[nodiscard]] FlatStatement call(const Json& json) const;
  [[nodiscard]] Refusal refuse(std::string what) const;

  FileName file_;
};

}  // namespace takt::codegen::modelica
