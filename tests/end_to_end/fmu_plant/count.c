/* FMI 3.0, co-simulation with event mode, and model exchange: x' = n, n a whole number that may be set at events only (else an
   error, as the standard allows). xs = {x, 2 x}; high is x > 0.05 at the last event or step; ticks counts
   time events, one every 30 ms. Gives its state. */
#include <stdlib.h>
#include <string.h>

#include "fmi3Functions.h"

typedef struct {
  double x, dx;
  int n, may_set, ticks;
  double now;
} Count;

static void tick(Count* c) {
  while (c->now > 0.03 * (c->ticks + 1) - 1e-9) ++c->ticks;
}

static Count* make(fmi3String token) {
  if (strcmp(token, "{count}") != 0) return NULL;
  Count* c = calloc(1, sizeof *c);
  c->may_set = 1;
  return c;
}
const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String r, fmi3Boolean vis, fmi3Boolean l, fmi3InstanceEnvironment o, fmi3LogMessageCallback log) { return make(token); }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String r, fmi3Boolean vis, fmi3Boolean l, fmi3Boolean event_mode, fmi3Boolean early,
    const fmi3ValueReference iv[], size_t n, fmi3InstanceEnvironment o, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback u) { return make(token); }
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean td, fmi3Float64 tol, fmi3Float64 t0, fmi3Boolean sd, fmi3Float64 t1) { return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3EnterEventMode(fmi3Instance c) { ((Count*)c)->may_set = 1; return fmi3OK; }
fmi3Status fmi3EnterStepMode(fmi3Instance c) { ((Count*)c)->may_set = 0; return fmi3OK; }
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { ((Count*)c)->may_set = 0; return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Reset(fmi3Instance c) { return fmi3Error; }
fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], size_t nv) {
  Count* c = i;
  for (size_t k = 0; k < n; ++k) {
    if (r[k] == 1) *v++ = c->x;
    if (r[k] == 2) *v++ = c->n;
    if (r[k] == 4) *v++ = c->x, *v++ = 2 * c->x;
  }
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[], size_t nv) { return fmi3Error; }
fmi3Status fmi3GetInt32(fmi3Instance i, const fmi3ValueReference r[], size_t n, fmi3Int32 v[], size_t nv) {
  for (size_t k = 0; k < n; ++k) v[k] = r[k] == 6 ? ((Count*)i)->ticks : ((Count*)i)->n;
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance i, const fmi3ValueReference r[], size_t n, const fmi3Int32 v[], size_t nv) {
  if (!((Count*)i)->may_set) return fmi3Error;
  ((Count*)i)->n = v[0];
  return fmi3OK;
}
fmi3Status fmi3GetBoolean(fmi3Instance i, const fmi3ValueReference r[], size_t n, fmi3Boolean v[], size_t nv) { v[0] = ((Count*)i)->x > 0.05; return fmi3OK; }
fmi3Status fmi3SetBoolean(fmi3Instance i, const fmi3ValueReference r[], size_t n, const fmi3Boolean v[], size_t nv) { return fmi3Error; }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* again, fmi3Boolean* end, fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* has_next, fmi3Float64* next) {
  tick(i);
  *again = *end = *nominals = *states = fmi3False, *has_next = fmi3True, *next = 0.03 * (((Count*)i)->ticks + 1);
  return fmi3OK;
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no, fmi3Boolean* enter, fmi3Boolean* end) { *enter = *end = fmi3False; return fmi3OK; }
fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 t) { ((Count*)i)->now = t; return fmi3OK; }
fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 x[], size_t n) { ((Count*)i)->x = x[0]; return fmi3OK; }
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 dx[], size_t n) { dx[0] = ((Count*)i)->n; return fmi3OK; }
fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 z[], size_t n) { return fmi3OK; }
fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t n) { x[0] = ((Count*)i)->x; return fmi3OK; }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t n) { x[0] = 1; return fmi3OK; }
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no, fmi3Boolean* event, fmi3Boolean* end, fmi3Boolean* early, fmi3Float64* last) {
  ((Count*)i)->x += ((Count*)i)->n * h, ((Count*)i)->now = t + h;
  tick(i);
  *event = *end = *early = fmi3False, *last = t + h;
  return fmi3OK;
}

/* An FMU has all functions of the standard. */
#define NONE(Name, Type) \
  fmi3Status fmi3Get##Name(fmi3Instance i, const fmi3ValueReference r[], size_t n, Type v[], size_t nv) { return fmi3Error; } \
  fmi3Status fmi3Set##Name(fmi3Instance i, const fmi3ValueReference r[], size_t n, const Type v[], size_t nv) { return fmi3Error; }
NONE(Float32, fmi3Float32) NONE(Int8, fmi3Int8) NONE(UInt8, fmi3UInt8) NONE(Int16, fmi3Int16) NONE(UInt16, fmi3UInt16)
NONE(UInt32, fmi3UInt32) NONE(Int64, fmi3Int64) NONE(UInt64, fmi3UInt64) NONE(String, fmi3String)
fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* s) {
  if (*s == NULL) *s = malloc(sizeof(Count));
  memcpy(*s, i, sizeof(Count));
  return fmi3OK;
}
fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState s) { memcpy(i, s, sizeof(Count)); return fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* s) { free(*s), *s = NULL; return fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState s, size_t* n) { *n = sizeof(Count); return fmi3OK; }
fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState s, fmi3Byte b[], size_t n) { memcpy(b, s, n); return fmi3OK; }
fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte b[], size_t n, fmi3FMUState* s) {
  if (*s == NULL) *s = malloc(sizeof(Count));
  memcpy(*s, b, n);
  return fmi3OK;
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference r[], size_t n, const fmi3Int32 o[], fmi3Float64 v[], size_t nv) { return fmi3Error; }
