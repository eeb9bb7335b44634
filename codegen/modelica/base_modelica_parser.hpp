#pragma once
// Declarations, equations and classes of a Base Modelica text.

#include <optional>

#include "codegen/modelica/base_modelica_expressions.hpp"

namespace takt::codegen::modelica {

class ModelParser : public TextParser {
 public:
  explicit ModelParser(std::vector<Token> tokens) : TextParser(std::move(tokens)) {}

  /// @throw Refusal
  [[nodiscard]] FlatModel run();

 private:
  /// What stands before the name of a component.
  struct Prefix {
    Variability variability = Variability::continuous;
    Causality causality = Causality::none;
    bool is_final = false;
    std::string type{};
    std::vector<FlatRef> dims{};
    Location where{};
  };
  struct Record {
    std::vector<FlatVariable> fields;
  };

  void find_records();
  void package();
  void class_definition();
  void type_definition();
  void record();
  void function();
  void external(FlatFunction& into);
  void function_component(FlatFunction& into, bool is_protected);
  void model();
  void model_sections();
  void finish();
  void end_of(const std::string& name);

  [[nodiscard]] Prefix prefix();
  [[nodiscard]] std::vector<FlatVariable> components();
  [[nodiscard]] FlatVariable component(const Prefix& prefix);
  void modification(FlatVariable& into);
  void attribute(FlatVariable& into, const std::string& name, const Location& where);
  void add_variable(FlatVariable declared);
  void add_record(const FlatVariable& declared, const Record& type);
  void annotation(std::size_t from, std::size_t to) override;
  [[nodiscard]] std::optional<double> annotated(std::size_t from, std::size_t to,
                                                std::string_view name) const;

  [[nodiscard]] std::vector<FlatEquation> equations(std::string_view origin);
  [[nodiscard]] FlatEquation equation(std::string_view origin);
  [[nodiscard]] FlatEquation choose(std::string_view origin);
  [[nodiscard]] FlatEquation repeat(std::string_view origin);
  void when();
  [[nodiscard]] static std::vector<FlatWhenAction> when_actions(
      const std::vector<FlatEquation>& equations);

  FlatModel out_;
  std::map<std::string, Record, std::less<>> records_;
  std::map<std::string, FlatVariable, std::less<>> types_;  ///< type 'Angle' = Real(unit = "rad")
  std::set<std::string, std::less<>> enumerations_, names_;
  bool evaluate_ = false, has_model_ = false;
  int equation_depth_ = 0;
  std::size_t equation_count_ = 0;
};

}  // namespace takt::codegen::modelica
