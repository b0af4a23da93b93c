// A tape made ready: what nothing needs is left out, reciprocals are shared, registers get their
// numbers.
#include "codegen/tape_internal.h"

#include <assert.h>

static bool is_solved(const tape_step *s) { return s->operation == TAPE_SOLVED; }

// Steps that no output needs are left out: operands come before users, so one sweep from the end
// finds them. Solutions stay whole.
static void drop_unused(tape *t) {
    // 1: needed; then the new number + 1
    uint32_t *now = memory_zeros(uint32_t, t->step_count + 1), count = 0;
    for (uint32_t i = 0; i < t->output_count; i++)
        if (!tape_is_leaf(t->output[i])) now[t->output[i]] = 1;
    for (uint32_t i = t->step_count; i-- > 0;) {
        const tape_step *s = &t->step[i];
        if (!now[i]) continue;
        if (is_solved(s)) now[t->system[s->a].first] = 1; // comes last of its entries
        for (uint32_t k = 0; k < tape_operand_count(t, i); k++)
            if (!tape_is_leaf(tape_operand(t, i, k))) now[tape_operand(t, i, k)] = 1;
    }
    for (uint32_t i = 0; i < t->step_count; i++) {
        tape_step s = t->step[i];
        const bool stays = is_solved(&s) ? now[t->system[s.a].first] != 0 : now[i] != 0;
        if (!stays) continue;
        if (!is_solved(&s)) {
            if (!tape_is_leaf(s.a)) s.a = now[s.a] - 1;
            if (!tape_is_leaf(s.b)) s.b = now[s.b] - 1;
        }
        t->step[count++] = s;
        now[i] = count;
    }
    for (uint32_t i = 0; i < t->output_count; i++)
        if (!tape_is_leaf(t->output[i])) t->output[i] = now[t->output[i]] - 1;
    for (uint32_t i = 0; i < t->system_count; i++) {
        tape_system *s = &t->system[i];
        for (uint32_t k = 0; k < tape_system_operands(s) && now[s->first]; k++)
            if (!tape_is_leaf(s->operand[k])) s->operand[k] = now[s->operand[k]] - 1;
        s->first = now[s->first] - 1; // a system that nothing needs has none, and no steps
    }
    t->step_count = count;
    memory_free(now);
}

// A system whose operands have new numbers
static void move_system(builder *w, uint32_t which, const uint32_t *now) {
    tape_system *s = &w->t->system[which];
    for (uint32_t k = 0; k < tape_system_operands(s); k++)
        if (!tape_is_leaf(s->operand[k])) s->operand[k] = now[s->operand[k]];
    tape_emit_system(w, s);
}

// Several quotients with one denominator are products with its reciprocal.
static void share_reciprocals(builder *w) {
    tape *t = w->t;
    const uint32_t n = t->step_count;
    // by the old number
    uint32_t *quotients = memory_zeros(uint32_t, n + 1), *now = memory_zeros(uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (t->step[i].operation == TAPE_DIV && !tape_is_leaf(t->step[i].b))
            quotients[t->step[i].b]++;
    const tape_step *old = t->step;
    t->step = NULL, t->step_count = t->step_capacity = w->table_size = 0;
    memory_free(w->table), w->table = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (is_solved(&old[i])) {
            now[i] = old[i].b ? now[i - 1] + 1 : t->step_count;
            if (old[i].b == 0) move_system(w, old[i].a, now);
            continue;
        }
        const uint32_t a = tape_is_leaf(old[i].a) ? old[i].a : now[old[i].a],
                       b = tape_is_leaf(old[i].b) ? old[i].b : now[old[i].b];
        const bool shared =
            old[i].operation == TAPE_DIV && !tape_is_leaf(old[i].b) && quotients[old[i].b] > 2;
        const uint32_t one = shared ? tape_constant_register(w, EXPR_ONE) : 0,
                       reciprocal = shared ? tape_emit(w, TAPE_DIV, one, b) : 0;
        now[i] = !shared    ? tape_emit(w, old[i].operation, a, b)
                 : a == one ? reciprocal
                            : tape_emit(w, TAPE_MUL, a, reciprocal);
    }
    for (uint32_t i = 0; i < t->output_count; i++)
        if (!tape_is_leaf(t->output[i])) t->output[i] = now[t->output[i]];
    memory_free(quotients), memory_free(now), memory_free((void *)old);
}

// Systems without steps leave the list.
static void drop_systems(tape *t) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->system_count; i++) {
        tape_system *s = &t->system[i];
        if (s->first == UINT32_MAX) {
            memory_free(s->operand);
            continue;
        }
        assert(t->step); // its unknowns are steps
        for (uint32_t k = 0; k < tape_system_unknowns(s); k++) t->step[s->first + k].a = kept;
        t->system[kept++] = *s;
    }
    t->system_count = kept;
}

static void renumber(tape *t) {
    const uint32_t leaves = t->input_count + t->constant_count;
    for (uint32_t i = 0; i < t->step_count; i++) {
        tape_step *s = &t->step[i];
        if (is_solved(s)) continue;
        s->a = tape_is_leaf(s->a) ? s->a - TAPE_FIRST_LEAF : s->a + leaves;
        s->b = tape_is_leaf(s->b) ? s->b - TAPE_FIRST_LEAF : s->b + leaves;
    }
    for (uint32_t i = 0; i < t->system_count; i++)
        for (uint32_t k = 0; k < tape_system_operands(&t->system[i]); k++) {
            uint32_t *r = &t->system[i].operand[k];
            *r = tape_is_leaf(*r) ? *r - TAPE_FIRST_LEAF : *r + leaves;
        }
    for (uint32_t i = 0; i < t->output_count; i++)
        t->output[i] =
            tape_is_leaf(t->output[i]) ? t->output[i] - TAPE_FIRST_LEAF : t->output[i] + leaves;
}

void tape_finish(builder *w) {
    drop_unused(w->t);
    share_reciprocals(w);
    drop_systems(w->t);
    renumber(w->t);
}
