/* FMI 2.0 co-simulation: tau dy/dt = u - y, exact for an input that is held over a step, or rises evenly (fmi2SetRealInputDerivatives). y in degC, u in degC. What it does
   wrong is told by the parameter `fault`: 1 error at step 50, 2 crash, 3 exit(), 4 never comes back, 5 not a number,
   6 from there on 5 ms for each step, 7 1 MB more with each step,
   8 3 ms for every step, 9 ends the simulation at step 50, 10 fork() at step 50, whose child comes back, too,
   11 a process that stays, apart from all others, 12 another environment for its logger,
   13 its output is where it finds its resources: that of value.txt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmi2Functions.h"

typedef struct {
  double u, y, tau, y0, rise;
  int fault, steps;
  char resources[4096];
  fmi2CallbackFunctions callbacks;
} Lag;

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[]) { return fmi2OK; }
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions* f,
                              fmi2Boolean visible, fmi2Boolean logging) {
  if (strcmp(guid, "{lag}") != 0) return NULL;
  Lag* lag = calloc(1, sizeof *lag);
  strncpy(lag->resources, resources == NULL ? "" : resources, sizeof lag->resources - 1);
  lag->tau = 0.02, lag->y0 = 20.0, lag->callbacks = *f;
  return lag;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean t, fmi2Real tol, fmi2Real start, fmi2Boolean s, fmi2Real stop) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { ((Lag*)c)->y = ((Lag*)c)->y0; return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { return fmi2OK; }
static double* real_of(Lag* lag, unsigned reference) {
  return reference == 0 ? &lag->u : reference == 1 ? &lag->y : reference == 2 ? &lag->tau : &lag->y0;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = *real_of(c, r[i]);
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i) *real_of(c, r[i]) = v[i];
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = r[i] == 1 ? ((Lag*)c)->steps : ((Lag*)c)->fault;
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer v[]) {
  for (size_t i = 0; i < n; ++i) ((Lag*)c)->fault = v[i];
  return fmi2OK;
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Boolean v[]) { return fmi2OK; }
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Boolean v[]) { return fmi2OK; }
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2String v[]) { return fmi2OK; }
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2String v[]) { return fmi2OK; }
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s) { return fmi2Error; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { return fmi2Error; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* s) { return fmi2Error; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t* n) { return fmi2Error; }
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n) { return fmi2Error; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate* s) { return fmi2Error; }
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t nu, const fmi2ValueReference k[], size_t nk,
                                        const fmi2Real d[], fmi2Real s[]) { return fmi2Error; }
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer o[], const fmi2Real v[]) {
  if (n != 1 || r[0] != 0 || o[0] != 1) return fmi2Error;
  ((Lag*)c)->rise = v[0];
  return fmi2OK;
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer o[], fmi2Real v[]) { return fmi2Error; }
/* The number in value.txt, by a URI as RFC 3986 has it; below 0: there is none. */
static double resource(const char* uri) {
  char path[4200] = {0};
  size_t n = 0;
  if (strncmp(uri, "file:///", 8) != 0) return -1;
  for (const char* c = uri + 7; *c != 0; ++c) {
    unsigned byte = (unsigned char)*c;
    if (byte <= 32 || byte > 126 || strchr("#?\"<>\\^`{|}", byte) != NULL) return -2;
    if (byte == '%' && sscanf(c + 1, "%2x", &byte) == 1) c += 2;
    path[n++] = (char)byte;
  }
  FILE* file = fopen(strcat(path, "/value.txt"), "r");
  double value = -3;
  if (file != NULL && fscanf(file, "%lf", &value) != 1) value = -4;
  if (file != NULL) fclose(file);
  return value;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set) {
  Lag* lag = c;
  if (++lag->steps == 50) {
    if (lag->fault == 1) {
      lag->callbacks.logger(lag->callbacks.componentEnvironment, "lag", fmi2Error, "error", "the lag has had enough at %g s", t);
      return fmi2Error;
    }
    if (lag->fault == 2) *(volatile int*)8 = 1;
    if (lag->fault == 3) exit(0);
    while (lag->fault == 4) pause();
    if (lag->fault == 5) lag->y = NAN;
    if (lag->fault == 9) {
      lag->callbacks.logger(lag->callbacks.componentEnvironment, "lag", fmi2OK, "end", "the lag has seen enough");
      return fmi2Discard;
    }
    if (lag->fault == 10 && fork() == 0) lag->y += 1.0;
    if (lag->fault == 11 && fork() == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      fprintf(stderr, "the process that stays: %d\n", (int)getpid());
      for (;;) pause();
    }
    if (lag->fault == 12) lag->callbacks.logger((void*)8, "lag", fmi2Warning, "astray", "astray");
  }
  if (lag->fault == 6 && lag->steps > 50 && lag->steps <= 60) usleep(5000);
  if (lag->fault == 8) usleep(3000);
  if (lag->fault == 7) memset(malloc(1 << 20), 1, 1 << 20);
  if (lag->fault == 13) return lag->y = resource(lag->resources), fmi2OK;
  const double behind = lag->rise * lag->tau;
  lag->y = lag->u + lag->rise * h - behind + (lag->y - lag->u + behind) * exp(-h / lag->tau);
  return fmi2OK;
}
fmi2Status fmi2CancelStep(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind k, fmi2Status* v) { return fmi2Discard; }
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind k, fmi2Real* v) { return fmi2Discard; }
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind k, fmi2Integer* v) { return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind k, fmi2Boolean* v) { return *v = ((Lag*)c)->fault == 9, fmi2OK; }
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind k, fmi2String* v) { return fmi2Discard; }
