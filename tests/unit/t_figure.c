// What a figure is made of: names typeset, ranges, the points of curves that can be seen, a
// legend that keeps clear of them.
#include "support/support.h"

#include "report/figure_layout.h"
#include "report/figure_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- names ---------------------------------------------------------------------------------------

// Runs as letters in brackets: i italic, u upright, _ below, ^ above, ' a
// mark over the letter before.
static const char *typeset(const char *name) {
    static char result[400];
    label l = {0};
    text out = {0};
    label_add_curve(&l, &(curve){.y_name = name});
    for (int i = 0; i < l.count; i++) {
        const label_run *r = &l.run[i];
        if (!r->words.length) continue;
        text_format(&out, "%s%s(%s)",
                    r->level == LEVEL_BELOW   ? "_"
                    : r->level == LEVEL_ABOVE ? "^"
                                              : "",
                    r->is_mark  ? "'"
                    : r->italic ? "i"
                                : "u",
                    text_string(&r->words));
    }
    strcpy(result, text_string(&out));
    text_free(&out), label_clear(&l);
    return result;
}

static void names_are_typeset(void **s) {
    (void)s;
    assert_string_equal(typeset("x"), "i(x)");
    assert_string_equal(typeset("speed"), "u(speed)");
    assert_string_equal(typeset("theta"), "i(θ)");
    assert_string_equal(typeset("x'"), "i(x\xCC\x87)"); // x with a dot
    assert_string_equal(typeset("theta'"), "i(θ)'(˙)"); // a tall letter has its dot above
    assert_string_equal(typeset("x''"), "i(x\xCC\x88)");
    assert_string_equal(typeset("x'''"), "i(x)u(′′′)");
    assert_string_equal(typeset("theta1"), "i(θ)_u(1)");
    assert_string_equal(typeset("q[1,2]'"), "i(q\xCC\x87)_u(1,2)");
    assert_string_equal(typeset("lambda[roll.x]"), "i(λ)_u(roll,)_i(x)");
    assert_string_equal(typeset("p_phi"), "i(p)_i(φ)");
    assert_string_equal(typeset("sigma"), "i(σ)");
    assert_string_equal(typeset("invariant[K_x]"), "u(invariant )i(K)_i(x)");
    assert_string_equal(typeset("error(energy)"), "u(error of energy)");
    assert_string_equal(typeset("observable[energy]"), "u(energy)");
}

static void numbers_have_a_true_minus_sign(void **s) {
    (void)s;
    label l = {0};
    label_add_number(&l, "-0.5", LEVEL_BASE);
    assert_string_equal(text_string(&l.run[0].words), "−0.5");
    label_clear(&l);
}

// --- ranges --------------------------------------------------------------------------------------

static panel panel_of(curve *c, const char **names) {
    names[0] = c->x_name, names[1] = c->y_name;
    return (panel){.curve_count = 1,
                   .curve = c,
                   .x = {.name_count = 1, .name = &names[0]},
                   .y = {.name_count = 1, .name = &names[1]}};
}

