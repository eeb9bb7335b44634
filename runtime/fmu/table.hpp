#pragma once
// What a caller of an FMU must know of it, in plain tables: neither XML nor zip. Written by who has read the
// modelDescription.xml (codegen/fmu), used by Instance.

#include <cstdint>
#include <string>
#include <vector>

namespace takt::fmu {

enum class Version : std::uint8_t { v2 = 2, v3 = 3 };
enum class Kind : std::uint8_t { co_simulation, model_exchange };

/// Types of numbers. FMI 2 knows float64 (real), int32 (integer), boolean and enumeration.
enum class Type : std::uint8_t {
  float64,
  float32,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  enumeration
};

/// When a variable may be set, by its causality, variability and `initial` (FMI 2.0.4: 2.2.7, 3.2.3, 4.2.4; FMI 3.0.2:
/// 2.3.2 to 2.3.6, 4.2.1). See modes_for_setting() in call_order.hpp.
enum class Use : std::uint8_t {
  read,              ///< never: outputs, what is calculated, constants
  start_approx,      ///< initial = approx: before initialisation
  start_exact,       ///< fixed parameters, other variables with initial = exact: until initialisation ends
  tunable,           ///< tunable parameters: also at events
  input_discrete,    ///< at events
  input_continuous,  ///< floating-point inputs of variability continuous: between events too
};

/// One variable, or one array, and where its elements stand among the values of a caller.
struct Row {
  Type type = Type::float64;
  std::uint32_t reference = 0;  ///< valueReference
  std::uint32_t first = 0;      ///< index of its first element
  std::uint32_t count = 1;      ///< elements, the last index fastest
  Use use = Use::read;
};

/// What an FMU says it can do; a function that it does not say is not called and need not be there.
struct Capabilities {
  bool get_and_set_state = false, serialize_state = false;
  bool directional_derivatives = false, adjoint_derivatives = false;
  bool only_once_per_process = false;
  bool completed_step_not_needed = false;     ///< model exchange
  bool interpolates_inputs = false;           ///< FMI 2, co-simulation: derivatives of inputs may be set
  std::uint32_t output_derivative_order = 0;  ///< co-simulation
  bool has_event_mode = false;                ///< FMI 3, co-simulation
  bool may_return_early = false;              ///< FMI 3, co-simulation
};

struct Table {
  Version version = Version::v3;
  Kind kind = Kind::co_simulation;
  std::string library;                     ///< path of the shared library
  std::string resources;                   ///< absolute path of the folder of resources, without a slash at its end
  std::string token;                       ///< guid of FMI 2, instantiationToken of FMI 3
  std::string model_identifier;            ///< for messages
  std::size_t states = 0, indicators = 0;  ///< elements; model exchange
  /// valueReferences of the states and of their derivatives, in order; empty where one of them is an array
  std::vector<std::uint32_t> state_references, rate_references;
  Capabilities can;
};

}  // namespace takt::fmu
