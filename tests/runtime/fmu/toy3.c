/* An FMU of version 3.0 for tests, co-simulation and model exchange: a ball that bounces off the floor (state event), a clock
 * hand that ticks every 0.1 s (time event), a mark that is set in the fifth completed step (step event).
 * h' = v, v' = -g; at h = 0: v := -e v. Impacts: t1 = sqrt(2 h0 / g), then v_n = e^n g t1, t_(n+1) = t_n + 2 v_n / g. */
#include <fmi3Functions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, H, V, DER_H, DER_V, E, GAINS, SCALED, TICKS, MARKED, SURFACE, NAME, SMALL, BIG, SINGLE };
static const double g = 9.81;

typedef struct {
  double time, h, v, e, gains[3];
  int ticks, steps, marked, event_mode, early;
  long long surface;
  signed char small;
  unsigned long long big;
  float single;
  char name[32];
  fmi3InstanceEnvironment owner;
  fmi3LogMessageCallback log;
} Ball;

static void start(Ball* b) {
  b->time = 0, b->h = 1, b->v = 0, b->e = 0.7, b->ticks = b->steps = b->marked = 0, b->surface = 2;
  b->gains[0] = 1, b->gains[1] = 2, b->gains[2] = 3, b->small = -3, b->big = 1ull << 40, b->single = 0.1f;
  strcpy(b->name, "ball");
}
static Ball* make(fmi3String token, fmi3InstanceEnvironment owner, fmi3LogMessageCallback log) {
  if (strcmp(token, "{toy3}") != 0) { log(owner, fmi3Error, "token", "wrong token"); return NULL; }
  Ball* b = calloc(1, sizeof(Ball));
  start(b);
  b->owner = owner, b->log = log;
  return b;
}
const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String r, fmi3Boolean vis, fmi3Boolean l, fmi3InstanceEnvironment o, fmi3LogMessageCallback log) { return make(token, o, log); }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String r, fmi3Boolean vis, fmi3Boolean l, fmi3Boolean event_mode, fmi3Boolean early,
    const fmi3ValueReference iv[], size_t n, fmi3InstanceEnvironment o, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback u) {
  Ball* b = make(token, o, log);
  if (b) b->event_mode = event_mode, b->early = early;
  return b;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean td, fmi3Float64 tol, fmi3Float64 t0, fmi3Boolean sd, fmi3Float64 t1) { ((Ball*)c)->time = t0; return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3EnterEventMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Reset(fmi3Instance c) { start(c); return fmi3OK; }

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 v[], size_t nv) {
  Ball* b = c;
  for (size_t i = 0; i < n; ++i) {
    const double one[] = {b->time, b->h, b->v, b->v, -g, b->e};
    if (vr[i] >= GAINS) for (int k = 0; k < 3; ++k) *v++ = b->gains[k] * (vr[i] == SCALED ? b->h : 1);
    else *v++ = one[vr[i]];
  }
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 v[], size_t nv) {
  Ball* b = c;
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] == GAINS) { memcpy(b->gains, v, sizeof b->gains); v += 3; continue; }
    if (vr[i] == H) b->h = *v; else if (vr[i] == V) b->v = *v; else if (vr[i] == E) b->e = *v; else return fmi3Error;
    ++v;
  }
  return fmi3OK;
}
#define SCALAR(TYPE, REF, FIELD) \
  fmi3Status fmi3Get##TYPE(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3##TYPE v[], size_t nv) { for (size_t i = 0; i < n; ++i) { if (vr[i] != REF) return fmi3Error; v[i] = ((Ball*)c)->FIELD; } return fmi3OK; } \
  fmi3Status fmi3Set##TYPE(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3##TYPE v[], size_t nv) { for (size_t i = 0; i < n; ++i) { if (vr[i] != REF) return fmi3Error; ((Ball*)c)->FIELD = v[i]; } return fmi3OK; }
SCALAR(Int32, TICKS, ticks)
SCALAR(Boolean, MARKED, marked)
SCALAR(Int64, SURFACE, surface)
SCALAR(Int8, SMALL, small)
SCALAR(UInt64, BIG, big)
SCALAR(Float32, SINGLE, single)
#define NONE(TYPE) \
  fmi3Status fmi3Get##TYPE(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3##TYPE v[], size_t nv) { return fmi3Error; } \
  fmi3Status fmi3Set##TYPE(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3##TYPE v[], size_t nv) { return fmi3Error; }
