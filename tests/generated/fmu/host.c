// A host that calls an FMU in any order, with any arguments: the sources of the FMU, sanitizers in
// them, linked to this. It keeps its own account of where the instance is by the tables of FMI 2.0
// (3.2.3 and 4.2.4) and knows what each call is to return.
//   host GUID SEED CALLS REALS STATES EVENTS INPUT TUNABLE
// INPUT, TUNABLE: value references of an input and of a tunable parameter, -1: there is none
#include "fmi2.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { I = 1, N = 2, E = 4, C = 8, S = 16, F = 32, T = 64, X = 128, ANY = 255 };
// instantiated, initialization, event, continuous, step complete, step failed, terminated, error

static uint64_t chance;
static unsigned number(unsigned below) {
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance >> 33) % below;
}

static long allocated, refusal = -1;
static void *allocate(size_t count, size_t size) {
    if (refusal == 0) return NULL;
    if (refusal > 0) refusal--;
    allocated++;
    return calloc(count, size);
}
static void release(void *memory) {
    if (memory) allocated--;
    free(memory);
}

static unsigned long told;
static void logger(fmi2ComponentEnvironment e, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String format, ...) {
    char words[1024];
    va_list list;
    (void)e;
    va_start(list, format);
    told += (unsigned long)vsnprintf(words, sizeof words, format, list);
    va_end(list);
    if (!name || !category || status > fmi2Fatal) abort();
}

typedef struct {
    fmi2Component c;
    int exchange, phase, set_up, updated;
    double t, stop;
    fmi2FMUstate saved;
    int saved_phase, saved_set_up, saved_updated;
    double saved_t, saved_stop;
} host;

static unsigned reals, states, events;
static int input, tunable;
static unsigned long long calls, refused, done;
static unsigned long long tried[64];

static void complain(const host *h, const char *call, int got, const char *expected) {
    printf("FAIL %s in phase %d of %s: %d, expected %s\n", call, h->phase,
           h->exchange ? "model exchange" : "co-simulation", got, expected);
    exit(1);
}

// The status of a call that is allowed in these phases. `good`: its arguments are what they should
// be; if not, an error or a discarded value. True: it was done.
static int judge(host *h, const char *call, int phases, int good, fmi2Status got) {
    calls++;
    if (!(h->phase & phases)) {
        if (got != fmi2Error) complain(h, call, got, "an error: it may not be called");
        h->phase = X, refused++;
        return 0;
    }
    if (!good) {
        if (got != fmi2Error && got != fmi2Discard) complain(h, call, got, "an error: arguments");
        if (got == fmi2Error) h->phase = X;
        refused++;
        return 0;
    }
    if (got != fmi2OK && got != fmi2Discard) complain(h, call, got, "that it is done");
    done++;
    return got == fmi2OK;
}

static double strange(void) {
    static const double list[] = {NAN, INFINITY, -INFINITY};
    return list[number(3)];
}

enum { VALUED = N | E | C | S | F | T | X };

