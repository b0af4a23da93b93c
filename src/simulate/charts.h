// Charts of the constraint manifold. Where constraints are solved for some velocities, a motion
// may come to states at which these no longer follow from the others: the coefficient by which
// they are divided vanishes, or a branch ends. Before it gets there the run goes on with other
// independent velocities, from the same state.
#ifndef HAMEL_SIMULATE_CHARTS_H
#define HAMEL_SIMULATE_CHARTS_H

#include "derive/formalism.h"
#include "integrate/integration.h"

typedef struct charts charts;

// The chart of the run's own field is the first; it stays the caller's. NULL if there is
// nothing to choose: no velocities are eliminated, or the model has quasi-velocities of its
// own. `independent` in the model says where a run begins, not where it ends. make_field:
// how further charts are to be run.
charts *charts_create(const formalism *form, field *first, bool bare,
                      field *(*make_field)(simulation *sim, void *data), void *data);
void charts_free(charts *c);

// The first chart again, for another run from the start.
field *charts_begin(charts *c);
// Other values of the parameters, in all charts
void charts_set_parameters(charts *c, const double *value);
// .. and the polynomials that functions from data are at t; false: they are those that they were
bool charts_enter_piece(charts *c, double t);

// Has another choice become much better than that of the run's chart, at the state z of the time t?
bool charts_is_poor(charts *c, double t, const double *z);

// Goes on from the same state in a chart that is good there: sets in->f and the z of that chart.
// False if there is none.
bool charts_switch(charts *c, integration *in);
// The same for a run that is taken up again, whose chart is not known any more; `columns` are the
// columns at its state.
bool charts_take_up(charts *c, integration *in, const double *columns);

uint64_t charts_switches(const charts *c); // how often; 0 for NULL

#endif
