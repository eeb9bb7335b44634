/* A rod of n cells between two cold ends, FMI 2.0, model exchange, with as many states as it is asked for at first:
 *   x_k' = rate (x_(k-1) - 2 x_k + x_(k+1)),  x_0 = x_(n+1) = 0,  x_k(0) = sin(pi k/(n+1))
 * It keeps its form and decays by exp(-4 rate t sin^2(pi/(2(n+1)))); its fastest mode by 4 rate cos^2(pi/(2(n+1))). */
#include <fmi2Functions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10000, RATE = MOST };

typedef struct {
  double x[MOST], rate;
  size_t n;
} Rod;

static void start(Rod* m, size_t n) {
  m->n = n;
  for (size_t k = 0; k < n; ++k) m->x[k] = sin(3.14159265358979323846 * (double)(k + 1) / (double)(n + 1));
}

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String list[]) { return fmi2OK; }
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions* f, fmi2Boolean visible, fmi2Boolean logging) {
  Rod* m = calloc(1, sizeof(Rod));
  m->rate = 2.5e5;
  return m;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean d, fmi2Real tol, fmi2Real t0, fmi2Boolean s, fmi2Real t1) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { start(c, ((Rod*)c)->n); return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = vr[i] == RATE ? ((Rod*)c)->rate : ((Rod*)c)->x[vr[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i) *(vr[i] == RATE ? &((Rod*)c)->rate : &((Rod*)c)->x[vr[i]]) = v[i];
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer v[]) { return fmi2Error; }
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer v[]) { return fmi2Error; }
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean v[]) { return fmi2Error; }
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Boolean v[]) { return fmi2Error; }
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[]) { return fmi2Error; }
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String v[]) { return fmi2Error; }

fmi2Status fmi2EnterEventMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  memset(info, 0, sizeof *info);
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set, fmi2Boolean* event, fmi2Boolean* end) {
  *event = *end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) { return fmi2OK; }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) { memcpy(((Rod*)c)->x, x, n * sizeof *x); return fmi2OK; }
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  if (((Rod*)c)->n == 0) start(c, n);
  memcpy(x, ((Rod*)c)->x, n * sizeof *x);
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
  const Rod* m = c;
  for (size_t k = 0; k < n; ++k) dx[k] = m->rate * ((k > 0 ? m->x[k - 1] : 0) - 2 * m->x[k] + (k + 1 < n ? m->x[k + 1] : 0));
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) { return n == 0 ? fmi2OK : fmi2Error; }
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = 1;
  return fmi2OK;
}
