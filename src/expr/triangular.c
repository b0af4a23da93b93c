// Equations of which each brings one unknown more, solved by substitution.
#include "expr/triangular.h"

#include "expr/pool_internal.h"

#include <string.h>

typedef struct {
    pool *p;
    uint32_t count, words; // of unknowns; of 64 bits each in a set of unknowns
    expr *nodes;           // below the equations, operands first
    uint32_t nodes_count;
    uint32_t *position; // by expression: in nodes
    uint32_t *level;    // of a node: 1 + when the last of its unknowns is solved; 0: it has none
    expr *image;        // of a node, with the solved unknowns replaced
    // of a node of the level under way, = rest + slope*x; EXPR_NONE: not affine in x
    expr *rest, *slope;
    expr *operand; // scratch
    triangular *out;
} work;

// --- the order -----------------------------------------------------------------------------------

// The unknowns below each equation, as sets of bits
static uint64_t *unknowns_below(work *w, const expr *f, const expr *unknown) {
    uint64_t *set = memory_zeros(uint64_t, (size_t)w->nodes_count * w->words),
             *below = memory_array(uint64_t, (size_t)w->count * w->words);
    for (uint32_t j = 0; j < w->count; j++) {
        if (unknown[j] >= pool_size(w->p) || w->position[unknown[j]] == UINT32_MAX) continue;
        set[(size_t)w->position[unknown[j]] * w->words + j / 64] |= UINT64_C(1) << j % 64;
    }
    for (uint32_t i = 0; i < w->nodes_count; i++) {
        uint64_t *mine = set + (size_t)i * w->words;
        const node *v = node_at(w->p, w->nodes[i]);
        for (uint32_t o = 0; o < v->count; o++) {
            const uint32_t at = w->position[operands_of(w->p, w->nodes[i])[o]];
            const uint64_t *other = set + (size_t)at * w->words;
            for (uint32_t k = 0; k < w->words; k++) mine[k] |= other[k];
        }
    }
    for (uint32_t i = 0; i < w->count; i++)
        memcpy(below + (size_t)i * w->words, set + (size_t)w->position[f[i]] * w->words,
               sizeof(uint64_t) * w->words);
    memory_free(set);
    return below;
}

static bool holds(const work *w, const uint64_t *below, uint32_t i, uint32_t j) {
    return below[(size_t)i * w->words + j / 64] >> j % 64 & 1;
}

// One equation after the other that has a single open unknown; false where none is left that has.
static bool find_order(work *w, const uint64_t *below) {
    uint32_t *open = memory_zeros(uint32_t, w->count), ready = 0, done = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        for (uint32_t j = 0; j < w->count; j++) open[i] += holds(w, below, i, j);
        if (open[i] == 1) w->out->row[ready++] = i;
    }
    bool *solved = memory_zeros(bool, w->count);
    for (; done < ready && ready <= w->count; done++) {
        const uint32_t i = w->out->row[done];
        uint32_t j = 0;
        while (j < w->count && (solved[j] || !holds(w, below, i, j))) j++;
        if (j == w->count) break; // two equations for one unknown
        solved[j] = true;
        w->out->column[done] = j;
        for (uint32_t other = 0; other < w->count; other++)
            if (holds(w, below, other, j) && --open[other] == 1) w->out->row[ready++] = other;
    }
    memory_free(open);
    memory_free(solved);
    return done == w->count;
}

// --- one unknown after the other -----------------------------------------------------------------

// sum c_i t_i = sum c_i (rest_i + slope_i x)
static bool split_sum(work *w, uint32_t at, uint32_t level) {
    pool *p = w->p;
    const uint32_t count = node_at(p, w->nodes[at])->count;
    uint32_t terms = 0;
    expr *slope = w->operand, *rest = w->operand + count;
    rest[0] = operands_of(p, w->nodes[at])[0];
    for (uint32_t i = 1; i < count; i += 2, terms++) {
        const expr c = operands_of(p, w->nodes[at])[i], t = operands_of(p, w->nodes[at])[i + 1];
        const uint32_t inner = w->position[t];
        const bool moving = w->level[inner] == level;
        if (moving && w->slope[inner] == EXPR_NONE) return false;
        slope[terms] = moving ? expr_mul(p, c, w->slope[inner]) : EXPR_ZERO;
        rest[terms + 1] = expr_mul(p, c, moving ? w->rest[inner] : w->image[inner]);
    }
    w->slope[at] = expr_sum(p, terms, slope);
    w->rest[at] = expr_sum(p, terms + 1, rest);
    return true;
}

// prod b_i^e_i = (rest_j + slope_j x) times the others
static bool split_product(work *w, uint32_t at, uint32_t level) {
    pool *p = w->p;
    const uint32_t count = node_at(p, w->nodes[at])->count;
    uint32_t factors = 0, moving = UINT32_MAX;
    expr *other = w->operand;
    for (uint32_t i = 0; i < count; i += 2) {
        const expr b = operands_of(p, w->nodes[at])[i], e = operands_of(p, w->nodes[at])[i + 1];
        const uint32_t base = w->position[b];
        if (w->level[base] < level && w->level[w->position[e]] < level) {
            other[factors++] = expr_pow(p, w->image[base], w->image[w->position[e]]);
        } else {
            if (moving != UINT32_MAX || e != EXPR_ONE || w->slope[base] == EXPR_NONE) return false;
            moving = base;
        }
    }
    other[factors] = w->slope[moving];
    w->slope[at] = expr_product(p, factors + 1, other);
    other[factors] = w->rest[moving];
    w->rest[at] = expr_product(p, factors + 1, other);
    return true;
}

