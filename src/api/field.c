// Fields: z' = f(t, z) as functions to call from several threads. A field is a motion of its own
// that never runs, code that is shared, and a count of those who use it; each work area takes what
// it needs outside of all contexts.
#include "api/motion.h"

#include "execute/shared_code.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef struct {
    hamel_field base; // first: what the caller has
    hamel_motion *motion;
    shared_code *code;
    pthread_mutex_t lock; // of what work areas share and change: parameters that follow, data
    atomic_uint users;    // the caller, and each work area
} owner;

typedef struct {
    owner *of;
    shared_work *work;
    bool has_data;
    double *value; // of parameters
    bool *is_set;
} work_area;

// --- evaluation ----------------------------------------------------------------------------------

static hamel_status enter_piece(const work_area *a, double t) {
    return shared_work_enter(a->work, t) ? HAMEL_OK : HAMEL_USAGE;
}

static hamel_status enter_piece_within(const work_area *a, double t) {
    API_CALL(NULL, NULL, enter_piece(a, t), "looking at data");
}

static bool enter(const work_area *a, double t) {
    if (!isfinite(t)) return false;
    pthread_mutex_lock(&a->of->lock);
    const hamel_status status = enter_piece_within(a, t);
    if (status == HAMEL_LIMIT) shared_work_forget(a->work);
    pthread_mutex_unlock(&a->of->lock);
    return status == HAMEL_OK;
}

static bool is_ready(const hamel_field *f, const work_area *a, double t, const double *z,
                     const double *out) {
    return a && z && out && &a->of->base == f && (!a->has_data || enter(a, t));
}

static int rate(const hamel_field *f, void *work, double t, const double *z, double *dz) {
    const work_area *a = work;
    return is_ready(f, a, t, z, dz) && shared_work_run(a->work, SHARED_RATE, t, z, dz);
}

static int jacobian(const hamel_field *f, void *work, double t, const double *z, double *out) {
    const work_area *a = work;
    return is_ready(f, a, t, z, out) && shared_work_run(a->work, SHARED_JACOBIAN, t, z, out);
}

static int values(const hamel_field *f, void *work, double t, const double *z, double *out) {
    const work_area *a = work;
    return is_ready(f, a, t, z, out) && shared_work_run(a->work, SHARED_COLUMNS, t, z, out);
}

static hamel_status series(const work_area *a, double t, const double *z, unsigned order,
                           double *out) {
    return shared_work_series(a->work, t, z, order, out) ? HAMEL_OK : HAMEL_NUMERICS;
}

static hamel_status series_within(const work_area *a, double t, const double *z, unsigned order,
                                  double *out) {
    API_CALL(NULL, NULL, series(a, t, z, order, out), "finding Taylor coefficients");
}

static int taylor(const hamel_field *f, void *work, double t, const double *z, unsigned order,
                  double *out) {
    const work_area *a = work;
    if (order > SHARED_MOST_ORDER || !is_ready(f, a, t, z, out)) return 0;
    return series_within(a, t, z, order, out) == HAMEL_OK;
}

// --- making --------------------------------------------------------------------------------------

static hamel_status make_code(owner *o, unsigned what) {
    hamel_motion *w = o->motion;
    const bool compile = strcmp(w->asked->execute, "interpreted") != 0;
    uint32_t kinds = 0;
    if (what & HAMEL_FIELD_RATE) kinds |= 1u << SHARED_RATE;
    if (what & HAMEL_FIELD_JACOBIAN) kinds |= 1u << SHARED_JACOBIAN;
    if (what & HAMEL_FIELD_VALUES) kinds |= 1u << SHARED_COLUMNS;
    if (what & HAMEL_FIELD_TAYLOR) kinds |= 1u << SHARED_SERIES;
    const char *error;
    o->code = shared_code_create(w->j->sim, kinds, compile, &error);
    if (error)
        diag_warning(w->ctx, (span){0}, "it gives the same numbers", "the field is interpreted: %s",
                     error);
    o->base = (hamel_field){.size = w->j->sim->o->size,
                            .columns = w->j->sim->column_count,
                            .parameters = w->knob_count,
                            .order = what & HAMEL_FIELD_TAYLOR ? SHARED_MOST_ORDER : 0,
                            .compiled = compile && !error,
                            .rate = what & HAMEL_FIELD_RATE ? rate : NULL,
                            .jacobian = what & HAMEL_FIELD_JACOBIAN ? jacobian : NULL,
                            .values = what & HAMEL_FIELD_VALUES ? values : NULL,
                            .taylor = what & HAMEL_FIELD_TAYLOR ? taylor : NULL};
    return context_status(w->ctx);
}

static hamel_status make_code_within(owner *o, unsigned what) {
    API_CALL(o->motion->ctx, NULL, make_code(o, what), "making a field of `%s`",
             o->motion->m->name);
}

static hamel_status free_code_within(owner *o) {
    API_CALL(o->motion->ctx, NULL, (shared_code_free(o->code), HAMEL_OK), "closing a field");
}

static void leave(owner *o) {
    if (atomic_fetch_sub(&o->users, 1) > 1) return;
    free_code_within(o); // of a dead context there is nothing left
    hamel_motion_free(o->motion);
    pthread_mutex_destroy(&o->lock);
    memory_free(o);
}

