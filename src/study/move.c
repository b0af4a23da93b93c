// Moves of states by the exponentials of symmetries.
#include "study/move.h"

#include "execute/machine.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

struct move {
    const simulation *sim;
    uint32_t n, size, count;
    double *generator; // of each symmetry (n + 1) x (n + 1): A and b
    double *group;     // E and e
    tape *code;        // z and dz of (q, q', dq, dq')
    machine run;
    double *in, *out;
};

// z = start(q, q', t), and its change
static tape *state_code(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    pool *p = s->pool;
    const uint32_t n = s->n, size = sim->o->size;
    expr *in = memory_array(expr, 4 * (size_t)n + 1), *out = memory_array(expr, 2 * (size_t)size);
    for (uint32_t i = 0; i < n; i++) {
        in[i] = s->q[i], in[n + i] = s->qd[i];
        in[2 * n + i] = expr_symbol(p, "change", ROLE_LOCAL);
        in[3 * n + i] = expr_symbol(p, "change", ROLE_LOCAL);
    }
    model_concrete(sim->m, false, size, sim->o->start, out);
    expr_pushforward(p, 2 * n, in, in + 2 * n, size, out, out + size);
    tape *t = tape_create(p, 4 * n, in, sim->m->time, sim->parameter_count, sim->parameter,
                          2 * size, out);
    memory_free(in), memory_free(out);
    return t;
}

// A and b, which hold parameters only
static void evaluate(move *w, const simulation *sim, const symmetry *list) {
    const uint32_t n = w->n, side = n + 1;
    pool *p = sim->m->pool;
    for (uint32_t a = 0; a < w->count; a++) {
        expr *e = memory_array(expr, (size_t)n * side + 1);
        double *value = memory_array(double, (size_t)n *side + 1);
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) e[i * side + j] = list[a].matrix[i * n + j];
            e[i * side + n] = list[a].shift[i];
        }
        tape *t = tape_create(p, sim->o->size, sim->o->state, sim->m->time, sim->parameter_count,
                              sim->parameter, n * side, e);
        machine run;
        machine_init(&run, t, sim->parameter_value);
        machine_run(&run, sim->t0, sim->z0, value);
        machine_free(&run);
        tape_free(t);
        memcpy(w->generator + (size_t)a * side * side, value, sizeof(double) * n * side);
        memory_free(e), memory_free(value);
    }
}

move *move_create(const simulation *sim, uint32_t count, const symmetry *list) {
    move *w = memory_new(move);
    const uint32_t n = sim->eq->system->n, side = n + 1;
    *w = (move){.sim = sim, .n = n, .size = sim->o->size, .count = count};
    w->generator = memory_zeros(double, (size_t)(count + 4) * side * side);
    w->group = w->generator + (size_t)count * side * side;
    w->in = memory_zeros(double, 4 * (size_t)n + 2 * (size_t)w->size + 2);
    w->out = w->in + 4 * n + 1;
    w->code = state_code(sim);
    machine_init(&w->run, w->code, sim->parameter_value);
    evaluate(w, sim, list);
    move_set(w, NULL);
    return w;
}

void move_take_parameters(move *w, const symmetry *list) {
    machine_set_parameters(&w->run, w->sim->parameter_value);
    evaluate(w, w->sim, list);
}

void move_free(move *w) {
    if (!w) return;
    machine_free(&w->run), tape_free(w->code);
    memory_free(w->generator), memory_free(w->in), memory_free(w);
}

static void multiply(uint32_t side, const double *a, const double *b, double *out) {
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < side; k++) sum += a[i * side + k] * b[k * side + j];
            out[i * side + j] = sum;
        }
}

// exp(X) = (1 + Y + Y^2/2 + ..)^(2^s), Y = X/2^s small
void move_set(move *w, const double *speed) {
    enum { TERMS = 18 };
    const uint32_t side = w->n + 1, entries = side * side;
    double *x = w->group + entries, *term = x + entries, *next = term + entries, size = 0;
    memset(x, 0, sizeof(double) * entries);
    for (uint32_t a = 0; a < w->count && speed; a++)
        for (uint32_t i = 0; i < entries; i++)
            x[i] += speed[a] * w->generator[(size_t)a * entries + i];
    for (uint32_t i = 0; i < entries; i++) size += fabs(x[i]);
    int halvings = 0;
    for (; size > 0.5; size /= 2) halvings++;
    for (uint32_t i = 0; i < entries; i++) {
        x[i] = ldexp(x[i], -halvings);
        w->group[i] = term[i] = i % (side + 1) == 0;
    }
    for (int k = 1; k <= TERMS; k++) {
        multiply(side, term, x, next);
        for (uint32_t i = 0; i < entries; i++) w->group[i] += term[i] = next[i] / k;
    }
    for (; halvings > 0; halvings--) {
        multiply(side, w->group, w->group, next);
        memcpy(w->group, next, sizeof(double) * entries);
    }
}

// E v, and e with it where `shifted`
static void apply(const move *w, const double *v, bool shifted, double *out) {
    const uint32_t n = w->n, side = n + 1;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = shifted ? w->group[i * side + n] : 0;
        for (uint32_t j = 0; j < n; j++) out[i] += w->group[i * side + j] * v[j];
    }
}

bool move_state(move *w, double t, const double *q, const double *qd, uint32_t columns,
                const double *dq, const double *dqd, double *z, double *dz) {
    const uint32_t n = w->n;
    apply(w, q, true, w->in), apply(w, qd, false, w->in + n);
    memset(w->in + 2 * n, 0, sizeof(double) * 2 * n);
    bool finite = machine_run(&w->run, t, w->in, w->out);
    memcpy(z, w->out, sizeof(double) * w->size);
    for (uint32_t c = 0; c < columns && finite; c++) {
        apply(w, dq + (size_t)c * n, false, w->in + 2 * n);
        apply(w, dqd + (size_t)c * n, false, w->in + 3 * n);
        finite = machine_run(&w->run, t, w->in, w->out);
        memcpy(dz + (size_t)c * w->size, w->out + w->size, sizeof(double) * w->size);
    }
    return finite;
}

bool move_direction(move *w, double t, uint32_t a, const double *q, const double *qd, double *dz) {
    const uint32_t n = w->n, side = n + 1;
    const double *x = w->generator + (size_t)a * side * side;
    memcpy(w->in, q, sizeof(double) * n), memcpy(w->in + n, qd, sizeof(double) * n);
    for (uint32_t i = 0; i < n; i++) {
        w->in[2 * n + i] = x[i * side + n], w->in[3 * n + i] = 0;
        for (uint32_t j = 0; j < n; j++) {
            w->in[2 * n + i] += x[i * side + j] * q[j];
            w->in[3 * n + i] += x[i * side + j] * qd[j];
        }
    }
    const bool finite = machine_run(&w->run, t, w->in, w->out);
    memcpy(dz, w->out + w->size, sizeof(double) * w->size);
    return finite;
}
