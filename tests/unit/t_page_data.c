// The data of a report page: what is drawn against the mechanics it shows.
#include "support/json_reader.h"
#include "support/support.h"

#include "api/run_job.h"
#include "report/page_data.h"
#include "report/symmetric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- a model run, its page read ------------------------------------------------------------------

static void write_data(const run_job *j, text *out) {
    const finished_run r = {.form = j->form,
                            .method = j->method,
                            .sim = j->sim,
                            .run = &j->r,
                            .rows = j->rows,
                            .outcome = run_job_outcome(j)};
    const report of = {.known = {.m = j->m}, .run = j->rows->row_count ? &r : NULL};
    page_data_json(&of, PAGE_DATA_BUDGET, &(json){.out = out});
}

typedef struct {
    world w;
    table rows;
    run_job job;
    size_t length; // of the JSON
    json_value *data;
    const json_value *run, *scene;
} page;

static const hamel_run AS_STATED = {0};

static void page_open_run(page *p, const char *model_text, const hamel_run *asked) {
    *p = (page){.w = world_open()};
    p->job = (run_job){.m = world_model(&p->w, model_text), .asked = asked, .rows = &p->rows};
    assert_int_equal(run_job_run(&p->job), HAMEL_OK);
    text out = {0};
    write_data(&p->job, &out);
    p->length = out.length;
    p->data = json_read(text_string(&out));
    p->run = json_member(p->data, "run"), p->scene = json_member(p->data, "scene");
    text_free(&out);
}

static void page_open(page *p, const char *model_text) { page_open_run(p, model_text, &AS_STATED); }

static void page_close(page *p) {
    json_value_free(p->data);
    run_job_close(&p->job);
    table_free(&p->rows);
    world_close(&p->w);
}

static const char *library(const char *name) {
    for (size_t i = 0; i < hamel_library_count(); i++)
        if (strcmp(hamel_library_name(i), name) == 0) return hamel_library_text(i, NULL);
    fail_msg("there is no model %s", name);
    return NULL;
}

static size_t frames(const page *p) { return json_member(p->scene, "times")->count; }

static double time_at(const page *p, size_t frame) {
    return json_item(json_member(p->scene, "times"), frame)->number;
}

static double quantity_at(const page *p, const json_value *quantity, size_t frame) {
    if (quantity->kind == JSON_NUMBER) return quantity->number;
    const size_t track = (size_t)json_item(quantity, 0)->number;
    return json_item(json_item(json_member(p->scene, "tracks"), track), frame)->number;
}

static double part_at(const page *p, const json_value *item, const char *key, size_t part,
                      size_t frame) {
    return quantity_at(p, json_item(json_member(item, key), part), frame);
}

static const json_value *item_of(const page *p, const char *kind) {
    const json_value *found = json_find(json_member(p->scene, "items"), "kind", kind);
    if (!found) fail_msg("nothing of the kind `%s` is shown", kind);
    return found;
}

static size_t count_of(const page *p, const char *kind) {
    const json_value *items = json_member(p->scene, "items");
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++)
        count += strcmp(json_member(&items->items[i], "kind")->string, kind) == 0;
    return count;
}

// Values of a column at the rows that are frames; in these tests there are
// so few rows that each is one.
static double column_at(const page *p, const char *name, size_t row) {
    const json_value *c = json_find(json_member(p->run, "columns"), "name", name);
    assert_non_null(c);
    return json_item(json_member(c, "values"), row)->number;
}

static const double SEEN = 1e-6; // tracks have seven digits, for scenes of the size of a few units

// --- what is drawn -------------------------------------------------------------------------------

