// Contacts at a state: their numbers by one program, then small linear systems.
#include "simulate/contact_law_parts.h"

#include "base/memory.h"
#include "derive/lagrange.h"
#include "execute/elimination.h"

#include <math.h>
#include <string.h>

// Where the numbers of a contact stand among those of its block
enum { AT_GAP, AT_SPEED, AT_SLIP, AT_HOLD = AT_SLIP + 2, AT_RUB, AT_BOUNCE, AT_NORMAL, AT_ROWS };

// --- the program ---------------------------------------------------------------------------------

typedef struct {
    expr *e;
    uint32_t count, capacity;
} expressions;

static void put(expressions *x, expr e) {
    array_reserve(x->e, x->count, x->capacity);
    x->e[x->count++] = e;
}

// f(q, q', q'', t) affine in q'': its slopes df/dq'', then what is left of it for q'' = 0
static void put_affine(const mechanics *s, expressions *x, expr f) {
    expr *slope = memory_array(expr, s->n);
    expr_gradient(s->pool, f, s->n, s->qdd, slope);
    for (uint32_t i = 0; i < s->n; i++) put(x, slope[i]);
    put(x, expr_at_zero(s->pool, f, s->n, s->qdd));
    memory_free(slope);
}

static void put_motion(contact_law *w, expressions *x) {
    const mechanics *s = w->s;
    pool *p = s->pool;
    expr *defect = memory_array(expr, s->n), *m = memory_array(expr, s->n * s->n);
    lagrange_defect(s, defect); // N = M q'' + h + C lambda
    expr_jacobian(p, s->n, defect, s->n, s->qdd, m);
    w->m = x->count;
    for (uint32_t i = 0; i < s->n * s->n; i++) put(x, m[i]);
    w->h = x->count;
    for (uint32_t i = 0; i < s->n; i++)
        put(x, expr_at_zero(p, expr_at_zero(p, defect[i], s->n, s->qdd), s->k, s->multiplier));
    w->c = x->count;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t nu = 0; nu < s->k; nu++) put(x, expr_diff(p, defect[i], s->multiplier[nu]));
    w->a = x->count;
    for (uint32_t i = 0; i < s->k * s->n; i++) put(x, mechanics_slopes(s)[i]);
    w->b = x->count;
    for (uint32_t nu = 0; nu < s->k; nu++)
        put(x, expr_at_zero(p, expr_ddt(p, s->phi[nu]), s->n, s->qdd));
    w->phi = x->count;
    for (uint32_t nu = 0; nu < s->k; nu++) put(x, s->phi[nu]);
    memory_free(defect), memory_free(m);
}

static const constraint *position_of(const mechanics *s, uint32_t nu) {
    const constraint *c = &s->model->constraints[s->constraint[nu]];
    return c->order == 0 ? c : NULL;
}

static void put_positions(contact_law *w, expressions *x) {
    const mechanics *s = w->s;
    expr *slope = memory_array(expr, s->n);
    w->held = x->count;
    for (uint32_t nu = 0; nu < s->k; nu++)
        if (position_of(s, nu)) put(x, position_of(s, nu)->phi), w->positions++;
    w->held_slope = x->count;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        if (!position_of(s, nu)) continue;
        expr_gradient(s->pool, position_of(s, nu)->phi, s->n, s->q, slope);
        for (uint32_t i = 0; i < s->n; i++) put(x, slope[i]);
    }
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, slope);
    w->energy = x->count;
    put(x, s->kinetic);
    put(x, expr_sub(s->pool, expr_dot(s->pool, s->n, s->qd, slope), s->lagrangian));
    memory_free(slope);
}

// Psi and dPsi/dq' of declared quasi-velocities
static void put_quasi(contact_law *w, expressions *x) {
    const mechanics *s = w->s;
    w->psi = x->count;
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++) put(x, s->psi[i]);
    w->psi_slope = x->count;
    for (uint32_t i = 0; i < s->m * s->n && s->has_quasi; i++) put(x, s->psi_velocity[i]);
}

static void put_contact(contact_law *w, const contact *c, expressions *x) {
    const mechanics *s = w->s;
    pool *p = s->pool;
    const expr speed = expr_ddt(p, c->gap);
    put(x, c->gap);
    put(x, speed);
    for (uint32_t i = 0; i < 2; i++) put(x, i < c->tangents ? c->slip[i] : EXPR_ZERO);
    put(x, c->static_friction);
    put(x, c->friction);
    put(x, c->restitution);
    put(x, c->has_place ? c->normal_speed : speed);
    put_affine(s, x, expr_ddt(p, speed)); // gap'' = W_n . q'' + w_n
    for (uint32_t i = 0; i < c->tangents; i++) put_affine(s, x, expr_ddt(p, c->slip[i]));
}

