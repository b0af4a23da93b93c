// Floquet multipliers, those that are 1, or on the unit circle, for a reason taken out first.
//
// With M the monodromy matrix on the tangent space of the constraints: the direction u of the
// motion has M u = u, those of the symmetries change among each other as the group has it, and the
// gradient w of a first integral has w M = w. On
// K = {v: w v = 0 for all w}, and there modulo the u that lie in K, M has the other multipliers.
// This keeps them apart from those at 1, which are often defective: rounding alone would move a
// double one by 1e-7.
#include "base/random.h"
#include "execute/machine.h"
#include "model/mechanics.h"
#include "study/move.h"
#include "study/orbit.h"
#include "study/tangent_space.h"

#include <acb_mat.h>
#include <math.h>
#include <string.h>

enum { BITS = 128 };
static const double SAME = 1e-6, LITTLE = 1e-7;

typedef struct {
    const orbit_problem *p;
    const orbit *of;
    uint32_t size, dimension;
    double *basis; // of the tangent space, orthonormal columns
    double *m;     // dimension x dimension, row by row
    double scale;
    uint32_t directions, integrals;
    double *direction, *integral; // columns in that basis
    floquet *out;
} work;

// --- small linear algebra ------------------------------------------------------------------------

static double dot(uint32_t n, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// An orthonormal basis of what is orthogonal to so many orthonormal vectors
static void complement(uint32_t dimension, uint32_t count, const double *given, double *out) {
    uint64_t stream = 7;
    const uint32_t left = dimension - count;
    double *length = memory_array(double, left + 1);
    for (uint32_t i = 0; i < left * dimension; i++)
        out[i] = (double)(random_next(&stream) >> 11) * 0x1p-52 - 1;
    tangent_space_orthonormalise(dimension, count, given, left, out, length);
    memory_free(length);
}

// Orthonormal vectors with the same span; how many
static uint32_t spanned(uint32_t dimension, uint32_t count, double *v) {
    uint32_t kept = 0;
    for (uint32_t c = 0; c < count; c++) {
        double *next = v + (size_t)kept * dimension, length,
               before = sqrt(dot(dimension, v + (size_t)c * dimension, v + (size_t)c * dimension));
        memmove(next, v + (size_t)c * dimension, sizeof(double) * dimension);
        tangent_space_orthonormalise(dimension, kept, v, 1, next, &length);
        kept += length > SAME * before;
    }
    return kept;
}

// B^T M B for orthonormal columns B
static void restricted(uint32_t n, const double *m, uint32_t count, const double *b, double *out) {
    double *v = memory_array(double, n + 1);
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t i = 0; i < n; i++) v[i] = dot(n, m + i * n, b + (size_t)c * n);
        for (uint32_t r = 0; r < count; r++) out[r * count + c] = dot(n, b + (size_t)r * n, v);
    }
    memory_free(v);
}

// --- what is known to be 1 -----------------------------------------------------------------------

static void name_reason(work *w, const char *name) { w->out->reason[w->out->reasons++] = name; }

// In the basis of the tangent space
static void in_basis(const work *w, const double *v, double *out) {
    for (uint32_t c = 0; c < w->dimension; c++)
        out[c] = dot(w->size, w->basis + (size_t)c * w->size, v);
}

// Is M u = u, or w M = w, and is it new?
static bool stays(const work *w, const double *v, bool row) {
    const uint32_t d = w->dimension;
    double off = 0;
    for (uint32_t i = 0; i < d; i++) {
        double sum = -v[i];
        for (uint32_t j = 0; j < d; j++) sum += (row ? w->m[j * d + i] : w->m[i * d + j]) * v[j];
        off += sum * sum;
    }
    const double size = sqrt(dot(d, v, v));
    return size > 0 && sqrt(off) <= SAME * w->scale * size;
}

// Without `alone`: they may change among each other, as translations do where the orbit turns
static void try_direction(work *w, const double *v, bool alone, const char *name) {
    double *u = w->direction + (size_t)w->directions * w->dimension;
    in_basis(w, v, u);
    if (alone && !stays(w, u, false)) return;
    const uint32_t now = spanned(w->dimension, w->directions + 1, w->direction);
    if (now > w->directions) name_reason(w, name);
    w->directions = now;
}