static void the_bob_of_a_pendulum_is_where_its_angle_says(void **s) {
    (void)s;
    page p;
    page_open(
        &p,
        "param l = 2, g = 9.81\ncoord theta\npoint bob: mass 1 at l*(sin(theta), -cos(theta), 0)\n"
        "gravity (0, -g, 0)\ninitial theta = 1\nsimulate t = 0 .. 5, output = 0.05\n");
    const json_value *bob = item_of(&p, "point");
    assert_string_equal(json_member(bob, "name")->string, "bob");
    assert_int_equal(frames(&p), 101);
    for (size_t i = 0; i < frames(&p); i++) {
        const double theta = column_at(&p, "theta", i);
        assert_true(fabs(part_at(&p, bob, "at", 0, i) - 2 * sin(theta)) < SEEN);
        assert_true(fabs(part_at(&p, bob, "at", 1, i) + 2 * cos(theta)) < SEEN);
        assert_true(part_at(&p, bob, "at", 2, i) == 0);
        assert_true(fabs(time_at(&p, i) - column_at(&p, "t", i)) < 1e-11);
    }
    assert_true(json_member(p.scene, "flat")->number == 1);
    assert_int_equal(json_member(p.scene, "tracks")->count, 2); // the trail shares those of the bob
    assert_int_equal(count_of(&p, "trail"), 1);
    assert_int_equal(count_of(&p, "arrow"), 0);
    page_close(&p);
}

// The lowest point of a disc that rolls is at the contact, which lies on the ground.
static void the_rim_of_a_rolling_disc_touches_the_ground_at_the_contact(void **s) {
    (void)s;
    page p;
    page_open(&p, library("rolling_disc"));
    const json_value *disc = item_of(&p, "disk"), *trail = item_of(&p, "trail");
    assert_true(json_member(p.scene, "flat")->number == 0);
    for (size_t i = 0; i < frames(&p); i += 100) {
        double n[3], c[3], norm = 0;
        for (size_t j = 0; j < 3; j++) {
            n[j] = part_at(&p, disc, "normal", j, i), c[j] = part_at(&p, disc, "centre", j, i);
            norm += n[j] * n[j];
        }
        const double r = json_member(disc, "radius")->number,
                     level = sqrt(n[0] * n[0] + n[1] * n[1]);
        assert_true(fabs(norm - 1) < SEEN && r == 0.5);
        // in the disc, the steepest way
        const double down[3] = {n[0] * n[2] / level, n[1] * n[2] / level, -level};
        // a scene of 11 units
        for (size_t j = 0; j < 3; j++)
            assert_true(fabs(c[j] + r * down[j] - part_at(&p, trail, "at", j, i)) < 20 * SEEN);
    }
    assert_true(fabs(json_item(json_member(p.scene, "low"), 2)->number) < SEEN);
    page_close(&p);
}

