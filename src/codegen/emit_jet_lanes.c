// The sums of all products of an order as C: their factors stand side by side in lanes, coefficient
// after coefficient, so that a processor takes four sums at once whatever the operations are.
//
// At order k the product of a and b needs sum_{j=1..k-1} a_j b_{k-j}, which is known before the
// first operation of the order is done. Sixteen products are a block: rows of 16 for k = 0 ..
// most. Each sum has its terms in the order of convolve() and convolve_self() in
// execute/jets_template.h, so that lanes change no digit.
#include "codegen/emit_jet_internal.h"

enum { LANES = 4, BLOCK = 16 }; // products in a vector of doubles, in a row

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// --- places --------------------------------------------------------------------------------------

static uint32_t padded(uint32_t count) { return (count + LANES - 1) / LANES * LANES; }

// The width of the block that a lane is in, and the scalars of the blocks before
static uint32_t width_of(uint32_t lane, uint32_t count) {
    const uint32_t from = lane / BLOCK * BLOCK, left = padded(count) - from;
    return left < BLOCK ? left : BLOCK;
}
static uint32_t block_at(const jet_writer *w, uint32_t lane) {
    return lane / BLOCK * BLOCK * (w->most + 1);
}

void jet_assign_lanes(jet_writer *w) {
    const jet_plan *p = w->plan;
    w->lane = memory_zeros(uint32_t, p->count + 1);
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_kind kind = p->operation[i].kind;
        if (jet_is_symmetric(kind)) w->lane[i] = w->squares++;
        else if (jet_is_convolution(kind)) w->lane[i] = w->products++;
    }
}

// Scalars for the rows of so many products
static uint32_t room_of(const jet_writer *w, uint32_t count) {
    return padded(count) * (w->most + 1);
}

void jet_write_lane_room(jet_writer *w) {
    const char *s = w->as->scalar;
    put(w,
        "    // factors of products, their sums in two halves; bases of squares, and the middle\n");
    if (w->products)
        text_format(w->out, "    _Alignas(32) %s a[%u], b[%u], s[%u], h[%u];\n", s,
                    room_of(w, w->products), room_of(w, w->products), padded(w->products),
                    padded(w->products));
    if (w->squares)
        text_format(w->out, "    _Alignas(32) %s q[%u], qs[%u], qh[%u], qm[%u];\n", s,
                    room_of(w, w->squares), padded(w->squares), padded(w->squares),
                    padded(w->squares));
}

// w->a[(k + 1) * 16 + 3] = value;
static void put_into(jet_writer *w, const char *array, uint32_t lane, uint32_t count, const char *k,
                     const char *value) {
    text_format(w->out, "    w->%s[%u + %s * %u] = %s;\n", array, block_at(w, lane) + lane % BLOCK,
                k, width_of(lane, count), value);
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
        if (jet_is_symmetric(o->kind)) put_into(w, "q", w->lane[i], w->squares, at, value);
        else put_into(w, second ? "b" : "a", w->lane[i], w->products, at, value);
    }
}

// The lanes from `lane` on, in which coefficient k of these registers is put at once; NO_SLOT: of
// none, 0
static void put_four(jet_writer *w, const char *array, uint32_t lane, uint32_t count,
                     const uint32_t *four) {
    text_format(w->out, "    HAMEL_PUT(w->%s + %u + k * %u", array,
                block_at(w, lane) + lane % BLOCK, width_of(lane, count));
    for (uint32_t i = 0; i < LANES; i++)
        if (four[i] == NO_SLOT) put(w, ", 0");
        else text_format(w->out, ", x%u", w->slot[four[i]]);
    put(w, ");\n");
}

// The registers of a row: first factors, second factors, or bases of squares
static void find_row(const jet_writer *w, bool squares, bool second, uint32_t *row) {
    const jet_plan *p = w->plan;
    const uint32_t count = squares ? w->squares : w->products;
    for (uint32_t i = 0; i < padded(count); i++) row[i] = NO_SLOT;
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        uint32_t a, b;
        if (!jet_is_convolution(o->kind) || jet_is_symmetric(o->kind) != squares) continue;
        jet_factors(o, &a, &b);
        row[w->lane[i]] = second ? b : a;
    }
}