contact_law *contact_law_create(const mechanics *s) {
    contact_law *w = memory_new(contact_law);
    const model *m = s->model;
    *w = (contact_law){.s = s, .n = s->n, .k = s->k, .contacts = m->contacts_count};
    w->first = memory_array(uint32_t, 2 * w->contacts + 1), w->contact = w->first + w->contacts;
    expressions x = {0};
    put_motion(w, &x);
    put_positions(w, &x);
    put_quasi(w, &x);
    for (uint32_t i = 0; i < w->contacts; i++) {
        w->first[i] = w->directions, w->contact[i] = x.count;
        w->directions += 1 + m->contacts[i].tangents;
        put_contact(w, &m->contacts[i], &x);
    }
    w->outputs = x.count;
    model_concrete(m, false, x.count, x.e, x.e);
    w->prog = program_create(s->pool, x.count, x.e);
    memory_free(x.e);
    const size_t n = s->n, k = s->k, d = w->directions, all = n + k;
    w->symbol = memory_zeros(double, pool_symbol_count(s->pool) + 1);
    w->out = memory_zeros(double, w->outputs + 1);
    w->values = memory_zeros(contact_values, w->contacts + 1);
    w->response = memory_zeros(double, d *n + n + d * d + 2 * d + 2 * all * (all + d + 1) + d + 1);
    w->free = w->response + d * n, w->g = w->free + n, w->rate = w->g + d * d;
    w->sizes = w->rate + d, w->work = w->sizes + d;
    return w;
}

void contact_law_free(contact_law *w) {
    if (!w) return;
    program_free(w->prog);
    memory_free(w->first), memory_free(w->symbol), memory_free(w->out), memory_free(w->values),
        memory_free(w->response);
    memory_free(w);
}

// --- numbers at a state --------------------------------------------------------------------------

void contact_law_evaluate(contact_law *w, double t, const double *q, const double *qd,
                          const double *parameter) {
    const mechanics *s = w->s;
    const pool *p = s->pool;
    w->symbol[expr_symbol_index(p, s->model->time)] = t;
    for (uint32_t i = 0; i < w->n; i++) {
        w->symbol[expr_symbol_index(p, s->q[i])] = q[i];
        w->symbol[expr_symbol_index(p, s->qd[i])] = qd[i];
    }
    for (uint32_t i = 0; i < s->model->parameters_count; i++)
        w->symbol[expr_symbol_index(p, s->model->parameters[i].symbol)] = parameter[i];
    program_run_double(w->prog, w->symbol, w->out);
}

// W of a direction: behind the numbers of its contact, a row of n and what is left for each
static const double *row_of(const contact_law *w, uint32_t contact, uint32_t direction) {
    return w->out + w->contact[contact] + AT_ROWS + direction * (w->n + 1);
}

// Of M x - (A^T - C) l, A x
static void fill_motion(const contact_law *w, double *matrix) {
    const uint32_t n = w->n, k = w->k, all = n + k;
    memset(matrix, 0, sizeof(double) * all * all);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) matrix[i * all + j] = w->out[w->m + i * n + j];
        for (uint32_t nu = 0; nu < k; nu++) {
            const double a = w->out[w->a + nu * n + i];
            matrix[i * all + n + nu] = w->out[w->c + i * k + nu] - a;
            matrix[(n + nu) * all + i] = a;
        }
    }
}

bool contact_law_determines(contact_law *w, double t, const double *q, const double *qd,
                            const double *parameter) {
    contact_law_evaluate(w, t, q, qd, parameter);
    fill_motion(w, w->work);
    return elimination_pivots(w->n + w->k, w->n + w->k, w->work).smallest > 0;
}

// q'' without contacts, what a unit force along each direction adds, and from these G and c
static void find_responses(contact_law *w) {
    const uint32_t n = w->n, k = w->k, d = w->directions, all = n + k, rights = d + 1;
    double *matrix = w->work, *right = matrix + all * all;
    memset(right, 0, sizeof(double) * all * rights);
    for (uint32_t i = 0; i < n; i++) right[i * rights + d] = -w->out[w->h + i];
    for (uint32_t nu = 0; nu < k; nu++) right[(n + nu) * rights + d] = -w->out[w->b + nu];
    for (uint32_t c = 0; c < w->contacts; c++)
        for (uint32_t j = 0; j <= w->s->model->contacts[c].tangents; j++)
            for (uint32_t i = 0; i < n; i++)
                right[i * rights + w->first[c] + j] = row_of(w, c, j)[i];
    fill_motion(w, matrix); // M x - (A^T - C) l = f, A x = g
    elimination_solve(all, matrix, rights, right);
    for (uint32_t i = 0; i < n; i++) {
        w->free[i] = right[i * rights + d];
        for (uint32_t j = 0; j < d; j++) w->response[j * n + i] = right[i * rights + j];
    }
    for (uint32_t c = 0; c < w->contacts; c++)
        for (uint32_t j = 0; j <= w->s->model->contacts[c].tangents; j++) {
            const double *row = row_of(w, c, j);
            const uint32_t at = w->first[c] + j;
            w->rate[at] = row[n], w->sizes[at] = fabs(row[n]); // c = W . q''_free + w
            for (uint32_t i = 0; i < n; i++) {
                w->rate[at] += row[i] * w->free[i];
                w->sizes[at] += fabs(row[i] * w->free[i]);
            }
            for (uint32_t l = 0; l < d; l++) { // G = W^T X
                double sum = 0;
                for (uint32_t i = 0; i < n; i++) sum += row[i] * w->response[l * n + i];
                w->g[at * d + l] = sum;
            }
        }
}