static void a_box_turns_with_its_body_and_a_curve_is_a_list_of_points(void **s) {
    (void)s;
    page p;
    page_open(&p, "coord x, a\nbody b: mass 1 at (x, 1, 0) inertia (1, 1, 1) rotation rot(z, a)\n"
                  "initial x' = 1, a' = 0.5\nsimulate t = 0 .. 2, output = 0.1\n"
                  "draw box b (1, 2, 3)\ndraw curve (cos(s), sin(s), 2) in s = 0 .. pi\n");
    const json_value *box = item_of(&p, "box"),
                     *points = json_member(item_of(&p, "curve"), "points");
    for (size_t i = 0; i < frames(&p); i++) {
        const double a = time_at(&p, i) / 2;
        const double turned[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
        for (size_t j = 0; j < 9; j++)
            assert_true(fabs(part_at(&p, box, "rotation", j, i) - turned[j]) < SEEN);
        assert_true(fabs(part_at(&p, box, "at", 0, i) - time_at(&p, i)) < SEEN);
    }
    for (size_t j = 0; j < 3; j++) assert_true(part_at(&p, box, "size", j, 0) == (double)j + 1);
    const json_value *first = json_item(points, 0), *last = json_item(points, points->count - 1);
    assert_true(json_item(first, 0)->number == 1 && json_item(first, 1)->number == 0);
    assert_true(json_item(last, 0)->number == -1 && json_item(last, 2)->number == 2);
    assert_true(json_member(p.scene, "flat")->number == 0); // the curve lies higher
    // At a quarter of a radian and so on the corners of the box are the farthest: they are inside.
    assert_true(json_item(json_member(p.scene, "low"), 2)->number == -1.5);
    assert_true(json_item(json_member(p.scene, "high"), 2)->number == 2);
    page_close(&p);
}

// Its centre lies a quarter above the centre of mass, along the third axis of the body.
static void an_ellipsoid_turns_with_its_body_about_a_place_of_its_own(void **s) {
    (void)s;
    page p;
    page_open(&p, "coord x, a\nbody b: mass 1 at (x, 1, 0) inertia (1, 1, 1) rotation rot(x, a)\n"
                  "initial x' = 1, a' = 0.5\nsimulate t = 0 .. 2, output = 0.1\n"
                  "draw ellipsoid b (3, 2, 1) at pos(b) + frame(b)*(0, 0, 1/4)\n"
                  "draw ellipsoid b (1, 1, 1)\n");
    const json_value *all = json_member(p.scene, "items"), *moved = json_item(all, 0),
                     *plain = json_item(all, 1);
    double highest = 0;
    for (size_t i = 0; i < frames(&p); i++) {
        const double t = time_at(&p, i), a = t / 2;
        const double turned[9] = {1, 0, 0, 0, cos(a), -sin(a), 0, sin(a), cos(a)};
        const double at[3] = {t, 1 - sin(a) / 4, cos(a) / 4}, centre[3] = {t, 1, 0};
        for (size_t j = 0; j < 9; j++)
            assert_true(fabs(part_at(&p, moved, "rotation", j, i) - turned[j]) < SEEN);
        for (size_t j = 0; j < 3; j++) {
            assert_true(fabs(part_at(&p, moved, "at", j, i) - at[j]) < SEEN);
            assert_true(fabs(part_at(&p, plain, "at", j, i) - centre[j]) < SEEN);
            assert_true(part_at(&p, moved, "size", j, i) == 3 - (double)j);
        }
        highest = fmax(highest, at[2] + hypot(2 * sin(a), cos(a))); // |S R^T e_z|
    }
    assert_string_equal(json_member(moved, "kind")->string, "ellipsoid");
    assert_true(fabs(json_item(json_member(p.scene, "high"), 2)->number - highest) < SEEN);
    page_close(&p);
}

// --- what is shown of a model that draws nothing -------------------------------------------------

static void half_axes_are_those_of_the_solid_ellipsoid(void **s) {
    (void)s;
    const double m = 3, a = 2, b = 1.5, c = 0.5;
    const double inertia[6] = {
        m * (b * b + c * c) / 5, m * (a * a + c * c) / 5, m * (a * a + b * b) / 5, 0, 0, 0};
    double half[3], axes[3][3];
    assert_true(symmetric_inertia_ellipsoid(m, inertia, half, axes));
    assert_true(fabs(half[0] - a) < 1e-14 && fabs(half[1] - b) < 1e-14 &&
                fabs(half[2] - c) < 1e-14);
    for (int i = 0; i < 9; i++) assert_true(axes[i / 3][i % 3] == (i % 4 == 0));
}

// Turned by an angle about z the moments have an entry Ixy, and the same ellipsoid
// comes out, with its axes turned.
static void principal_axes_are_found(void **s) {
    (void)s;
    const double angle = 0.4, cs = cos(angle), sn = sin(angle), moment[3] = {1, 2, 2.5};
    const double inertia[6] = {cs * cs * moment[0] + sn * sn * moment[1],
                               sn * sn * moment[0] + cs * cs * moment[1],
                               moment[2],
                               cs * sn * (moment[0] - moment[1]),
                               0,
                               0};
    double half[3], axes[3][3];
    assert_true(symmetric_inertia_ellipsoid(1, inertia, half, axes));
    for (int j = 0; j < 2; j++) {
        const bool long_axis = half[j] > half[1 - j];
        const double expected = sqrt(5 * (moment[2] + (long_axis ? 1 : -1)) / 2);
        assert_true(fabs(half[j] - expected) < 1e-13);
        const double along =
            long_axis ? axes[0][j] * cs + axes[1][j] * sn : -axes[0][j] * sn + axes[1][j] * cs;
        assert_true(fabs(fabs(along) - 1) < 1e-13);
    }
}

static void rods_and_discs_stay_visible_and_nothing_is_no_ellipsoid(void **s) {
    (void)s;
    double half[3], axes[3][3];
    // a rod along x
    assert_true(symmetric_inertia_ellipsoid(2, (double[]){0, 0.4, 0.4, 0, 0, 0}, half, axes));
    assert_true(fabs(half[0] - 1) < 1e-14 && half[1] > 0 && half[1] < 0.1 && half[2] == half[1]);
    // a disc across y
    assert_true(symmetric_inertia_ellipsoid(1, (double[]){1, 2, 1, 0, 0, 0}, half, axes));
    assert_true(half[0] == half[2] && half[1] > 0 && half[1] < 0.1 * half[0]);
    assert_false(symmetric_inertia_ellipsoid(1, (double[6]){0}, half, axes));
    assert_false(symmetric_inertia_ellipsoid(0, (double[]){1, 1, 1, 0, 0, 0}, half, axes));
}

static void coordinates_that_are_a_place_are_marked_with_their_heading(void **s) {
    (void)s;
    page p;
    page_open(&p, "coord x, y, psi\nkinetic (x'^2 + y'^2 + psi'^2)/2\nconstraint blade: "
                  "y'*cos(psi) = x'*sin(psi)\n"
                  "initial x' = 1, psi' = 0.5\nsimulate t = 0 .. 4, output = 0.1\n");
    const json_value *line = item_of(&p, "line");
    assert_string_equal(json_member(item_of(&p, "point"), "name")->string, "(x, y)");
    for (size_t i = 0; i < frames(&p); i++) {
        const double dx = part_at(&p, line, "to", 0, i) - part_at(&p, line, "from", 0, i);
        const double dy = part_at(&p, line, "to", 1, i) - part_at(&p, line, "from", 1, i);
        assert_true(fabs(remainder(atan2(dy, dx) - column_at(&p, "psi", i), 2 * M_PI)) < 1e-4);
        assert_true(fabs(part_at(&p, line, "from", 0, i) - column_at(&p, "x", i)) < SEEN);
    }
    page_close(&p);
}

// x is an angle here, whatever its name: the kinetic energy has other inertia for it than for y.
static void names_alone_make_no_place(void **s) {
    (void)s;
    page p;
    page_open(&p, "coord x, y\nkinetic x'^2/2 + 3*y'^2/2\npotential x^2 + y^2\ninitial x = 1, y = "
                  "0.5\nsimulate t = 0 .. 1\n");
    assert_string_equal(json_member(p.scene, "space")->string, "configuration");
    assert_string_equal(json_item(json_member(p.scene, "axes"), 1)->string, "y");
    page_close(&p);
    page_open(&p, "coord u\nkinetic u'^2/2\npotential u^2/2\ninitial u = 1\nsimulate t = 0 .. 6\n");
    assert_string_equal(json_item(json_member(p.scene, "axes"), 1)->string, "u'");
    assert_true(fabs(part_at(&p, item_of(&p, "point"), "at", 1, 50) + sin(time_at(&p, 50))) < SEEN);
    page_close(&p);
}

// --- reactions -----------------------------------------------------------------------------------

static const double FORCE = 1e-5; // seven digits of forces up to some tens

// m a = m g + F on a circle of radius l: a is known from the velocity and F itself in
// x; the radial part is m v^2/l.
static void the_rod_pulls_as_newton_says(void **s) {
    (void)s;
    page p;
    page_open(&p, library("pendulum"));
    const json_value *arrow = item_of(&p, "arrow");
    assert_string_equal(json_member(arrow, "name")->string, "rod");
    for (size_t i = 0; i < frames(&p); i += 250) {
        const double x = column_at(&p, "x", i), y = column_at(&p, "y", i),
                     vx = column_at(&p, "x'", i), vy = column_at(&p, "y'", i);
        const double pull = vx * vx + vy * vy - 9.81 * y; // towards the centre: m v^2/l + m g cos
        assert_true(fabs(part_at(&p, arrow, "vector", 0, i) + pull * x) < FORCE);
        assert_true(fabs(part_at(&p, arrow, "vector", 1, i) + pull * y) < FORCE);
    }
    page_close(&p);
}

// No other force acts: m x'' is the reaction. x'' from q' = (v cos - a w sin, v sin + a w cos) and
// v' = a w^2, w' = -m a v w/(J + m a^2).
static void the_blade_accelerates_the_sleigh(void **s) {
    (void)s;
    page p;
    page_open(&p, library("sleigh"));
    const json_value *arrow = item_of(&p, "arrow");
    const double a = 0.5, J = 2;
    for (size_t i = 0; i < frames(&p); i += 200) {
        const double theta = column_at(&p, "theta", i), v = column_at(&p, "v", i),
                     w = column_at(&p, "w", i);
        const double dv = a * w * w, dw = -a * v * w / (J + a * a);
        const double ahead = dv - a * w * w, aside = v * w + a * dw;
        assert_true(fabs(ahead) < 1e-15); // a blade pushes sideways only
        assert_true(fabs(part_at(&p, arrow, "vector", 0, i) + aside * sin(theta)) < FORCE);
        assert_true(fabs(part_at(&p, arrow, "vector", 1, i) - aside * cos(theta)) < FORCE);
    }
    page_close(&p);
}

// A blade under a link is a force on that link, across it; the links drag each other, but
// that is no reaction of the blade.
static void each_blade_of_the_snake_pushes_its_own_link(void **s) {
    (void)s;
    page p;
    page_open(&p, library("snake"));
    const json_value *items = json_member(p.scene, "items");
    assert_int_equal(count_of(&p, "arrow"), 4);
    for (size_t i = 0; i < 4; i++) {
        char name[20], lambda[32], theta[20];
        snprintf(name, sizeof name, "blade[%zu]", i + 1);
        snprintf(lambda, sizeof lambda, "lambda[blade[%zu]]", i + 1);
        snprintf(theta, sizeof theta, "theta[%zu]", i + 1);
        const json_value *arrow = NULL;
        for (size_t j = 0; j < items->count; j++)
            if (strcmp(json_member(&items->items[j], "kind")->string, "arrow") == 0 &&
                strcmp(json_member(&items->items[j], "name")->string, name) == 0)
                arrow = &items->items[j];
        assert_non_null(arrow);
        for (size_t frame = 0; frame < frames(&p); frame += 250) {
            const double force = column_at(&p, lambda, frame), angle = column_at(&p, theta, frame);
            assert_true(fabs(part_at(&p, arrow, "vector", 0, frame) + force * sin(angle)) < FORCE);
            assert_true(fabs(part_at(&p, arrow, "vector", 1, frame) - force * cos(angle)) < FORCE);
        }
    }
    page_close(&p);
}

// Two points of a rod in angle coordinates: the constraint stops the rod, and m a of
// each point is what arrives there.
static void a_reaction_on_several_masses_is_what_arrives_at_each(void **s) {
    (void)s;
    page p;
    page_open(
        &p,
        "coord x1, y1, x2, y2\npoint P: mass 1 at (x1, y1, 0)\npoint Q: mass 3 at (x2, y2, 0)\n"
        "constraint rod: (x1 - x2)^2 + (y1 - y2)^2 = 1\n"
        "initial x1 = 0, y1 = 0, x2 = 1, y2 = 0, y2' = 2\nsimulate t = 0 .. 3, output = 0.01\n");
    const json_value *items = json_member(p.scene, "items");
    size_t seen = 0;
    for (size_t j = 0; j < items->count; j++) {
        const json_value *arrow = &items->items[j];
        if (strcmp(json_member(arrow, "kind")->string, "arrow") != 0) continue;
        // The rod turns at the rate 2 about the centre of mass, 3/4 from P and 1/4 from Q: the
        // pull is 1*(3/4)*4 = 3*(1/4)*4 = 3.
        const double side = seen++ == 0 ? 1 : -1;
        for (size_t i = 0; i < frames(&p); i += 150) {
            const double dx = column_at(&p, "x2", i) - column_at(&p, "x1", i),
                         dy = column_at(&p, "y2", i) - column_at(&p, "y1", i);
            assert_true(fabs(part_at(&p, arrow, "vector", 0, i) - side * 3 * dx) < FORCE);
            assert_true(fabs(part_at(&p, arrow, "vector", 1, i) - side * 3 * dy) < FORCE);
        }
    }
    assert_int_equal(seen, 2);
    page_close(&p);
}

// A homogeneous ball on a plane rolls straight on: it needs no push, and the rounding
// errors of its multipliers are none.
static void reactions_that_vanish_are_not_shown(void **s) {
    (void)s;
    page p;
    page_open(&p,
              "param m = 1, r = 0.3\ncoord x, y, psi, theta, phi\nlet J = 2/5*m*r^2\n"
              "body ball: mass m at (x, y, r) inertia (J, J, J) rotation rot(x, psi)*rot(y, "
              "theta)*rot(z, phi)\n"
              "constraint roll: velat(ball, (x, y, 0)) = (0, 0, 0)\nindependent psi, theta, phi\n"
              "initial psi = 0.2, theta = 1.1, phi = 0.4, psi' = 2, theta' = 1, phi' = "
              "-0.5\nsimulate t = 0 .. 4\n");
    bool rounding = false;
    for (size_t i = 0; i < frames(&p); i++) rounding |= column_at(&p, "lambda[roll.y]", i) != 0;
    assert_true(rounding);
    assert_int_equal(count_of(&p, "arrow"), 0);
    page_close(&p);
}

// A constraint of order 2, and vakonomic motion: m x'' is the force in the plane, whatever makes
// it. Differences of x' stand for x''.
static void reactions_beyond_the_rows_are_forces_too(void **s) {
    (void)s;
    static const hamel_run fine = {.interval = 0.001, .until = 1};
    static const double SLOPE = 1e-4; // of a central difference: h^2/6 x with x up to some hundreds
    const char *skate = "param g = 2\ncoord x, y, phi\nlagrangian (x'^2 + y'^2 + phi'^2)/2 + g*x\n"
                        "constraint blade: x'*sin(phi) - y'*cos(phi) = 0\n"
                        "initial phi = 0.3, x' = 1.4, phi' = 0.9, lambda[blade] = 0.6\n"
                        "simulate t = 0 .. 1, tol = 1e-11, form = vakonomic\n";
    const char *models[] = {skate, library("tangential_acceleration")};
    const double field[][2] = {{2, 0}, {0, -9.81}};
    for (size_t k = 0; k < 2; k++) {
        page p;
        page_open_run(&p, models[k], &fine);
        const json_value *arrow = item_of(&p, "arrow");
        for (size_t i = 100; i + 1 < frames(&p); i += 400) {
            const char *velocity[] = {"x'", "y'"};
            for (size_t axis = 0; axis < 2; axis++) {
                const double slope =
                    (column_at(&p, velocity[axis], i + 1) - column_at(&p, velocity[axis], i - 1)) /
                    0.002;
                assert_true(fabs(part_at(&p, arrow, "vector", axis, i) - (slope - field[k][axis])) <
                            SLOPE);
            }
        }
        page_close(&p);
    }
}

// --- the run -------------------------------------------------------------------------------------

static void columns_have_kinds_and_all_their_digits(void **s) {
    (void)s;
    page p;
    page_open(&p, library("sleigh"));
    const json_value *columns = json_member(p.run, "columns");
    assert_string_equal(json_member(json_item(columns, 0), "name")->string, "t");
    assert_string_equal(json_member(json_item(columns, 0), "kind")->string, "time");
    assert_string_equal(json_member(json_find(columns, "name", "v"), "kind")->string, "quasi");
    assert_int_equal(json_member(p.run, "digits")->number, 17);
    assert_int_equal(json_member(p.run, "count")->number, 401);
    assert_int_equal(json_member(p.run, "rows")->number, 401);
    assert_int_equal(columns->count, p.rows.column_count);
    for (uint32_t c = 0; c < p.rows.column_count; c++)
        for (size_t i = 0; i < 401; i++)
            assert_true(json_item(json_member(json_item(columns, c), "values"), i)->number ==
                        table_at(&p.rows, i, c));
    page_close(&p);
}

static void errors_are_those_before_rounding(void **s) {
    (void)s;
    static const hamel_run many = {.interval = 0.002};
    page p;
    page_open_run(&p, library("sleigh"), &many);
    const json_value *error = json_find(json_member(p.run, "errors"), "name", "energy");
    uint32_t energy = 0;
    while (strcmp(p.job.sim->column[energy].name, "energy") != 0) energy++;
    // an energy has fewer digits here than its error needs
    assert_true(json_member(p.run, "digits")->number < 12);
    assert_true(json_member(error, "scale")->number == fabs(table_at(&p.rows, 0, energy)));
    const size_t count = (size_t)json_member(p.run, "count")->number;
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double exact = fabs(table_at(&p.rows, spread(i, count, p.rows.row_count), energy) -
                                  table_at(&p.rows, 0, energy));
        assert_true(fabs(json_item(json_member(error, "values"), i)->number - exact) <=
                    0.01 * exact);
        largest = fmax(largest, exact);
    }
    assert_true(largest > 0 && largest < 1e-9);
    page_close(&p);
}

