// The machine of the interpreter.
#include "simulate/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the order of the steps ----------------------------------------------------------------------------------------------------------
// Of the steps of one level that have all they need, those of the operation with most of them are run in one burst, with those that become
// ready by it.

typedef struct {
    const tape *t;
    machine *m;
    uint32_t leaves;
    uint32_t *waits;             // how many operands of a step are not there yet
    uint32_t *first_user, *user; // users of step i: user[first_user[i]] .. user[first_user[i + 1] - 1]
    uint32_t *ready[TAPE_KINDS]; // of the level at work, as stacks
    uint32_t ready_count[TAPE_KINDS], ready_capacity[TAPE_KINDS];
    uint32_t done;      // steps in order
    uint32_t *place;    // of a step in the order
    uint32_t burst_capacity;
} planner;

static uint32_t step_of(const planner *w, uint32_t reg) { return reg - w->leaves; }
static bool is_step(const planner *w, uint32_t reg) { return reg >= w->leaves; }
static uint32_t operand_count(const tape_step *s) { return s->a == s->b ? 1 : 2; }
static uint32_t operand(const tape_step *s, uint32_t which) { return which ? s->b : s->a; }

static void find_users(planner *w) {
    const tape *t = w->t;
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t k = 0; k < operand_count(&t->step[i]); k++)
            if (is_step(w, operand(&t->step[i], k))) w->first_user[step_of(w, operand(&t->step[i], k)) + 1]++, w->waits[i]++;
    for (uint32_t i = 0; i < t->step_count; i++) w->first_user[i + 1] += w->first_user[i];
    uint32_t *next = memory_resize(NULL, sizeof(uint32_t) * (t->step_count + 1));
    memcpy(next, w->first_user, sizeof(uint32_t) * (t->step_count + 1));
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t k = 0; k < operand_count(&t->step[i]); k++)
            if (is_step(w, operand(&t->step[i], k))) w->user[next[step_of(w, operand(&t->step[i], k))]++] = i;
    free(next);
}

static void make_ready(planner *w, uint32_t i) {
    const tape_operation o = w->t->step[i].operation;
    array_reserve(w->ready[o], w->ready_count[o], w->ready_capacity[o]);
    w->ready[o][w->ready_count[o]++] = i;
}

static void place_step(planner *w, uint32_t i, tape_level level) {
    w->place[i] = w->leaves + w->done++;
    for (uint32_t k = w->first_user[i]; k < w->first_user[i + 1]; k++)
        if (--w->waits[w->user[k]] == 0 && w->t->step[w->user[k]].level == level) make_ready(w, w->user[k]);
}

static void plan_level(planner *w, tape_level level, uint32_t *order) {
    machine *m = w->m;
    for (uint32_t i = 0; i < w->t->step_count; i++)
        if (w->t->step[i].level == level && !w->waits[i]) make_ready(w, i);
    for (;;) {
        uint32_t o = 0;
        for (uint32_t k = 1; k < TAPE_KINDS; k++)
            if (w->ready_count[k] > w->ready_count[o]) o = k;
        if (!w->ready_count[o]) return;
        const uint32_t before = w->done;
        while (w->ready_count[o]) {
            const uint32_t i = w->ready[o][--w->ready_count[o]];
            order[w->done] = i;
            place_step(w, i, level);
        }
        array_reserve(m->bursts, m->burst_count, w->burst_capacity);
        m->bursts[m->burst_count++] = (burst){(tape_operation)o, level, w->done - before};
    }
}

