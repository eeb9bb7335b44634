/* A stiff FMU of version 2.0 for tests, model exchange:
 *   p' = -l (p - cos t) - sin t      p = cos t whatever l is (A. Prothero, A. Robinson, Math. Comp. 28 (1974))
 *   a' = b,  b' = mu ((1 - a^2) b - a)      van der Pol's equation, time scaled
 *   s' = relay * (s > 0 as of the last event ? -1 : 1)      chatters at s = 0
 * Its directional derivatives crash where relay < 0. */
#include <fmi2Functions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P, A, B, S, DER_P, DER_A, DER_B, DER_S, L, MU, RELAY, COUNT };

typedef struct {
  double real[COUNT], time;
  int above;
} Stiff;

static void start(Stiff* m) {
  memset(m, 0, sizeof *m);
  m->real[P] = 1, m->real[A] = 2, m->real[S] = 0.5, m->real[L] = 1e6, m->real[MU] = 1000;
  m->above = 1;
}
static void evaluate(Stiff* m) {
  double* r = m->real;
  r[DER_P] = -r[L] * (r[P] - cos(m->time)) - sin(m->time);
  r[DER_A] = r[B];
  r[DER_B] = r[MU] * ((1 - r[A] * r[A]) * r[B] - r[A]);
  r[DER_S] = r[RELAY] * (m->above ? -1 : 1);
}

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String list[]) { return fmi2OK; }
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions* f, fmi2Boolean visible, fmi2Boolean logging) {
  Stiff* m = malloc(sizeof(Stiff));
  start(m);
  return m;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean d, fmi2Real tol, fmi2Real t0, fmi2Boolean s, fmi2Real t1) { ((Stiff*)c)->time = t0; return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { start(c); return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real v[]) {
  evaluate(c);
  for (size_t i = 0; i < n; ++i) v[i] = ((Stiff*)c)->real[vr[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i) ((Stiff*)c)->real[vr[i]] = v[i];
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer v[]) { return fmi2Error; }
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer v[]) { return fmi2Error; }
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean v[]) { return fmi2Error; }
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Boolean v[]) { return fmi2Error; }
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[]) { return fmi2Error; }
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String v[]) { return fmi2Error; }
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t nu, const fmi2ValueReference k[], size_t nk, const fmi2Real dk[], fmi2Real du[]) {
  const double* r = ((Stiff*)c)->real;
  double moved[COUNT] = {0};
  if (r[RELAY] < 0) abort();
  for (size_t j = 0; j < nk; ++j) moved[k[j]] = dk[j];
  const double rates[4] = {-r[L] * moved[P], moved[B], r[MU] * ((-2 * r[A] * r[B] - 1) * moved[A] + (1 - r[A] * r[A]) * moved[B]), 0};
  for (size_t i = 0; i < nu; ++i) du[i] = rates[u[i] - DER_P];
  return fmi2OK;
}

fmi2Status fmi2EnterEventMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  memset(info, 0, sizeof *info);
  ((Stiff*)c)->above = ((Stiff*)c)->real[S] > 0;
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set, fmi2Boolean* event, fmi2Boolean* end) {
  *event = *end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) { ((Stiff*)c)->time = time; return fmi2OK; }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) { memcpy(((Stiff*)c)->real, x, n * sizeof *x); return fmi2OK; }
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { memcpy(x, ((Stiff*)c)->real, n * sizeof *x); return fmi2OK; }
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
  evaluate(c);
  memcpy(dx, ((Stiff*)c)->real + DER_P, n * sizeof *dx);
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) { z[0] = ((Stiff*)c)->real[S]; return fmi2OK; }
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = 1;
  return fmi2OK;
}
