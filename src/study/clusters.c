// Groups of eigenvalues in discs.
//
// With p(c + s) = sum_j p_j s^j, Pellet's theorem: if for some r > 0
//   |p_k| r^k > sum_(j != k) |p_j| r^j
// then exactly k roots have |s| < r. The discs of a choice of groups must not meet, and hold all
// roots. A disc around a real c with one root holds a real one.
#include "study/clusters.h"

#include "base/memory.h"
#include "expr/ball.h"

#include <acb_poly.h>
#include <arb_poly.h>
#include <math.h>
#include <string.h>

typedef struct {
    slong count;
    slong *group; // of each root: the index of its first member
    acb_ptr disc; // by first member
} work;

static double distance(const acb_t a, const acb_t b) {
    return hypot(ball_middle(acb_realref(a)) - ball_middle(acb_realref(b)),
                 ball_middle(acb_imagref(a)) - ball_middle(acb_imagref(b)));
}

// Roots within `near` times the largest of a member, or of 1, are in its group
static void find_groups(work *w, acb_srcptr root, double near) {
    double scale = 1;
    for (slong i = 0; i < w->count; i++)
        scale = fmax(scale,
                     hypot(ball_middle(acb_realref(root + i)), ball_middle(acb_imagref(root + i))));
    for (slong i = 0; i < w->count; i++) w->group[i] = i;
    for (bool again = true; again;) {
        again = false;
        for (slong i = 0; i < w->count; i++)
            for (slong j = 0; j < i; j++)
                if (w->group[i] > w->group[j] && distance(root + i, root + j) <= near * scale)
                    w->group[i] = w->group[j], again = true;
                else if (w->group[j] > w->group[i] && distance(root + i, root + j) <= near * scale)
                    w->group[j] = w->group[i], again = true;
    }
}

// The mean of a group; on the real axis where its members are, or come in pairs
static slong find_centre(const work *w, acb_srcptr root, slong group, double near, slong bits,
                         acb_t centre) {
    slong size = 0;
    acb_zero(centre);
    for (slong i = 0; i < w->count; i++)
        if (w->group[i] == group) acb_add(centre, centre, root + i, bits), size++;
    acb_div_si(centre, centre, size, bits);
    acb_get_mid(centre, centre);
    if (fabs(ball_middle(acb_imagref(centre))) <= near) arb_zero(acb_imagref(centre));
    return size;
}

// |p_k| r^k > sum of the others, for r = 2^exponent
static bool pellet_holds(const acb_poly_t p, slong k, slong exponent, slong bits) {
    arb_t left, right, term;
    arb_init(left), arb_init(right), arb_init(term);
    for (slong j = 0; j < acb_poly_length(p); j++) {
        acb_abs(term, acb_poly_get_coeff_ptr(p, j), bits);
        arb_mul_2exp_si(term, term, j * exponent);
        if (j == k) arb_set(left, term);
        else arb_add(right, right, term, bits);
    }
    const bool holds = arb_gt(left, right);
    arb_clear(left), arb_clear(right), arb_clear(term);
    return holds;
}

// The smallest disc of radius 2^-e around a centre that holds this number of roots
static bool find_disc(const acb_poly_t polynomial, const acb_t centre, slong size, slong bits,
                      acb_t disc) {
    acb_poly_t p;
    acb_poly_init(p);
    acb_poly_taylor_shift(p, polynomial, centre, bits);
    bool found = false;
    for (slong e = -bits; e <= 0 && !found; e++) {
        found = pellet_holds(p, size, e, bits);
        if (!found) continue;
        acb_set(disc, centre);
        const bool real = size == 1 && arb_is_zero(acb_imagref(centre));
        arb_add_error_2exp_si(acb_realref(disc), e);
        if (!real) arb_add_error_2exp_si(acb_imagref(disc), e);
    }
    acb_poly_clear(p);
    return found;
}

static bool all_apart(const work *w) {
    for (slong i = 0; i < w->count; i++)
        for (slong j = 0; j < i; j++)
            if (w->group[i] == i && w->group[j] == j && acb_overlaps(w->disc + i, w->disc + j))
                return false;
    return true;
}

bool clusters_enclose(const arb_mat_t a, acb_ptr near, slong bits) {
    static const double NEAR[] = {1e-30, 1e-22, 1e-15, 1e-11, 1e-8, 1e-6};
    work w = {.count = arb_mat_nrows(a)};
    w.group = memory_array(slong, w.count + 1);
    w.disc = _acb_vec_init(w.count);
    arb_poly_t real;
    acb_poly_t polynomial;
    acb_t centre;
    arb_poly_init(real), acb_poly_init(polynomial), acb_init(centre);
    arb_mat_charpoly(real, a, bits);
    acb_poly_set_arb_poly(polynomial, real);
    bool good = false;
    for (size_t k = 0; k < sizeof NEAR / sizeof *NEAR && !good; k++) {
        find_groups(&w, near, NEAR[k]);
        good = true;
        for (slong i = 0; i < w.count && good; i++) {
            if (w.group[i] != i) continue;
            const slong size = find_centre(&w, near, i, NEAR[k], bits, centre);
            good = find_disc(polynomial, centre, size, bits, w.disc + i);
        }
        good = good && all_apart(&w);
    }
    for (slong i = 0; i < w.count && good; i++) acb_set(near + i, w.disc + w.group[i]);
    arb_poly_clear(real), acb_poly_clear(polynomial), acb_clear(centre);
    _acb_vec_clear(w.disc, w.count);
    memory_free(w.group);
    return good;
}
