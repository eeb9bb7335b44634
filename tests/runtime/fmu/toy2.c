/* An FMU of version 2.0 for tests, co-simulation and model exchange: x' = k (u - x), by Euler where it steps itself.
 * Its parameter `fault` makes it misbehave at step 1000 or in every step. */
#include <fmi2Functions.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAULT_NONE = 1, LEAK, SLEEP, CRASH, DISCARD, ERROR, FATAL, HANG, RANDOM, NOT_A_NUMBER, ROUND_UP, OPEN_FILE, QUIT, FORK, DETACH, STRAY_LOGGER, FINISH, OWN_NAMES, RESOURCE, WHERE };
enum { X, DER_X, U, K };

typedef struct {
  double real[4], time;
  int steps, fault;
  char name[256], resources[4096];
  fmi2CallbackFunctions callbacks;
} Toy;

static fmi2Status say(Toy* t, fmi2Status status, const char* text) {
  t->callbacks.logger(t->callbacks.componentEnvironment, "toy", status, "fault", "%s at step %d of %s", text, t->steps, t->name);
  return status;
}
static void start(Toy* t) {
  const double real[4] = {1, 0, 0, 1};
  memcpy(t->real, real, sizeof real);
  t->time = 0, t->steps = 0, t->fault = FAULT_NONE;
  strcpy(t->name, "toy");
}
static double rate(const Toy* t) { return t->real[K] * (t->real[U] - t->real[X]); }

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String list[]) { return fmi2OK; }
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions* f, fmi2Boolean visible, fmi2Boolean logging) {
  Toy* t = f->allocateMemory(1, sizeof(Toy));
  memcpy(&t->callbacks, f, sizeof *f);
  snprintf(t->resources, sizeof t->resources, "%s", resources == NULL ? "" : resources);
  start(t);
  if (strcmp(guid, "{toy2}") != 0) { say(t, fmi2Error, "wrong guid"); f->freeMemory(t); return NULL; }
  return t;
}
void fmi2FreeInstance(fmi2Component c) { ((Toy*)c)->callbacks.freeMemory(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean d, fmi2Real tol, fmi2Real t0, fmi2Boolean s, fmi2Real t1) { ((Toy*)c)->time = t0; return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { start(c); return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real v[]) {
  Toy* t = c;
  t->real[DER_X] = rate(t);
  for (size_t i = 0; i < n; ++i) v[i] = t->fault == NOT_A_NUMBER && t->steps > 1000 ? 0.0 / 0.0 : t->real[vr[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (v[i] != v[i]) return say(c, fmi2Discard, "not a number");
    if (v[i] > 1e20) abort(); /* huge inputs kill it */
    ((Toy*)c)->real[vr[i]] = v[i];
  }
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = vr[i] == 0 ? ((Toy*)c)->steps : ((Toy*)c)->fault;
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer v[]) {
  for (size_t i = 0; i < n; ++i) if (vr[i] == 1) ((Toy*)c)->fault = v[i];
  return fmi2OK;
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = ((Toy*)c)->real[X] > 0.5;
  return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Boolean v[]) { return fmi2OK; }
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = ((Toy*)c)->name;
  return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String v[]) {
  for (size_t i = 0; i < n; ++i) snprintf(((Toy*)c)->name, sizeof ((Toy*)c)->name, "%s", v[i]);
  return fmi2OK;
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s) {
  if (*s == NULL) *s = malloc(sizeof(Toy));
  memcpy(*s, c, sizeof(Toy));
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { memcpy(c, s, sizeof(Toy)); return fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* s) { free(*s); *s = NULL; return fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t* n) { *n = sizeof(Toy); return fmi2OK; }
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n) { memcpy(b, s, n); return fmi2OK; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate* s) {
  *s = malloc(sizeof(Toy));
  memcpy(*s, b, n);
  ((Toy*)*s)->callbacks = ((Toy*)c)->callbacks;
  return fmi2OK;
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t nu, const fmi2ValueReference k[], size_t nk, const fmi2Real dk[], fmi2Real du[]) {
  for (size_t i = 0; i < nu; ++i) {
    du[i] = 0;
    for (size_t j = 0; j < nk; ++j) du[i] += ((Toy*)c)->real[K] * (k[j] == U ? 1 : k[j] == X ? -1 : 0) * dk[j];
  }
  return fmi2OK;
}

/* A name that the C library has, too. */
long random(void) { return 42; }

/* The number in resources/value.txt, by a URI as RFC 3986 has it; below 0: there is none. */
static double resource(const char* uri) {
  char path[4200];
  size_t n = 0;
  if (strncmp(uri, "file:///", 8) != 0) return -1;
  for (const char* c = uri + 7; *c != 0; ++c) {
    unsigned byte = (unsigned char)*c;
    if (byte <= 32 || byte > 126 || strchr("#?\"<>\\^`{|}", byte) != NULL) return -2;
    if (byte == '%' && sscanf(c + 1, "%2x", &byte) == 1) c += 2;
    path[n++] = (char)byte;
  }
  strcpy(path + n, "/value.txt");
  FILE* file = fopen(path, "r");
  double value = -3;
  if (file != NULL && fscanf(file, "%lf", &value) != 1) value = -4;
  if (file != NULL) fclose(file);
  return value;
}

/* `name` is a file for what this process is to tell. */
static void tell(const Toy* t, const char* text) {
  FILE* file = fopen(t->name, "w");
  fputs(text, file);
  fclose(file);
}

/* A process of a session of its own, whose parent is gone, for ever. */
static void detach(const Toy* t) {
  if (fork() != 0) return;
  setsid();
  if (fork() == 0) {
    char text[32];
    sprintf(text, "%d\n", (int)getpid());
    tell(t, text);
    for (;;) pause();
  }
  _exit(0);
}

static fmi2Status misbehave(Toy* t) {
  const int now = t->steps == 1000;
  if (t->fault == LEAK) memset(malloc(1 << 20), 1, 1 << 20);
  if (t->fault == SLEEP) usleep(200);
  if (t->fault == CRASH && now) raise(SIGSEGV);
  if (t->fault == HANG && now) for (;;) pause();
  if (t->fault == DISCARD && now) return say(t, fmi2Discard, "cannot go on");
  if (t->fault == ERROR && now) return say(t, fmi2Error, "has an error");
  if (t->fault == FATAL && now) return say(t, fmi2Fatal, "is broken");
  if (t->fault == RANDOM && now) t->real[X] += 1e-9 * getpid();
  if (t->fault == ROUND_UP) __asm__ volatile("ldmxcsr %0" : : "m"((unsigned){0x5f80}));
  if (t->fault == QUIT && now) exit(0);
  if (t->fault == FORK && now) t->real[X] += fork() == 0 ? 1e-3 : 0; /* the copy comes back, too */
  if (t->fault == DETACH && t->steps == 10) detach(t);
  if (t->fault == STRAY_LOGGER && t->steps % 10 == 0) t->callbacks.logger((void*)8, "toy", fmi2Warning, "fault", "astray at step %d", t->steps);
  if (t->fault == FINISH && now) return say(t, fmi2Discard, "has reached its goal");
  if (t->fault == OWN_NAMES) t->real[X] = (double)random();
  if (t->fault == RESOURCE) t->real[X] = resource(t->resources);
  if (t->fault == WHERE && t->steps == 0) {
    char text[4096] = {0};
    if (readlink("/proc/self/exe", text, sizeof text - 1) > 0) tell(t, text);
  }
  if (t->fault == OPEN_FILE && t->steps == 10) (void)!fopen("/etc/hostname", "r");
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real at, fmi2Real h, fmi2Boolean no_set) {
  Toy* t = c;
  const fmi2Status status = misbehave(t);
  if (status > fmi2Warning) return status;
  t->real[X] += h * rate(t);
  t->time = at + h, ++t->steps;
  return fmi2OK;
}
fmi2Status fmi2CancelStep(fmi2Component c) { return fmi2Error; }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* v) { return fmi2Discard; }
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* v) { *v = ((Toy*)c)->time; return fmi2OK; }
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* v) { return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* v) { *v = ((Toy*)c)->fault == FINISH; return fmi2OK; }
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* v) { return fmi2Discard; }
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer o[], const fmi2Real v[]) { return fmi2Error; }
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer o[], fmi2Real v[]) { return fmi2Error; }

fmi2Status fmi2EnterEventMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) { memset(info, 0, sizeof *info); return fmi2OK; }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set, fmi2Boolean* event, fmi2Boolean* end) {
  ++((Toy*)c)->steps;
  *event = *end = fmi2False;
  return misbehave(c);
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) { ((Toy*)c)->time = time; return fmi2OK; }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) { ((Toy*)c)->real[X] = x[0]; return fmi2OK; }
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) { dx[0] = rate(c); return fmi2OK; }
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) { return fmi2OK; }
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { x[0] = ((Toy*)c)->real[X]; return fmi2OK; }
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { x[0] = 1; return fmi2OK; }