static void read_or_write(host *h) {
    fmi2ValueReference vr[3] = {0, states, number(reals)};
    double value[3] = {0.1, 0.2, 0.3};
    int integer[1];
    const int bad = !number(6);
    switch (number(9)) {
    case 0:
        if (bad) vr[number(3)] = reals + number(1000);
        judge(h, "fmi2GetReal", VALUED, !bad, fmi2GetReal(h->c, vr, 3, value));
        break;
    case 1: judge(h, "fmi2GetReal", VALUED, 0, fmi2GetReal(h->c, NULL, 2, value)); break;
    case 2: judge(h, "fmi2GetReal", VALUED, 1, fmi2GetReal(h->c, NULL, 0, NULL)); break;
    case 3:
        vr[0] = bad ? events + number(9) : 0;
        judge(h, "fmi2GetInteger", VALUED, !bad && events, fmi2GetInteger(h->c, vr, 1, integer));
        break;
    case 4: // the time, which nobody may set
        judge(h, "fmi2SetReal", I | N | E | C | S, 0, fmi2SetReal(h->c, vr, 1, value));
        break;
    case 5: // a state at the start
        vr[0] = 1 + number(states), value[0] = bad ? strange() : 0.01;
        judge(h, "fmi2SetReal", I | N | E | C | S, !bad && h->phase & (I | N),
              fmi2SetReal(h->c, vr, 1, value));
        break;
    case 6:
        if (input < 0) break;
        vr[0] = (unsigned)input, value[0] = bad ? strange() : 0.01;
        judge(h, "fmi2SetReal", I | N | E | C | S, !bad, fmi2SetReal(h->c, vr, 1, value));
        break;
    case 7:
        if (tunable < 0) break;
        vr[0] = (unsigned)tunable, value[0] = bad ? strange() : 0.4;
        judge(h, "fmi2SetReal", I | N | E | C | S, !bad && h->phase != C,
              fmi2SetReal(h->c, vr, 1, value));
        break;
    default:
        judge(h, "fmi2SetInteger", I | N | E | S, bad, fmi2SetInteger(h->c, vr, !bad, integer));
    }
}

static void begin_or_end(host *h) {
    const int bad = !number(6);
    switch (number(6)) {
    case 0:
    case 1:
        if (judge(h, "fmi2SetupExperiment", I, !bad,
                  fmi2SetupExperiment(h->c, 0, 0, bad ? strange() : 0.0, 1, 20.0)))
            h->set_up = 1, h->t = 0, h->stop = 20;
        break;
    case 2:
        if (judge(h, "fmi2EnterInitializationMode", I, h->set_up,
                  fmi2EnterInitializationMode(h->c)))
            h->phase = N;
        break;
    case 3:
        if (judge(h, "fmi2ExitInitializationMode", N, 1, fmi2ExitInitializationMode(h->c)))
            h->phase = h->exchange ? E : S, h->updated = 0;
        break;
    case 4:
        if (number(4)) break;
        if (judge(h, "fmi2Terminate", h->exchange ? E | C : S | F, 1, fmi2Terminate(h->c)))
            h->phase = T;
        break;
    default:
        if (h->phase != X && number(8)) break;
        if (judge(h, "fmi2Reset", ANY, 1, fmi2Reset(h->c))) h->phase = I, h->set_up = 0, h->t = 0;
    }
}

static void exchange(host *h) {
    static double x[512];
    const int only = h->exchange ? ~0 : 0, bad = !number(8);
    fmi2EventInfo info;
    fmi2Boolean a, b;
    switch (number(10)) {
    case 0:
        if (judge(h, "fmi2EnterEventMode", only & (E | C), 1, fmi2EnterEventMode(h->c)))
            h->phase = E, h->updated = 0;
        break;
    case 1:
        if (judge(h, "fmi2NewDiscreteStates", only & E, !bad,
                  fmi2NewDiscreteStates(h->c, bad ? NULL : &info)))
            h->updated = 1;
        break;
    case 2:
        if (judge(h, "fmi2EnterContinuousTimeMode", only & E, h->updated,
                  fmi2EnterContinuousTimeMode(h->c)))
            h->phase = C;
        break;
    case 3:
        judge(h, "fmi2CompletedIntegratorStep", only & C, !bad,
              fmi2CompletedIntegratorStep(h->c, 1, &a, bad ? NULL : &b));
        break;
    case 4:
        h->t += 0.01;
        judge(h, "fmi2SetTime", only & (E | C), !bad, fmi2SetTime(h->c, bad ? strange() : h->t));
        break;
    case 5:
        for (unsigned i = 0; i < states; i++) x[i] = 0.001 * number(1000);
        if (bad) x[number(states)] = strange();
        judge(h, "fmi2SetContinuousStates", only & C, !bad,
              fmi2SetContinuousStates(h->c, x, states));
        break;
    case 6:
        judge(h, "fmi2GetDerivatives", only & (E | C | T | X), !bad,
              fmi2GetDerivatives(h->c, x, states + (unsigned)bad));
        break;
    case 7:
        judge(h, "fmi2GetEventIndicators", only & (N | E | C | T | X), !bad,
              fmi2GetEventIndicators(h->c, x, events + (unsigned)bad));
        break;
    case 8:
        judge(h, "fmi2GetContinuousStates", only & (N | E | C | T | X), !bad,
              fmi2GetContinuousStates(h->c, bad ? NULL : x, states));
        break;
    default:
        judge(h, "fmi2GetNominalsOfContinuousStates", only & (I | E | C | T | X), 1,
              fmi2GetNominalsOfContinuousStates(h->c, x, states));
    }
}

