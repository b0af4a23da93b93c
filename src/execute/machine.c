// The machine of the interpreter.
#include "execute/machine.h"

#include <math.h>
#include <string.h>

#define SCALAR double
#include "execute/solve_template.h"

// --- the order of the steps ----------------------------------------------------------------------
// Of the steps of one level that have all they need, those of the operation with most of them are
// run in one burst, with those that become ready by it.

typedef struct {
    const tape *t;
    machine *m;
    uint32_t leaves;
    uint32_t *waits; // how many operands of a step are not there yet
    // users of step i: user[first_user[i]] .. user[first_user[i + 1] - 1]
    uint32_t *first_user, *user;
    uint32_t *ready[TAPE_KINDS]; // of the level at work, as stacks
    uint32_t ready_count[TAPE_KINDS], ready_capacity[TAPE_KINDS];
    uint32_t done;   // steps in order
    uint32_t *place; // of a step in the order
    uint32_t burst_capacity;
} planner;

static uint32_t step_of(const planner *w, uint32_t reg) { return reg - w->leaves; }
static bool is_step(const planner *w, uint32_t reg) { return reg >= w->leaves; }
static void find_users(planner *w) {
    const tape *t = w->t;
    uint32_t total = 0;
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t k = 0; k < tape_operand_count(t, i); k++)
            if (is_step(w, tape_operand(t, i, k)))
                w->first_user[step_of(w, tape_operand(t, i, k)) + 1]++, w->waits[i]++, total++;
    for (uint32_t i = 0; i < t->step_count; i++) w->first_user[i + 1] += w->first_user[i];
    w->user = memory_array(uint32_t, total + 1);
    uint32_t *next = memory_array(uint32_t, t->step_count + 1);
    memcpy(next, w->first_user, sizeof(uint32_t) * (t->step_count + 1));
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t k = 0; k < tape_operand_count(t, i); k++)
            if (is_step(w, tape_operand(t, i, k)))
                w->user[next[step_of(w, tape_operand(t, i, k))]++] = i;
    memory_free(next);
}

// The entries of a solution come with the first.
static bool comes_with_another(const tape_step *s) { return s->operation == TAPE_SOLVED && s->b; }
static uint32_t entries_of(const tape *t, const tape_step *s) {
    return s->operation == TAPE_SOLVED ? tape_system_unknowns(&t->system[s->a]) : 1;
}

static void make_ready(planner *w, uint32_t i) {
    const tape_operation o = w->t->step[i].operation;
    array_reserve(w->ready[o], w->ready_count[o], w->ready_capacity[o]);
    w->ready[o][w->ready_count[o]++] = i;
}

static void place_step(planner *w, uint32_t i, tape_level level, uint32_t *order) {
    order[w->done] = i;
    w->place[i] = w->leaves + w->done++;
    for (uint32_t k = w->first_user[i]; k < w->first_user[i + 1]; k++)
        if (--w->waits[w->user[k]] == 0 && w->t->step[w->user[k]].level == level)
            make_ready(w, w->user[k]);
}

static void plan_level(planner *w, tape_level level, uint32_t *order) {
    machine *m = w->m;
    for (uint32_t i = 0; i < w->t->step_count; i++)
        if (w->t->step[i].level == level && !w->waits[i] && !comes_with_another(&w->t->step[i]))
            make_ready(w, i);
    for (;;) {
        uint32_t o = 0;
        for (uint32_t k = 1; k < TAPE_KINDS; k++)
            if (w->ready_count[k] > w->ready_count[o]) o = k;
        if (!w->ready_count[o]) return;
        const uint32_t before = w->done;
        while (w->ready_count[o]) {
            const uint32_t i = w->ready[o][--w->ready_count[o]];
            for (uint32_t k = 0; k < entries_of(w->t, &w->t->step[i]); k++)
                place_step(w, i + k, level, order);
        }
        array_reserve(m->bursts, m->burst_count, w->burst_capacity);
        m->bursts[m->burst_count++] = (burst){(tape_operation)o, level, w->done - before};
    }
}

static uint32_t now_at(const planner *w, uint32_t reg) {
    return is_step(w, reg) ? w->place[step_of(w, reg)] : reg;
}

// The operands of the systems one after the other, and room to solve the largest.
static void plan_systems(planner *w) {
    const tape *t = w->t;
    uint32_t total = 0, room = 0, rows = 0;
    for (uint32_t i = 0; i < t->system_count; i++) {
        const uint32_t count = tape_system_operands(&t->system[i]);
        total += count;
        if (count > room) room = count;
        if (t->system[i].n > rows) rows = t->system[i].n;
    }
    w->m->system_operand = memory_array(uint32_t, total + 1);
    w->m->workspace = memory_array(double, room + 1);
    w->m->exchanged = memory_array(uint32_t, rows + 1);
    uint32_t *next = w->m->system_operand;
    for (uint32_t i = 0; i < t->system_count; i++)
        for (uint32_t k = 0; k < tape_system_operands(&t->system[i]); k++)
            *next++ = now_at(w, t->system[i].operand[k]);
}

