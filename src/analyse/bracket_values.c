// Values of nested brackets at a random point.
//
// [X, Y] = DY X - DX Y, so that over F_p[e], e^2 = 0, it is the coefficient of e in
// Y(x + e X(x)) - X(x + e Y(x)). Y may be a bracket itself: it is evaluated over F_p[e, e'] at the
// point x + e X, and so on down to generators, which are expressions.
#include "analyse/bracket_values.h"

#include "expr/nilpotent.h"

#include <math.h>
#include <string.h>

static const double MOST_WORK = 3e8; // multiplications in F_p: a second at most

struct bracket_values {
    const directions *d;
    uint32_t generators, count;
    nilpotent *generator[MOST_FIELDS]; // each with `width` outputs
    bracket made[MOST_FIELDS];         // of the fields behind the generators
    uint32_t length[MOST_FIELDS];      // of the word
    nmod_t mod;
    mp_limb_t *point; // the variables, x = (q, t)
    // the span: independent rows, each with a pivot column in which the later ones are 0
    mp_limb_t *row;
    uint32_t pivot[MOST_FIELDS + 1], rank;
    double products, work; // of the longest generator in one run; done so far
};

// --- the span ------------------------------------------------------------------------------------

// One more row if it is independent of those there.
static bool add_row(bracket_values *b, const mp_limb_t *value) {
    const uint32_t width = b->d->width;
    mp_limb_t *row = b->row + b->rank * width;
    memcpy(row, value, sizeof *row * width);
    for (uint32_t k = 0; k < b->rank; k++) {
        const mp_limb_t *before = b->row + k * width;
        const mp_limb_t factor =
            nmod_neg(nmod_div(row[b->pivot[k]], before[b->pivot[k]], b->mod), b->mod);
        for (uint32_t j = 0; j < width && factor; j++)
            row[j] = nmod_add(row[j], nmod_mul(factor, before[j], b->mod), b->mod);
    }
    for (uint32_t j = 0; j < width; j++) {
        if (!row[j]) continue;
        b->pivot[b->rank++] = j;
        return true;
    }
    return false;
}

uint32_t bracket_values_rank(const bracket_values *b) { return b->rank; }

// --- values --------------------------------------------------------------------------------------

// x + e v over one nilpotent more: in each component the second half of the coefficients is that of
// v, which has them at the distance `stride`
static mp_limb_t *along(const bracket_values *b, uint32_t r, const mp_limb_t *x, const mp_limb_t *v,
                        size_t stride) {
    const size_t size = (size_t)1 << r;
    mp_limb_t *out = memory_array(mp_limb_t, 2 * size * b->d->width);
    for (uint32_t i = 0; i < b->d->width; i++) {
        memcpy(out + 2 * i * size, x + i * size, sizeof *out * size);
        memcpy(out + (2 * i + 1) * size, v + i * stride, sizeof *out * size);
    }
    return out;
}

// Field y at x, over r nilpotents: `width` components of 2^r coefficients
static modular_status evaluate(bracket_values *b, uint32_t y, uint32_t r, const mp_limb_t *x,
                               mp_limb_t *out) {
    if (y < b->generators) return nilpotent_run(b->generator[y], r, x, out);
    const bracket made = b->made[y];
    const uint32_t width = b->d->width;
    const size_t size = (size_t)1 << r;
    mp_limb_t *forward = memory_array(mp_limb_t, 2 * size * width),
              *back = memory_array(mp_limb_t, 2 * size * width);
    modular_status status = evaluate(b, made.left, r, x, out); // X(x)
    mp_limb_t *there = along(b, r, x, out, size);
    if (!status) status = evaluate(b, made.right, r + 1, there, forward); // Y(x + e X)
    memory_free(there);
    there = along(b, r, x, forward, 2 * size);
    if (!status) status = evaluate(b, made.left, r + 1, there, back); // X(x + e Y)
    memory_free(there);
    for (uint32_t i = 0; i < width; i++)
        for (size_t k = 0; k < size; k++)
            out[i * size + k] =
                nmod_sub(forward[(2 * i + 1) * size + k], back[(2 * i + 1) * size + k], b->mod);
    memory_free(forward);
    memory_free(back);
    return status;
}

