// Kinds of columns: their names, and which of them should stay what they are.
#include "execute/simulation.h"

const char *column_kind_name(column_kind k) {
    static const char *const name[] = {
        [COLUMN_TIME] = "time",
        [COLUMN_COORDINATE] = "coordinate",
        [COLUMN_VELOCITY] = "velocity",
        [COLUMN_QUASI] = "quasi-velocity",
        [COLUMN_MULTIPLIER] = "multiplier",
        [COLUMN_ENERGY] = "energy",
        [COLUMN_INVARIANT] = "invariant",
        [COLUMN_OBSERVABLE] = "observable",
        [COLUMN_RESIDUAL] = "residual",
    };
    return name[k];
}

bool column_should_stay(column_kind k) {
    return k == COLUMN_ENERGY || k == COLUMN_INVARIANT || k == COLUMN_RESIDUAL;
}
