// Depth first from the outputs, the operand that needs more registers first (Sethi and Ullman 1970).
#include "codegen/schedule.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const tape *t;
    schedule *s;
    uint32_t leaves;   // registers in front of the first step
    uint32_t *need;    // registers that the value of a step takes, were the steps a tree
    bool *listed;
    uint32_t *stack, depth, capacity;
} planner;

static uint32_t *new_array(uint32_t count, int byte) {
    uint32_t *a = memory_resize(NULL, sizeof(uint32_t) * ((size_t)count + 1));
    memset(a, byte, sizeof(uint32_t) * ((size_t)count + 1));
    return a;
}

uint32_t *schedule_places(uint32_t count) { return new_array(count, 0xff); }

static void name_step(planner *w, uint32_t reg, uint32_t user) {
    if (reg < w->leaves) return;
    w->s->uses[reg - w->leaves]++;
    w->s->user[reg - w->leaves] = user;
}

// Operands come before users, so one sweep from the end finds what is needed.
static void count_uses(planner *w) {
    const tape *t = w->t;
    for (uint32_t i = 0; i < t->output_count; i++) name_step(w, t->output[i], NO_PLACE);
    for (uint32_t i = t->step_count; i-- > 0;) {
        if (!w->s->uses[i]) continue;
        name_step(w, t->step[i].a, i);
        if (!tape_is_unary(t->step[i].operation)) name_step(w, t->step[i].b, i);
    }
}

static void give_place(planner *w, uint32_t reg) {
    if (reg < w->leaves || w->t->step[reg - w->leaves].level != TAPE_FIXED) return;
    uint32_t *place = &w->s->place[reg - w->leaves];
    if (*place == NO_PLACE) *place = w->s->place_count++;
}

static void place_fixed(planner *w) {
    const tape *t = w->t;
    for (uint32_t i = 0; i < t->step_count; i++) {
        if (!w->s->uses[i] || t->step[i].level == TAPE_FIXED) continue;
        give_place(w, t->step[i].a);
        give_place(w, t->step[i].b);
    }
    for (uint32_t i = 0; i < t->output_count; i++) give_place(w, t->output[i]);
}

static uint32_t need_of(const planner *w, uint32_t reg) { return reg < w->leaves ? 0 : w->need[reg - w->leaves]; }

static void count_registers(planner *w) {
    for (uint32_t i = 0; i < w->t->step_count; i++) {
        const tape_step *s = &w->t->step[i];
        const uint32_t a = need_of(w, s->a), b = tape_is_unary(s->operation) ? 0 : need_of(w, s->b);
        w->need[i] = a == b ? a + 1 : a > b ? a : b;
    }
}

static void push(planner *w, uint32_t reg) {
    if (reg < w->leaves || w->listed[reg - w->leaves]) return;
    array_reserve(w->stack, w->depth, w->capacity);
    w->stack[w->depth++] = reg - w->leaves;
}

static bool is_open(const planner *w, uint32_t reg) { return reg >= w->leaves && !w->listed[reg - w->leaves]; }

static void list_step(planner *w, uint32_t i, bool fixed) {
    schedule *s = w->s;
    w->listed[i] = true;
    if (fixed) s->fixed[s->fixed_count++] = i;
    else s->moving[s->moving_count++] = i;
}

// sin and cos of one argument stand side by side, as in the tape.
static uint32_t partner_of(const planner *w, uint32_t i) {
    const tape_step *s = w->t->step;
    if (s[i].operation == TAPE_SIN && i + 1 < w->t->step_count && s[i + 1].operation == TAPE_COS && s[i + 1].a == s[i].a) return i + 1;
    if (s[i].operation == TAPE_COS && i > 0 && s[i - 1].operation == TAPE_SIN && s[i - 1].a == s[i].a) return i - 1;
    return NO_PLACE;
}

// Everything below a register that is not listed yet. Fixed steps have their own list, made first.
static void list_below(planner *w, uint32_t reg, bool fixed) {
    const tape *t = w->t;
    push(w, reg);
    while (w->depth) {
        const uint32_t i = w->stack[w->depth - 1];
        const tape_step *s = &t->step[i];
        if (!w->listed[i] && (is_open(w, s->a) || is_open(w, s->b))) {
            const bool a_first = need_of(w, s->a) >= need_of(w, s->b);
            push(w, a_first ? s->b : s->a);
            push(w, a_first ? s->a : s->b);
            continue;
        }
        w->depth--;
        if (w->listed[i]) continue;
        list_step(w, i, fixed);
        const uint32_t partner = partner_of(w, i);
        if (partner != NO_PLACE && w->s->uses[partner] && !w->listed[partner]) list_step(w, partner, fixed);
    }
}

// Steps that depend on time only come first; the order stays otherwise.
static void put_time_first(planner *w) {
    schedule *s = w->s;
    uint32_t *order = new_array(s->moving_count, 0), count = 0;
    for (int level = TAPE_TIMED; level <= TAPE_STATE; level++)
        for (uint32_t i = 0; i < s->moving_count; i++)
            if ((int)w->t->step[s->moving[i]].level == level) order[count++] = s->moving[i];
    free(s->moving);
    s->moving = order;
}

schedule schedule_create(const tape *t) {
    const uint32_t n = t->step_count;
    schedule s = {.fixed = new_array(n, 0), .moving = new_array(n, 0), .uses = new_array(n, 0)};
    s.user = schedule_places(n), s.place = schedule_places(n);
    planner w = {.t = t, .s = &s, .leaves = t->input_count + t->constant_count, .need = new_array(n, 0), .listed = calloc(n + 1, sizeof(bool))};
    count_uses(&w);
    place_fixed(&w);
    count_registers(&w);
    for (uint32_t i = 0; i < n; i++)
        if (s.place[i] != NO_PLACE) list_below(&w, w.leaves + i, true);
    for (uint32_t i = 0; i < t->output_count; i++) list_below(&w, t->output[i], false);
    put_time_first(&w);
    free(w.need);
    free(w.listed);
    free(w.stack);
    return s;
}

void schedule_free(schedule *s) {
    free(s->fixed), free(s->moving), free(s->uses), free(s->user), free(s->place);
    *s = (schedule){0};
}
