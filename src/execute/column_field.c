// Rates and Taylor coefficients of a system with columns, from those of its core.
#include "execute/column_field.h"

#include "base/processor.h"
#include "execute/column_series.h"
#include "execute/compiled.h"
#include "execute/linear_columns.h"

#include <math.h>
#include <string.h>

typedef struct {
    field base;
    simulation *all;
    const linear_columns *of;
    field *core;
    field *whole; // for what is rarely asked; NULL: not made yet
    // columns that move, side by side: which they are
    uint32_t moving, *column;
    column_series series;
    bool fuses;
    uint32_t order; // there is room for
    double *core_state, *core_series;
} work;

// --- rates ---------------------------------------------------------------------------------------

// z with the numbers behind it that count for nothing
static const double *core_state(work *w, const double *z) {
    memcpy(w->core_state, z, sizeof(double) * w->of->size);
    return w->core_state;
}

static bool are_finite(const double *x, size_t count) {
    double sum = 0; // 0 x is 0 where x is finite
    for (size_t i = 0; i < count; i++) sum += 0 * x[i];
    return sum == 0;
}

static bool rate(field *f, double t, const double *z, double *dz) {
    work *w = (work *)f;
    const linear_columns *of = w->of;
    const uint32_t n = of->size;
    double *value = w->core_series;
    f->rate_calls++;
    if (!w->core->rate(w->core, t, core_state(w, z), value)) return false;
    memcpy(dz, value, sizeof(double) * n);
    memset(dz + n, 0, sizeof(double) * n * of->columns);
    for (uint32_t k = 0; k < of->owns; k++)
        dz[(1 + of->own[k].of) * n + of->own[k].row] = value[of->own[k].source];
    for (uint32_t i = 0; i < w->moving; i++) {
        const size_t at = (size_t)(1 + w->column[i]) * n;
        for (uint32_t k = 0; k < of->entries; k++)
            dz[at + of->entry[k].row] += value[of->entry[k].source] * z[at + of->entry[k].of];
    }
    return are_finite(dz, f->size);
}

// --- series --------------------------------------------------------------------------------------

static void make_room(work *w, uint32_t order) {
    if (order <= w->order) return;
    const linear_columns *of = w->of;
    column_series *s = &w->series;
    memory_free(w->core_series), memory_free(s->z);
    w->order = order;
    w->core_series = memory_zeros(double, (size_t)of->core->o->size *(order + 1));
    s->z = memory_zeros(double, (size_t)s->rows * s->width * (order + 1) + 1);
}

// The numbers behind z have entries as their rates: k times their coefficient k is the coefficient
// k - 1 of an entry.
static void take_entries(work *w, uint32_t order) {
    const uint32_t n = w->of->size, size = w->of->core->o->size;
    for (uint32_t k = 2; k <= order; k++) {
        double *of = w->core_series + (size_t)k * size;
        for (uint32_t e = n; e < size; e++) of[e] *= k;
    }
    w->series.a = w->core_series + size, w->series.room = size;
}

static void take_columns(work *w, const double *z) {
    const column_series *s = &w->series;
    for (uint32_t i = 0; i < s->rows; i++)
        for (uint32_t c = 0; c < w->moving; c++)
            s->z[(size_t)i * s->width + c] = z[(size_t)(1 + w->column[c]) * s->rows + i];
}

static void put_series(const work *w, const double *z, uint32_t order, double *out) {
    const column_series *s = &w->series;
    const uint32_t n = s->rows, size = w->of->core->o->size;
    memcpy(out, z, sizeof(double) * w->base.size);
    for (uint32_t k = 1; k <= order; k++) {
        const double *from = s->z + (size_t)k * n * s->width;
        out += w->base.size;
        memcpy(out, w->core_series + (size_t)k * size, sizeof(double) * n);
        for (uint32_t c = 0; c < w->of->columns && w->moving < w->of->columns; c++)
            if (!w->of->moves[c]) memset(out + (size_t)(1 + c) * n, 0, sizeof(double) * n);
        for (uint32_t c = 0; c < w->moving; c++) {
            double *to = out + (size_t)(1 + w->column[c]) * n;
            for (uint32_t i = 0; i < n; i++) to[i] = from[(size_t)i * s->width + c];
        }
    }
}

