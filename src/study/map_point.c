// A net of steady motions over a rectangle of two parameters.
#include "study/map_point.h"

#include <acb_mat.h>
#include <math.h>

static const double STILL = 1e-10; // relative: a real part that is 0

static uint32_t place(uint32_t i, uint32_t k) { return i * (MAP_NET + 1) + k; }

// From a motion near; false where Newton's method does not find one
static bool reach(const stability_map *m, const path_point *from, double u, double v, slong bits,
                  path_point *out) {
    arb_t p;
    arb_init(p);
    path_point_copy(from, bits, out);
    arb_set_d(p, m->low[1] + v * (m->high[1] - m->low[1]));
    path_point_set_second(m->path, out, p);
    arb_set_d(p, m->low[0] + u * (m->high[0] - m->low[0]));
    path_point_set_p(m->path, out, p);
    arb_clear(p);
    return path_point_solve(m->path, out);
}

// Each node from a neighbour that is known, until nothing more is found
static void spread(map_net *net) {
    static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i <= MAP_NET; i++)
            for (int k = 0; k <= MAP_NET; k++)
                for (int w = 0; w < 4; w++) {
                    const int a = i + way[w][0], b = k + way[w][1];
                    if (a < 0 || b < 0 || a > MAP_NET || b > MAP_NET) continue;
                    const uint32_t to = place((uint32_t)i, (uint32_t)k),
                                   from = place((uint32_t)a, (uint32_t)b);
                    if (net->found[to] || !net->found[from]) continue;
                    net->found[to] = reach(net->m, &net->node[from], (double)i / MAP_NET,
                                           (double)k / MAP_NET, 53, &net->node[to]);
                    if (net->found[to]) more = true;
                    else path_point_clear(&net->node[to]), net->node[to] = (path_point){0};
                }
    }
}

bool map_net_create(stability_map *m, const double start[2], map_net *out) {
    *out = (map_net){.m = m};
    path_point first, there;
    path_point_init(m->path, 53, &first);
    bool good = reach(m, &first, start[0], start[1], 53, &there);
    if (good) good = path_point_linearise(m->path, &there, NULL);
    if (good) {
        m->eigenvalues = there.linear.count, m->neutral = there.linear.neutral;
        const uint32_t i = (uint32_t)lround(fmin(1, fmax(0, start[0])) * MAP_NET),
                       k = (uint32_t)lround(fmin(1, fmax(0, start[1])) * MAP_NET), at = place(i, k);
        good = out->found[at] =
            reach(m, &there, (double)i / MAP_NET, (double)k / MAP_NET, 53, &out->node[at]);
        if (good) spread(out);
        else path_point_clear(&out->node[at]), out->node[at] = (path_point){0};
    }
    path_point_clear(&there), path_point_clear(&first);
    return good;
}

void map_net_clear(map_net *net) {
    for (uint32_t i = 0; i < (MAP_NET + 1) * (MAP_NET + 1); i++) path_point_clear(&net->node[i]);
}

bool map_net_point(map_net *net, double u, double v, slong bits, path_point *out) {
    *out = (path_point){0};
    double nearest = 1.6 / MAP_NET; // a node of the cell around it, or of the next
    uint32_t best = 0;
    bool known = false;
    for (uint32_t i = 0; i <= MAP_NET; i++)
        for (uint32_t k = 0; k <= MAP_NET; k++) {
            const double d = hypot(u - (double)i / MAP_NET, v - (double)k / MAP_NET);
            if (net->found[place(i, k)] && d < nearest)
                nearest = d, best = place(i, k), known = true;
        }
    return known && reach(net->m, &net->node[best], u, v, bits, out) &&
           path_point_linearise(net->m->path, out, NULL) &&
           out->linear.count == net->m->eigenvalues;
}

bool map_net_test(map_net *net, double u, double v, int test, slong bits, double *out) {
    path_point at;
    arb_t value;
    arb_init(value);
    const bool good = map_net_point(net, u, v, bits, &at);
    if (good) spectrum_test(&(spectrum){.c = at.polynomial}, net->m->kind, test, 128, value);
    *out = ball_middle(value);
    arb_clear(value);
    path_point_clear(&at);
    return good && isfinite(*out);
}

bool map_net_count(map_net *net, double u, double v, uint32_t *growing, uint32_t *resting) {
    const uint32_t count = net->m->eigenvalues;
    path_point at;
    const bool good = map_net_point(net, u, v, 53, &at);
    *growing = *resting = 0;
    if (good) {
        acb_mat_t a;
        acb_ptr e = _acb_vec_init(count + 1);
        acb_mat_init(a, count, count);
        acb_mat_set_arb_mat(a, at.linear.quotient.v);
        if (count) acb_mat_approx_eig_qr(e, NULL, NULL, a, NULL, 0, 64);
        double size = 1;
        for (uint32_t i = 0; i < count; i++)
            size =
                fmax(size, hypot(ball_middle(acb_realref(e + i)), ball_middle(acb_imagref(e + i))));
        for (uint32_t i = 0; i < count; i++) {
            const double re = ball_middle(acb_realref(e + i));
            *growing += re > STILL * size, *resting += fabs(re) <= STILL * size;
        }
        _acb_vec_clear(e, count + 1);
        acb_mat_clear(a);
    }
    path_point_clear(&at);
    return good;
}

bool map_net_verdict(map_net *net, double u, double v, stability_verdict *out) {
    uint32_t growing, resting;
    *out = STABLE_UNDECIDED;
    if (!map_net_count(net, u, v, &growing, &resting)) return false;
    *out = growing ? STABLE_NO : resting ? STABLE_MARGINAL : STABLE_YES;
    return true;
}
