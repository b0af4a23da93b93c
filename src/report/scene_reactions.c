// The reactions of the constraints as arrows.
//
// R_i = lambda dPhi/dq'_i acts on the coordinates. If there is a mass at X and a force F with R_i =
// F . dX/dq_i for all i, the reaction is the force F on that mass. Otherwise it acts elsewhere, or
// on several, and is seen in what it does: the force
//   F_P = m_P J_P M^-1 R,   J_P = dX_P/dq,   M = d2T/dq'dq',
// on the mass P alone would change its acceleration as much. For one free body this is the reaction
// itself; where masses hang together it is what arrives at each. Coordinates that are a place
// (scene_markers.c) show (R_x, R_y, R_z) as they are.
#include "report/scene_internal.h"

#include "report/row_values.h"
#include "report/symmetric.h"
#include "execute/elimination.h"

#include <math.h>
#include <string.h>

enum { MOST_ARROWS = 12 }; // with more, each constraint has only its largest
// of the largest force, or of what would stop the mass within the run; also of R
static const double NOTHING = 1e-9;

typedef struct {
    vec3 at;
    expr mass;
    const int *coordinate; // of a place
} site;

typedef struct {
    scene *s;
    uint32_t n, constraints, frames;
    LIST(site, sites);
    bool direct;     // the sites are places: no M, no J
    double *force;   // by constraint, site, axis, frame
    double *largest; // by constraint, site
    // by constraint: the site on which the reaction is a force; sites_count if there is none
    uint32_t *acts;
    double momentum; // the largest component of any
} reactions;

static double *force_of(const reactions *r, uint32_t nu, uint32_t site, uint32_t axis) {
    return r->force + (size_t)((nu * r->sites_count + site) * 3 + axis) * r->frames;
}

static void find_sites(reactions *r, marker *places) {
    const model *m = r->s->m;
    for (uint32_t i = 0; i < m->points_count; i++)
        list_push(r, sites, (site){m->points[i].position, m->points[i].mass, NULL});
    for (uint32_t i = 0; i < m->bodies_count; i++)
        list_push(r, sites, (site){m->bodies[i].centre, m->bodies[i].mass, NULL});
    if (r->sites_count) return;
    r->direct = true;
    const uint32_t count = marker_find(r->s, places);
    for (uint32_t i = 0; i < count; i++) {
        const expr velocity = r->s->system->qd[places[i].coordinate[0]];
        const expr mass =
            expr_diff(r->s->p, expr_diff(r->s->p, r->s->system->kinetic, velocity), velocity);
        list_push(r, sites, (site){marker_place(r->s, &places[i]), mass, places[i].coordinate});
    }
}

// --- at one frame --------------------------------------------------------------------------------

// R (a row for each constraint), the masses, and unless direct: M, and J of each site.
typedef struct {
    uint32_t count, mass, inertia, jacobian; // how many, and where which begin
} layout;

static layout layout_of(const reactions *r) {
    layout l = {.mass = r->constraints * r->n};
    l.inertia = l.mass + r->sites_count;
    l.jacobian = l.inertia + (r->direct ? 0 : r->n * r->n);
    l.count = l.jacobian + (r->direct ? 0 : 3 * r->n * r->sites_count);
    return l;
}

static expr *ingredients(const reactions *r, layout l) {
    const mechanics *system = r->s->system;
    expr *e = memory_array(expr, l.count + system->n);
    for (uint32_t nu = 0; nu < r->constraints; nu++)
        for (uint32_t i = 0; i < system->n; i++)
            e[nu * system->n + i] = equations_acting_reaction_of(r->s->run->sim->eq, nu, i);
    for (uint32_t i = 0; i < r->sites_count; i++) e[l.mass + i] = r->sites[i].mass;
    if (r->direct) return e;
    expr *momentum = e + l.count;
    expr_gradient(system->pool, system->kinetic, system->n, system->qd, momentum);
    expr_jacobian(system->pool, system->n, momentum, system->n, system->qd, e + l.inertia);
    for (uint32_t i = 0; i < r->sites_count; i++)
        expr_jacobian(system->pool, 3, r->sites[i].at.at, system->n, system->q,
                      e + l.jacobian + 3 * system->n * i);
    return e;
}