bool contact_law_at(contact_law *w, double t, const double *q, const double *qd,
                    const double *parameter) {
    contact_law_evaluate(w, t, q, qd, parameter);
    for (uint32_t i = 0; i < w->outputs; i++)
        if (!isfinite(w->out[i])) return false;
    find_responses(w);
    for (uint32_t c = 0; c < w->contacts; c++) {
        const double *v = w->out + w->contact[c], normal = w->g[w->first[c] * (w->directions + 1)];
        w->values[c] = (contact_values){.gap = v[AT_GAP],
                                        .speed = v[AT_SPEED],
                                        .acceleration = w->rate[w->first[c]],
                                        .slip = {v[AT_SLIP], v[AT_SLIP + 1]},
                                        .hold = v[AT_HOLD],
                                        .rub = v[AT_RUB],
                                        .bounce = v[AT_BOUNCE],
                                        .normal_rate = v[AT_NORMAL],
                                        .mass = normal > 0 ? 1 / normal : INFINITY};
        for (uint32_t i = 0; i < w->n; i++) w->values[c].size += fabs(row_of(w, c, 0)[i] * q[i]);
    }
    return true;
}

double contact_law_acceleration(const contact_law *w, const contact_state *state,
                                uint32_t contact) {
    const uint32_t at = w->first[contact];
    double sum = w->rate[at];
    for (uint32_t i = 0; i < w->contacts; i++)
        for (uint32_t j = 0; j <= w->s->model->contacts[i].tangents && state[i].is_closed; j++)
            sum += w->g[at * w->directions + w->first[i] + j] * state[i].force[j];
    return sum;
}

const contact_values *contact_law_values(const contact_law *w, uint32_t contact) {
    return &w->values[contact];
}

double contact_law_kinetic(const contact_law *w) { return w->out[w->energy]; }
double contact_law_energy(const contact_law *w) { return w->out[w->energy + 1]; }

// --- what follows --------------------------------------------------------------------------------

typedef struct { // the closed contacts alone
    uint32_t count, directions;
    uint32_t contact[MOST_CLOSED], direction[3 * MOST_CLOSED];
    closed_contact closed[MOST_CLOSED];
    contact_answer answer[MOST_CLOSED];
    double g[9 * MOST_CLOSED * MOST_CLOSED], c[3 * MOST_CLOSED], force[3 * MOST_CLOSED],
        rate[3 * MOST_CLOSED], size; // of the terms of c
} problem;

// The problem of one group
static void list_closed(const contact_law *w, const contact_state *state, uint32_t group,
                        problem *pr) {
    *pr = (problem){0};
    for (uint32_t i = 0; i < w->contacts && pr->count < MOST_CLOSED; i++) {
        if (!state[i].is_closed || state[i].group != group) continue;
        const uint32_t tangents = w->s->model->contacts[i].tangents;
        closed_contact *t = &pr->closed[pr->count];
        *t = (closed_contact){.first = pr->directions,
                              .tangents = tangents,
                              .hold = w->values[i].hold,
                              .rub = w->values[i].rub,
                              .slides = state[i].slides};
        memcpy(t->along, state[i].along, sizeof t->along);
        memcpy(t->allowed, state[i].allowed, sizeof t->allowed);
        pr->contact[pr->count++] = i;
        for (uint32_t j = 0; j <= tangents; j++) pr->direction[pr->directions++] = w->first[i] + j;
    }
    for (uint32_t i = 0; i < pr->directions; i++)
        for (uint32_t j = 0; j < pr->directions; j++)
            pr->g[i * pr->directions + j] =
                w->g[pr->direction[i] * w->directions + pr->direction[j]];
}

