// Calls one of two right-hand sides again and again, each time at a state that the last result
// moved a little; or compares the two.
//   driver generated|hand COUNT     driver compare 0
// -DMODEL=.. names the generated project, -DHEADER its header.
#include HEADER
#include "hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define GENERATED(what) JOIN(MODEL, what)
#define BY_HAND(what) JOIN(JOIN(hand_, MODEL), what)

enum { N = GENERATED(_state_count) };

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    GENERATED(_system) s;
    double c[HAND_FIXED], z[N], out[N], other[N];
    GENERATED(_defaults)(&s);
    BY_HAND(_fixed)(s.p, c);
    for (int i = 0; i < N; i++) z[i] = GENERATED(_initial_state)[i] + 0.01 * i;
    const long count = strtol(argv[2], NULL, 10);
    if (strcmp(argv[1], "compare") == 0) {
        GENERATED(_rate)(&s, 0.0, z, out);
        BY_HAND()(0.0, z, s.p, c, other);
        double worst = 0.0;
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(out[i] - other[i]) / (1.0 + fabs(out[i])));
        printf("%.3g\n", worst);
        return !(worst < 1e-12);
    }
    if (strcmp(argv[1], "generated") == 0) {
        for (long k = 0; k < count; k++) {
            GENERATED(_rate)(&s, 0.0, z, out);
            for (int i = 0; i < N; i++) z[i] += 1e-12 * out[i];
        }
    } else {
        for (long k = 0; k < count; k++) {
            BY_HAND()(0.0, z, s.p, c, out);
            for (int i = 0; i < N; i++) z[i] += 1e-12 * out[i];
        }
    }
    printf("%.17g\n", z[0]);
    return 0;
}