static void ten_thousand_rows_of_forty_columns_stay_in_their_budget(void **s) {
    (void)s;
    static const hamel_run many = {.interval = 0.001};
    text m = {0};
    text_append(&m, "coord x[1..5], y[1..5]\n"
                    "kinetic sum(i in 1..5, x[i]'^2 + y[i]'^2)/2\npotential sum(i in 1..5, "
                    "i*x[i]^2 + y[i]^4)\n");
    for (int i = 0; i < 19; i++) text_format(&m, "observe o%d = x[1]*%d + y[2]^2/7\n", i, i + 1);
    text_append(&m, "initial x[1] = 1, x[2] = 0.7, y[1] = 0.3, y[2] = 1.1, y[5] = -0.4\nsimulate t "
                    "= 0 .. 10\n");
    page p;
    page_open_run(&p, text_string(&m), &many);
    assert_int_equal(p.rows.row_count, 10001);
    assert_true(p.rows.column_count >= 40);
    assert_true(p.length < PAGE_DATA_BUDGET + 100000); // and names
    assert_int_equal(json_member(p.run, "rows")->number, 10001);
    assert_int_equal(json_member(p.run, "digits")->number, 6);
    const size_t count = (size_t)json_member(p.run, "count")->number;
    assert_true(count > 1000 && count < 10001);
    assert_true(column_at(&p, "t", 0) == 0 && column_at(&p, "t", count - 1) == 10);
    assert_true(time_at(&p, frames(&p) - 1) == 10 && frames(&p) <= 1500);
    text_free(&m);
    page_close(&p);
}

