// The sums of all products of an order as C: their factors stand side by side in lanes, coefficient
// after coefficient, so that a processor takes four sums at once whatever the operations are.
//
// At order k the product of a and b needs sum_{j=1..k-1} a_j b_{k-j}, which is known before the
// first operation of the order is done. Eight products are a block: rows of 8 for k = 0 .. most.
// Each sum has its terms in the order of convolve_between() and convolve_self() in
// execute/jets_template.h, so that lanes change no digit.
#include "codegen/emit_jet_internal.h"

enum { LANES = 4, BLOCK = 8 }; // products in a vector of doubles, in a row

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// --- places --------------------------------------------------------------------------------------

static uint32_t padded(uint32_t count) { return (count + LANES - 1) / LANES * LANES; }

// The width of the block that a lane is in, and the lanes of the blocks before
static uint32_t width_of(uint32_t lane, uint32_t count) {
    const uint32_t from = lane / BLOCK * BLOCK, left = padded(count) - from;
    return left < BLOCK ? left : BLOCK;
}
static uint32_t block_at(const jet_writer *w, uint32_t lane) {
    return lane / BLOCK * BLOCK * (w->most + 1);
}

bool jet_has_own_lane(const jet_writer *w, uint32_t i) {
    return jet_is_symmetric(w->plan->operation[i].kind) && !w->joins[i];
}

// Squares take the lanes that the last products leave free; other squares have lanes of their own,
// in which every product of two is taken once.
void jet_assign_lanes(jet_writer *w) {
    const jet_plan *p = w->plan;
    w->lane = memory_zeros(uint32_t, p->count + 1);
    w->joins = memory_zeros(bool, p->count + 1);
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_kind kind = p->operation[i].kind;
        if (jet_is_convolution(kind) && !jet_is_symmetric(kind)) w->lane[i] = w->products++;
    }
    const uint32_t room = padded(w->products);
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        if (!jet_is_symmetric(p->operation[i].kind)) continue;
        w->joins[i] = w->products < room;
        w->lane[i] = w->joins[i] ? w->products++ : w->squares++;
    }
}

uint32_t jet_vector_count(const jet_plan *p) {
    uint32_t products = 0, squares = 0;
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_kind kind = p->operation[i].kind;
        if (jet_is_symmetric(kind)) squares++;
        else if (jet_is_convolution(kind)) products++;
    }
    return products % LANES + squares > LANES ? padded(products) / LANES + padded(squares) / LANES
                                              : padded(products + squares) / LANES;
}

// Scalars for the rows of so many products
static uint32_t room_of(const jet_writer *w, uint32_t count) {
    return padded(count) * (w->most + 1);
}

void jet_write_lane_room(jet_writer *w) {
    const char *s = w->as->scalar;
    put(w, "    // factors of products, first and second ones in turn, their sums, those of the "
           "next order; bases of squares, sums\n");
    if (w->products)
        text_format(w->out, "    _Alignas(32) %s f[%u], s[%u], next[%u];\n", s,
                    2 * room_of(w, w->products), padded(w->products), 2 * padded(w->products));
    if (w->squares)
        text_format(w->out, "    _Alignas(32) %s q[%u], qs[%u], qnext[%u];\n", s,
                    room_of(w, w->squares), padded(w->squares), padded(w->squares));
}

// w->f[3 + (k + 1) * 16]: the places of a lane
typedef enum { FIRST, SECOND, SQUARE } lane_kind;
static void put_place(jet_writer *w, lane_kind kind, uint32_t lane, const char *form,
                      const char *k) {
    const uint32_t count = kind == SQUARE ? w->squares : w->products, width = width_of(lane, count),
                   step = kind == SQUARE ? width : 2 * width,
                   at = kind == SQUARE ? block_at(w, lane) : 2 * block_at(w, lane);
    text_format(w->out, form, kind == SQUARE ? 'q' : 'f',
                at + lane % BLOCK + (kind == SECOND ? width : 0), k, step);
}

