// A field whose functions are compiled code.
#include "simulate/compiled.h"

#include "codegen/emit.h"
#include "simulate/module.h"

#include <math.h>
#include <stdlib.h>

// As emit_tape() writes them.
typedef void fixed_function(const double *p, double *c);
typedef void moving_function(double t, const double *z, const double *p, const double *c, double *out);

typedef struct {
    const char *name;
    const tape *t;
    uint32_t place_count; // of c
    moving_function *run;
    double *c;
} routine;

typedef struct {
    field base;
    simulation *system;
    routine rate, columns, events, jacobian;
    module *code, *jacobian_code;
    field *interpreter; // for what is not compiled; made when it is needed
} compiled;

// --- routines ----------------------------------------------------------------------------------------------------------------------

static target loadable(void) {
    target as = target_double;
    as.qualifier = ""; // symbols that the loader can find
    return as;
}

static routine emit_routine(const char *name, const tape *t, text *source) {
    const target as = loadable();
    return (routine){.name = name, .t = t, .place_count = emit_tape(t, &as, name, source)};
}

// The functions of a routine in loaded code; what depends on parameters only is computed here, once.
static bool attach(routine *r, const module *code, const simulation *s) {
    text fixed = {0};
    text_format(&fixed, "%s_fixed", r->name);
    fixed_function *prepare = (fixed_function *)module_symbol(code, text_string(&fixed));
    text_free(&fixed);
    r->run = (moving_function *)module_symbol(code, r->name);
    if (!prepare || !r->run) return false;
    r->c = memory_resize(NULL, sizeof(double) * (r->place_count + 1));
    prepare(s->parameter_value, r->c);
    return true;
}

static bool run_routine(const routine *r, const simulation *s, double t, const double *z, double *out) {
    r->run(t, z, s->parameter_value, r->c, out);
    bool finite = true;
    for (uint32_t i = 0; i < r->t->output_count; i++) finite = finite && isfinite(out[i]);
    return finite;
}

// --- the field -----------------------------------------------------------------------------------------------------------------------

static bool rate(field *f, double t, const double *z, double *dz) {
    f->rate_calls++;
    return run_routine(&((compiled *)f)->rate, f->system, t, z, dz);
}

static bool columns(field *f, double t, const double *z, double *out) { return run_routine(&((compiled *)f)->columns, f->system, t, z, out); }
static bool events(field *f, double t, const double *z, double *out) { return run_routine(&((compiled *)f)->events, f->system, t, z, out); }

static field *interpreter_of(compiled *w) {
    if (!w->interpreter) w->interpreter = field_interpreted(w->system);
    return w->interpreter;
}

static void compile_jacobian(compiled *w) {
    text source = {0};
    const char *error;
    text_format(&source, "%s\n\n", target_double.include);
    w->jacobian = emit_routine("hamel_jacobian", simulation_jacobian(w->system), &source);
    w->jacobian_code = module_load(w->system->m->ctx, text_string(&source), target_double.library, &error);
    if (!w->jacobian_code || !attach(&w->jacobian, w->jacobian_code, w->system)) w->jacobian.run = NULL;
    text_free(&source);
}

static bool jacobian(field *f, double t, const double *z, double *out) {
    compiled *w = (compiled *)f;
    if (!f->jacobian_calls++) compile_jacobian(w);
    if (!w->jacobian.run) return interpreter_of(w)->jacobian(w->interpreter, t, z, out);
    return run_routine(&w->jacobian, f->system, t, z, out);
}

static bool jet(field *f, double t, const double *z, uint32_t order, double *out) {
    f->jet_calls++;
    field *interpreter = ((compiled *)f)->interpreter;
    return interpreter->jet(interpreter, t, z, order, out);
}

static void release(field *f) {
    compiled *w = (compiled *)f;
    free(w->rate.c), free(w->columns.c), free(w->events.c), free(w->jacobian.c);
    module_free(w->code), module_free(w->jacobian_code);
    field_free(w->interpreter);
    free(w);
}

static compiled *prepare(simulation *s, text *source) {
    compiled *w = memory_resize(NULL, sizeof *w);
    *w = (compiled){.system = s};
    w->base = (field){.system = s, .size = s->o->size, .rate = rate, .columns = columns, .jacobian = jacobian, .release = release, .how = "compiled"};
    if (interpreter_of(w)->jet) w->base.jet = jet;
    text_format(source, "%s\n\n", target_double.include);
    w->rate = emit_routine("hamel_rate", s->rate, source);
    w->columns = emit_routine("hamel_columns", s->columns, source);
    if (s->events) w->events = emit_routine("hamel_events", s->events, source), w->base.events = events;
    return w;
}

static field *complete(compiled *w, text *source) {
    text_free(source);
    const simulation *s = w->system;
    if (w->code && attach(&w->rate, w->code, s) && attach(&w->columns, w->code, s) && (!s->events || attach(&w->events, w->code, s))) return &w->base;
    release(&w->base);
    return NULL;
}

field *field_compiled(simulation *s, const char **error) {
    text source = {0};
    compiled *w = prepare(s, &source);
    w->code = module_load(s->m->ctx, text_string(&source), target_double.library, error);
    return complete(w, &source);
}

field *field_from_cache(simulation *s) {
    text source = {0};
    compiled *w = prepare(s, &source);
    w->code = module_find(s->m->ctx, text_string(&source), target_double.library);
    return complete(w, &source);
}
