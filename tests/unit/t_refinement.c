// Refinement of rasters: what is found by dividing cells on boundaries is what a look at every
// point finds, where both sides of a boundary are convex; and it asks for few points, each once.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "sweep/refinement.h"

typedef struct {
    double a, b, c, radius; // a line a x + b y = c, or a circle about (a, b)
} shape;

static double uniform(uint64_t *stream) { return (double)(random_next(stream) >> 11) * 0x1p-53; }

static int32_t side(const shape *s, uint32_t i, uint32_t j) {
    if (s->radius > 0) return hypot(i - s->a, j - s->b) < s->radius;
    return s->a * i + s->b * j > s->c;
}

static void refine(refinement *r, const shape *s, uint32_t cells, uint32_t depth) {
    refinement_begin(r, cells, depth);
    while (r->wanted_count) {
        int32_t *class = memory_array(int32_t, r->wanted_count);
        for (uint32_t k = 0; k < r->wanted_count; k++) {
            // none is asked for twice
            for (uint32_t l = 0; l < k && r->wanted_count < 200; l++)
                assert_false(r->wanted[k].i == r->wanted[l].i && r->wanted[k].j == r->wanted[l].j);
            class[k] = side(s, r->wanted[k].i, r->wanted[k].j);
        }
        refinement_set(r, class);
        memory_free(class);
    }
}

// All that is known of points of the leaf, its sides with it, is one class.
static void assert_one_class(const refinement *r, const raster_cell *c) {
    const int32_t class = *refinement_class(r, c->i, c->j);
    assert_true(class >= 0);
    for (uint32_t j = c->j; j <= c->j + c->size; j++)
        for (uint32_t i = c->i; i <= c->i + c->size; i++) {
            const int32_t known = *refinement_class(r, i, j);
            assert_true(known == CLASS_UNKNOWN || known == class);
        }
    assert_int_equal(refinement_of_cell(r, c), class);
}

// The leaves cover the raster, and each that is larger than a point's distance has one class.
static void assert_divided(const refinement *r) {
    uint64_t area = 0;
    for (uint32_t k = 0; k < r->cells_count; k++) {
        const raster_cell *c = &r->cells[k];
        area += (uint64_t)c->size * c->size;
        if (c->size > 1) assert_one_class(r, c);
    }
    assert_int_equal(area, (uint64_t)r->width * r->height);
}

static void lines_are_found_as_by_a_full_raster(void **state) {
    (void)state;
    enum { CELLS = 4, DEPTH = 5, CASES = 60 };
    uint64_t stream = 11;
    for (int n = 0; n < CASES; n++) {
        const double angle = 6.28318 * uniform(&stream), size = CELLS << DEPTH;
        shape s = {.a = cos(angle), .b = sin(angle)};
        s.c = s.a * size * uniform(&stream) + s.b * size * uniform(&stream);
        refinement r;
        refine(&r, &s, CELLS, DEPTH);
        assert_divided(&r);
        const uint64_t points = (uint64_t)(r.width + 1) * (r.height + 1);
        assert_true(r.looked < points / 3);
        refinement_fill(&r);
        for (uint32_t j = 0; j <= r.height; j++)
            for (uint32_t i = 0; i <= r.width; i++)
                assert_int_equal(*refinement_class(&r, i, j), side(&s, i, j));
        refinement_free(&r);
    }
}

static void circles_are_found_but_for_slivers(void **state) {
    (void)state;
    enum { CELLS = 8, DEPTH = 4, CASES = 40 };
    uint64_t stream = 12;
    for (int n = 0; n < CASES; n++) {
        const double size = CELLS << DEPTH;
        const shape s = {size * (0.3 + 0.4 * uniform(&stream)),
                         size * (0.3 + 0.4 * uniform(&stream)), 0,
                         size * (0.15 + 0.15 * uniform(&stream))};
        refinement r;
        refine(&r, &s, CELLS, DEPTH);
        assert_divided(&r);
        refinement_fill(&r);
        uint32_t wrong = 0;
        for (uint32_t j = 0; j <= r.height; j++)
            for (uint32_t i = 0; i <= r.width; i++)
                wrong += *refinement_class(&r, i, j) != side(&s, i, j);
        // a cap between two corners of a first cell: its height is at most size^2/(8 radius)
        assert_true(wrong <= 4 * 16);
        refinement_free(&r);
    }
}

static void what_is_the_same_everywhere_is_looked_at_once_a_corner(void **state) {
    (void)state;
    refinement r;
    refine(&r, &(shape){.a = 1, .c = -1}, 6, 5);
    assert_int_equal(r.looked, 49);
    assert_int_equal(r.cells_count, 36);
    refinement_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_found_as_by_a_full_raster),
        cmocka_unit_test(circles_are_found_but_for_slivers),
        cmocka_unit_test(what_is_the_same_everywhere_is_looked_at_once_a_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
