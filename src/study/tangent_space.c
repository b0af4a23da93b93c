// Normals of the constraints on positions, and orthonormal columns.
#include "study/tangent_space.h"

#include "execute/machine.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

struct tangent_space {
    const simulation *sim; // of the chart that the code is for
    uint32_t normals;
    tape *code; // phi, then dphi/dz row by row
    machine run;
    double *out;
};

const char *tangent_space_refusal(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    if (s->h) return "constraints of order 2 and higher leave first integrals in its state";
    if (s->k && !sim->eq->explicit_velocities)
        return "its state holds velocities that depend on each other";
    return NULL;
}

static uint32_t list_constraints(const mechanics *s, expr *phi) {
    uint32_t count = 0;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) phi[count++] = c->phi;
    }
    return count;
}

static void take(tangent_space *w, const simulation *sim) {
    const mechanics *s = sim->eq->system;
    const uint32_t n = sim->o->size;
    if (w->code) machine_free(&w->run), tape_free(w->code);
    expr *phi = memory_array(expr, (size_t)(s->k + 1) * (n + 1));
    w->sim = sim;
    w->normals = list_constraints(s, phi);
    ode_expressions(sim->o, w->normals, phi, phi);
    expr_jacobian(s->pool, w->normals, phi, n, sim->o->state, phi + w->normals);
    w->code = tape_create(s->pool, n, sim->o->state, sim->m->time, sim->parameter_count,
                          sim->parameter, w->normals * (n + 1), phi);
    machine_init(&w->run, w->code, sim->parameter_value);
    memory_free(phi);
}

tangent_space *tangent_space_create(const simulation *sim) {
    tangent_space *w = memory_new(tangent_space);
    *w = (tangent_space){0};
    take(w, sim);
    w->out = memory_array(double, (size_t)w->normals *(sim->o->size + 1) + 1);
    return w;
}

void tangent_space_take_parameters(tangent_space *w) {
    machine_set_parameters(&w->run, w->sim->parameter_value);
}

void tangent_space_free(tangent_space *w) {
    if (!w) return;
    machine_free(&w->run), tape_free(w->code);
    memory_free(w->out), memory_free(w);
}

uint32_t tangent_space_normals(const tangent_space *w) { return w->normals; }

const double *tangent_space_values(tangent_space *w, const simulation *sim, double t,
                                   const double *z) {
    if (sim != w->sim) take(w, sim);
    return machine_run(&w->run, t, z, w->out) ? w->out : NULL;
}

bool tangent_space_at(tangent_space *w, const simulation *sim, double t, const double *z,
                      double *normal) {
    const uint32_t n = sim->o->size, h = w->normals;
    if (!h) return true;
    if (!tangent_space_values(w, sim, t, z)) return false;
    double *length = memory_array(double, h);
    memcpy(normal, w->out + h, sizeof(double) * h * n);
    tangent_space_orthonormalise(n, 0, NULL, h, normal, length);
    memory_free(length);
    return true;
}

// --- orthonormal columns -------------------------------------------------------------------------

static double dot(uint32_t n, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void remove_part(uint32_t n, const double *unit, double *v) {
    const double part = dot(n, unit, v);
    for (uint32_t i = 0; i < n; i++) v[i] -= part * unit[i];
}

// Gram and Schmidt's, each twice: once is not enough where little is left of a column
void tangent_space_orthonormalise(uint32_t size, uint32_t normals, const double *normal,
                                  uint32_t columns, double *column, double *length) {
    for (uint32_t c = 0; c < columns; c++) {
        double *v = column + (size_t)c * size;
        for (int pass = 0; pass < 2; pass++) {
            for (uint32_t k = 0; k < normals; k++) remove_part(size, normal + k * size, v);
            for (uint32_t k = 0; k < c; k++) remove_part(size, column + (size_t)k * size, v);
        }
        length[c] = sqrt(dot(size, v, v));
        for (uint32_t i = 0; i < size && length[c] > 0; i++) v[i] /= length[c];
    }
}