static void simulate(host *h) {
    const int only = h->exchange ? 0 : ~0, bad = !number(8);
    const double step = bad ? (number(2) ? -0.1 : strange()) : 0.001 * (1 + number(100));
    const fmi2ValueReference vr[1] = {input < 0 ? 0 : (unsigned)input};
    const int order[1] = {bad ? -1 : 1 + (int)number(6)};
    const double slope[1] = {0.1};
    fmi2Status status, inner;
    fmi2Real real;
    fmi2String words;
    int whole;
    switch (number(9)) {
    case 0:
    case 1:
        status = fmi2DoStep(h->c, h->t, step, 1);
        if (judge(h, "fmi2DoStep", only & S, !bad && h->t + step < h->stop, status)) h->t += step;
        else if (status == fmi2Discard) h->phase = F;
        break;
    case 2:
        if (number(5)) break;
        judge(h, "fmi2DoStep elsewhere", only & S, 0, fmi2DoStep(h->c, h->t + 0.5, 0.1, 1));
        break;
    case 3:
        if (number(5)) break;
        judge(h, "fmi2CancelStep", 0, 0, fmi2CancelStep(h->c));
        break;
    case 4:
        judge(h, "fmi2SetRealInputDerivatives", only & (I | N | S), input >= 0 && !bad,
              fmi2SetRealInputDerivatives(h->c, vr, 1, order, slope));
        break;
    case 5:
        judge(h, "fmi2GetRealOutputDerivatives", only & (S | F | T | X), bad,
              fmi2GetRealOutputDerivatives(h->c, vr, !bad, order, &real));
        break;
    case 6:
        judge(h, "fmi2GetStatus", only & (S | F | T), !bad,
              fmi2GetStatus(h->c, fmi2DoStepStatus, bad ? NULL : &inner));
        break;
    case 7:
        judge(h, "fmi2GetRealStatus", only & (S | F | T), 1,
              fmi2GetRealStatus(h->c, fmi2LastSuccessfulTime, &real));
        if (h->phase == S && fabs(real - h->t) > 1e-9) complain(h, "time", 0, "where it is");
        break;
    default:
        judge(h, "fmi2GetStringStatus", only & (S | F | T), 1,
              fmi2GetStringStatus(h->c, fmi2PendingStatus, &words));
        judge(h, "fmi2GetIntegerStatus", only & (S | F | T), 1,
              fmi2GetIntegerStatus(h->c, (fmi2StatusKind)number(7), &whole));
        judge(h, "fmi2GetBooleanStatus", only & (S | F | T), 1,
              fmi2GetBooleanStatus(h->c, fmi2Terminated, &whole));
    }
}

