// What contacts do at a state: gaps, speeds, and the matrix between forces and accelerations.
//
// From the model with all contacts open, whatever form the run has:
//   M q'' + h = A^T lambda + sum_j W_j P_j,   A q'' + b = 0,
//   gap' , gap'' = W_n . q'' + w_n,   slip_i' = W_i . q'' + w_i
// so that y = G P + c with G = W^T X, M X - A^T L = W, A X = 0. contact_law_at() evaluates all of
// it at a state; contact_law_modes() and contact_law_impact() solve for what follows.
#ifndef HAMEL_SIMULATE_CONTACT_LAW_H
#define HAMEL_SIMULATE_CONTACT_LAW_H

#include "model/mechanics.h"
#include "simulate/complementarity.h"

typedef struct contact_law contact_law;

typedef struct {              // of one contact, at the state of contact_law_at()
    double gap, speed;        // gap and d gap/dt
    double acceleration;      // gap'' while no contact pushes
    double slip[2];           // along its tangents
    double hold, rub, bounce; // mu_s, mu, e
    double normal_rate;       // d gap/dt as the normal and the place say; NaN without a place
    double mass;              // 1/G_nn, what an impact along the normal meets
    double size;              // sum |d gap/dq_i q_i|: the gap is a difference of such numbers
} contact_values;

// `free`: the mechanics of the model in which every contact is free
contact_law *contact_law_create(const mechanics *free);
void contact_law_free(contact_law *w);

// q, q', and a value for each parameter of the model (those without one are not looked at). False
// where something has no finite value.
bool contact_law_at(contact_law *w, double t, const double *q, const double *qd,
                    const double *parameter);
// Do the equations determine accelerations there, while no contact pushes? Not where a mass is 0.
bool contact_law_determines(contact_law *w, double t, const double *q, const double *qd,
                            const double *parameter);
const contact_values *contact_law_values(const contact_law *w, uint32_t contact);
double contact_law_kinetic(const contact_law *w); // the kinetic energy there
double contact_law_energy(const contact_law *w);  // T + U

// What each closed contact does next, by accelerations. `closed` in: may it be closed, in which
// modes; modes of open ones are left. Returns the number of solutions; with one, `mode`, the
// directions in which they slide, and the forces P of each contact (normal, tangents).
typedef struct {
    bool is_closed;
    bool slides; // with a slip that is not 0: friction opposes that
    bool allowed[MODE_COUNT];
    contact_mode mode;
    double along[2], force[3], rate[3];
    uint32_t group;      // by contact_law_group()
    uint32_t rests_with; // of one that rests: the contact that holds it
    // of the impulses of an impact: on the system, and on what moves relative to the surface
    double work, own_work;
} contact_state;
// Puts closed contacts that act on one another into groups, each a problem of its own, before the
// next two are asked; the number of contacts in the largest, which may be MOST_CLOSED.
uint32_t contact_law_group(contact_law *w, contact_state *state);
uint32_t contact_law_modes(contact_law *w, contact_state *state);
// gap'' of a contact that is open, while those that are closed push as contact_law_modes() found
double contact_law_acceleration(const contact_law *w, const contact_state *state, uint32_t contact);
// Do more contacts hold a body than it takes, so that the laws leave open how much each of them
// carries? The directions in which they hold depend on one another: normals and lines; or all
// directions of those that stick in a plane.
bool contact_law_share_is_open(const contact_law *w, const contact_state *state, bool sticking);
// The velocities after an impact of the closed contacts, into qd: v_n+ = -e v_n-, impulses in the
// cone of friction. The number of solutions, of which the first is taken; 0: none, qd is as it was.
uint32_t contact_law_impact(contact_law *w, contact_state *state, double *qd);

// Velocities changed by impulses of one contact so that its speeds along normal and tangents change
// by these
void contact_law_change(contact_law *w, uint32_t contact, const double change[3], double *qd);

// The coordinates and velocities nearest to (q, q') that satisfy the constraints, but for those
// that are fixed, with these quasi-velocities where they are finite (NULL: the model has none);
// false where there are none near.
bool contact_law_project(contact_law *w, double t, double *q, double *qd, const double *parameter,
                         const bool *fixed_q, const bool *fixed_qd, const double *eta);

#endif