static void put_into(jet_writer *w, lane_kind kind, uint32_t lane, const char *k,
                     const char *value) {
    put_place(w, kind, lane, "    w->%c[%u + %s * %u]", k);
    text_format(w->out, " = %s;\n", value);
}

void jet_write_to_lanes(jet_writer *w, const jet_users *users, uint32_t r, const char *value,
                        bool start) {
    const jet_plan *p = w->plan;
    for (uint32_t k = users->first[r]; k < users->first[r + 1]; k++) {
        const uint32_t i = users->operation[k] / 2, second = users->operation[k] % 2;
        const jet_operation *o = &p->operation[i];
        const bool behind = o->behind && !second;
        if (start && !behind) continue; // no sum has a coefficient 0
        const char *at = !behind ? "k" : start ? "1" : "(k + 1)";
        put_into(w,
                 jet_has_own_lane(w, i) ? SQUARE
                 : second               ? SECOND
                                        : FIRST,
                 w->lane[i], at, value);
        if (w->joins[i]) put_into(w, SECOND, w->lane[i], at, value);
    }
}

// The lanes from `lane` on, in which coefficient k of these registers is put at once; NO_SLOT: of
// none, 0
static void put_four(jet_writer *w, lane_kind kind, uint32_t lane, const uint32_t *four) {
    put_place(w, kind, lane, "    HAMEL_PUT(w->%c + %u + %s * %u", "k");
    for (uint32_t i = 0; i < LANES; i++)
        if (four[i] == NO_SLOT) put(w, ", 0");
        else text_format(w->out, ", x%u", w->slot[four[i]]);
    put(w, ");\n");
}

// The registers of a row: first factors, second factors, or bases of squares
static void find_row(const jet_writer *w, lane_kind kind, uint32_t count, uint32_t *row) {
    const jet_plan *p = w->plan;
    for (uint32_t i = 0; i < padded(count); i++) row[i] = NO_SLOT;
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        uint32_t a, b;
        if (!jet_is_convolution(o->kind) || jet_has_own_lane(w, i) != (kind == SQUARE)) continue;
        jet_factors(o, &a, &b);
        row[w->lane[i]] = kind == SECOND ? b : a;
    }
}

static void put_row(jet_writer *w, lane_kind kind) {
    const uint32_t count = kind == SQUARE ? w->squares : w->products;
    uint32_t *row = memory_array(uint32_t, padded(count) + 1);
    find_row(w, kind, count, row);
    for (uint32_t i = 0; i < count; i += LANES) put_four(w, kind, i, row + i);
    memory_free(row);
}

bool jet_puts_rows(const jet_writer *w) {
    for (uint32_t i = w->plan->t->state_count; i < w->plan->count; i++)
        if (w->plan->operation[i].kind == JET_MUL && w->plan->operation[i].behind) return false;
    return true;
}

void jet_write_rows(jet_writer *w) { put_row(w, FIRST), put_row(w, SECOND), put_row(w, SQUARE); }

// What stands beside the last products
void jet_write_empty_lanes(jet_writer *w) {
    for (uint32_t i = w->products; i < padded(w->products); i++)
        put_into(w, FIRST, i, "k", "0"), put_into(w, SECOND, i, "k", "0");
    for (uint32_t i = w->squares; i < padded(w->squares); i++) put_into(w, SQUARE, i, "k", "0");
}

// --- users of a register -------------------------------------------------------------------------