static void events_are_listed(void **s) {
    (void)s;
    page p;
    page_open(&p, "coord x\nkinetic x'^2/2\ninitial x = -1, x' = 1\nsimulate t = 0 .. 5\nevent "
                  "gate: x stop\n");
    const json_value *events = json_member(p.run, "events");
    assert_int_equal(events->count, 1);
    assert_true(fabs(json_member(json_item(events, 0), "t")->number - 1) < 1e-9);
    assert_int_equal(json_member(json_item(events, 0), "direction")->number, 1);
    page_close(&p);
}

static void the_same_model_gives_the_same_bytes(void **s) {
    (void)s;
    text out[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        page p;
        page_open(&p, library("snakeboard"));
        write_data(&p.job, &out[i]);
        page_close(&p);
    }
    assert_string_equal(text_string(&out[0]), text_string(&out[1]));
    text_free(&out[0]), text_free(&out[1]);
}

// sqrt(x) has no value on one side: null there, and what never has one is not shown.
static void what_is_not_a_number_is_null(void **s) {
    (void)s;
    page p;
    page_open(&p, "coord x, y\nkinetic (x'^2 + y'^2)/2\ninitial x = 1, y = 1, x' = -1\nsimulate t "
                  "= 0 .. 2, output = 0.1\n"
                  "draw trail (x, sqrt(x), 0)\ndraw sphere (sqrt(-y), 0, 0), 1\n");
    const json_value *trail = item_of(&p, "trail");
    const size_t track = (size_t)json_item(json_item(json_member(trail, "at"), 1), 0)->number;
    const json_value *values = json_item(json_member(p.scene, "tracks"), track);
    assert_int_equal(json_item(values, 0)->kind, JSON_NUMBER);
    assert_int_equal(json_item(values, values->count - 1)->kind, JSON_NULL);
    assert_int_equal(count_of(&p, "sphere"), 0);
    page_close(&p);
}

