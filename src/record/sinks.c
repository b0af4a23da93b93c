// The list of sinks, and rows for two of them at once.
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

const sink_kind *sink_find(const char *file) {
    for (uint32_t i = 0; i < COUNT; i++)
        if (text_ends_in(file, kinds[i]->suffix)) return kinds[i];
    return NULL;
}

const sink_kind *sink_streaming(void) {
    uint32_t i = 0;
    while (i < COUNT && !kinds[i]->stream) i++;
    return i < COUNT ? kinds[i] : NULL;
}

static bool is_able(const sink_kind *k, sink_ability can) {
    switch (can) {
    case SINK_WRITES: return k->write != NULL;
    case SINK_READS: return k->read != NULL;
    case SINK_RESUMES: return k->recall != NULL;
    }
    return false;
}

const char *sink_suffixes(arena *a, sink_ability can) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < COUNT; i++) left += is_able(kinds[i], can);
    const char *all = "";
    for (uint32_t i = 0; i < COUNT; i++) {
        if (!is_able(kinds[i], can)) continue;
        left--;
        all = arena_format(a, "%s%s%s", all, kinds[i]->suffix,
                           left > 1    ? ", "
                           : left == 1 ? " or "
                                       : "");
    }
    return all;
}

// --- two places at once --------------------------------------------------------------------------

typedef struct {
    sink base;
    sink *part[2];
} tee;

static const run_position *wanted(const sink *s, const run_position *here) {
    return s->wants_position ? here : NULL;
}

static bool row(sink *s, const double *value) {
    tee *t = (tee *)s;
    return t->part[0]->row(t->part[0], value) && t->part[1]->row(t->part[1], value);
}

static bool save(sink *s, const run_position *here) {
    tee *t = (tee *)s;
    for (int i = 0; i < 2; i++) {
        sink *part = t->part[i];
        if (part->save && !part->save(part, wanted(part, here))) return false;
    }
    return true;
}

static bool finish(sink *s, const run_position *here, const char *outcome, text *why) {
    tee *t = (tee *)s;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        sink *part = t->part[i];
        if (!part->finish(part, wanted(part, here), outcome, why)) good = false;
    }
    memory_free(t);
    return good;
}

static bool restore(sink *s, run_position *there, run_record *record) {
    sink *first = ((tee *)s)->part[0];
    return first->restore(first, there, record);
}

sink *sink_tee(sink *first, sink *second) {
    if (!first) return second;
    tee *t = memory_new(tee);
    *t = (tee){.base = {.row = row,
                        .save = save,
                        .finish = finish,
                        .restore = first->restore ? restore : NULL,
                        .wants_position = first->wants_position || second->wants_position},
               .part = {first, second}};
    return &t->base;
}