// The node as rest + slope*x, x the unknown that its level brings
static void split(work *w, uint32_t at, uint32_t level) {
    const expr_kind kind = expr_kind_of(w->p, w->nodes[at]);
    if (kind == EXPR_SYMBOL) {
        w->rest[at] = EXPR_ZERO, w->slope[at] = EXPR_ONE;
        return;
    }
    if ((kind == EXPR_SUM && split_sum(w, at, level)) ||
        (kind == EXPR_PRODUCT && split_product(w, at, level)))
        return;
    w->rest[at] = w->slope[at] = EXPR_NONE;
}

static void set_image(work *w, uint32_t at, expr x) {
    pool *p = w->p;
    const uint32_t count = node_at(p, w->nodes[at])->count;
    for (uint32_t i = 0; i < count; i++)
        w->operand[i] = w->image[w->position[operands_of(p, w->nodes[at])[i]]];
    w->image[at] = expr_kind_of(p, w->nodes[at]) == EXPR_SYMBOL
                       ? x
                       : expr_with_operands(p, w->nodes[at], w->operand);
}

// Nodes by level, in their order within one: start[l] .. start[l + 1] - 1
static uint32_t *by_level(const work *w, uint32_t *start) {
    uint32_t *list = memory_array(uint32_t, w->nodes_count);
    memset(start, 0, sizeof(uint32_t) * (w->count + 3));
    for (uint32_t i = 0; i < w->nodes_count; i++) start[w->level[i] + 2]++;
    for (uint32_t l = 1; l < w->count + 3; l++) start[l] += start[l - 1];
    for (uint32_t i = 0; i < w->nodes_count; i++) list[start[w->level[i] + 1]++] = i;
    return list;
}

static void set_levels(work *w, const expr *unknown) {
    for (uint32_t i = 0; i < w->count; i++)
        w->level[w->position[unknown[w->out->column[i]]]] = i + 1;
    for (uint32_t i = 0; i < w->nodes_count; i++) {
        const uint32_t count = node_at(w->p, w->nodes[i])->count;
        for (uint32_t o = 0; o < count; o++) {
            const uint32_t below = w->level[w->position[operands_of(w->p, w->nodes[i])[o]]];
            if (below > w->level[i]) w->level[i] = below;
        }
    }
}

static bool substitute(work *w, const expr *f) {
    uint32_t *start = memory_array(uint32_t, w->count + 3), *list = by_level(w, start);
    for (uint32_t i = 0; i < start[1]; i++) w->image[list[i]] = w->nodes[list[i]]; // no unknowns
    bool good = true;
    for (uint32_t level = 1; level <= w->count && good; level++) {
        const uint32_t which = w->position[f[w->out->row[level - 1]]],
                       unknown = w->out->column[level - 1];
        for (uint32_t i = start[level]; i < start[level + 1]; i++) split(w, list[i], level);
        good = w->slope[which] != EXPR_NONE && w->slope[which] != EXPR_ZERO;
        if (!good) break;
        const expr x = expr_neg(w->p, expr_div(w->p, w->rest[which], w->slope[which])); // x = -b/a
        w->out->solution[unknown] = x, w->out->slope[unknown] = w->slope[which];
        for (uint32_t i = start[level]; i < start[level + 1]; i++) set_image(w, list[i], x);
    }
    memory_free(start);
    memory_free(list);
    return good;
}

static void prepare(work *w, const expr *f) {
    pool *p = w->p;
    w->nodes = pool_reachable(p, w->count, f, NULL, &w->nodes_count);
    const uint32_t size = pool_size(p);
    uint32_t widest = 1;
    w->position = memory_array(uint32_t, size);
    for (uint32_t i = 0; i < size; i++) w->position[i] = UINT32_MAX;
    for (uint32_t i = 0; i < w->nodes_count; i++) {
        w->position[w->nodes[i]] = i;
        const uint32_t count = node_at(p, w->nodes[i])->count;
        widest = count > widest ? count : widest;
    }
    w->operand = memory_array(expr, 2 * (size_t)widest + 2);
    w->level = memory_zeros(uint32_t, w->nodes_count);
    w->image = memory_array(expr, 3 * (size_t)w->nodes_count);
    w->rest = w->image + w->nodes_count, w->slope = w->rest + w->nodes_count;
}

bool triangular_solve(pool *p, uint32_t count, const expr *f, const expr *unknown,
                      triangular *out) {
    *out = (triangular){count, memory_array(uint32_t, count), memory_array(uint32_t, count),
                        memory_array(expr, count), memory_array(expr, count)};
    work w = {.p = p, .count = count, .words = (count + 63) / 64, .out = out};
    prepare(&w, f);
    uint64_t *below = unknowns_below(&w, f, unknown);
    bool good = find_order(&w, below);
    memory_free(below);
    if (good) {
        set_levels(&w, unknown);
        good = substitute(&w, f);
    }
    memory_free(w.nodes);
    memory_free(w.position);
    memory_free(w.operand);
    memory_free(w.level);
    memory_free(w.image);
    good = good && !pool_context(p)->exhausted;
    if (!good) triangular_free(out);
    return good;
}

void triangular_free(triangular *t) {
    memory_free(t->row);
    memory_free(t->column);
    memory_free(t->solution);
    memory_free(t->slope);
    *t = (triangular){0};
}
