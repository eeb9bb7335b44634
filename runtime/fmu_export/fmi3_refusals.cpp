// The functions of FMI 3.0.2 that no plant serves: each says why.

#include "runtime/fmu_export/fmi3_component.hpp"

namespace {

using namespace takt::fmu_export;

/// Of types that no variable of a plant has.
fmi3Status no_variables(fmi3Instance c, std::size_t count, const char* type) {
  if (count == 0 && c != nullptr) return fmi3OK;
  return run_fmi3(c, [&](Unit& self) {
    return self.refuse(std::string("the FMU has no variables of type ") + type + ": all are Float64");
  });
}

constexpr const char* no_clocks = "the FMU has no clocks";

}  // namespace

extern "C" {

fmi3Status fmi3GetFloat32(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3Float32*, size_t) {
  return no_variables(c, count, "Float32");
}
fmi3Status fmi3GetInt8(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3Int8*, size_t) {
  return no_variables(c, count, "Int8");
}
fmi3Status fmi3GetUInt8(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3UInt8*, size_t) {
  return no_variables(c, count, "UInt8");
}
fmi3Status fmi3GetInt16(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3Int16*, size_t) {
  return no_variables(c, count, "Int16");
}
fmi3Status fmi3GetUInt16(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3UInt16*, size_t) {
  return no_variables(c, count, "UInt16");
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3Int32*, size_t) {
  return no_variables(c, count, "Int32");
}
fmi3Status fmi3GetUInt32(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3UInt32*, size_t) {
  return no_variables(c, count, "UInt32");
}
fmi3Status fmi3GetInt64(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3Int64*, size_t) {
  return no_variables(c, count, "Int64");
}
fmi3Status fmi3GetUInt64(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3UInt64*, size_t) {
  return no_variables(c, count, "UInt64");
}
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3Boolean*, size_t) {
  return no_variables(c, count, "Boolean");
}
fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference*, size_t count, fmi3String*, size_t) {
  return no_variables(c, count, "String");
}
fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference*, size_t count, size_t*, fmi3Binary*, size_t) {
  return no_variables(c, count, "Binary");
}
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference*, size_t, fmi3Clock*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3SetFloat32(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3Float32*, size_t) {
  return no_variables(c, count, "Float32");
}
fmi3Status fmi3SetInt8(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3Int8*, size_t) {
  return no_variables(c, count, "Int8");
}
fmi3Status fmi3SetUInt8(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3UInt8*, size_t) {
  return no_variables(c, count, "UInt8");
}
fmi3Status fmi3SetInt16(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3Int16*, size_t) {
  return no_variables(c, count, "Int16");
}
fmi3Status fmi3SetUInt16(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3UInt16*, size_t) {
  return no_variables(c, count, "UInt16");
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3Int32*, size_t) {
  return no_variables(c, count, "Int32");
}
fmi3Status fmi3SetUInt32(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3UInt32*, size_t) {
  return no_variables(c, count, "UInt32");
}
fmi3Status fmi3SetInt64(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3Int64*, size_t) {
  return no_variables(c, count, "Int64");
}
fmi3Status fmi3SetUInt64(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3UInt64*, size_t) {
  return no_variables(c, count, "UInt64");
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3Boolean*, size_t) {
  return no_variables(c, count, "Boolean");
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference*, size_t count, const fmi3String*, size_t) {
  return no_variables(c, count, "String");
}
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference*, size_t count, const size_t*, const fmi3Binary*,
                         size_t) {
  return no_variables(c, count, "Binary");
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3Clock*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t*) {
  return refuse_fmi3(c, "dependencies of elements are not provided");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t*, fmi3ValueReference*, size_t*,
                                       fmi3DependencyKind*, size_t) {
  return refuse_fmi3(c, "dependencies of elements are not provided");
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  return refuse_fmi3(c, "there are no structural parameters to configure");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  return refuse_fmi3(c, "there are no structural parameters to configure");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference*, size_t, fmi3Float64*,
                                  fmi3IntervalQualifier*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference*, size_t, fmi3UInt64*, fmi3UInt64*,
                                   fmi3IntervalQualifier*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference*, size_t, fmi3Float64*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference*, size_t, fmi3UInt64*, fmi3UInt64*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3Float64*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3UInt64*,
                                   const fmi3UInt64*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3Float64*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3UInt64*,
                                const fmi3UInt64*) {
  return refuse_fmi3(c, no_clocks);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64) {
  return refuse_fmi3(c, "scheduled execution is not served");
}

}  // extern "C"
