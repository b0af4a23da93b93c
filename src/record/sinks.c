// The list of sinks; the kinds of columns in words.
#include "record/sinks.h"

#define SINK(id) extern const sink_kind sink_##id;
#include "record/sinks.def"
#undef SINK

static const sink_kind *const kinds[] = {
#define SINK(id) &sink_##id,
#include "record/sinks.def"
#undef SINK
};

enum { COUNT = sizeof kinds / sizeof *kinds };

uint32_t sink_count(void) { return COUNT; }
const sink_kind *sink_at(uint32_t index) { return kinds[index]; }

const sink_kind *sink_find(const char *file) {
    for (uint32_t i = 0; i < COUNT; i++)
        if (text_ends_in(file, kinds[i]->suffix)) return kinds[i];
    return NULL;
}

const sink_kind *sink_streaming(void) {
    uint32_t i = 0;
    while (i < COUNT && !kinds[i]->streams) i++;
    return i < COUNT ? kinds[i] : NULL;
}

bool sink_writes(const sink_kind *k) { return k->open != NULL; }
bool sink_reads(const sink_kind *k) { return k->read != NULL; }
bool sink_resumes(const sink_kind *k) { return k->reopen != NULL; }

const char *sink_suffixes(arena *a, sink_property *can) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < COUNT; i++) left += can(kinds[i]);
    const char *all = "";
    for (uint32_t i = 0; i < COUNT; i++) {
        if (!can(kinds[i])) continue;
        left--;
        all = arena_format(a, "%s%s%s", all, kinds[i]->suffix,
                           left > 1    ? ", "
                           : left == 1 ? " or "
                                       : "");
    }
    return all;
}

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