bracket_trial bracket_values_try(bracket_values *b, bracket made) {
    const uint32_t length = b->length[made.right] + 1;
    double work = 3 * b->products;
    for (uint32_t i = 1; i < length; i++) work *= 3; // 3^r for a product over r nilpotents
    if (b->count == MOST_FIELDS || length > MOST_NILPOTENT || b->work + work > MOST_WORK)
        return BRACKET_TOO_LONG;
    b->work += work;
    b->made[b->count] = made, b->length[b->count] = length;
    mp_limb_t *value = memory_array(mp_limb_t, b->d->width);
    const modular_status status = evaluate(b, b->count, 0, b->point, value);
    const bool is_new = !status && add_row(b, value);
    memory_free(value);
    if (status) return BRACKET_TOO_LONG;
    b->count += is_new;
    return is_new ? BRACKET_ADDED : BRACKET_DEPENDENT;
}

// --- the point -----------------------------------------------------------------------------------

// Does a direction hold a function of time that is only named?
static bool holds_given(const directions *d, uint32_t entries) {
    const pool *p = d->s->pool;
    for (uint32_t i = 0; i < pool_symbol_count(p); i++) {
        const symbol *given = pool_symbol(p, i);
        if (given->role == ROLE_GIVEN &&
            expr_any_depends_on(d->s->pool, entries, d->field, 1, &given->node))
            return true;
    }
    return false;
}

static bool set_point(bracket_values *b, const expr *variable) {
    const directions *d = b->d;
    const uint32_t width = d->width;
    mp_limb_t *value = memory_array(mp_limb_t, width);
    bool found = false;
    for (uint64_t seed = 0; seed < MOST_TRIES && !found; seed++) {
        random_point at;
        if (!random_point_create(d->at, seed, 0, &at)) continue;
        nmod_init(&b->mod, at.at.prime);
        b->rank = 0;
        found = true;
        for (uint32_t i = 0; i < width; i++)
            b->point[i] = at.value[expr_symbol_index(d->s->pool, variable[i])];
        for (uint32_t i = 0; i < b->generators && found; i++) {
            found = nilpotent_set(b->generator[i], &at.at, at.value) == MODULAR_OK &&
                    nilpotent_run(b->generator[i], 0, b->point, value) == MODULAR_OK;
            if (found) add_row(b, value);
        }
        random_point_clear(&at);
    }
    memory_free(value);
    return found;
}

bracket_values *bracket_values_create(const directions *d, uint32_t generators) {
    const mechanics *s = d->s;
    const uint32_t width = d->width;
    if (generators > MOST_FIELDS || holds_given(d, generators * width)) return NULL;
    bracket_values *b = memory_new(bracket_values);
    *b = (bracket_values){.d = d, .generators = generators, .count = generators};
    b->point = memory_array(mp_limb_t, width);
    b->row = memory_array(mp_limb_t, (size_t)(MOST_FIELDS + 1) * width);
    expr *variable = memory_array(expr, width);
    for (uint32_t i = 0; i < s->n; i++) variable[i] = s->q[i];
    variable[s->n] = s->model->time;
    bool known = true;
    for (uint32_t i = 0; i < generators && known; i++) {
        b->length[i] = 1;
        b->generator[i] = nilpotent_create(s->pool, width, d->field + i * width, width, variable);
        known = b->generator[i] != NULL;
        if (known) b->products = fmax(b->products, nilpotent_products(b->generator[i]));
    }
    known = known && set_point(b, variable);
    memory_free(variable);
    if (known) return b;
    bracket_values_free(b);
    return NULL;
}

void bracket_values_free(bracket_values *b) {
    if (!b) return;
    for (uint32_t i = 0; i < b->generators; i++) nilpotent_free(b->generator[i]);
    memory_free(b->point);
    memory_free(b->row);
    memory_free(b);
}
