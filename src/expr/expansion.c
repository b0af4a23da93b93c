// Numbers as sums of doubles.
#include "expr/expansion.h"

expansion expansion_of(const arb_t value) {
    expansion e;
    arf_t rest, part;
    arf_init(rest), arf_init(part);
    arf_set(rest, arb_midref(value));
    for (int i = 0; i < EXPANSION_PARTS; i++) {
        e.part[i] = arf_get_d(rest, ARF_RND_NEAR);
        arf_set_d(part, e.part[i]);
        arf_sub(rest, rest, part, ARF_PREC_EXACT, ARF_RND_NEAR);
    }
    arf_clear(rest), arf_clear(part);
    return e;
}
