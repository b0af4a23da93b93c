// The accelerations that constraints of order 2 leave: on the manifold each of them is affine in
// the rates of the quasi-velocities,
//   Phi* = C eta' + d = 0,   C = dPhi/dq'' B   (docs/mathematics.md, section 2.6),
// so h of the m rates follow from the others, and virtual displacements are B K with K the kernel
// of C. Without such constraints every rate is free and K is the unit matrix.
#ifndef HAMEL_DERIVE_RATES_H
#define HAMEL_DERIVE_RATES_H

#include "derive/manifold.h"
#include "equations/equations.h"

typedef struct {
    const manifold *m;
    uint32_t free_count;          // m - h
    const expr *free_rate;        // the rates that stay free
    const expr *phi;              // h: Phi* in (q, eta, eta', t)
    const uint32_t *free, *bound; // m - h and h indices into eta'
    const expr *slope;            // h x m: C
    const expr *response;         // h x (m - h): d eta'_bound / d eta'_free = -C_bound^-1 C_free
    const expr *solution;         // h: eta'_bound in terms of eta'_free
} rate_chart;

rate_chart rates_create(const manifold *m); // m must outlive it

// f with the bound rates as functions of the free ones
expr rates_substitute(const rate_chart *c, expr f);
// m - h: c_f + sum_b c_b d eta'_b/d eta'_f
void rates_restrict(const rate_chart *c, const expr *covector, expr *out);
// m - h: sum_s c_s K_sf, with K as in rates_restrict(), times C_b where there is one
// constraint, which takes no division.
void rates_project(const rate_chart *c, const expr *covector, expr *out);

// deliver_projected() with the m - h residuals and the h constraints Phi* = 0 beside them.
void rates_deliver(equations *eq, const rate_chart *c, const expr *residual);

#endif