static void a_model_that_cannot_run_has_neither_run_nor_scene(void **s) {
    (void)s;
    world w = world_open();
    table rows = {0};
    run_job j = {.m = world_model(&w, "param m\ncoord x\nkinetic m*x'^2/2\n"),
                 .asked = &AS_STATED,
                 .rows = &rows};
    assert_int_equal(run_job_run(&j), HAMEL_MODEL);
    text out = {0};
    write_data(&j, &out);
    json_value *data = json_read(text_string(&out));
    assert_int_equal(json_member(data, "run")->kind, JSON_NULL);
    assert_int_equal(json_member(data, "scene")->kind, JSON_NULL);
    json_value_free(data);
    text_free(&out);
    run_job_close(&j);
    table_free(&rows);
    world_close(&w);
}

// --- the library ---------------------------------------------------------------------------------

// Every model that runs has a scene with something that moves, inside its box, and
// every quantity has its track.
static void check_scene(const page *p) {
    const json_value *items = json_member(p->scene, "items"),
                     *tracks = json_member(p->scene, "tracks");
    assert_true(items->count > 0 && tracks->count > 0);
    for (size_t i = 0; i < tracks->count; i++)
        assert_int_equal(json_item(tracks, i)->count, frames(p));
    for (size_t axis = 0; axis < 3; axis++) {
        const double low = json_item(json_member(p->scene, "low"), axis)->number,
                     high = json_item(json_member(p->scene, "high"), axis)->number;
        assert_true(low <= high);
        for (size_t i = 0; i < items->count; i++)
            for (size_t frame = 0; frame < frames(p); frame++) {
                if (strcmp(json_member(&items->items[i], "kind")->string, "trail") != 0) break;
                const double at = part_at(p, &items->items[i], "at", axis, frame),
                             slack = 1e-6 * (fabs(low) + fabs(high));
                assert_true(at >= low - slack && at <= high + slack);
            }
    }
    assert_true(time_at(p, 0) == column_at(p, "t", 0));
}

