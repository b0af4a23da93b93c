// Taylor arithmetic in double, with fused products or without.
#include "execute/jets.h"

#include "execute/scalar_double.h"

typedef struct jets_plain jets_plain;
#undef NAME
#undef JETS
#define NAME(x) x##_plain
#define JETS(verb) plain_##verb
#define LINKAGE static
#include "execute/jets_template.h"

struct jets { // one of them
    jets_plain *plain;
    jets_fused *fused;
};

jets *jets_create(const tape *t, bool is_solution, const double *parameter_value, bool fused) {
    jets *j = memory_new(jets);
    *j = (jets){0};
    if (fused) j->fused = jets_fused_create(t, is_solution, parameter_value);
    else j->plain = plain_create(t, is_solution, parameter_value);
    return j;
}

void jets_free(jets *j) {
    if (!j) return;
    plain_free(j->plain);
    jets_fused_free(j->fused);
    memory_free(j);
}

bool jets_of_solution(jets *j, double t, const double *z, uint32_t order, double *out) {
    return j->fused ? jets_fused_of_solution(j->fused, t, z, order, out)
                    : plain_of_solution(j->plain, t, z, order, out);
}
