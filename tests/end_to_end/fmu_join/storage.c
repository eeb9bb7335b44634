/* FMI 2.0, model exchange and co-simulation with its state: a mass with friction, p' = F + Fc - d v - e v |v|, v = p/m, x' = v. The
   state is the momentum, so that v is no state. fault 1: NaN from 0.1 s on; out 1: Fc counts out of it. Co-simulation: RK4 with eight parts of a step, inputs held. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"

enum { P, DP, X, DX, V, F, FC, M, D, E, V0, FAULT, OUT, COUNT };
typedef struct {
  double value[COUNT], t;
} Mass;

static void rates(Mass* s) {
  double* z = s->value;
  z[V] = z[P] / z[M];
  z[DP] = z[F] + (z[OUT] ? -z[FC] : z[FC]) - z[D] * z[V] - z[E] * z[V] * fabs(z[V]);
  if (z[FAULT] == 1 && s->t > 0.1) z[DP] = NAN;
  z[DX] = z[V];
}
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String r, const fmi2CallbackFunctions* f, fmi2Boolean v, fmi2Boolean l) {
  if (strcmp(guid, "{storage}") != 0) return NULL;
  Mass* s = calloc(1, sizeof *s);
  s->value[M] = 1;
  return s;
}
const char* fmi2GetVersion(void) { return fmi2Version; }
const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String k[]) { return fmi2OK; }
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real tol, fmi2Real t0, fmi2Boolean sd, fmi2Real t1) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { Mass* s = c; s->value[P] = s->value[M] * s->value[V0]; return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { return fmi2Error; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
  rates(c);
  for (size_t k = 0; k < n; ++k) v[k] = ((Mass*)c)->value[r[k]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
  for (size_t k = 0; k < n; ++k) ((Mass*)c)->value[r[k]] = v[k];
  return fmi2OK;
}
fmi2Status fmi2EnterEventMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* e) { memset(e, 0, sizeof *e); return fmi2OK; }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no, fmi2Boolean* e, fmi2Boolean* t) { *e = *t = fmi2False; return fmi2OK; }
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) { ((Mass*)c)->t = t; return fmi2OK; }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) { ((Mass*)c)->value[P] = x[0], ((Mass*)c)->value[X] = x[1]; return fmi2OK; }
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { x[0] = ((Mass*)c)->value[P], x[1] = ((Mass*)c)->value[X]; return fmi2OK; }
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real x[], size_t n) { rates(c); x[0] = ((Mass*)c)->value[DP], x[1] = ((Mass*)c)->value[DX]; return fmi2OK; }
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) { return fmi2OK; }
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { x[0] = x[1] = 1; return fmi2OK; }

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no) {
  Mass* s = c;
  const double part = h / 8;
  for (int k = 0; k < 8; ++k) {
    const double p = s->value[P], x = s->value[X], at[4] = {0, 0.5, 0.5, 1};
    double dp[4], dx[4];
    for (int i = 0; i < 4; ++i) {
      s->t = t + (k + at[i]) * part;
      s->value[P] = p + (i ? at[i] * part * dp[i - 1] : 0);
      rates(s);
      dp[i] = s->value[DP], dx[i] = s->value[DX];
    }
    s->value[P] = p + part / 6 * (dp[0] + 2 * dp[1] + 2 * dp[2] + dp[3]);
    s->value[X] = x + part / 6 * (dx[0] + 2 * dx[1] + 2 * dx[2] + dx[3]);
  }
  return fmi2OK;
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s) { if (!*s) *s = malloc(sizeof(Mass)); memcpy(*s, c, sizeof(Mass)); return fmi2OK; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { memcpy(c, s, sizeof(Mass)); return fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* s) { free(*s); *s = NULL; return fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t* n) { *n = sizeof(Mass); return fmi2OK; }
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n) { memcpy(b, s, n); return fmi2OK; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate* s) { *s = malloc(n); memcpy(*s, b, n); return fmi2OK; }

/* An FMU has all functions of the standard. */
#define NONE(Name, Type) \
  fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference r[], size_t n, Type v[]) { return fmi2Error; } \
  fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference r[], size_t n, const Type v[]) { return fmi2Error; }
NONE(Integer, fmi2Integer) NONE(Boolean, fmi2Boolean) NONE(String, fmi2String)
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer o[], const fmi2Real v[]) { return fmi2Error; }
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer o[], fmi2Real v[]) { return fmi2Error; }
fmi2Status fmi2CancelStep(fmi2Component c) { return fmi2Error; }