NONE(UInt8) NONE(Int16) NONE(UInt16) NONE(UInt32)
fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3String v[], size_t nv) { v[0] = ((Ball*)c)->name; return fmi3OK; }
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3String v[], size_t nv) { strncpy(((Ball*)c)->name, v[0], 31); return fmi3OK; }

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* s) { if (!*s) *s = malloc(sizeof(Ball)); memcpy(*s, c, sizeof(Ball)); return fmi3OK; }
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState s) { memcpy(c, s, sizeof(Ball)); return fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* s) { free(*s); *s = NULL; return fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState s, size_t* n) { *n = sizeof(Ball); return fmi3OK; }
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState s, fmi3Byte b[], size_t n) { memcpy(b, s, n); return fmi3OK; }
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte b[], size_t n, fmi3FMUState* s) {
  *s = malloc(sizeof(Ball));
  memcpy(*s, b, n);
  ((Ball*)*s)->owner = ((Ball*)c)->owner, ((Ball*)*s)->log = ((Ball*)c)->log;
  return fmi3OK;
}
/* d(der h)/dv = 1, all else 0 */
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 s[], size_t ns, fmi3Float64 d[], size_t nd) {
  for (size_t i = 0; i < nu; ++i) { d[i] = 0; for (size_t j = 0; j < nk; ++j) d[i] += u[i] == DER_H && k[j] == V ? s[j] : 0; }
  return fmi3OK;
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 s[], size_t ns, fmi3Float64 d[], size_t nd) {
  for (size_t j = 0; j < nk; ++j) { d[j] = 0; for (size_t i = 0; i < nu; ++i) d[j] += u[i] == DER_H && k[j] == V ? s[i] : 0; }
  return fmi3OK;
}
static double next_tick(const Ball* b) { return 0.1 * (b->ticks + 1); }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* end, fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* has_next, fmi3Float64* next) {
  Ball* b = c;
  *again = *end = *nominals = *states = false;
  if (b->h <= 0 && b->v < 0) b->h = 0, b->v = -b->e * b->v, *states = true, *again = true;
  while (b->time >= next_tick(b)) ++b->ticks;
  if (b->steps >= 5) b->marked = 1;
  *has_next = true, *next = next_tick(b);
  return fmi3OK;
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_set, fmi3Boolean* event, fmi3Boolean* end) { *event = ++((Ball*)c)->steps == 5; *end = false; return fmi3OK; }
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) { ((Ball*)c)->time = t; return fmi3OK; }
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) { ((Ball*)c)->h = x[0], ((Ball*)c)->v = x[1]; return fmi3OK; }
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 dx[], size_t n) { dx[0] = ((Ball*)c)->v, dx[1] = -g; return fmi3OK; }
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 z[], size_t n) { z[0] = ((Ball*)c)->h; return fmi3OK; }
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) { x[0] = ((Ball*)c)->h, x[1] = ((Ball*)c)->v; return fmi3OK; }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) { x[0] = x[1] = 1; return fmi3OK; }
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t* n) { *n = 1; return fmi3OK; }
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t* n) { *n = 2; return fmi3OK; }

/* Flies exactly; with early return it comes back at an impact, and asks for the event. */
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set, fmi3Boolean* event, fmi3Boolean* end, fmi3Boolean* early, fmi3Float64* last) {
  Ball* b = c;
  *event = *end = *early = false;
  double rest = h;
  for (int bounce = 0; bounce < 100 && rest > 0; ++bounce) {
    const double impact = (b->v + sqrt(b->v * b->v + 2 * g * b->h)) / g;
    const double part = impact > 0 && impact <= rest ? impact : rest;
    b->h += b->v * part - 0.5 * g * part * part, b->v -= g * part, rest -= part;
    if (part != impact) break;
    b->h = 0;
    if (b->event_mode && b->early) { *event = true, *early = rest > 0; break; }
    b->v = -b->e * b->v;
  }
  b->time = *early ? t + h - rest : t + h, *last = b->time;
  return fmi3OK;
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int32 o[], fmi3Float64 v[], size_t nv) { return fmi3Error; }