static bool jet(field *f, double t, const double *z, uint32_t order, double *out) {
    work *w = (work *)f;
    f->jet_calls++;
    make_room(w, order);
    if (!w->core->jet(w->core, t, core_state(w, z), order, w->core_series)) return false;
    take_entries(w, order);
    take_columns(w, z);
    const bool finite = w->fuses ? column_series_run_fused(&w->series, order)
                                 : column_series_run(&w->series, order);
    put_series(w, z, order, out);
    return finite;
}

// --- what is rarely asked ------------------------------------------------------------------------

static field *whole(work *w) {
    if (!w->whole) w->whole = field_interpreted(w->all);
    return w->whole;
}

static bool columns(field *f, double t, const double *z, double *out) {
    field *g = whole((work *)f);
    return g->columns(g, t, z, out);
}

static bool jacobian(field *f, double t, const double *z, double *out) {
    field *g = whole((work *)f);
    f->jacobian_calls++;
    return g->jacobian(g, t, z, out);
}

static void take_parameters(field *f) {
    work *w = (work *)f;
    w->core->take_parameters(w->core);
    if (w->whole) w->whole->take_parameters(w->whole);
}

static void release(field *f) {
    work *w = (work *)f;
    field_free(w->core), field_free(w->whole);
    memory_free(w->column), memory_free((void *)w->series.group);
    memory_free((void *)w->series.fixed), memory_free((void *)w->series.own);
    memory_free(w->series.z), memory_free(w->core_series);
    memory_free(w->core_state);
    memory_free(w);
}

// --- making it -----------------------------------------------------------------------------------

// Entries are in the order of the components that they act on.
static void make_groups(work *w) {
    const linear_columns *of = w->of;
    column_group *group = memory_zeros(column_group, of->entries + 1);
    column_place *fixed = memory_zeros(column_place, of->entries + 1);
    column_series *s = &w->series;
    for (uint32_t k = 0; k < of->entries; k++) {
        const linear_entry *e = &of->entry[k];
        const uint32_t to = e->row * s->width, from = e->of * s->width;
        if (e->fixed) {
            fixed[s->fixed_count++] = (column_place){to, from, e->source};
            continue;
        }
        column_group *last = s->groups ? &group[s->groups - 1] : NULL;
        if (!last || last->of != from || last->count == COLUMN_ROWS)
            last = &group[s->groups++], last->of = from;
        last->to[last->count] = to, last->entry[last->count++] = e->source;
    }
    s->group = group, s->fixed = fixed;
}

static void make_own(work *w) {
    const linear_columns *of = w->of;
    column_place *own = memory_zeros(column_place, of->owns + 1);
    for (uint32_t k = 0; k < of->owns; k++) {
        uint32_t place = 0;
        while (w->column[place] != of->own[k].of) place++;
        own[k] = (column_place){.to = of->own[k].row * w->series.width + place,
                                .entry = of->own[k].source};
    }
    w->series.own = own, w->series.owns = of->owns;
}

field *column_field(simulation *all, const char *how, double end) {
    const linear_columns *of = all->linear;
    field *core = field_asked_for(of->core, how, end);
    if (!core) return NULL;
    work *w = memory_new(work);
    *w = (work){.all = all, .of = of, .core = core, .fuses = processor_fuses()};
    w->base = (field){.sim = all,
                      .size = all->o->size,
                      .rate = rate,
                      .columns = columns,
                      .jacobian = jacobian,
                      .jet = jet,
                      .take_parameters = take_parameters,
                      .release = release,
                      .how = core->how};
    w->column = memory_array(uint32_t, of->columns + 1);
    for (uint32_t c = 0; c < of->columns; c++)
        if (of->moves[c]) w->column[w->moving++] = c;
    w->series.rows = of->size;
    w->series.width = (w->moving + COLUMN_LANES - 1) / COLUMN_LANES * COLUMN_LANES;
    w->core_state = memory_zeros(double, of->core->o->size + 1);
    w->core_series = memory_zeros(double, of->core->o->size + 1);
    make_groups(w), make_own(w);
    return &w->base;
}