static void every_library_model_that_runs_is_shown(void **s) {
    (void)s;
    size_t shown = 0;
    for (size_t i = 0; i < hamel_library_count(); i++) {
        world w = world_open();
        table rows = {0};
        size_t size;
        // by its name, which includes are found beside
        const char *text_of = hamel_library_text(i, &size);
        run_job j = {.asked = &AS_STATED, .rows = &rows};
        assert_int_equal(hamel_model_parse(w.ctx, hamel_library_name(i), text_of, size, &j.m),
                         HAMEL_OK);
        if (run_job_run(&j) == HAMEL_OK) {
            text out = {0};
            write_data(&j, &out);
            page p = {.data = json_read(text_string(&out))};
            p.run = json_member(p.data, "run"), p.scene = json_member(p.data, "scene");
            check_scene(&p);
            json_value_free(p.data);
            text_free(&out);
            shown++;
        }
        run_job_close(&j);
        table_free(&rows);
        world_close(&w);
    }
    assert_true(shown > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bob_of_a_pendulum_is_where_its_angle_says),
        cmocka_unit_test(the_rim_of_a_rolling_disc_touches_the_ground_at_the_contact),
        cmocka_unit_test(a_box_turns_with_its_body_and_a_curve_is_a_list_of_points),
        cmocka_unit_test(an_ellipsoid_turns_with_its_body_about_a_place_of_its_own),
        cmocka_unit_test(half_axes_are_those_of_the_solid_ellipsoid),
        cmocka_unit_test(principal_axes_are_found),
        cmocka_unit_test(rods_and_discs_stay_visible_and_nothing_is_no_ellipsoid),
        cmocka_unit_test(coordinates_that_are_a_place_are_marked_with_their_heading),
        cmocka_unit_test(names_alone_make_no_place),
        cmocka_unit_test(the_rod_pulls_as_newton_says),
        cmocka_unit_test(the_blade_accelerates_the_sleigh),
        cmocka_unit_test(each_blade_of_the_snake_pushes_its_own_link),
        cmocka_unit_test(a_reaction_on_several_masses_is_what_arrives_at_each),
        cmocka_unit_test(reactions_that_vanish_are_not_shown),
        cmocka_unit_test(reactions_beyond_the_rows_are_forces_too),
        cmocka_unit_test(columns_have_kinds_and_all_their_digits),
        cmocka_unit_test(errors_are_those_before_rounding),
        cmocka_unit_test(ten_thousand_rows_of_forty_columns_stay_in_their_budget),
        cmocka_unit_test(events_are_listed),
        cmocka_unit_test(the_same_model_gives_the_same_bytes),
        cmocka_unit_test(what_is_not_a_number_is_null),
        cmocka_unit_test(a_model_that_cannot_run_has_neither_run_nor_scene),
        cmocka_unit_test(every_library_model_that_runs_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