// Takes the motion, also where it fails; what is said then goes to the context of `like`.
static hamel_status make(hamel_motion *motion, unsigned what, const model *like,
                         hamel_field **out) {
    owner *o = memory_try(sizeof *o);
    if (!o) {
        hamel_motion_free(motion);
        return HAMEL_LIMIT;
    }
    *o = (owner){.motion = motion};
    atomic_init(&o->users, 1);
    pthread_mutex_init(&o->lock, NULL);
    const hamel_status status = make_code_within(o, what);
    motion_hand_over(motion, like);
    if (status) leave(o);
    else *out = &o->base;
    return status;
}

static hamel_status refuse(context *ctx, unsigned what) {
    diag_error(ctx, (span){0}, "give the sum of some of HAMEL_FIELD_RATE ..",
               "a field has nothing that is asked for by %u", what);
    return HAMEL_USAGE;
}

static hamel_status refuse_within(context *ctx, unsigned what) {
    API_CALL(ctx, NULL, refuse(ctx, what), "making a field");
}

static bool is_known(unsigned what) { return what && !(what & ~(unsigned)HAMEL_FIELD_ALL); }

hamel_status hamel_model_field(hamel_model *m, const hamel_run *run, unsigned what,
                               hamel_field **field) {
    if (field) *field = NULL;
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, field);
    if (!is_known(what)) return refuse_within(m->ctx, what);
    hamel_motion *motion;
    const hamel_status status = hamel_model_prepare(m, run ? run : &(hamel_run){0}, &motion);
    return status ? status : make(motion, what, m, field);
}

hamel_status hamel_motion_field(hamel_motion *w, unsigned what, hamel_field **field) {
    if (field) *field = NULL;
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, field);
    if (!is_known(what)) return refuse_within(w->ctx, what);
    hamel_motion *copy;
    const hamel_status status = hamel_motion_copy(w, &copy);
    return status ? status : make(copy, what, w->m, field);
}

void hamel_field_free(hamel_field *f) {
    if (f) leave((owner *)f);
}

const char *hamel_field_name(const hamel_field *f, hamel_motion_kind kind, size_t index) {
    if (!f || kind == HAMEL_EVENT) return NULL;
    return hamel_motion_name(((const owner *)f)->motion, kind, index);
}

int hamel_field_start(const hamel_field *f, double *t, double *z) {
    if (!f) return 0;
    const simulation *sim = ((const owner *)f)->motion->j->sim;
    if (t) *t = sim->t0;
    if (z) memcpy(z, sim->z0, f->size * sizeof *z);
    return 1;
}

// --- work areas ----------------------------------------------------------------------------------

static hamel_status make_work(owner *o, work_area **out) {
    const size_t count = o->base.parameters;
    work_area *a = memory_new(work_area);
    *a = (work_area){.of = o,
                     .work = shared_work_create(o->code),
                     .value = memory_array(double, count + 1),
                     .is_set = memory_array(bool, count + 1)};
    a->has_data = shared_work_has_data(a->work);
    memcpy(a->value, shared_work_parameters(a->work), count * sizeof(double));
    for (size_t i = 0; i < count; i++) a->is_set[i] = o->motion->knobs[i].is_set;
    *out = a;
    return HAMEL_OK;
}

static hamel_status make_work_within(owner *o, work_area **out) {
    API_CALL(NULL, NULL, make_work(o, out), "making a work area");
}

void *hamel_field_work(const hamel_field *f) {
    if (!f) return NULL;
    owner *o = (owner *)f;
    work_area *a = NULL;
    pthread_mutex_lock(&o->lock);
    const hamel_status status = make_work_within(o, &a);
    pthread_mutex_unlock(&o->lock);
    if (status) return NULL;
    atomic_fetch_add(&o->users, 1);
    return a;
}

void hamel_field_work_free(void *work) {
    work_area *a = work;
    if (!a) return;
    owner *o = a->of;
    shared_work_free(a->work);
    memory_free(a->value), memory_free(a->is_set);
    memory_free(a);
    leave(o);
}

static hamel_status set_value(work_area *a, size_t parameter, double value) {
    const size_t count = a->of->base.parameters;
    double *all = memory_array(double, count);
    bool *is_set = memory_array(bool, count);
    memcpy(all, a->value, count * sizeof *all), memcpy(is_set, a->is_set, count * sizeof *is_set);
    all[parameter] = value, is_set[parameter] = true;
    const bool same = motion_follow_values(a->of->motion, all, is_set);
    if (same) {
        shared_work_set(a->work, all);
        memcpy(a->value, all, count * sizeof *all);
        a->is_set[parameter] = true;
    }
    memory_free(all), memory_free(is_set);
    return same ? HAMEL_OK : HAMEL_USAGE;
}

static hamel_status set_value_within(work_area *a, size_t parameter, double value) {
    API_CALL(NULL, NULL, set_value(a, parameter, value), "setting a parameter");
}

int hamel_field_set(void *work, size_t parameter, double value) {
    work_area *a = work;
    if (!a || parameter >= a->of->base.parameters || !isfinite(value)) return 0;
    pthread_mutex_lock(&a->of->lock);
    const hamel_status status = set_value_within(a, parameter, value);
    pthread_mutex_unlock(&a->of->lock);
    return status == HAMEL_OK;
}

double hamel_field_get(const void *work, size_t parameter) {
    const work_area *a = work;
    return a && parameter < a->of->base.parameters ? a->value[parameter] : NAN;
}
