// Bodies that go away together: coordinates that matter by their differences only, as those of two
// bodies joined by a spring, can lose what they have in common.
#include "integrate/shifts.h"

#include "expr/translation.h"
#include "model/mechanics.h"

#include <stdlib.h>

static const double FAR = 8; // coordinates farther away than this are taken back

// Directions with large numbers in them, which mechanics does not have, are passed over.
static bool is_small(const fmpz_mat_t v, uint32_t row) {
    enum { MOST_BITS = 10 };
    bool small = true;
    for (slong i = 0; i < fmpz_mat_ncols(v); i++)
        small = small && fmpz_bits(fmpz_mat_entry(v, row, i)) <= MOST_BITS;
    return small;
}

void common_translation_find(shifts *out, const mechanics *s, uint32_t count, const expr *seen) {
    bool *angle = memory_array(bool, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) angle[i] = out->period[i].part[0] > 0;
    fmpz_mat_t v;
    fmpz_mat_init(v, s->n, s->n);
    const uint32_t found = expr_translations(s->pool, count, seen, s->n, s->q, angle, v);
    for (uint32_t k = 0; k < found; k++) {
        if (!is_small(v, k)) continue;
        shift *added = shifts_add(out, s->n, 0);
        for (uint32_t i = s->n; i-- > 0;) {
            added->direction[i] = (int32_t)fmpz_get_si(fmpz_mat_entry(v, k, i));
            if (added->direction[i]) added->leader = i, out->period[i] = (expansion){{1}};
        }
        added->far = FAR * abs(added->direction[added->leader]);
    }
    fmpz_mat_clear(v);
    memory_free(angle);
}