static void time_fills_its_axis_and_the_rest_has_a_margin(void **s) {
    (void)s;
    const double x[] = {0, 10}, y[] = {-1, 3};
    curve c = {"t", "y", NULL, 2, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    p.x.is_time = true;
    assert_true(panel_set_range(&p));
    assert_true(p.x.low == 0 && p.x.high == 10);
    assert_true(fabs(p.y.low + 1.2) < 1e-12 && fabs(p.y.high - 3.2) < 1e-12);
}

static void a_constant_that_differs_by_rounding_is_a_constant(void **s) {
    (void)s;
    const double x[] = {0, 1}, y[] = {5, 5 + 4e-15};
    curve c = {"t", "y", NULL, 2, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    assert_true(panel_set_range(&p));
    assert_true(fabs(p.y.low - 4.5) < 1e-9 && fabs(p.y.high - 5.55) < 1e-9);
}

static void a_logarithmic_axis_shows_whole_decades_of_positive_values(void **s) {
    (void)s;
    const double x[] = {0, 1, 2, 3}, y[] = {0, 3e-5, -7, 2e-3};
    curve c = {"t", "y", NULL, 4, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    p.y.log = true, p.x.is_time = true;
    assert_true(panel_set_range(&p));
    assert_true(p.x.low == 0 && p.x.high == 3); // also where nothing can be shown
    assert_true(fabs(p.y.low / 1e-5 - 1) < 1e-12 && fabs(p.y.high / 1e-2 - 1) < 1e-12);
    const double nothing[] = {0, -1, NAN, 0};
    c.y = nothing;
    assert_false(panel_set_range(&p));
}

static void equal_scales_only_widen(void **s) {
    (void)s;
    panel p = {.x = {.low = 0, .high = 4}, .y = {.low = 0, .high = 1}};
    panel_set_equal(&p, 200, 100);
    assert_true(p.x.low == 0 && p.x.high == 4 && p.y.low == -0.5 && p.y.high == 1.5);
}

// --- strokes -------------------------------------------------------------------------------------

enum { MANY = 20000 };
static const double TOLERANCE = 0.05;
static const rectangle FRAME = {50, 10, 400, 250};

static double distance_to(const stroke *s, spot p) {
    double least = INFINITY;
    for (uint64_t i = 1; i < s->count; i++) {
        const spot a = s->at[i - 1], b = s->at[i];
        const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        const double part =
            length > 0 ? fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
        least = fmin(least, hypot(p.x - a.x - part * dx, p.y - a.y - part * dy));
    }
    return least;
}

static void a_smooth_curve_keeps_few_points_and_its_place(void **s) {
    (void)s;
    static double x[MANY], y[MANY];
    for (int i = 0; i < MANY; i++) x[i] = cos(3e-3 * i), y[i] = sin(2e-3 * i);
    curve c = {"x", "y", NULL, MANY, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    panel_set_range(&p);
    strokes found = strokes_of(&p, &c, &FRAME, TOLERANCE);
    assert_int_equal(found.count, 1);
    assert_true(found.piece[0].count < MANY / 10);
    double lowest = INFINITY, highest = -INFINITY, left = INFINITY;
    for (uint64_t i = 0; i < found.piece[0].count; i++)
        lowest = fmin(lowest, found.piece[0].at[i].y),
        highest = fmax(highest, found.piece[0].at[i].y), left = fmin(left, found.piece[0].at[i].x);
    double top = INFINITY, bottom = -INFINITY, first = INFINITY;
    for (int i = 0; i < MANY; i++) {
        const spot at = spot_of(&p, &FRAME, x[i], y[i]);
        top = fmin(top, at.y), bottom = fmax(bottom, at.y), first = fmin(first, at.x);
        if (i % 97 == 0) assert_true(distance_to(&found.piece[0], at) <= TOLERANCE * (1 + 1e-9));
    }
    // extremes are where they were
    assert_true(lowest == top && highest == bottom && left == first);
    strokes_free(&found);
}

static void noise_keeps_its_envelope(void **s) {
    (void)s;
    enum { NOISE = 300000 };
    double *x = malloc(NOISE * sizeof *x), *y = malloc(NOISE * sizeof *y);
    uint64_t state = 3;
    for (int i = 0; i < NOISE; i++) x[i] = i, y[i] = random_between(&state, -1, 1);
    y[12345] = 5, y[54321] = -4;
    curve c = {"t", "y", NULL, NOISE, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    panel_set_range(&p);
    strokes found = strokes_of(&p, &c, &FRAME, TOLERANCE);
    const spot high = spot_of(&p, &FRAME, x[12345], 5), low = spot_of(&p, &FRAME, x[54321], -4);
    bool has_high = false, has_low = false;
    for (uint64_t i = 0; i < found.piece[0].count; i++) {
        has_high =
            has_high || (found.piece[0].at[i].x == high.x && found.piece[0].at[i].y == high.y);
        has_low = has_low || (found.piece[0].at[i].x == low.x && found.piece[0].at[i].y == low.y);
    }
    assert_true(has_high && has_low);
    assert_true(found.piece[0].count <= 4 * (4 * 400 + 1)); // four in each quarter of a pixel
    strokes_free(&found);
    free(x), free(y);
}

static void what_is_not_finite_leaves_a_gap(void **s) {
    (void)s;
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {NAN, 1, 2, INFINITY, 3, NAN};
    curve c = {"t", "y", NULL, 6, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    assert_true(panel_set_range(&p));
    strokes found = strokes_of(&p, &c, &FRAME, TOLERANCE);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.piece[0].count, 2);
    assert_int_equal(found.piece[1].count, 1);
    strokes_free(&found);
}

static void signs_stand_at_points_that_are_apart(void **s) {
    (void)s;
    const double x[] = {0, 1, 1.0001, 2, 3, 4}, y[] = {1, 1, 1, NAN, 1, 2};
    curve c = {"t", "y", NULL, 6, x, y, false};
    const char *names[2];
    panel p = panel_of(&c, names);
    assert_true(panel_set_range(&p));
    stroke found = stroke_spots(&p, &c, &FRAME, 0.5);
    assert_int_equal(found.count, 4);
    const spot last = spot_of(&p, &FRAME, 4, 2);
    assert_true(found.at[3].x == last.x && found.at[3].y == last.y);
    memory_free(found.at);
}

// --- the page ------------------------------------------------------------------------------------

// Two curves through three corners of the frame: the legend stands in the
// fourth, whichever that is.
static void the_legend_takes_the_free_corner(void **s) {
    (void)s;
    static const struct {
        double a[3], b[3];
        legend_place place;
    } cases[] = {{{0, 0, 0}, {0, 0, 1}, LEGEND_TOP_LEFT},
                 {{0, 0, 0}, {1, 0, 0}, LEGEND_TOP_RIGHT},
                 {{1, 1, 1}, {0, 1, 1}, LEGEND_BOTTOM_RIGHT},
                 {{1, 1, 1}, {1, 1, 0}, LEGEND_BOTTOM_LEFT},
                 {{0, 1, 0}, {1, 0, 1}, LEGEND_ABOVE}};
    const double t[] = {0, 1, 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w = world_open();
        curve c[] = {{"t", "a", NULL, 3, t, cases[i].a, false},
                     {"t", "b", NULL, 3, t, cases[i].b, false}};
        const char *names[] = {"t", "a", NULL, "b"};
        panel p = {.curve_count = 2,
                   .curve = c,
                   .x = {.name_count = 1, .name = names, .is_time = true},
                   .y = {.name_count = 2, .name = names + 1}};
        figure f = {.panel_count = 1, .panel = &p};
        figure_layout l = {0};
        panel_set_range(&p);
        figure_lay_out(&f, &w.ctx->arena, &l);
        assert_int_equal(l.panel[0].legend, cases[i].place);
        world_close(&w);
    }
}

static void a_size_asked_for_is_filled_and_kept(void **s) {
    (void)s;
    world w = world_open();
    const double t[] = {0, 1, 2}, y[] = {0, 1e5, -3e5};
    curve c = {"t", "y", NULL, 3, t, y, false};
    const char *names[2];
    panel p[] = {panel_of(&c, names), panel_of(&c, names), panel_of(&c, names)};
    figure f = {.panel_count = 3, .panel = p, .width = 700, .height = 500, .title = "three"};
    figure_layout l = {0};
    for (int i = 0; i < 3; i++) panel_set_range(&p[i]);
    figure_lay_out(&f, &w.ctx->arena, &l);
    assert_true(l.width == 700 && l.height == 500);
    for (int i = 0; i < 3; i++) {
        const rectangle *r = &l.panel[i].frame;
        assert_true(r->left > 0 && r->top > 0 && r->left + r->width < 700 &&
                    r->top + r->height < 500);
    }
    assert_true(l.panel[1].frame.left + l.panel[1].frame.width > 660); // up to the right margin
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_typeset),
        cmocka_unit_test(numbers_have_a_true_minus_sign),
        cmocka_unit_test(time_fills_its_axis_and_the_rest_has_a_margin),
        cmocka_unit_test(a_constant_that_differs_by_rounding_is_a_constant),
        cmocka_unit_test(a_logarithmic_axis_shows_whole_decades_of_positive_values),
        cmocka_unit_test(equal_scales_only_widen),
        cmocka_unit_test(a_smooth_curve_keeps_few_points_and_its_place),
        cmocka_unit_test(noise_keeps_its_envelope),
        cmocka_unit_test(what_is_not_finite_leaves_a_gap),
        cmocka_unit_test(signs_stand_at_points_that_are_apart),
        cmocka_unit_test(the_legend_takes_the_free_corner),
        cmocka_unit_test(a_size_asked_for_is_filled_and_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