static void save(host *h) {
    size_t size = 0;
    char *bytes;
    fmi2FMUstate read = NULL;
    switch (number(6)) {
    case 0:
        if (h->phase == X) break; // one that leads out of an error is worth keeping
        if (!judge(h, "fmi2GetFMUstate", ANY, 1, fmi2GetFMUstate(h->c, &h->saved))) break;
        h->saved_phase = h->phase, h->saved_set_up = h->set_up, h->saved_updated = h->updated;
        h->saved_t = h->t, h->saved_stop = h->stop;
        break;
    case 1:
        if (!judge(h, "fmi2SetFMUstate", ANY, h->saved != NULL, fmi2SetFMUstate(h->c, h->saved)))
            break;
        h->phase = h->saved_phase, h->set_up = h->saved_set_up, h->updated = h->saved_updated;
        h->t = h->saved_t, h->stop = h->saved_stop;
        break;
    case 2:
        if (number(4)) break;
        judge(h, "fmi2FreeFMUstate", ANY, 1, fmi2FreeFMUstate(h->c, number(2) ? &h->saved : NULL));
        break;
    case 3:
        if (!h->saved) break;
        judge(h, "fmi2SerializedFMUstateSize", ANY, 1,
              fmi2SerializedFMUstateSize(h->c, h->saved, &size));
        bytes = malloc(size);
        judge(h, "fmi2SerializeFMUstate", ANY, 1,
              fmi2SerializeFMUstate(h->c, h->saved, bytes, size));
        judge(h, "fmi2DeSerializeFMUstate", ANY, 1,
              fmi2DeSerializeFMUstate(h->c, bytes, size, &read));
        if (!number(4)) // bytes of another hand: refused, or a state as any other
            for (unsigned i = 0; i < 8; i++)
                bytes[number((unsigned)size)] ^= (char)(1 + number(255));
        judge(h, "fmi2DeSerializeFMUstate cut", ANY, 0,
              fmi2DeSerializeFMUstate(h->c, bytes, number((unsigned)size), &read));
        judge(h, "fmi2FreeFMUstate", ANY, 1, fmi2FreeFMUstate(h->c, &read));
        free(bytes);
        break;
    case 4: {
        if (!h->saved) break;
        judge(h, "fmi2SerializedFMUstateSize", ANY, 1,
              fmi2SerializedFMUstateSize(h->c, h->saved, &size));
        bytes = malloc(size);
        fmi2SerializeFMUstate(h->c, h->saved, bytes, size);
        const unsigned from = 48 + number((unsigned)size - 48);
        bytes[from] ^= (char)(1 + number(255));
        // whatever it is, nothing crashes: the instance that takes it is reset behind it
        if (fmi2DeSerializeFMUstate(h->c, bytes, size, &read) == fmi2OK) {
            fmi2Boolean ended;
            double x[512];
            fmi2SetFMUstate(h->c, read);
            if (h->exchange) fmi2GetDerivatives(h->c, x, states);
            fmi2DoStep(h->c, h->saved_t, 0.01, 1);
            fmi2GetBooleanStatus(h->c, fmi2Terminated, &ended);
        }
        fmi2FreeFMUstate(h->c, &read);
        fmi2Reset(h->c);
        h->phase = I, h->set_up = 0, h->t = 0;
        free(bytes);
        break;
    }
    default: judge(h, "fmi2GetFMUstate", ANY, 0, fmi2GetFMUstate(h->c, NULL));
    }
}

static void others(host *h) {
    static const char *const good[] = {"logEvents", "logAll"}, *const bad[] = {"logAll", NULL};
    const fmi2ValueReference unknown[2] = {states + 1, states + 2 - (states < 2)},
                             known[2] = {1, 0}, wrong[1] = {reals + 3};
    double direction[2] = {1, 0.5}, slope[2];
    switch (number(5)) {
    case 0:
        judge(h, "fmi2SetDebugLogging", ANY, 1,
              fmi2SetDebugLogging(h->c, (int)number(2), number(3), good));
        break;
    case 1: judge(h, "fmi2SetDebugLogging", ANY, 0, fmi2SetDebugLogging(h->c, 1, 2, bad)); break;
    case 2:
        judge(h, "fmi2GetDirectionalDerivative", VALUED, 1,
              fmi2GetDirectionalDerivative(h->c, unknown, 2, known, 2, direction, slope));
        break;
    case 3:
        judge(h, "fmi2GetDirectionalDerivative", VALUED, 0,
              fmi2GetDirectionalDerivative(h->c, number(2) ? wrong : unknown, 1,
                                           number(2) ? wrong : NULL, 1, direction, slope));
        break;
    default:
        if (fmi2GetRealStatus(NULL, fmi2Terminated, NULL) != fmi2Error ||
            fmi2DoStep(NULL, 0, 1, 1) != fmi2Error || fmi2Reset(NULL) != fmi2Error ||
            fmi2GetReal(NULL, unknown, 1, slope) != fmi2Error ||
            fmi2SetFMUstate(NULL, NULL) != fmi2Error)
            complain(h, "a call without an instance", 0, "an error");
        fmi2FreeInstance(NULL);
    }
}