jet_users jet_users_find(const jet_plan *p) {
    jet_users u = {memory_zeros(uint32_t, p->register_count + 2), NULL};
    uint32_t total = 0, a, b;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = p->t->state_count; i < p->count; i++) {
            const jet_operation *o = &p->operation[i];
            if (!jet_is_convolution(o->kind)) continue;
            jet_factors(o, &a, &b);
            // in the second pass first[r] runs from the beginning of r's users to their end
            if (!pass) u.first[a + 1]++, total++;
            else u.operation[u.first[a]++] = 2 * i;
            if (jet_is_symmetric(o->kind)) continue;
            if (!pass) u.first[b + 1]++, total++;
            else u.operation[u.first[b]++] = 2 * i + 1;
        }
        if (!pass) {
            for (uint32_t r = 0; r <= p->register_count; r++) u.first[r + 1] += u.first[r];
            u.operation = memory_array(uint32_t, total + 1);
        }
    }
    for (uint32_t r = p->register_count + 1; r > 0; r--) u.first[r] = u.first[r - 1];
    u.first[0] = 0;
    return u;
}

void jet_users_free(jet_users *u) { memory_free(u->first), memory_free(u->operation); }

// --- the sums ------------------------------------------------------------------------------------

// The vectors of a compiler that has them, of doubles
static void put_vectors(jet_writer *w) {
    if (w->as->bits != 53) return;
    if (w->as->fused)
        put(w, "#if defined __GNUC__ && !defined __clang__ && defined __FMA__\n"
               "#define HAMEL_ADDED(a, b, c) __builtin_ia32_vfmaddpd256(a, b, c)\n"
               "#elif defined __clang__\n"
               "#if __has_builtin(__builtin_elementwise_fma)\n"
               "#define HAMEL_ADDED(a, b, c) __builtin_elementwise_fma(a, b, c)\n"
               "#endif\n#endif\n");
    else
        put(w, "#ifdef __GNUC__\n"
               "#define HAMEL_ADDED(a, b, c) ((a) * (b) + (c))\n#endif\n");
    put(w, "#ifdef HAMEL_ADDED\n"
           "typedef double hamel_lanes __attribute__((vector_size(32), may_alias));\n#endif\n\n");
}

// What is loaded as a vector is stored as one: of four stores a load would have to wait for the
// last to arrive in the cache.
static void put_stores(jet_writer *w) {
    if (w->as->bits == 53)
        put(w, "#ifdef HAMEL_ADDED\n#define HAMEL_PUT(to, a, b, c, d) (*(hamel_lanes *)(to) = "
               "(hamel_lanes){a, b, c, d})\n#else\n");
    put(w, "#define HAMEL_PUT(to, a, b, c, d) ((to)[0] = a, (to)[1] = b, (to)[2] = c, (to)[3] = "
           "d)\n");
    put(w, w->as->bits == 53 ? "#endif\n\n" : "\n");
}

// s += a * b for scalars
static void put_added(jet_writer *w, const char *s, const char *a, const char *b) {
    text_format(w->out, "            %s ", s);
    if (!w->as->fused) {
        text_format(w->out, "+= %s * %s;\n", a, b);
        return;
    }
    put(w, "= "), scalar_type_function(w->as, "fma", w->out);
    text_format(w->out, "(%s, %s, %s);\n", a, b, s);
}

// Functions of a short plan are parts of their caller.
static const char *lonely(uint32_t count) {
    return count <= 3 * BLOCK ? "HAMEL_PART" : "HAMEL_NOT_INLINE";
}

// x and y are the factors of a block, first and second ones; of squares they are the same, and one
// half of each sum is enough.