// J v of a site along an axis; of a place the component of v
static double along(const reactions *r, layout l, const double *value, uint32_t site, uint32_t axis,
                    const double *v) {
    if (r->direct)
        return r->sites[site].coordinate[axis] == NO_COORDINATE
                   ? 0
                   : v[r->sites[site].coordinate[axis]];
    const double *row = value + l.jacobian + (3 * site + axis) * r->n;
    double sum = 0;
    for (uint32_t i = 0; i < r->n; i++) sum += row[i] * v[i];
    return sum;
}

// The shortest force F on a site with R = J^T F, by least squares; false if there is none.
static bool find_force(const reactions *r, layout l, const double *value, uint32_t nu,
                       uint32_t site, double force[3]) {
    const double *reaction = value + nu * r->n, *row = value + l.jacobian + 3 * site * r->n;
    double square[3][3], largest = 0, gap = 0; // J J^T F = J R
    for (uint32_t i = 0; i < 3; i++) {
        force[i] = along(r, l, value, site, i, reaction);
        for (uint32_t j = 0; j < 3; j++) square[i][j] = along(r, l, value, site, i, row + j * r->n);
    }
    symmetric_solve(square, force);
    for (uint32_t i = 0; i < r->n; i++) {
        const double made =
            row[i] * force[0] + row[r->n + i] * force[1] + row[2 * r->n + i] * force[2];
        largest = fmax(largest, fabs(reaction[i])), gap = fmax(gap, fabs(reaction[i] - made));
    }
    return gap <= NOTHING * largest;
}

// The site on which each reaction is a force, judged at a few frames: with the least force where
// there are several.
static void find_acting(reactions *r, layout l, row_values *rows, double *value) {
    enum { PROBES = 7 };
    const uint32_t pairs = r->constraints * r->sites_count;
    // the sum of |F|^2; infinite where there is none
    double force[3], *effort = memory_zeros(double, pairs);
    for (uint32_t i = 0; i < PROBES; i++) {
        row_values_at(rows, scene_row(r->s, (uint32_t)spread(i, PROBES, r->frames)), value);
        for (uint32_t j = 0; j < pairs; j++) {
            const bool found =
                find_force(r, l, value, j / r->sites_count, j % r->sites_count, force);
            effort[j] +=
                found ? force[0] * force[0] + force[1] * force[1] + force[2] * force[2] : INFINITY;
        }
    }
    for (uint32_t j = 0; j < pairs; j++) {
        uint32_t *best = &r->acts[j / r->sites_count];
        const double least =
            *best < r->sites_count ? effort[j - j % r->sites_count + *best] : INFINITY;
        if (effort[j] < least) *best = j % r->sites_count;
    }
    memory_free(effort);
}

// m J M^-1 R at each site, or R itself
static void compute_response(const reactions *r, layout l, const double *value, uint32_t nu,
                             double *force, double *scratch) {
    double *change = scratch, *inertia = scratch + r->n;
    memcpy(change, value + nu * r->n, sizeof(double) * r->n);
    if (!r->direct) {
        memcpy(inertia, value + l.inertia, sizeof(double) * r->n * r->n);
        elimination_solve(r->n, inertia, 1, change);
    }
    for (uint32_t i = 0; i < 3 * r->sites_count; i++)
        force[i] =
            along(r, l, value, i / 3, i % 3, change) * (r->direct ? 1 : value[l.mass + i / 3]);
}

static void keep_frame(reactions *r, uint32_t nu, const double *force, uint32_t frame) {
    for (uint32_t i = 0; i < 3 * r->sites_count; i++) {
        double *largest = &r->largest[nu * r->sites_count + i / 3];
        force_of(r, nu, i / 3, i % 3)[frame] = force[i];
        *largest = fmax(*largest, fabs(force[i]));
    }
}

static void compute_frame(reactions *r, layout l, const double *value, uint32_t frame,
                          double *scratch) {
    double *force = scratch, *rest = scratch + 3 * r->sites_count;
    for (uint32_t nu = 0; nu < r->constraints; nu++) {
        memset(force, 0, sizeof(double) * 3 * r->sites_count);
        if (r->acts[nu] < r->sites_count)
            find_force(r, l, value, nu, r->acts[nu], force + 3 * r->acts[nu]);
        else compute_response(r, l, value, nu, force, rest);
        keep_frame(r, nu, force, frame);
    }
    // the columns are t, then q, then q'
    for (uint32_t i = 0; i < r->n; i++)
        rest[i] = table_at(r->s->run->rows, scene_row(r->s, frame), 1 + r->n + i);
    for (uint32_t i = 0; i < 3 * r->sites_count; i++)
        r->momentum =
            fmax(r->momentum, fabs(value[l.mass + i / 3] * along(r, l, value, i / 3, i % 3, rest)));
}

