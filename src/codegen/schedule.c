// Depth first from the outputs, the operand that needs more registers first (Sethi and Ullman
// 1970).
#include "codegen/schedule.h"

#include <string.h>

typedef struct {
    const tape *t;
    schedule *s;
    uint32_t leaves; // registers in front of the first step
    uint32_t *need;  // registers that the value of a step takes, were the steps a tree
    bool *listed;
    uint32_t *stack, depth, capacity;
} planner;

static uint32_t *new_array(uint32_t count, int byte) {
    uint32_t *a = memory_array(uint32_t, (size_t)count + 1);
    memset(a, byte, sizeof(uint32_t) * ((size_t)count + 1));
    return a;
}

uint32_t *schedule_places(uint32_t count) { return new_array(count, 0xff); }

static void name_step(planner *w, uint32_t reg, uint32_t user) {
    if (reg < w->leaves) return;
    w->s->uses[reg - w->leaves]++;
    w->s->user[reg - w->leaves] = user;
}

// The first entry of a solution is needed whenever any other entry is.
static bool is_needed(const planner *w, uint32_t i) {
    const tape_step *s = &w->t->step[i];
    const uint32_t entries =
        s->operation == TAPE_SOLVED && !s->b ? tape_system_unknowns(&w->t->system[s->a]) : 1;
    for (uint32_t k = 0; k < entries; k++)
        if (w->s->uses[i + k]) return true;
    return false;
}

// Operands come before users, so one sweep from the end finds what is needed.
static void count_uses(planner *w) {
    const tape *t = w->t;
    for (uint32_t i = 0; i < t->output_count; i++) name_step(w, t->output[i], NO_PLACE);
    for (uint32_t i = t->step_count; i-- > 0;) {
        if (!is_needed(w, i)) continue;
        for (uint32_t k = 0; k < tape_operand_count(t, i); k++)
            name_step(w, tape_operand(t, i, k), i);
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
        if (!is_needed(w, i) || t->step[i].level == TAPE_FIXED) continue;
        for (uint32_t k = 0; k < tape_operand_count(t, i); k++)
            give_place(w, tape_operand(t, i, k));
    }
    for (uint32_t i = 0; i < t->output_count; i++) give_place(w, t->output[i]);
}

static uint32_t need_of(const planner *w, uint32_t reg) {
    return reg < w->leaves ? 0 : w->need[reg - w->leaves];
}

static void count_registers(planner *w) {
    for (uint32_t i = 0; i < w->t->step_count; i++) {
        uint32_t most = 0, ties = 0; // the largest need of an operand, and how many have it
        for (uint32_t k = 0; k < tape_operand_count(w->t, i); k++) {
            const uint32_t need = need_of(w, tape_operand(w->t, i, k));
            ties = need > most ? 1 : ties + (need == most);
            if (need > most) most = need;
        }
        w->need[i] = ties == 1 && most ? most : most + 1;
    }
}

static void push(planner *w, uint32_t reg) {
    if (reg < w->leaves || w->listed[reg - w->leaves]) return;
    array_reserve(w->stack, w->depth, w->capacity);
    w->stack[w->depth++] = reg - w->leaves;
}

static void list_step(planner *w, uint32_t i, bool fixed) {
    schedule *s = w->s;
    w->listed[i] = true;
    if (fixed) s->fixed[s->fixed_count++] = i;
    else s->moving[s->moving_count++] = i;
}

// sin and cos of one argument stand side by side, as in the tape.
static uint32_t partner_of(const planner *w, uint32_t i) {
    const tape_step *s = w->t->step;
    if (s[i].operation == TAPE_SIN && i + 1 < w->t->step_count && s[i + 1].operation == TAPE_COS &&
        s[i + 1].a == s[i].a)
        return i + 1;
    if (s[i].operation == TAPE_COS && i > 0 && s[i - 1].operation == TAPE_SIN &&
        s[i - 1].a == s[i].a)
        return i - 1;
    return NO_PLACE;
}

// Puts the operands of a step that are not listed on the stack, those of the largest need on top.
// False if there are none.
static bool push_operands(planner *w, uint32_t i) {
    const tape *t = w->t;
    const uint32_t count = tape_operand_count(t, i), depth = w->depth;
    for (uint32_t k = count; k-- > 0;) push(w, tape_operand(t, i, k));
    if (count == 2 && w->depth == depth + 2 &&
        need_of(w, t->step[i].b) > need_of(w, t->step[i].a)) {
        w->stack[depth] = t->step[i].a - w->leaves;
        w->stack[depth + 1] = t->step[i].b - w->leaves;
    }
    return w->depth > depth;
}

// The entries of a solution stand together.
static void list_group(planner *w, uint32_t i, bool fixed) {
    const tape_step *s = &w->t->step[i];
    list_step(w, i, fixed);
    for (uint32_t k = 1;
         s->operation == TAPE_SOLVED && k < tape_system_unknowns(&w->t->system[s->a]); k++)
        list_step(w, i + k, fixed);
    const uint32_t partner = partner_of(w, i);
    if (partner != NO_PLACE && w->s->uses[partner] && !w->listed[partner])
        list_step(w, partner, fixed);
}

// Everything below a register that is not listed yet. Fixed steps have their own list, made first.
static void list_below(planner *w, uint32_t reg, bool fixed) {
    push(w, reg);
    while (w->depth) {
        uint32_t i = w->stack[w->depth - 1];
        if (w->t->step[i].operation == TAPE_SOLVED) i = w->t->system[w->t->step[i].a].first;
        if (!w->listed[i] && push_operands(w, i)) continue;
        w->depth--;
        if (!w->listed[i]) list_group(w, i, fixed);
    }
}

// Steps that depend on time only come first; the order stays otherwise.
static void put_time_first(planner *w) {
    schedule *s = w->s;
    uint32_t *order = new_array(s->moving_count, 0), count = 0;
    for (int level = TAPE_TIMED; level <= TAPE_STATE; level++)
        for (uint32_t i = 0; i < s->moving_count; i++)
            if ((int)w->t->step[s->moving[i]].level == level) order[count++] = s->moving[i];
    memory_free(s->moving);
    s->moving = order;
}

schedule schedule_create(const tape *t) {
    const uint32_t n = t->step_count;
    schedule s = {.fixed = new_array(n, 0), .moving = new_array(n, 0), .uses = new_array(n, 0)};
    s.user = schedule_places(n), s.place = schedule_places(n);
    planner w = {.t = t,
                 .s = &s,
                 .leaves = t->input_count + t->constant_count,
                 .need = new_array(n, 0),
                 .listed = memory_zeros(bool, n + 1)};
    count_uses(&w);
    place_fixed(&w);
    count_registers(&w);
    for (uint32_t i = 0; i < n; i++)
        if (s.place[i] != NO_PLACE) list_below(&w, w.leaves + i, true);
    for (uint32_t i = 0; i < t->output_count; i++) list_below(&w, t->output[i], false);
    put_time_first(&w);
    memory_free(w.need);
    memory_free(w.listed);
    memory_free(w.stack);
    return s;
}

void schedule_free(schedule *s) {
    memory_free(s->fixed), memory_free(s->moving), memory_free(s->uses), memory_free(s->user),
        memory_free(s->place);
    *s = (schedule){0};
}