// For even k the sums of k, and all of those of k + 1 but its ends, which need coefficients k: each
// factor is loaded once for both. k = 2 m: a_m b_m is in the middle of the one, a_m b_{m+1} and
// a_{m+1} b_m of the other.
static void put_even(jet_writer *w, uint32_t vectors, bool square) {
    const uint32_t step = square ? vectors : 2 * vectors, y = square ? 0 : vectors;
    for (uint32_t i = 0; i < vectors; i++)
        text_format(w->out,
                    square
                        ? "        hamel_lanes t%u = zero, u%u = zero;\n"
                        : "        hamel_lanes t%u = zero, u%u = zero, g%u = zero, v%u = zero;\n",
                    i, i, i, i);
    text_format(w->out,
                "        const hamel_lanes *m = x + k / 2 * %u;\n        if (k > 2) {\n"
                "            const hamel_lanes *l = m, *r = m + %u;\n",
                step, step);
    for (uint32_t i = 0; i < vectors; i++) {
        text_format(w->out,
                    "            hamel_lanes d%u = r[%u];\n            u%u = HAMEL_ADDED(l[%u], "
                    "d%u, u%u);\n",
                    i, y + i, i, i, i, i);
        if (!square)
            text_format(w->out,
                        "            hamel_lanes c%u = r[%u];\n            v%u = HAMEL_ADDED(c%u, "
                        "l[%u], v%u);\n",
                        i, i, i, i, y + i, i);
    }
    text_format(w->out,
                "            HAMEL_TERMS for (int j = k / 2 - 1; j > 1; j--) {\n                l "
                "-= %u, r += %u;\n",
                step, step);
    for (uint32_t i = 0; i < vectors; i++) {
        text_format(w->out,
                    "                t%u = HAMEL_ADDED(l[%u], d%u, t%u), d%u = r[%u], u%u = "
                    "HAMEL_ADDED(l[%u], d%u, u%u);\n",
                    i, i, i, i, i, y + i, i, i, i, i);
        if (!square)
            text_format(w->out,
                        "                g%u = HAMEL_ADDED(c%u, l[%u], g%u), c%u = r[%u], v%u = "
                        "HAMEL_ADDED(c%u, l[%u], v%u);\n",
                        i, i, y + i, i, i, i, i, i, y + i, i);
    }
    put(w, "            }\n");
    for (uint32_t i = 0; i < vectors; i++) {
        text_format(w->out, "            t%u = HAMEL_ADDED(x[%u], d%u, t%u);\n", i, step + i, i, i);
        if (!square)
            text_format(w->out, "            g%u = HAMEL_ADDED(c%u, x[%u], g%u);\n", i, i,
                        step + y + i, i);
    }
    put(w, "        }\n");
    for (uint32_t i = 0; i < vectors; i++)
        if (square)
            text_format(w->out,
                        "        to[%u] = HAMEL_ADDED(m[%u], m[%u], 2 * t%u), later[%u] = u%u;\n",
                        i, i, i, i, i, i);
        else
            text_format(w->out,
                        "        to[%u] = HAMEL_ADDED(m[%u], m[%u], t%u + g%u), later[%u] = u%u, "
                        "later[%u] = v%u;\n",
                        i, i, y + i, i, i, 2 * i, i, 2 * i + 1, i);
}

// For odd k only the ends are missing, a_1 b_{k-1} and a_{k-1} b_1.
static void put_odd(jet_writer *w, uint32_t vectors, bool square) {
    const uint32_t step = square ? vectors : 2 * vectors, y = square ? 0 : vectors;
    text_format(w->out, "        const hamel_lanes *l = x + (k - 1) * %u;\n", step);
    for (uint32_t i = 0; i < vectors; i++)
        if (square)
            text_format(w->out, "        to[%u] = 2 * HAMEL_ADDED(x[%u], l[%u], later[%u]);\n", i,
                        step + i, i, i);
        else
            text_format(
                w->out,
                "        to[%u] = HAMEL_ADDED(x[%u], l[%u], later[%u]) + HAMEL_ADDED(l[%u], "
                "x[%u], later[%u]);\n",
                i, step + i, y + i, 2 * i, i, step + y + i, 2 * i + 1);
}

