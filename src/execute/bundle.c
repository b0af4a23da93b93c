// What is compiled together.
#include "execute/bundle.h"

#include "base/processor.h"

// In steps of the interpreter, which does about 1e9 a second: a compiler takes 0.04 s to start and
// 0.15 ms for each step of the tape; for Taylor series 0.15 s and 0.7 ms where they are written
// out, 0.01 ms where they are loops.
static const double PRICE_OF_COMPILER = 40e6, PRICE_OF_STEP = 150e3, PRICE_OF_SERIES = 150e6,
                    PRICE_OF_WRITTEN_STEP = 700e3, PRICE_OF_LOOPED_STEP = 10e3;
// The part of an interpreted step that compiled code saves, and often more; of long series,
// whose loops the interpreter runs too.
static const double SAVED = 0.6, SAVED_OF_LONG_SERIES = 0.2;
// What $CC may add changes types and calls (-Ddouble=int, -mabi=ms). A module has this function
// with arguments as the others have them, which reads and writes nothing: its value tells whether
// the others can be called.
typedef double probe_function(double t, const double *z, int order);
static const char PROBE[] =
    "double hamel_probe(double t, const double *z, int order) {\n"
    "    return t / 2 + order + 64 * (int)sizeof *z + (int)((long)z & 63);\n"
    "}\n\n";

// glibc has sine and cosine at once, with the digits of both
static const char BOTH[] = "#ifdef __GLIBC__\n"
                           "void sincos(double x, double *sine, double *cosine);\n"
                           "#define hamel_both sincos\n"
                           "#else\n"
                           "static void hamel_both(double x, double *sine, double *cosine) {\n"
                           "    *sine = sin(x), *cosine = cos(x);\n"
                           "}\n"
                           "#endif\n\n";

static bool can_be_called(const module *code) {
    probe_function *probe = (probe_function *)module_symbol(code, "hamel_probe");
    _Alignas(64) const double z[64] = {0};
    return probe && probe(3, z + 5, 1000) == 1.5 + 1000 + 64 * 8 + 40;
}

void bundle_add(bundle *b, routine *r, const char *name, const tape *t) {
    *r = (routine){.name = name, .t = t};
    b->list[b->count++] = r;
    b->price = (b->count == 1 ? PRICE_OF_COMPILER : b->price) + PRICE_OF_STEP * t->step_count;
    b->look_at = b->price / FIRST_LOOK;
    b->saved = SAVED;
}

void bundle_add_series(bundle *b, routine *r, const tape *t, uint32_t order) {
    bundle_add(b, r, "hamel_jet", t);
    r->order = order;
    const bool written = t->step_count <= EMIT_JET_MOST_WRITTEN;
    b->price =
        PRICE_OF_SERIES + (written ? PRICE_OF_WRITTEN_STEP : PRICE_OF_LOOPED_STEP) * t->step_count;
    b->look_at = b->price / FIRST_LOOK;
    if (!written) b->saved = SAVED_OF_LONG_SERIES;
}

void bundle_add_pair(bundle *b, routine *r, const tape *t, const tableau *pair) {
    bundle_add(b, r, "hamel_attempt", t);
    r->pair = pair;
    const double sums = pair->last * (pair->last + 1) * t->state_count;
    b->price =
        PRICE_OF_COMPILER + PRICE_OF_STEP * (emit_pair_copies(t, pair) * t->step_count + sums / 2);
    b->look_at = b->price / FIRST_LOOK;
    b->saved = 1; // its owner counts what it saves
}

static void write_source(bundle *b, text *source) {
    scalar_type as = scalar_type_double;
    as.qualifier = ""; // symbols that the loader can find
    as.fused = processor_fuses(), as.sine_and_cosine = "hamel_both";
    text_format(source, "%s\n\n%s%s", as.include, BOTH, PROBE);
    for (uint32_t i = 0; i < b->count; i++) {
        routine *r = b->list[i];
        r->place_count = r->order  ? emit_jet(r->t, &as, r->name, r->order, EMIT_JET_SHORT, source)
                         : r->pair ? emit_pair(r->t, &as, r->name, r->pair, source)
                                   : emit_tape(r->t, &as, r->name, source);
    }
}

static module_function find_fixed(const routine *r, const module *code) {
    text name = {0};
    text_format(&name, "%s_fixed", r->name);
    const module_function found = module_symbol(code, text_string(&name));
    text_free(&name);
    return found;
}

// The functions of a routine in loaded code. False: they are not there.
static bool attach(routine *r, const module *code, const simulation *sim) {
    r->fix = (fixed_function *)find_fixed(r, code);
    const module_function moving = module_symbol(code, r->name);
    if (!r->fix || !moving) return false;
    r->c = memory_array(double, r->place_count + 1);
    r->fix(sim->parameter_value, r->c);
    if (r->order) r->series = (series_function *)moving;
    else if (r->pair) r->attempt = (pair_function *)moving;
    else r->run = (moving_function *)moving;
    return true;
}

static void detach(routine *r) {
    memory_free(r->c);
    r->c = NULL, r->run = NULL, r->series = NULL, r->attempt = NULL;
}

const char *bundle_load(bundle *b, const simulation *sim, effort how) {
    const char *error = NULL;
    text source = {0};
    write_source(b, &source);
    context *ctx = sim->m->ctx;
    if (how == FIND) b->code = module_find(ctx, text_string(&source), scalar_type_double.library);
    else b->code = module_load(ctx, text_string(&source), scalar_type_double.library, &error);
    text_free(&source);
    b->tried = how == LOAD;
    if (!b->code) return error;
    const bool callable = can_be_called(b->code);
    uint32_t found = 0;
    while (callable && found < b->count && attach(b->list[found], b->code, sim)) found++;
    if (found == b->count) return NULL;
    for (uint32_t i = 0; i < b->count; i++) detach(b->list[i]);
    module_discard(b->code), b->code = NULL;
    return "the compiled code cannot be called: does $CC hide its symbols, or change types or "
           "calls?";
}

void bundle_free(bundle *b) {
    for (uint32_t i = 0; i < b->count; i++) memory_free(b->list[i]->c);
    module_free(b->code);
}
