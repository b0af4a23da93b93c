// Divisors of the rates that take many operations, judged by their values.
#include "integrate/long_divisors.h"

#include "execute/machine.h"

#include <math.h>
#include <string.h>

// Operations of a long divisor, in code of some length and in shorter code, which ranges see
// through; places: both ends and the middle of a step
enum { LONG = 30, LONG_IN_SHORT = 250, SHORT_CODE = 2000, PLACES = 3 };

struct long_divisors {
    tape *code;
    machine run;
    double *z;       // a state
    double *last;    // the state at the end of the step last asked about, t behind it
    double *value;   // at the place under way
    double *at_last; // at that end
    double *least, *most;
    bool known; // `last` is
};

// Does the register take many operations, of which none can hide something but quotients,
// which are judged for themselves?
typedef struct {
    const tape *t;
    uint32_t leaves;
    uint32_t *seen, mark; // by step: by whom
    uint32_t *stack;
} search;

static bool is_long(search *s, uint32_t reg, const bool *judged) {
    uint32_t depth = 0, found = 0;
    s->mark++;
    if (reg < s->leaves) return false;
    s->seen[reg - s->leaves] = s->mark, s->stack[depth++] = reg - s->leaves;
    while (depth) {
        const uint32_t i = s->stack[--depth];
        const tape_operation operation = s->t->step[i].operation;
        if (judged[i] ? operation != TAPE_DIV : operation == TAPE_SOLVED) return false;
        found++;
        for (uint32_t k = 0; k < tape_operand_count(s->t, i); k++) {
            const uint32_t operand = tape_operand(s->t, i, k);
            if (operand < s->leaves || s->seen[operand - s->leaves] == s->mark) continue;
            s->seen[operand - s->leaves] = s->mark, s->stack[depth++] = operand - s->leaves;
        }
    }
    return found > (s->t->step_count > SHORT_CODE ? LONG : LONG_IN_SHORT);
}

// The divisors, as registers, each once
static uint32_t find(const tape *t, bool *judged, uint32_t *divisor) {
    search s = {.t = t, .leaves = t->input_count + t->constant_count};
    s.seen = memory_zeros(uint32_t, 2 * (size_t)t->step_count + 2);
    s.stack = s.seen + t->step_count + 1;
    uint32_t count = 0;
    bool *taken = memory_zeros(bool, t->step_count + 1);
    for (uint32_t i = 0; i < t->step_count; i++) {
        if (!judged[i] || t->step[i].operation != TAPE_DIV) continue;
        const uint32_t b = t->step[i].b;
        if (b < s.leaves || !(taken[b - s.leaves] || is_long(&s, b, judged))) continue;
        judged[i] = false;
        if (!taken[b - s.leaves]) divisor[count++] = b;
        taken[b - s.leaves] = true;
    }
    memory_free(taken);
    memory_free(s.seen);
    return count;
}

long_divisors *long_divisors_create(const tape *rate, const double *parameter_value, bool *judged) {
    uint32_t *divisor = memory_array(uint32_t, rate->step_count + 1);
    const uint32_t count = find(rate, judged, divisor), n = rate->state_count + 1;
    long_divisors *d = NULL;
    if (count) {
        d = memory_new(long_divisors);
        *d = (long_divisors){.code = tape_part(rate, count, divisor)};
        machine_init(&d->run, d->code, parameter_value);
        d->z = memory_zeros(double, 2 * (size_t)n + 4 * (size_t)count);
        d->last = d->z + n, d->value = d->last + n, d->at_last = d->value + count;
        d->least = d->at_last + count, d->most = d->least + count;
    }
    memory_free(divisor);
    return d;
}

void long_divisors_free(long_divisors *d) {
    if (!d) return;
    machine_free(&d->run);
    tape_free(d->code);
    memory_free(d->z);
    memory_free(d);
}

static void widen(long_divisors *d, const double *value, bool first) {
    for (uint32_t i = 0; i < d->code->output_count; i++) {
        d->least[i] = first ? value[i] : fmin(d->least[i], value[i]);
        d->most[i] = first ? value[i] : fmax(d->most[i], value[i]);
    }
}

// The values at a place of the curve; those at the end of the step before are known.
static bool values_at(long_divisors *d, const curve *c, double s, bool end) {
    const uint32_t n = d->code->state_count, count = d->code->output_count;
    curve_at(c, n, s, d->z, NULL); // columns of derivatives may lie behind the state
    d->z[n] = c->from + s;
    if (d->known && !memcmp(d->z, d->last, sizeof(double) * (n + 1))) {
        memcpy(d->value, d->at_last, sizeof(double) * count);
        return true;
    }
    if (!machine_run(&d->run, d->z[n], d->z, d->value)) return false;
    if (!end) return true;
    memcpy(d->last, d->z, sizeof(double) * (n + 1));
    memcpy(d->at_last, d->value, sizeof(double) * count);
    return d->known = true;
}

bool long_divisors_stay(long_divisors *d, const curve *c, double a, double b, double fold) {
    for (int place = 0; place < PLACES && d; place++) {
        if (!values_at(d, c, a + (b - a) * place / (PLACES - 1), place == PLACES - 1)) return false;
        widen(d, d->value, !place);
    }
    for (uint32_t i = 0; d && i < d->code->output_count; i++) {
        const double lo = d->least[i], hi = d->most[i];
        if (!(lo > 0 ? hi <= fold * lo : hi < 0 && lo >= fold * hi)) return false;
    }
    return true;
}