static void put_with_vectors(jet_writer *w, uint32_t vectors, bool square) {
    put(w, "    const hamel_lanes *x = (const hamel_lanes *)f, zero = {0};\n    hamel_lanes *to = "
           "(hamel_lanes *)s, *later = (hamel_lanes *)next;\n    if (k == 1) {\n");
    for (uint32_t i = 0; i < vectors; i++) text_format(w->out, "        to[%u] = zero;\n", i);
    put(w, "    } else if (k % 2) {\n"), put_odd(w, vectors, square);
    put(w, "    } else {\n"), put_even(w, vectors, square), put(w, "    }\n");
}

static void put_one_by_one(jet_writer *w, uint32_t width, bool square) {
    const uint32_t step = square ? width : 2 * width, y = square ? 0 : width;
    const char *s = w->as->scalar;
    text_format(w->out,
                "    (void)next;\n    for (int i = 0; i < %u; i++) {\n        const %s *a = f + i, "
                "*b = a + "
                "%u;\n        %s t = 0, g = 0;\n        for (int j = (k - 1) / 2; j > 0; j--) {\n"
                "            const int u = j * %u, v = (k - j) * %u;\n",
                width, s, y, s, step, step);
    put_added(w, "t", "a[u]", "b[v]"), put_added(w, "g", "a[v]", "b[u]");
    text_format(
        w->out,
        "        }\n        t += g;\n        if (k %% 2 == 0) {\n            const int m = k "
        "/ 2 * %u;\n",
        step);
    put_added(w, "t", "a[m]", "b[m]");
    put(w, "        }\n");
    put(w, "        s[i] = t;\n    }\n");
}

// NAME_products8(f, s, next, k), NAME_squares8(q, s, next, k): the sums of a block
static void put_block(jet_writer *w, uint32_t width, bool square) {
    const char *s = w->as->scalar;
    const bool vectors = w->as->bits == 53;
    text_format(w->out, "%s %s void %s_%s%u(const %s *f, %s *s, %s *next, int k) {\n",
                jet_inner_qualifier(w), lonely(square ? w->squares : w->products), w->name,
                square ? "squares" : "products", width, s, s, s);
    if (vectors)
        put(w, "#ifdef HAMEL_ADDED\n"), put_with_vectors(w, width / LANES, square),
            put(w, "#else\n");
    put_one_by_one(w, width, square);
    put(w, vectors ? "#endif\n}\n\n" : "}\n\n");
}

// The functions for the widths that there are: that of all blocks, and that of the last
static void put_widths(jet_writer *w, bool square) {
    const uint32_t count = square ? w->squares : w->products, rest = padded(count) % BLOCK;
    if (count >= BLOCK || (count && !rest)) put_block(w, BLOCK, square);
    if (rest) put_block(w, rest, square);
}

void jet_write_lane_sums(jet_writer *w) {
    put_vectors(w);
    put_stores(w);
    put(w, "#ifdef __GNUC__\n#define HAMEL_PART inline __attribute__((always_inline))\n#else\n"
           "#define HAMEL_PART inline\n#endif\n\n");
    put(w, "#undef HAMEL_TERMS\n");
    if (w->unrolled)
        put(w,
            "#if defined __GNUC__ && !defined __clang__\n#define HAMEL_TERMS _Pragma(\"GCC unroll "
            "32\")\n#endif\n");
    put(w, "#ifndef HAMEL_TERMS\n#define HAMEL_TERMS\n#endif\n\n");
    put_widths(w, false);
    put_widths(w, true);
}

void jet_write_sums_of_order(jet_writer *w, const char *k) {
    for (uint32_t i = 0; i < w->products; i += BLOCK)
        text_format(w->out, "        %s_products%u(w->f + %u, w->s + %u, w->next + %u, %s);\n",
                    w->name, width_of(i, w->products), 2 * block_at(w, i), i, 2 * i, k);
    for (uint32_t i = 0; i < w->squares; i += BLOCK)
        text_format(w->out, "        %s_squares%u(w->q + %u, w->qs + %u, w->qnext + %u, %s);\n",
                    w->name, width_of(i, w->squares), block_at(w, i), i, i, k);
}