// An instance of a kind; those without a name, another GUID .. are none.
static void open_host(host *h, const char *guid) {
    const fmi2CallbackFunctions functions = {logger, allocate, release, NULL, NULL};
    memset(h, 0, sizeof *h);
    h->exchange = (int)number(2), h->phase = I;
    const fmi2Type kind = h->exchange ? fmi2ModelExchange : fmi2CoSimulation;
    if (fmi2Instantiate(NULL, kind, guid, "", &functions, 0, 1) ||
        fmi2Instantiate("", kind, guid, "", &functions, 0, 1) ||
        fmi2Instantiate("x", kind, "{0}", "", &functions, 0, 1) ||
        fmi2Instantiate("x", kind, NULL, NULL, &functions, 0, 1) ||
        fmi2Instantiate("x", kind, guid, "", NULL, 0, 1) ||
        fmi2Instantiate("x", (fmi2Type)7, guid, "", &functions, 0, 1))
        complain(h, "fmi2Instantiate", 0, "none");
    for (long i = 0; i < 2; i++) { // no memory for the instance, for its name
        refusal = i;
        if (fmi2Instantiate("x", kind, guid, NULL, &functions, 0, 0))
            complain(h, "fmi2Instantiate without memory", 0, "none");
    }
    refusal = -1;
    h->c = fmi2Instantiate("a host's %s name", kind, guid, NULL, &functions, 0, (int)number(2));
    if (!h->c) complain(h, "fmi2Instantiate", 0, "an instance");
}

int main(int argc, char **argv) {
    if (argc != 9) return 2;
    chance = strtoull(argv[2], NULL, 10);
    const unsigned long long most = strtoull(argv[3], NULL, 10);
    reals = (unsigned)atoi(argv[4]), states = (unsigned)atoi(argv[5]);
    events = (unsigned)atoi(argv[6]), input = atoi(argv[7]), tunable = atoi(argv[8]);
    if (states > 511 || events > 511) return 2;
    host h[3];
    for (int i = 0; i < 3; i++) open_host(&h[i], argv[1]);
    while (calls < most) {
        host *one = &h[number(3)];
        switch (number(one->phase == X ? 7 : 14)) {
        case 0:
        case 7: read_or_write(one); break;
        case 1:
        case 8:
        case 9: begin_or_end(one); break;
        case 2: save(one); break;
        case 3:
            if (number(3)) break;
            others(one);
            break;
        case 4: // of the other kind, now and then
            if (number(12)) break;
            (one->exchange ? simulate : exchange)(one);
            break;
        case 5:
            if (one->phase != X) break;
            judge(one, "fmi2Reset", ANY, 1, fmi2Reset(one->c));
            one->phase = I, one->set_up = 0, one->t = 0;
            break;
        default: (one->exchange ? exchange : simulate)(one); break;
        }
        tried[one->phase % 64]++;
        if (number(3000)) continue;
        fmi2FreeFMUstate(one->c, &one->saved);
        fmi2FreeInstance(one->c);
        open_host(one, argv[1]);
    }
    for (int i = 0; i < 3; i++) {
        fmi2FreeFMUstate(h[i].c, &h[i].saved);
        fmi2FreeInstance(h[i].c);
    }
    if (allocated) return printf("FAIL %ld blocks were not freed\n", allocated), 1;
    if (done < most / 8 || refused < most / 8 || !told)
        return printf("FAIL only %llu calls were done, %llu refused\n", done, refused), 1;
    printf("%llu calls: %llu done, %llu refused\n", calls, done, refused);
    return 0;
}