static void put_row(jet_writer *w, const char *array, bool squares, bool second) {
    const uint32_t count = squares ? w->squares : w->products;
    uint32_t *row = memory_array(uint32_t, padded(count) + 1);
    find_row(w, squares, second, row);
    for (uint32_t i = 0; i < count; i += LANES) put_four(w, array, i, count, row + i);
    memory_free(row);
}

bool jet_puts_rows(const jet_writer *w) {
    for (uint32_t i = w->plan->t->state_count; i < w->plan->count; i++)
        if (w->plan->operation[i].kind == JET_MUL && w->plan->operation[i].behind) return false;
    return true;
}

void jet_write_rows(jet_writer *w) {
    put_row(w, "a", false, false), put_row(w, "b", false, true), put_row(w, "q", true, false);
}

// What stands beside the last products
void jet_write_empty_lanes(jet_writer *w) {
    for (uint32_t i = w->products; i < padded(w->products); i++)
        put_into(w, "a", i, w->products, "k", "0"), put_into(w, "b", i, w->products, "k", "0");
    for (uint32_t i = w->squares; i < padded(w->squares); i++)
        put_into(w, "q", i, w->squares, "k", "0");
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

// A function that is called once is part of its caller.
static const char *lonely(uint32_t count) { return count <= BLOCK ? "inline" : "HAMEL_NOT_INLINE"; }

// NAME_products16(a, b, s, h, k): the sums of a block
static void put_products(jet_writer *w, uint32_t width) {
    const char *s = w->as->scalar;
    const uint32_t vectors = width / LANES;
    text_format(w->out,
                "%s %s void %s_products%u(const %s *a, const %s *b, %s *s, %s *h, int k) {\n",
                jet_inner_qualifier(w), lonely(w->products), w->name, width, s, s, s, s);
    if (w->as->bits == 53) {
        put(w, "#ifdef HAMEL_ADDED\n    const hamel_lanes *x = (const hamel_lanes *)a, *y = (const "
               "hamel_lanes *)b, zero = {0};\n    hamel_lanes *s0 = (hamel_lanes *)s, *h0 = "
               "(hamel_lanes *)h;\n");
        text_format(w->out, "    const int m = k / 2 * %u;\n", vectors);
        for (uint32_t i = 0; i < vectors; i++)
            text_format(w->out, "    hamel_lanes t%u = zero, g%u = zero;\n", i, i);
        put(w, "    if (k % 2 == 0) {\n");
        for (uint32_t i = 0; i < vectors; i++)
            text_format(w->out, "        t%u = x[m + %u] * y[m + %u];\n", i, i, i);
        put(w, "    }\n");
        text_format(w->out,
                    "    for (int j = (k - 1) / 2; j > 0; j--) {\n        const int u = j * %u, v "
                    "= (k - j) * %u;\n",
                    vectors, vectors);
        for (uint32_t i = 0; i < vectors; i++)
            text_format(w->out,
                        "        t%u = HAMEL_ADDED(x[u + %u], y[v + %u], t%u);\n"
                        "        g%u = HAMEL_ADDED(x[v + %u], y[u + %u], g%u);\n",
                        i, i, i, i, i, i, i, i);
        put(w, "    }\n");
        for (uint32_t i = 0; i < vectors; i++)
            text_format(w->out, "    s0[%u] = t%u, h0[%u] = g%u;\n", i, i, i, i);
        put(w, "#else\n");
    }
    text_format(w->out,
                "    for (int i = 0; i < %u; i++) {\n        const int m = k / 2 * %u + i;\n"
                "        %s t = k %% 2 ? 0 : a[m] * b[m], g = 0;\n"
                "        for (int j = (k - 1) / 2; j > 0; j--) {\n"
                "            const int u = j * %u + i, v = (k - j) * %u + i;\n",
                width, width, s, width, width);
    put_added(w, "t", "a[u]", "b[v]"), put_added(w, "g", "a[v]", "b[u]");
    put(w, "        }\n        s[i] = t, h[i] = g;\n    }\n");
    put(w, w->as->bits == 53 ? "#endif\n}\n\n" : "}\n\n");
}

// NAME_squares16(a, s, h, m, k): every product of two once, and the middle where k is even
static void put_squares(jet_writer *w, uint32_t width) {
    const char *s = w->as->scalar;
    const uint32_t vectors = width / LANES;
    text_format(w->out, "%s %s void %s_squares%u(const %s *a, %s *s, %s *h, %s *m, int k) {\n",
                jet_inner_qualifier(w), lonely(w->squares), w->name, width, s, s, s, s);
    if (w->as->bits == 53) {
        text_format(
            w->out,
            "#ifdef HAMEL_ADDED\n    for (int i = 0; i < %u; i++) {\n        int j;\n"
            "        const hamel_lanes *x = (const hamel_lanes *)a + i, zero = {0};\n"
            "        hamel_lanes t = zero, g = zero, o = zero;\n"
            "        for (j = (k - 1) / 2; j > 1; j -= 2) {\n"
            "            t = HAMEL_ADDED(x[j * %u], x[(k - j) * %u], t);\n"
            "            g = HAMEL_ADDED(x[(j - 1) * %u], x[(k - j + 1) * %u], g);\n        }\n"
            "        if (j == 1) t = HAMEL_ADDED(x[%u], x[(k - 1) * %u], t);\n",
            vectors, vectors, vectors, vectors, vectors, vectors, vectors);
        text_format(w->out,
                    "        ((hamel_lanes *)s)[i] = t, ((hamel_lanes *)h)[i] = g;\n"
                    "        if (k %% 2 == 0) o = x[k / 2 * %u] * x[k / 2 * %u];\n"
                    "        ((hamel_lanes *)m)[i] = o;\n    }\n#else\n",
                    vectors, vectors);
    }
    text_format(w->out,
                "    for (int i = 0; i < %u; i++) {\n        int j;\n        const %s *x = a + i;\n"
                "        %s t = 0, g = 0;\n        for (j = (k - 1) / 2; j > 1; j -= 2) {\n"
                "            const %s c = x[j * %u], d = x[(k - j) * %u], e = x[(j - 1) * %u], f = "
                "x[(k - j + 1) * %u];\n",
                width, s, s, s, width, width, width, width);
    put_added(w, "t", "c", "d"), put_added(w, "g", "e", "f");
    text_format(w->out,
                "        }\n        if (j == 1) {\n            const %s c = x[%u], d = "
                "x[(k - 1) * %u];\n",
                s, width, width);
    put_added(w, "t", "c", "d");
    text_format(w->out,
                "        }\n        s[i] = t, h[i] = g, m[i] = k %% 2 ? 0 : x[k / 2 * %u] * x[k / "
                "2 * %u];\n    }\n",
                width, width);
    put(w, w->as->bits == 53 ? "#endif\n}\n\n" : "}\n\n");
}

typedef void put_block_function(jet_writer *w, uint32_t width);

// The functions for the widths that there are: that of all blocks, and that of the last
static void put_widths(jet_writer *w, uint32_t count, put_block_function *put_block) {
    const uint32_t rest = padded(count) % BLOCK;
    if (count >= BLOCK || (count && !rest)) put_block(w, BLOCK);
    if (rest) put_block(w, rest);
}

void jet_write_lane_sums(jet_writer *w) {
    put_vectors(w);
    put_stores(w);
    put_widths(w, w->products, put_products);
    put_widths(w, w->squares, put_squares);
}

void jet_write_sums_of_order(jet_writer *w) {
    for (uint32_t i = 0; i < w->products; i += BLOCK)
        text_format(w->out,
                    "        %s_products%u(w->a + %u, w->b + %u, w->s + %u, w->h + %u, k);\n",
                    w->name, width_of(i, w->products), block_at(w, i), block_at(w, i), i, i);
    for (uint32_t i = 0; i < w->squares; i += BLOCK)
        text_format(w->out,
                    "        %s_squares%u(w->q + %u, w->qs + %u, w->qh + %u, w->qm + %u, k);\n",
                    w->name, width_of(i, w->squares), block_at(w, i), i, i, i);
}
