/* other_machine LIBRARY TOKEN cs|me STEP STEPS REFERENCE...: loads the library of an FMU of FMI 3, computes STEPS steps of STEP seconds and prints the values of the references
   after each, in hexadecimal. Of model exchange the steps are explicit Euler's, with events where the FMU asks for them. Compiled for the machine that the library is for. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3Functions.h"

static void *library;

static void *function(const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    printf("no function %s\n", name);
    exit(1);
  }
  return found;
}
#define CALL(name) ((name##TYPE *)function(#name))

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
  (void)environment;
  printf("%d %s: %s\n", (int)status, category, message);
}

static void check(fmi3Status status, const char *what) {
  if (status == fmi3OK) return;
  printf("%s: status %d\n", what, (int)status);
  exit(1);
}

enum { most = 1000 };

/* Event Mode until nothing changes. Gives the time of the next event. */
static double settle(fmi3Instance c) {
  fmi3Boolean again = 1, terminate = 0, nominals = 0, states = 0, defined = 0;
  double next = 0.0;
  while (again) check(CALL(fmi3UpdateDiscreteStates)(c, &again, &terminate, &nominals, &states, &defined, &next), "events");
  check(CALL(fmi3EnterContinuousTimeMode)(c), "continuous time");
  return defined ? next : 1e300;
}

int main(int argc, char **argv) {
  if (argc < 7 || argc > most) return 2;
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  const int steps_itself = strcmp(argv[3], "cs") == 0, count = argc - 6, steps = atoi(argv[5]);
  const double h = atof(argv[4]);
  fmi3ValueReference references[most];
  static double values[most], states[most], rates[most];
  for (int k = 0; k < count; ++k) references[k] = (fmi3ValueReference)strtoul(argv[6 + k], NULL, 10);
  fmi3Instance c = steps_itself ? CALL(fmi3InstantiateCoSimulation)("one", argv[2], "", 0, 0, 0, 0, NULL, 0, NULL, log_message, NULL)
                                : CALL(fmi3InstantiateModelExchange)("one", argv[2], "", 0, 0, NULL, log_message);
  if (c == NULL) return 1;
  check(CALL(fmi3EnterInitializationMode)(c, 0, 0.0, 0.0, 0, 0.0), "initialisation");
  check(CALL(fmi3ExitInitializationMode)(c), "end of initialisation");
  size_t n = 0;
  double event = steps_itself ? 0.0 : settle(c);
  if (!steps_itself) check(CALL(fmi3GetNumberOfContinuousStates)(c, &n), "number of states");
  for (int step = 0; step < steps; ++step) {
    const double now = step * h, then = (step + 1) * h;
    if (steps_itself) {
      fmi3Boolean needed, terminate, early;
      double last;
      check(CALL(fmi3DoStep)(c, now, h, 1, &needed, &terminate, &early, &last), "step");
    } else {
      check(CALL(fmi3GetContinuousStateDerivatives)(c, rates, n), "rates");
      check(CALL(fmi3GetContinuousStates)(c, states, n), "states");
      for (size_t k = 0; k < n; ++k) {
        volatile const double change = h * rates[k]; /* rounded on every machine */
        states[k] += change;
      }
      check(CALL(fmi3SetTime)(c, then), "time");
      check(CALL(fmi3SetContinuousStates)(c, states, n), "states are set");
      if (then >= event) {
        check(CALL(fmi3EnterEventMode)(c), "event mode");
        event = settle(c);
      }
    }
    check(CALL(fmi3GetFloat64)(c, references, (size_t)count, values, (size_t)count), "values");
    for (int k = 0; k < count; ++k) printf("%a%c", values[k], k + 1 < count ? ' ' : '\n');
  }
  CALL(fmi3FreeInstance)(c);
  return 0;
}