static void plan(machine *m, const tape *t) {
    const uint32_t n = t->step_count;
    planner w = {.t = t, .m = m, .leaves = t->input_count + t->constant_count};
    w.waits = calloc(n + 1, sizeof *w.waits), w.first_user = calloc(n + 2, sizeof *w.first_user);
    w.user = memory_resize(NULL, sizeof(uint32_t) * (2 * (size_t)n + 1));
    w.place = memory_resize(NULL, sizeof(uint32_t) * (n + 1));
    uint32_t *order = memory_resize(NULL, sizeof(uint32_t) * (n + 1));
    find_users(&w);
    for (tape_level level = TAPE_FIXED; level <= TAPE_STATE; level++) plan_level(&w, level, order);
    m->code = memory_resize(NULL, sizeof(operands) * (n + 1));
    for (uint32_t k = 0; k < n; k++) {
        const tape_step *s = &t->step[order[k]];
        m->code[k] = (operands){is_step(&w, s->a) ? w.place[step_of(&w, s->a)] : s->a, is_step(&w, s->b) ? w.place[step_of(&w, s->b)] : s->b};
    }
    m->output = memory_resize(NULL, sizeof(uint32_t) * (t->output_count + 1));
    for (uint32_t i = 0; i < t->output_count; i++) m->output[i] = is_step(&w, t->output[i]) ? w.place[step_of(&w, t->output[i])] : t->output[i];
    for (uint32_t k = 0; k < TAPE_KINDS; k++) free(w.ready[k]);
    free(w.waits), free(w.first_user), free(w.user), free(w.place), free(order);
}

// --- running -------------------------------------------------------------------------------------------------------------------------

static double sign_of(double x) { return (x > 0) - (x < 0); }

static void run_burst(const burst *g, const operands *c, const double *value, double *out) {
    const operands *end = c + g->count;
    switch (g->operation) {
#define EACH(id, formula)                                         \
    case TAPE_##id:                                               \
        for (; c < end; c++) {                                    \
            const double a = value[c->a], b = value[c->b];        \
            (void)b;                                              \
            *out++ = formula;                                     \
        }                                                         \
        break;
        EACH(ADD, a + b)
        EACH(SUB, a - b)
        EACH(MUL, a *b)
        EACH(DIV, a / b)
        EACH(NEG, -a)
        EACH(SQRT, sqrt(a))
        EACH(POW, pow(a, b))
        EACH(SIN, sin(a))
        EACH(COS, cos(a))
        EACH(TAN, tan(a))
        EACH(ASIN, asin(a))
        EACH(ACOS, acos(a))
        EACH(ATAN, atan(a))
        EACH(ATAN2, atan2(a, b))
        EACH(SINH, sinh(a))
        EACH(COSH, cosh(a))
        EACH(TANH, tanh(a))
        EACH(EXP, exp(a))
        EACH(LOG, log(a))
        EACH(ABS, fabs(a))
        EACH(SIGN, sign_of(a))
#undef EACH
    case TAPE_KINDS: break;
    }
}

void machine_init(machine *m, const tape *t, const double *parameter_value) {
    *m = (machine){.t = t, .value = memory_resize(NULL, sizeof(double) * (tape_register_count(t) + 1)), .fresh = true};
    memcpy(m->value + t->state_count + 1, parameter_value, sizeof(double) * (t->input_count - t->state_count - 1));
    for (uint32_t i = 0; i < t->constant_count; i++) m->value[t->input_count + i] = tape_constant(t, i).part[0];
    plan(m, t);
}

void machine_free(machine *m) { free(m->value), free(m->code), free(m->bursts), free(m->output); }

bool machine_run(machine *m, double t, const double *z, double *out) {
    const tape *g = m->t;
    memcpy(m->value, z, sizeof(double) * g->state_count);
    m->value[g->state_count] = t;
    const tape_level from = m->fresh ? TAPE_FIXED : t != m->time ? TAPE_TIMED : TAPE_STATE;
    const operands *code = m->code;
    double *result = m->value + g->input_count + g->constant_count;
    for (uint32_t i = 0; i < m->burst_count; i++) {
        const burst *b = &m->bursts[i];
        if (b->level >= from) run_burst(b, code, m->value, result);
        code += b->count, result += b->count;
    }
    m->fresh = false, m->time = t;
    bool finite = true;
    for (uint32_t i = 0; i < g->output_count; i++) {
        out[i] = m->value[m->output[i]];
        finite = finite && isfinite(out[i]);
    }
    return finite;
}