static void try_integral(work *w, expr e, const char *name) {
    const simulation *sim = w->p->sim;
    const uint32_t n = w->size;
    expr closed, *slope = memory_array(expr, n + 1);
    double *v = memory_array(double, n + 1),
           *in = w->integral + (size_t)w->integrals * w->dimension;
    ode_expressions(sim->o, 1, &e, &closed);
    expr_gradient(sim->m->pool, closed, n, sim->o->state, slope);
    tape *t = tape_create(sim->m->pool, n, sim->o->state, sim->m->time, sim->parameter_count,
                          sim->parameter, n, slope);
    machine run;
    machine_init(&run, t, sim->parameter_value);
    const bool finite = machine_run(&run, w->p->t0, w->of->z, v);
    machine_free(&run);
    tape_free(t);
    if (finite) in_basis(w, v, in);
    if (finite && stays(w, in, true)) {
        const uint32_t now = spanned(w->dimension, w->integrals + 1, w->integral);
        if (now > w->integrals) name_reason(w, name);
        w->integrals = now;
    }
    memory_free(slope), memory_free(v);
}

// Energy, the momenta of the symmetries, and what the model states
static void try_integrals(work *w, const symmetries *group) {
    const mechanics *s = w->p->sim->eq->system;
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    expr *momentum = memory_array(expr, s->n + 1);
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, momentum);
    try_integral(w, expr_sub(s->pool, expr_dot(s->pool, s->n, s->qd, momentum), s->lagrangian),
                 "energy");
    for (uint32_t k = 0; k < group->count; k++)
        try_integral(w, expr_dot(s->pool, s->n, momentum, group->at[k].field),
                     arena_format(a, "momentum of the %s", group->at[k].name));
    for (uint32_t k = 0; k < m->invariants_count; k++)
        try_integral(w, m->invariants[k].value,
                     arena_format(a, "invariant %s", m->invariants[k].name));
    memory_free(momentum);
}

// Does M map the span of the directions, which are orthonormal, onto itself?
static bool is_closed(const work *w) {
    const uint32_t d = w->dimension;
    double *v = memory_array(double, d + 1), off = 0;
    for (uint32_t c = 0; c < w->directions; c++) {
        for (uint32_t i = 0; i < d; i++) v[i] = dot(d, w->m + i * d, w->direction + (size_t)c * d);
        for (uint32_t k = 0; k < w->directions; k++) {
            const double part = dot(d, w->direction + (size_t)k * d, v);
            for (uint32_t i = 0; i < d; i++) v[i] -= part * w->direction[(size_t)k * d + i];
        }
        off = fmax(off, sqrt(dot(d, v, v)));
    }
    memory_free(v);
    return off <= SAME * w->scale;
}

static void take_directions(work *w, const symmetries *group, bool autonomous, bool alone) {
    const uint32_t n = w->p->sim->eq->system->n;
    double *v = memory_array(double, w->size + 1), *velocity = memory_zeros(double, n + 1),
           *all = memory_array(double, (size_t)n *(2 + w->size) + 1);
    if (autonomous && flow_rate(w->p->w, w->p->t0, w->of->z, v))
        try_direction(w, v, alone, "the direction of the motion");
    double *none = memory_zeros(double, (size_t)w->size *(w->size + 1) + 1);
    flow_start(w->p->w, w->p->t0, w->of->z, none);
    memory_free(none);
    move *g = move_create(w->p->sim, group->count, group->at);
    if (flow_velocities(w->p->w, all)) {
        memcpy(velocity, all, sizeof(double) * n);
        for (uint32_t a = 0; a < group->count; a++)
            if (move_direction(g, w->p->t0, a, w->of->z, velocity, v))
                try_direction(w, v, alone, group->at[a].name);
    }
    move_free(g);
    memory_free(v), memory_free(velocity), memory_free(all);
}

static void try_directions(work *w, const symmetries *group, bool autonomous) {
    take_directions(w, group, autonomous, false);
    if (is_closed(w)) return;
    w->directions = w->out->reasons = 0;
    take_directions(w, group, autonomous, true);
}

// --- the others ----------------------------------------------------------------------------------