static void plan(machine *m, const tape *t) {
    const uint32_t n = t->step_count;
    planner w = {.t = t, .m = m, .leaves = t->input_count + t->constant_count};
    w.waits = memory_zeros(uint32_t, n + 1), w.first_user = memory_zeros(uint32_t, n + 2);
    w.place = memory_array(uint32_t, n + 1);
    uint32_t *order = memory_array(uint32_t, n + 1);
    find_users(&w);
    for (tape_level level = TAPE_FIXED; level <= TAPE_STATE; level++) plan_level(&w, level, order);
    m->code = memory_array(operands, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const tape_step *s = &t->step[order[k]];
        m->code[k] = s->operation == TAPE_SOLVED ? (operands){s->a, s->b}
                                                 : (operands){now_at(&w, s->a), now_at(&w, s->b)};
    }
    m->output = memory_array(uint32_t, t->output_count + 1);
    for (uint32_t i = 0; i < t->output_count; i++) m->output[i] = now_at(&w, t->output[i]);
    plan_systems(&w);
    for (uint32_t k = 0; k < TAPE_KINDS; k++) memory_free(w.ready[k]);
    memory_free(w.waits), memory_free(w.first_user), memory_free(w.user), memory_free(w.place),
        memory_free(order);
}

// --- running -------------------------------------------------------------------------------------

static double sign_of(double x) { return (x > 0) - (x < 0); }

// The solutions of `count` entries of systems, one after the other
static void run_systems(machine *m, const operands *c, uint32_t count, double *out) {
    for (const operands *end = c + count; c < end;) {
        const tape_system *s = &m->t->system[c->a];
        const uint32_t *operand = m->system_operand;
        for (uint32_t i = 0; i < c->a; i++) operand += tape_system_operands(&m->t->system[i]);
        for (uint32_t k = 0; k < tape_system_operands(s); k++)
            m->workspace[k] = m->value[operand[k]];
        double *x = m->workspace + tape_system_entries(s);
        factor_system(s->symmetric, s->n, m->workspace, m->exchanged);
        for (uint32_t k = 0; k < s->columns; k++)
            solve_system(s->symmetric, s->n, m->workspace, m->exchanged, x + k * s->n);
        memcpy(out, x, sizeof(double) * tape_system_unknowns(s));
        c += tape_system_unknowns(s), out += tape_system_unknowns(s);
    }
}

static void run_burst(machine *m, const burst *g, const operands *c, double *out) {
    const double *value = m->value;
    const operands *end = c + g->count;
    switch (g->operation) {
#define EACH(id, formula)                                                                          \
    case TAPE_##id:                                                                                \
        for (; c < end; c++) {                                                                     \
            const double a = value[c->a], b = value[c->b];                                         \
            (void)b;                                                                               \
            *out++ = formula;                                                                      \
        }                                                                                          \
        break;
        EACH(ADD, a + b)
        EACH(SUB, a - b)
        EACH(MUL, a * b)
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
    case TAPE_SOLVED: run_systems(m, c, g->count, out); break;
    case TAPE_KINDS: break;
    }
}

void machine_set_parameters(machine *m, const double *parameter_value) {
    const tape *t = m->t;
    memcpy(m->value + t->state_count + 1, parameter_value,
           sizeof(double) * (t->input_count - t->state_count - 1));
    m->fresh = true;
}

void machine_init(machine *m, const tape *t, const double *parameter_value) {
    *m = (machine){.t = t, .value = memory_array(double, tape_register_count(t) + 1)};
    machine_set_parameters(m, parameter_value);
    for (uint32_t i = 0; i < t->constant_count; i++)
        m->value[t->input_count + i] = tape_constant(t, i).part[0];
    plan(m, t);
}

void machine_free(machine *m) {
    memory_free(m->value), memory_free(m->code), memory_free(m->bursts), memory_free(m->output);
    memory_free(m->system_operand), memory_free(m->workspace), memory_free(m->exchanged);
}

bool machine_run(machine *m, double t, const double *z, double *out) {
    const tape *g = m->t;
    memcpy(m->value, z, sizeof(double) * g->state_count);
    m->value[g->state_count] = t;
    const tape_level from = m->fresh ? TAPE_FIXED : t != m->time ? TAPE_TIMED : TAPE_STATE;
    const operands *code = m->code;
    double *result = m->value + g->input_count + g->constant_count;
    for (uint32_t i = 0; i < m->burst_count; i++) {
        const burst *b = &m->bursts[i];
        if (b->level >= from) run_burst(m, b, code, result);
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