static void compute(reactions *r) {
    const layout l = layout_of(r);
    const size_t pairs = (size_t)r->constraints * r->sites_count;
    expr *wanted = ingredients(r, l);
    row_values *rows = row_values_create(r->s->run, l.count, wanted);
    double *value = memory_array(double, l.count + 1);
    double *scratch = memory_array(double, (size_t)r->n * r->n + r->n + 3 * r->sites_count);
    r->force = memory_array(double, (size_t)pairs * 3 * r->frames);
    r->largest = memory_zeros(double, pairs);
    r->acts = memory_array(uint32_t, r->constraints);
    for (uint32_t nu = 0; nu < r->constraints; nu++) r->acts[nu] = r->sites_count;
    if (!r->direct) find_acting(r, l, rows, value);
    for (uint32_t frame = 0; frame < r->frames; frame++) {
        row_values_at(rows, scene_row(r->s, frame), value);
        compute_frame(r, l, value, frame, scratch);
    }
    row_values_free(rows);
    memory_free(wanted), memory_free(value), memory_free(scratch);
}

// --- which of them are shown ---------------------------------------------------------------------

static double smallest_shown(const reactions *r) {
    const table *rows = r->s->run->rows;
    const double duration = table_at(rows, rows->row_count - 1, 0) - table_at(rows, 0, 0);
    double largest = 0;
    for (uint32_t i = 0; i < r->constraints * r->sites_count; i++)
        largest = fmax(largest, r->largest[i]);
    return NOTHING * fmax(largest, duration > 0 ? r->momentum / duration : 0);
}

static bool is_strongest_site(const reactions *r, uint32_t nu, uint32_t site) {
    const double *of = r->largest + nu * r->sites_count;
    for (uint32_t i = 0; i < r->sites_count; i++)
        if (of[i] > of[site] || (of[i] == of[site] && i < site)) return false;
    return true;
}

// Takes the numbers, one a frame.
static void add_arrow(scene *s, const char *name, vec3 at, double *const vector[3]) {
    uint32_t *quantity = scene_push_item(s, SHAPE_ARROW, name, 6);
    for (uint32_t i = 0; i < 3; i++) {
        quantity[i] = scene_track(s, at.at[i], MEASURE_PLACE);
        quantity[3 + i] = s->tracks_count;
        list_push(s, tracks, (track){.value = EXPR_NONE, .of = MEASURE_FORCE, .at = vector[i]});
    }
}

static void show_reaction(reactions *r, uint32_t nu, uint32_t site) {
    const size_t size = sizeof(double) * r->frames;
    double *vector[3];
    for (uint32_t axis = 0; axis < 3; axis++)
        vector[axis] = memcpy(memory_array(double, r->frames), force_of(r, nu, site, axis), size);
    add_arrow(r->s, r->s->m->constraints[r->s->system->constraint[nu]].name, r->sites[site].at,
              vector);
}

static void add_arrows(reactions *r) {
    const double least = smallest_shown(r);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < r->constraints * r->sites_count; i++) shown += r->largest[i] > least;
    for (uint32_t nu = 0; nu < r->constraints; nu++)
        for (uint32_t site = 0; site < r->sites_count; site++)
            if (r->largest[nu * r->sites_count + site] > least &&
                (shown <= MOST_ARROWS || is_strongest_site(r, nu, site)))
                show_reaction(r, nu, site);
}

void scene_add_reactions(scene *s) {
    reactions r = {.s = s,
                   .n = s->system->n,
                   .constraints = s->run->sim->eq->multiplier_count,
                   .frames = s->frame_count};
    marker *places = memory_array(marker, r.n + 1);
    find_sites(&r, places);
    if (r.constraints && r.sites_count) {
        compute(&r);
        add_arrows(&r);
    }
    memory_free(places), memory_free(r.sites), memory_free(r.force), memory_free(r.largest),
        memory_free(r.acts);
}