static uint32_t solve(problem *pr, contact_state *state) {
    complementarity_result out = {.force = pr->force, .rate = pr->rate};
    complementarity_solve(pr->count, pr->closed, pr->directions, pr->g, pr->c, pr->size, pr->answer,
                          &out);
    for (uint32_t k = 0; k < pr->count && out.solutions; k++) {
        contact_state *x = &state[pr->contact[k]];
        x->mode = pr->answer[k].mode;
        memcpy(x->along, pr->answer[k].along, sizeof x->along);
        for (uint32_t j = 0; j <= pr->closed[k].tangents; j++) {
            x->force[j] = pr->force[pr->closed[k].first + j];
            x->rate[j] = pr->rate[pr->closed[k].first + j];
        }
    }
    return out.solutions;
}

// Of several contacts that stick along one line of one body, all but the first rest: G is singular.
static void find_resting(const problem *pr, contact_state *state) {
    static const double SAME = 1e-9;
    const uint32_t d = pr->directions;
    for (uint32_t k = 1; k < pr->count; k++)
        for (uint32_t l = 0; l < k && state[pr->contact[k]].mode == MODE_STICKING; l++) {
            const uint32_t a = pr->closed[k].first + 1, b = pr->closed[l].first + 1;
            bool same = pr->closed[k].tangents == 1 && pr->closed[l].tangents == 1 &&
                        state[pr->contact[l]].mode == MODE_STICKING;
            for (uint32_t i = 0; i < d && same; i++)
                same = fabs(pr->g[i * d + a] - pr->g[i * d + b]) <= SAME * fabs(pr->g[b * d + b]);
            if (!same) continue;
            state[pr->contact[k]].mode = MODE_RESTING;
            state[pr->contact[k]].rests_with = pr->contact[l];
            break;
        }
}

static uint32_t modes_of_group(contact_law *w, contact_state *state, uint32_t group) {
    problem pr;
    list_closed(w, state, group, &pr);
    if (!pr.count) return 1;
    for (uint32_t i = 0; i < pr.directions; i++) {
        pr.c[i] = w->rate[pr.direction[i]];
        pr.size = fmax(pr.size, w->sizes[pr.direction[i]]);
    }
    const uint32_t solutions = solve(&pr, state);
    if (solutions) find_resting(&pr, state);
    return solutions;
}

uint32_t contact_law_modes(contact_law *w, contact_state *state) {
    uint32_t solutions = 1;
    for (uint32_t i = 0; i < w->contacts && solutions == 1; i++)
        solutions = modes_of_group(w, state, i);
    return solutions;
}

// The work of impulses P is P (v- + v+)/2, v+ = v- + G P: with v = W q' that on the system, with
// the speeds of the contact, from which those of its surface are taken, that of the law alone.
static void find_work(const contact_law *w, const problem *pr, contact_state *state,
                      const double *qd) {
    const uint32_t d = pr->directions;
    for (uint32_t k = 0; k < pr->count; k++) {
        contact_state *x = &state[pr->contact[k]];
        const contact_values *v = &w->values[pr->contact[k]];
        const double speed[] = {v->speed, v->slip[0], v->slip[1]};
        x->work = x->own_work = 0;
        for (uint32_t j = 0; j <= pr->closed[k].tangents; j++) {
            const uint32_t at = pr->closed[k].first + j;
            const double *row = row_of(w, pr->contact[k], j);
            double half = 0, moving = 0;
            for (uint32_t l = 0; l < d; l++) half += pr->g[at * d + l] * pr->force[l] / 2;
            for (uint32_t i = 0; i < w->n; i++) moving += row[i] * qd[i];
            x->work += pr->force[at] * (moving + half);
            x->own_work += pr->force[at] * (speed[j] + half);
        }
    }
}

// 0 <= v_n+ + e v_n-, complementary to P_n >= 0; v+ = v- + G P
static uint32_t impact_of_group(contact_law *w, contact_state *state, uint32_t group, double *qd) {
    problem pr;
    list_closed(w, state, group, &pr);
    if (!pr.count) return 1;
    for (uint32_t k = 0; k < pr.count; k++) {
        const contact_values *v = &w->values[pr.contact[k]];
        double *c = pr.c + pr.closed[k].first;
        c[0] = (1 + v->bounce) * v->speed;
        for (uint32_t j = 0; j < pr.closed[k].tangents; j++) c[1 + j] = v->slip[j];
    }
    const uint32_t solutions = solve(&pr, state);
    if (!solutions) return 0;
    find_work(w, &pr, state, qd);
    for (uint32_t j = 0; j < pr.directions; j++)
        for (uint32_t i = 0; i < w->n; i++)
            qd[i] += w->response[pr.direction[j] * w->n + i] * pr.force[j];
    return solutions;
}

uint32_t contact_law_impact(contact_law *w, contact_state *state, double *qd) {
    uint32_t solutions = 1;
    for (uint32_t i = 0; i < w->contacts && solutions; i++)
        solutions = impact_of_group(w, state, i, qd);
    return solutions;
}