// Directions that lie in K, as columns: combinations with integral . direction = 0
static uint32_t directions_in(const work *w, double *out) {
    const uint32_t d = w->dimension, r = w->directions;
    double *pairing = memory_zeros(double, (size_t)(w->integrals + r + 1) * (r + 1)),
           *mix = pairing + (size_t)w->integrals * r;
    uint32_t rows = 0;
    for (uint32_t k = 0; k < w->integrals && r; k++) {
        double size = 0;
        for (uint32_t j = 0; j < r; j++) {
            pairing[rows * r + j] =
                dot(d, w->integral + (size_t)k * d, w->direction + (size_t)j * d);
            size = fmax(size, fabs(pairing[rows * r + j]));
        }
        rows += size > LITTLE;
    }
    const uint32_t rank = spanned(r, rows, pairing), left = r - rank;
    complement(r, rank, pairing, mix);
    for (uint32_t c = 0; c < left; c++)
        for (uint32_t i = 0; i < d; i++) {
            out[c * d + i] = 0;
            for (uint32_t j = 0; j < r; j++)
                out[c * d + i] += mix[c * r + j] * w->direction[(size_t)j * d + i];
        }
    memory_free(pairing);
    return left;
}

static void find_eigenvalues(work *w, uint32_t count, const double *m) {
    arena *a = &w->p->sim->m->ctx->arena;
    floquet *out = w->out;
    out->count = count;
    out->re = arena_array(a, double, count + 1), out->im = arena_array(a, double, count + 1);
    if (!count) return;
    acb_mat_t full;
    acb_mat_init(full, count, count);
    for (uint32_t i = 0; i < count * count; i++)
        arb_set_d(acb_realref(acb_mat_entry(full, i / count, i % count)), m[i]);
    acb_ptr value = _acb_vec_init(count);
    acb_mat_approx_eig_qr(value, NULL, NULL, full, NULL, 0, BITS);
    for (uint32_t i = 0; i < count; i++) {
        out->re[i] = ball_middle(acb_realref(value + i));
        out->im[i] = ball_middle(acb_imagref(value + i));
    }
    _acb_vec_clear(value, count);
    acb_mat_clear(full);
    // the largest first, pairs with the positive angle first
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0; j--) {
            const double now = hypot(out->re[j], out->im[j]),
                         before = hypot(out->re[j - 1], out->im[j - 1]);
            if (!(now > before * (1 + 1e-12) ||
                  (now > before * (1 - 1e-12) && out->im[j] > out->im[j - 1])))
                break;
            const double re = out->re[j], im = out->im[j];
            out->re[j] = out->re[j - 1], out->im[j] = out->im[j - 1];
            out->re[j - 1] = re, out->im[j - 1] = im;
        }
}

static void find_others(work *w) {
    const uint32_t d = w->dimension, k = d - w->integrals;
    double *room = memory_zeros(double, 6 * (size_t)d * d + 6);
    double *kernel = room, *inside = kernel + d * d, *m = inside + d * d, *u = m + d * d,
           *rest = u + d * d, *left = rest + d * d;
    complement(d, w->integrals, w->integral, kernel);
    restricted(d, w->m, k, kernel, m);
    uint32_t taken = directions_in(w, inside);
    for (uint32_t c = 0; c < taken; c++)
        for (uint32_t i = 0; i < k; i++)
            u[c * k + i] = dot(d, kernel + (size_t)i * d, inside + (size_t)c * d);
    taken = spanned(k, taken, u);
    complement(k, taken, u, rest);
    restricted(k, m, k - taken, rest, left);
    w->out->trivial = w->integrals + taken;
    find_eigenvalues(w, k - taken, left);
    memory_free(room);
}

void floquet_find(const orbit_problem *p, const orbit *of, const symmetries *group, bool autonomous,
                  floquet *out) {
    const simulation *sim = p->sim;
    const uint32_t n = sim->o->size;
    arena *a = &sim->m->ctx->arena;
    tangent_space *space = tangent_space_create(sim);
    const uint32_t normals = tangent_space_normals(space),
                   most = 3 + 2 * group->count + sim->m->invariants_count;
    work w = {.p = p, .of = of, .size = n, .dimension = n - normals, .out = out};
    const uint32_t d = w.dimension;
    *out = (floquet){.reason = arena_array(a, const char *, most)};
    double *normal = memory_zeros(double, 3 * (size_t)n * n + 2 * (size_t)most * n + 1);
    w.basis = normal + n * n, w.m = w.basis + n * n;
    w.direction = w.m + n * n, w.integral = w.direction + (size_t)most * n;
    if (tangent_space_at(space, sim, p->t0, of->z, normal)) {
        complement(n, normals, normal, w.basis);
        restricted(n, of->monodromy, d, w.basis, w.m);
        w.scale = 1;
        for (uint32_t i = 0; i < d * d; i++) w.scale = fmax(w.scale, fabs(w.m[i]));
        try_directions(&w, group, autonomous);
        try_integrals(&w, group);
        find_others(&w);
    }
    memory_free(normal);
    tangent_space_free(space);
}
